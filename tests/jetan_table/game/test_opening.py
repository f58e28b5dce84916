"""Who begins, and the bias: what tables cannot show of it (`tests/data/tables/opening.txt`)."""

from pathlib import Path

import pytest

from jetan_table.game.commands import CommandRefused, NewGame
from jetan_table.game.events import Bias, FirstMove, OpeningAgreed
from jetan_table.game.terms import Opening, begun_anew
from jetan_table.game.texts import bias_of_tags, first_of_tags, game_text
from jetan_table.table.dice import judge, rolls_of_journal, rolls_of_tags
from rules import Position, Side, parse_position, parse_rules, parse_square
from rules.text import parse_game
from tests.jetan_table.cli.in_process import told
from tests.jetan_table.hands import header
from tests.jetan_table.sitting import sitting


@pytest.mark.parametrize("face", range(1, 11))
def test_odd_faces_are_the_first_named(face: int) -> None:
    opening = Opening(first="roll", bias="roll")
    first = opening.rolled(face, "hand")
    assert first == FirstMove("black" if face % 2 else "orange", "hand", face)
    bias = opening.after(first).rolled(face, "table")
    assert bias == Bias("clockwise" if face % 2 else "counterclockwise", "table", face)
    assert opening.after(first).after(bias).due is None
    with pytest.raises(CommandRefused, match="must be 1"):
        opening.rolled(10 + face, "hand")


def test_the_roll_can_be_checked_from_the_journal_and_from_the_text(tmp_path: Path) -> None:
    with sitting(tmp_path) as evening:
        disk = header(parse_rules("ninth-ray-clockwise"))
        evening.tell(NewGame(disk, (OpeningAgreed("roll", "roll"),)))
        evening.type("number 17", "roll", "roll", "resign black")
        record = evening.record
        entries = evening.journal.archive.entries(evening.table.game)
    verdict = judge(record.die, rolls_of_journal(record.header, entries))
    assert verdict.is_fair
    assert verdict.by_table == 2
    tags = parse_game(game_text(record)).tags
    assert first_of_tags(tags) == record.opening.first_settled
    assert bias_of_tags(tags) == record.opening.bias_settled
    assert judge(record.die, rolls_of_tags(tags)).by_table == 2
    bent = {**tags, "FirstMove": "black table 2", "Bias": "clockwise table 2"}
    assert len(judge(record.die, rolls_of_tags(bent)).bent) >= 1


def test_a_start_keeps_all_but_side_and_bias() -> None:
    rules = parse_rules("ninth-ray-clockwise,juggernaut=random-empty")
    start = Position.start(rules, juggernaut=parse_square("e5"))
    changed = begun_anew(
        begun_anew(start, FirstMove("orange", "agreed")), Bias("counterclockwise", "agreed")
    )
    assert changed.pieces() == start.pieces()
    assert (changed.juggernaut, changed.side) == (start.juggernaut, Side.ORANGE)
    assert changed.rules.differences(rules) == {"board": "ninth-ray-counterclockwise"}
    end = parse_position("9c/10/10/10/10/10/10/10/10/C3Q4q b - - 0 1", parse_rules("appendix"))
    assert begun_anew(end, FirstMove("orange", "agreed")).escapes == frozenset()


def test_a_game_that_was_rolled_for_is_replayed_from_where_it_began(tmp_path: Path) -> None:
    with sitting(tmp_path) as evening:
        evening.tell(NewGame(header(), (OpeningAgreed(first="roll"),)))
        evening.type("roll", "begins orange", "d9 d8", "d2 d3")
        assert evening.record.moves == ("Pd9-d8", "Pd2-d3")
        game = evening.table.game
    printed = told(tmp_path, f"replay --game {game} --data", tmp_path)
    assert "Pd9-d8" in printed
    assert "Pd2-d3" in printed

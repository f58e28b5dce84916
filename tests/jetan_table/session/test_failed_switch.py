"""A switch fails in the middle of a game at the simulated table: it is named, and play goes on."""

from pathlib import Path

import pytest

from hardware.ports import FaultKind
from jetan_table.game.commands import AnswerQuestion, BoardIsRight, TakeBackLast
from jetan_table.game.events import Follows
from jetan_table.light.lamps import Cue, cues
from jetan_table.light.words import Speaker
from jetan_table.session.view import Phase
from rules import MoveKind, format_move, format_square, parse_rules, parse_square
from tests.jetan_table.hands import header
from tests.jetan_table.sitting import Evening, sitting


@pytest.mark.parametrize(
    ("fault", "square", "wires"),
    [
        (FaultKind.STUCK, "e5", "row 5, column 5"),
        (FaultKind.STUCK, "a4", "row 4, column 1"),
        (FaultKind.DEAD, "g9", "row 9, column 7"),
        (FaultKind.DEAD, "b1", "row 1, column 2"),
    ],
)
def test_people_name_a_switch_that_fails_and_play_goes_on_without_it(
    tmp_path: Path, fault: FaultKind, square: str, wires: str
) -> None:
    kind = FaultKind.STUCK if fault is FaultKind.STUCK else FaultKind.DEAD
    with sitting(tmp_path) as evening:
        evening.move("d2", "d3")
        evening.hands.fail(parse_square(square), fault, evening.clock.now())
        evening.wait(2.0)
        evening.table.obey(BoardIsRight(), evening.clock.now())
        view = evening.table.view
        assert view.record.faults == {parse_square(square): kind}
        assert any(wires in sentence for sentence in Speaker("en").sentences(view))
        assert view.standing == evening.hands.standing
        evening.move("e9", "e8")
        evening.move("c2", "c3")
        evening.table.obey(TakeBackLast(), evening.clock.now())
        evening.move("c3", "c2")
        evening.move("h2", "h3")
        assert evening.table.view.record.moves == ("Pd2-d3", "Pe9-e8", "Ph2-h3")
        evening.hands.lift(parse_square("c9"), evening.clock.now())
        evening.wait(1.0)
    with sitting(tmp_path) as evening:
        assert evening.table.view.phase is Phase.PLAYING
        assert evening.table.view.lifted == (parse_square("c9"),)
        evening.hands.put(parse_square("c8"), evening.clock.now())
        evening.wait(3.0)
        assert evening.table.view.record.moves == ("Pd2-d3", "Pe9-e8", "Ph2-h3", "Pc9-c8")
        assert evening.table.view.leading.repair is None
        assert evening.table.view.standing == evening.hands.standing


@pytest.mark.parametrize("square", ["e5", "a4"])
def test_the_table_names_a_stuck_switch_itself_as_play_goes_on(
    evening: Evening, square: str
) -> None:
    evening.move("d2", "d3")
    evening.hands.fail(parse_square(square), FaultKind.STUCK, evening.clock.now())
    for start, end in (("e9", "e8"), ("c2", "c3"), ("h9", "h8"), ("i2", "i3"), ("c9", "c8")):
        evening.move(start, end)
    assert evening.table.view.record.faults == {parse_square(square): FaultKind.STUCK}
    moves = ("Pd2-d3", "Pe9-e8", "Pc2-c3", "Ph9-h8", "Pi2-i3", "Pc9-c8")
    assert evening.table.view.record.moves == moves


@pytest.mark.parametrize(("fault", "square"), [(FaultKind.DEAD, "g9"), (FaultKind.STUCK, "e5")])
def test_a_named_switch_that_follows_again_counts_again_also_after_a_power_cut(
    tmp_path: Path, fault: FaultKind, square: str
) -> None:
    failed = parse_square(square)
    with sitting(tmp_path) as evening:
        evening.move("d2", "d3")
        evening.hands.fail(failed, fault, evening.clock.now())
        evening.wait(2.0)
        evening.table.obey(BoardIsRight(), evening.clock.now())
        assert failed in evening.table.view.record.faults
        evening.hands.fail(failed, None, evening.clock.now())
        evening.wait(2.0)
        happened = [entry.event for entry in evening.journal.archive.entries(evening.table.game)]
        assert happened[-1] == Follows(square)
        assert evening.table.view.record.faults == {}
    with sitting(tmp_path) as evening:
        assert evening.table.view.record.faults == {}
        assert evening.table.view.standing == evening.hands.standing
        evening.move("g9", "g8")
        assert evening.table.view.record.moves == ("Pd2-d3", "Pg9-g8")
        assert evening.table.view.standing == evening.hands.standing


@pytest.mark.parametrize(("rules", "square"), [("appendix", "d2"), ("ninth-ray-clockwise", "c5")])
def test_a_game_is_played_on_with_a_dead_square_that_lamps_and_words_tell_of(
    tmp_path: Path, rules: str, square: str
) -> None:
    dead = parse_square(square)
    with sitting(tmp_path, header(parse_rules(rules))) as evening:
        evening.hands.fail(dead, FaultKind.DEAD, evening.clock.now())
        evening.wait(2.0)
        if (
            evening.table.view.leading.repair
            or evening.table.view.leading.placing
            or evening.table.view.lifted
        ):
            evening.tell(BoardIsRight())
        played = []
        for number in range(12):
            view = evening.table.view
            moves = [
                move
                for move in view.position.moves()
                if move.kind is MoveKind.MOVE and view.position.play(move).outcome is None
            ]
            move = moves[(7 * number) % len(moves)]
            played.append(format_move(move, view.position))
            evening.move(format_square(move.from_square), format_square(move.to_square))
            evening.wait(3.0)
            if question := evening.table.view.question:
                true = move.from_square if question.from_square is None else move.to_square
                evening.tell(AnswerQuestion(format_square(true)))
        assert evening.table.view.record.moves == tuple(played)
        view = evening.table.view
        assert (view.record.faults == {dead: FaultKind.DEAD}) >= (square == "d2")
        assert all(cues(view)[failed] is Cue.FAULT for failed in view.record.faults)

"""Who begins, and the bias: by agreement, by the die and by choice, on both boards."""

from pathlib import Path

import pytest

from hardware.die import roll_numbers
from jetan_table.game.commands import (
    AddNumber,
    ChooseBias,
    ChooseFirst,
    CommandRefused,
    Correct,
    NewGame,
    Resign,
    RollDie,
    TakeBackLast,
)
from jetan_table.game.events import (
    SIDE_NAMES,
    Bias,
    DieCommit,
    Event,
    FirstMove,
    Header,
    OpeningAgreed,
    Settler,
)
from jetan_table.game.record import Record
from jetan_table.game.terms import SETTLED, Opening, begun_anew
from jetan_table.journal.archive import Archive
from jetan_table.journal.game_files import bias_of_tags, first_of_tags, game_text
from jetan_table.light.lamps import Cue, cues
from jetan_table.light.words import Speaker
from jetan_table.session.view import Phase
from jetan_table.table.dice import judge, rolls_of_journal, rolls_of_tags
from rules import Position, Side, format_position, parse_position, parse_rules, parse_square
from rules.text import parse_game
from tests.jetan_table.cli.in_process import told
from tests.jetan_table.hands import header
from tests.jetan_table.sitting import Evening, sitting

DISK = parse_rules("ninth-ray-clockwise")


def begin(evening: Evening, *events: Event, begun: Header | None = None) -> None:
    evening.tell(NewGame(begun or header(), events))


def plies(evening: Evening) -> int:
    return len(evening.table.view.record.moves)


def kept(folder: Path) -> Record:
    archive = Archive.open(folder)
    game = archive.games()[-1].game
    return archive.record(game)


def test_nothing_is_to_be_settled_unless_it_is_agreed_on(evening: Evening) -> None:
    assert evening.table.view.record.opening == SETTLED
    assert evening.table.view.record.unsettled is None


@pytest.mark.parametrize("face", range(1, 11))
def test_odd_faces_are_the_first_named(face: int) -> None:
    opening = Opening(first="roll", bias="roll")
    first = opening.rolled(face, "hand")
    assert first == FirstMove("black" if face % 2 else "orange", "hand", face)
    bias = opening.after(first).rolled(face, "table")
    assert bias == Bias("clockwise" if face % 2 else "counterclockwise", "table", face)
    assert opening.after(first).after(bias).due is None


def test_the_table_s_die_says_who_begins_and_no_ply_is_read_before(
    tmp_path: Path, evening: Evening
) -> None:
    begin(evening, OpeningAgreed(first="roll"))
    evening.tell(AddNumber(17))
    assert evening.table.view.is_roll_due
    evening.move("d2", "d3")
    assert plies(evening) == 0
    evening.hands.set_up(evening.table.view.position, evening.clock.now())
    evening.wait(3.0)
    (seed,) = (tmp_path / "seeds").iterdir()
    face = roll_numbers([bytes.fromhex(seed.read_text())], (17,), "0 first 1")[0]
    evening.tell(RollDie())
    side = Side.BLACK if face % 2 else Side.ORANGE
    assert evening.table.view.position.side is side
    assert kept(tmp_path).opening.first_told == FirstMove(SIDE_NAMES[side], "table", face)
    with pytest.raises(CommandRefused, match="no Juggernaut is in this game"):
        evening.tell(RollDie())
    with pytest.raises(CommandRefused, match="add numbers before that"):
        evening.tell(AddNumber(18))
    evening.move(*(("d2", "d3") if face % 2 else ("d9", "d8")))
    assert plies(evening) == 1
    with pytest.raises(CommandRefused, match="settled before the first move"):
        evening.tell(ChooseFirst("orange"))


def test_the_roll_can_be_checked_from_the_journal_and_from_the_text(tmp_path: Path) -> None:
    with sitting(tmp_path) as evening:
        begin(evening, OpeningAgreed("roll", "roll"), begun=header(DISK))
        evening.tell(RollDie())
        evening.tell(RollDie())
        evening.tell(Resign("black"))
        record = evening.table.record
        entries = evening.journal.archive.entries(evening.table.game)
    verdict = judge(record.die, rolls_of_journal(record.header, entries))
    assert verdict.is_fair
    assert verdict.by_table == 2
    tags = parse_game(game_text(record)).tags
    assert first_of_tags(tags) == record.opening.first_told
    assert bias_of_tags(tags) == record.opening.bias_told
    assert judge(record.die, rolls_of_tags(tags)).by_table == 2
    bent = {**tags, "FirstMove": "black table 2", "Bias": "clockwise table 2"}
    assert len(judge(record.die, rolls_of_tags(bent)).bent) >= 1


def test_a_power_cut_before_the_first_ply_loses_nothing(tmp_path: Path) -> None:
    with sitting(tmp_path) as evening:
        begin(evening, OpeningAgreed("roll", "orange"), begun=header(DISK))
        sealed = evening.table.view.record.die
    with sitting(tmp_path) as evening:
        assert evening.table.view.record.unsettled == "first"
        assert evening.table.view.record.die == sealed
        evening.tell(RollDie())
        side = evening.table.view.position.side
    with sitting(tmp_path) as evening:
        view = evening.table.view
        assert (view.record.unsettled, view.position.side) == ("bias", side)
        evening.tell(ChooseBias("counterclockwise"))
    with sitting(tmp_path) as evening:
        view = evening.table.view
        assert view.record.unsettled is None
        assert view.position.side is side
        assert view.position.rules["board"] == "ninth-ray-counterclockwise"
        assert evening.table.record.opening.bias_told == Bias("counterclockwise", "chosen")


@pytest.mark.parametrize(
    ("settler", "chief", "side"), [("black", "e1", Side.BLACK), ("orange", "f10", Side.ORANGE)]
)
def test_a_winner_touches_the_chief_of_who_begins(
    evening: Evening, settler: Settler, chief: str, side: Side
) -> None:
    begin(evening, OpeningAgreed(first=settler))
    marked = cues(evening.table.view)
    chiefs = {parse_square("e1"), parse_square("f10")}
    assert {square for square, cue in marked.items() if cue is Cue.QUESTION} == chiefs
    chosen = parse_square(chief)
    evening.hands.lift(chosen, evening.clock.now())
    evening.wait(1.0)
    evening.hands.put(chosen, evening.clock.now())
    evening.wait(2.0)
    view = evening.table.view
    assert view.phase is Phase.PLAYING
    assert view.record.opening.first_told == FirstMove(SIDE_NAMES[side], "chosen")
    assert view.position.side is side


@pytest.mark.parametrize(("touched", "way"), [("C", "clockwise"), ("Q", "counterclockwise")])
def test_who_has_won_the_bias_touches_chief_or_princess(
    evening: Evening, touched: str, way: str
) -> None:
    begin(evening, OpeningAgreed(bias="black"), begun=header(DISK))
    evening.hands.set_up(evening.table.view.position, evening.clock.now())
    evening.wait(3.0)
    pieces = evening.table.view.position.pieces().items()
    square = next(square for square, piece in pieces if piece.letter == touched)
    evening.hands.lift(square, evening.clock.now())
    evening.wait(1.0)
    evening.hands.put(square, evening.clock.now())
    evening.wait(2.0)
    assert evening.table.view.position.rules["board"] == f"ninth-ray-{way}"
    assert evening.table.view.position.rules.base == "ninth-ray-clockwise"


def test_people_may_agree_instead_of_rolling_and_throw_their_own_die(evening: Evening) -> None:
    begin(evening, OpeningAgreed(first="roll"))
    evening.tell(ChooseFirst("orange"))
    assert evening.table.record.opening.first_told == FirstMove("orange", "agreed")
    begin(evening, OpeningAgreed(first="roll"))
    evening.tell(RollDie("10"))
    assert evening.table.record.opening.first_told == FirstMove("orange", "hand", 10)
    with pytest.raises(CommandRefused, match="there is nothing to roll for"):
        evening.tell(RollDie("3"))
    begin(evening, OpeningAgreed(first="orange"))
    with pytest.raises(CommandRefused, match="nobody needs to roll"):
        evening.tell(RollDie())
    with pytest.raises(CommandRefused, match="must be 1"):
        Opening(first="roll").rolled(11, "hand")


def test_the_flat_board_has_no_bias(evening: Evening) -> None:
    with pytest.raises(CommandRefused, match="belongs to the disk"):
        evening.tell(ChooseBias("clockwise"))


def test_the_seed_is_shown_when_a_game_ends_before_it_began(evening: Evening) -> None:
    begin(evening, OpeningAgreed(first="roll"))
    evening.tell(Resign("black"))
    die = evening.table.view.record.die
    assert die is not None
    assert die.seed is not None
    assert evening.table.view.record.unsettled is None
    assert isinstance(evening.journal.archive.entries(evening.table.game)[1].event, DieCommit)


def test_a_corrected_position_says_itself_who_is_to_move(evening: Evening) -> None:
    begin(evening, OpeningAgreed(first="roll"))
    start = Position.start(parse_rules("appendix"), Side.ORANGE)
    evening.tell(Correct(format_position(start)))
    assert evening.table.view.record.unsettled is None
    assert evening.table.view.position.side is Side.ORANGE
    with pytest.raises(CommandRefused, match="no move"):
        evening.tell(TakeBackLast())


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


@pytest.mark.parametrize(
    ("opening", "english"),
    [
        (Opening(first="roll"), "Roll for who begins: odd is Black, even is Orange."),
        (
            Opening(first="orange"),
            "Orange says who begins: lift that side's Chief and put it back.",
        ),
        (
            Opening(bias="black"),
            (
                "Black says how the centre is crossed: lift and put back your Chief for clockwise, "
                "your Princess for counterclockwise."
            ),
        ),
    ],
)
def test_what_is_to_be_settled_is_asked_in_words(
    tmp_path: Path, opening: Opening, english: str
) -> None:
    with sitting(tmp_path) as evening:
        agreed = OpeningAgreed(opening.first, opening.bias)
        begin(evening, agreed, begun=header(DISK) if opening.bias else None)
        view = evening.table.view
    assert english in Speaker("en").sentences(view, is_typed=False)


def test_a_game_that_was_rolled_for_is_replayed_from_where_it_began(tmp_path: Path) -> None:
    with sitting(tmp_path) as evening:
        begin(evening, OpeningAgreed(first="roll"))
        evening.tell(RollDie())
        evening.tell(ChooseFirst("orange"))
        evening.wait(2.0)
        evening.move("d9", "d8")
        evening.move("d2", "d3")
        assert evening.table.record.moves == ("Pd9-d8", "Pd2-d3")
        game = evening.table.game
    printed = told(tmp_path, f"replay --game {game} --data", tmp_path)
    assert "Pd9-d8" in printed
    assert "Pd2-d3" in printed

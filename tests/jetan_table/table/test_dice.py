"""The table's own die: its seed, its numbers and its proof, and how a game's rolls are judged.

How hands carry out what it says is in `tests/data/tables/dice.txt`.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing
from pathlib import Path
from random import Random

import pytest

from hardware.die import commitment, roll_numbers
from jetan_table.errors import TableError
from jetan_table.game.commands import (
    AddNumber,
    CommandRefused,
    NewGame,
    Resign,
    RollDie,
    TakeBackLast,
)
from jetan_table.game.events import (
    DieCommit,
    DieNumber,
    DieRoll,
    DieSeed,
    Ending,
    Entry,
    Event,
    GameId,
    Ply,
    TakeBack,
)
from jetan_table.game.record import Record
from jetan_table.game.rolling import thrown_for
from jetan_table.game.texts import game_text
from jetan_table.journal.archive import Archive
from jetan_table.journal.journal import Journal, JournalUnwritable
from jetan_table.light.lamps import Cue, cues
from jetan_table.session.tabletop import HandMove
from jetan_table.session.view import Phase
from jetan_table.table.dice import (
    BY_ITSELF_S,
    Dice,
    Seeds,
    chi_square,
    die_of_tags,
    judge,
    rolls_of_game,
    rolls_of_journal,
    share_as_uneven,
    shown,
)
from rules import Square, format_square, parse_rules, parse_square
from rules.text import parse_game
from tests.jetan_table.hands import header
from tests.jetan_table.sitting import Evening, sitting, written

BEGUN = header(parse_rules("appendix,juggernaut=e5"))


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    with sitting(tmp_path, BEGUN) as begun:
        yield begun


def die_events(folder: Path, game: int = 1) -> list[Event]:
    kinds = (DieCommit, DieRoll, DieSeed, Ending)
    return [event for event in written(folder, game) if isinstance(event, kinds)]


def juggernaut(evening: Evening) -> Square:
    square = evening.view.position.juggernaut
    assert square is not None
    return square


def test_a_roll_is_on_the_disk_when_it_shows_and_the_hands_carry_it_out(
    tmp_path: Path, evening: Evening
) -> None:
    evening.tell(AddNumber(17))
    evening.move("d2", "d3")
    assert evening.view.is_roll_due
    evening.tell(RollDie())
    (seed,) = (tmp_path / "seeds").iterdir()
    numbers = roll_numbers([bytes.fromhex(seed.read_text())], (17,), "1 Pd2-d3 1")
    assert die_events(tmp_path)[1:] == [DieRoll(1, ",".join(map(str, numbers)))]
    view, to = evening.view, juggernaut(evening)
    assert view.phase is Phase.SETTING_UP
    assert view.leading.repair == HandMove("*", parse_square("e5"), to)
    assert cues(view)[to] is Cue.BELONGS
    evening.move("e5", format_square(to))
    assert evening.view.phase is Phase.PLAYING
    with pytest.raises(CommandRefused, match="once after each move"):
        evening.tell(RollDie())
    evening.move("d9", "d8")
    assert len(evening.view.record.moves) == 2


def test_dice_that_roll_by_themselves_wait_for_the_hands(tmp_path: Path) -> None:
    dice = Dice(Seeds(tmp_path / "seeds", Random(1).randbytes), rolls_itself=True)
    with closing(Journal(tmp_path)) as journal:
        evening = Evening(journal, BEGUN, between_s=0.1, dice=dice)
        evening.wait(1.0)
        d2, d3, e2 = map(parse_square, ("d2", "d3", "e2"))
        evening.hands.move([d2, d3], evening.clock.now())
        evening.hands.lift(e2, evening.clock.now())
        evening.wait(2 * BY_ITSELF_S)
        assert evening.view.is_roll_due
        evening.hands.put(e2, evening.clock.now())
        evening.wait(BY_ITSELF_S / 2)
        assert evening.view.is_roll_due
        evening.wait(BY_ITSELF_S)
        assert not evening.view.is_roll_due


def test_only_their_owner_may_read_the_seeds(tmp_path: Path) -> None:
    with sitting(tmp_path, BEGUN):
        folder = tmp_path / "seeds"
        (seed,) = folder.iterdir()
        assert (folder.stat().st_mode & 0o777, seed.stat().st_mode & 0o777) == (0o700, 0o600)


def test_the_same_ply_meets_the_same_roll_after_a_take_back(tmp_path: Path) -> None:
    with sitting(tmp_path, BEGUN) as evening:
        for _ in range(2):
            evening.move("d2", "d3")
            evening.tell(RollDie())
            evening.tell(TakeBackLast())
            evening.set_up(30.0)
    _, first, second = die_events(tmp_path)
    assert first == second


def test_a_resumed_game_goes_on_with_its_own_seed(tmp_path: Path) -> None:
    with sitting(tmp_path, BEGUN) as evening:
        sealed = evening.view.record.die
    with sitting(tmp_path) as evening:
        assert evening.view.record.die == sealed
        evening.move("d2", "d3")
        evening.tell(RollDie())
    assert len(die_events(tmp_path)) == 2


def test_the_seed_is_revealed_with_the_end(tmp_path: Path) -> None:
    with sitting(tmp_path, BEGUN) as evening:
        evening.tell(Resign("black"))
        die = evening.view.record.die
        assert die is not None
        assert die.seed is not None
        assert commitment(bytes.fromhex(die.seed)) == die.commit
    assert [type(event) for event in die_events(tmp_path)] == [DieCommit, Ending, DieSeed]
    assert list((tmp_path / "seeds").iterdir()) == []


def test_a_game_that_is_left_reveals_its_seed_too(tmp_path: Path) -> None:
    with sitting(tmp_path, BEGUN) as evening:
        evening.tell(NewGame(BEGUN))
    assert [type(event) for event in die_events(tmp_path)] == [DieCommit, Ending, DieSeed]
    assert [type(event) for event in die_events(tmp_path, 2)] == [DieCommit]


def test_a_seed_that_is_lost_is_no_reason_to_stop(tmp_path: Path) -> None:
    with sitting(tmp_path, BEGUN) as evening:
        for seed in (tmp_path / "seeds").iterdir():
            seed.write_text("00" * 32)
        evening.move("d2", "d3")
        with pytest.raises(CommandRefused, match="lost: throw a real one"):
            evening.tell(RollDie())
        evening.tell(RollDie("9"))
        evening.tell(Resign("black"))
    assert die_events(tmp_path)[1:] == [DieRoll(1, "9 hand"), Ending("orange", "resigned")]


def test_a_full_disk_rolls_nothing(
    tmp_path: Path, limit: Callable[[int], AbstractContextManager[None]]
) -> None:
    with sitting(tmp_path, BEGUN) as evening:
        evening.move("d2", "d3")
        with limit(0):
            evening.tell(RollDie())
            assert "cannot be kept" in str(evening.view.trouble)
            assert evening.view.record.rolls == ()
            assert len(die_events(tmp_path)) == 1
        evening.wait(3.0)
        assert evening.view.trouble is None
    assert len(die_events(tmp_path)) == 2


def test_a_full_disk_seals_nothing(
    tmp_path: Path, limit: Callable[[int], AbstractContextManager[None]]
) -> None:
    seeds = Seeds(tmp_path / "seeds", Random(1).randbytes)
    with limit(0), pytest.raises(JournalUnwritable, match="the die has no seed"):
        seeds.draw()


ANYWHERE = header(parse_rules("appendix+juggernaut"))


def test_the_die_says_where_the_juggernaut_begins(tmp_path: Path) -> None:
    with sitting(tmp_path, ANYWHERE) as evening:
        view = evening.view
        assert (view.is_roll_due, view.position.juggernaut) == (True, None)
        assert {cues(view)[square] for square in thrown_for(view.record)} == {Cue.DICE}
        evening.move("d2", "d3")
        assert evening.view.record.moves == ()
        evening.move("d3", "d2")
        evening.tell(AddNumber(17))
        evening.tell(RollDie())
        start = juggernaut(evening)
        placing = evening.view.leading.placing
        assert placing is not None
        assert (placing.letter, placing.squares) == ("*", (start,))
    with sitting(tmp_path) as evening:
        assert juggernaut(evening) == start
        evening.put(format_square(start), "*")
        assert evening.view.phase is Phase.PLAYING
        evening.move("d2", "d3")
        evening.tell(Resign("black"))
        record = evening.record
    text = parse_game(game_text(record))
    archive = Archive.open(tmp_path)
    kept = list(rolls_of_journal(ANYWHERE, archive.entries(GameId(1))))
    archive.close()
    for rolls in (kept, rolls_of_game(text.game, text.tags)):
        verdict = judge(record.die, rolls)
        assert (verdict.is_fair, verdict.by_table) == (True, 1)
    bent = {**text.tags, "DieStart": "10,1,5" if start != Square(40) else "10,2,5"}
    assert len(judge(record.die, rolls_of_game(text.game, bent)).bent) == 1


SEED = bytes(32)


def dealt(occasion: str) -> str:
    """What the die shows, as a game text has it."""
    return ",".join(map(str, roll_numbers([SEED], (17,), occasion)))


def entries(*events: Event) -> list[Entry]:
    begun = DieCommit(commitment(SEED)), DieNumber(17)
    return [Entry(float(at), event) for at, event in enumerate((*begun, *events))]


HONEST = (
    Ply(1, "Pd2-d3"),
    DieRoll(1, dealt("1 Pd2-d3 1")),
    Ply(2, "Pd9-d8"),
    DieRoll(2, "9 hand"),
    Ply(3, "Pe2-e3"),
)


def test_an_honest_game_is_fair_in_the_journal_and_as_text() -> None:
    kept = entries(*HONEST, DieSeed(SEED.hex()))
    record = Record.read(BEGUN, kept)
    verdict = judge(record.die, rolls_of_journal(BEGUN, kept))
    assert (verdict.is_fair, verdict.by_table, verdict.by_hand) == (True, 1, 1)
    text = parse_game(game_text(record))
    assert judge(die_of_tags(text.tags), rolls_of_game(text.game, text.tags)) == verdict


def test_every_bent_roll_is_found_with_what_it_should_have_been() -> None:
    due = dealt("1 Pd2-d3 1")
    for face in range(1, 10):
        if str(face) == due:
            continue
        kept = entries(HONEST[0], DieRoll(1, str(face)), DieSeed(SEED.hex()))
        record = Record.read(BEGUN, kept)
        for rolls in (rolls_of_journal(BEGUN, kept), rolls_of_game(record.game, {})):
            ((roll, due_roll),) = judge(record.die, rolls).bent
            assert (roll.number, roll.move, shown(roll.roll)) == (
                1,
                "Pd2-d3",
                str(face),
            )
            assert shown(due_roll) == due


def test_a_bent_roll_that_was_taken_back_is_found_in_the_journal() -> None:
    bent = next(str(face) for face in range(1, 10) if str(face) != dealt("1 Pd2-d3 1"))
    kept = entries(HONEST[0], DieRoll(1, bent), TakeBack(1, "words"), *HONEST, DieSeed(SEED.hex()))
    verdict = judge(Record.read(BEGUN, kept).die, rolls_of_journal(BEGUN, kept))
    assert len(verdict.bent) == 1


def test_another_seed_than_the_committed_one_is_found() -> None:
    kept = entries(*HONEST[:1], DieSeed(bytes([1] * 32).hex()))
    verdict = judge(Record.read(BEGUN, kept).die, rolls_of_journal(BEGUN, kept))
    assert not verdict.is_kept
    assert not verdict.is_fair


@pytest.mark.parametrize(
    ("tags", "why"),
    [
        ({}, "has no DieCommit"),
        ({"DieCommit": "00"}, "not shown before the game is over"),
        ({"DieCommit": "00", "DieSeed": "xy"}, "must be a seed in hex"),
        ({"DieCommit": "00", "DieSeed": "00", "DieNumbers": "1,x"}, "must be numbers"),
        ({"DieCommit": "00", "DieSeed": "00", "DieNumbers": "1,-2"}, "must be numbers"),
    ],
)
def test_what_cannot_be_checked_is_refused_in_words(tags: dict[str, str], why: str) -> None:
    with pytest.raises(TableError, match=why):
        judge(die_of_tags(tags), [])


@pytest.mark.parametrize(
    ("chi2", "share"), [(3.325, 0.95), (8.343, 0.5), (16.919, 0.05), (27.877, 0.001)]
)
def test_chi_square_is_judged_as_printed_tables_have_it(chi2: float, share: float) -> None:
    assert share_as_uneven(chi2) == pytest.approx(share, rel=2e-3)


def test_even_counts_are_not_uneven() -> None:
    assert chi_square([7] * 10) == 0
    assert share_as_uneven(0.0) == 1
    assert chi_square([20, *[10] * 8, 0]) == 20

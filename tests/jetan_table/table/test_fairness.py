"""Bent rolls are found; counts are judged as the tables of the chi-square distribution have it."""

import pytest

from hardware.die import commitment, roll_numbers
from jetan_table.game.events import (
    DieCommit,
    DieNumber,
    DieRoll,
    DieSeed,
    Entry,
    Event,
    Ply,
    TakeBack,
)
from jetan_table.game.record import Record
from jetan_table.journal.game_files import game_text
from jetan_table.table.dice import (
    NotCheckable,
    chi_square,
    die_of_tags,
    judge,
    rolls_of_game,
    rolls_of_journal,
    share_as_uneven,
    shown,
)
from rules.game_reader import parse_game

SEED = bytes(32)
from tests.jetan_table.table.test_dice import BEGUN


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
            ((told, due_roll),) = judge(record.die, rolls).bent
            assert (told.number, told.move, shown(told.roll)) == (
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
    with pytest.raises(NotCheckable, match=why):
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

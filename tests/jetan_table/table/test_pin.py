"""The arbiter's PIN at a whole table: right, wrong, and guessed at."""

from pathlib import Path

import pytest

from jetan_table.game.commands import (
    AsArbiter,
    CommandRefused,
    New,
    SetConduct,
    TakeBackLast,
)
from jetan_table.wiring import ARBITER_PIN, kept_pin
from tests.jetan_table.sitting import Evening, sitting


def test_who_knows_the_pin_takes_back_and_the_game_text_says_so(tmp_path: Path) -> None:
    with sitting(tmp_path) as evening:
        evening.tell(SetConduct("tournament"))
        evening.move("d2", "d3")
        evening.move("e9", "e8")
        with pytest.raises(CommandRefused, match="only the arbiter"):
            evening.tell(TakeBackLast())
        evening.tell(AsArbiter(kept_pin(tmp_path, ARBITER_PIN), TakeBackLast()))
        assert evening.table.record.moves == ("Pd2-d3",)
    assert "[%fix took back 2 Pe9-e8]" in " ".join(
        (tmp_path / "games" / "00001.jgn").read_text().split()
    )


def test_a_tournament_game_is_not_left_for_another_one(tmp_path: Path, evening: Evening) -> None:
    evening.tell(SetConduct("tournament"))
    evening.move("d2", "d3")
    with pytest.raises(CommandRefused, match="only the arbiter"):
        evening.tell(New())
    assert evening.table.record.ending is None
    evening.tell(AsArbiter(kept_pin(tmp_path, ARBITER_PIN), New()))
    assert evening.table.record.moves == ()


def test_a_pin_cannot_be_guessed(tmp_path: Path, evening: Evening) -> None:
    evening.tell(SetConduct("tournament"))
    evening.move("d2", "d3")
    pin = kept_pin(tmp_path, ARBITER_PIN)
    for _ in range(5):
        with pytest.raises(CommandRefused, match="not the arbiter's PIN"):
            evening.tell(AsArbiter("0" if pin != "0" else "1", TakeBackLast()))
    with pytest.raises(CommandRefused, match="too many wrong PINs"):
        evening.tell(AsArbiter(pin, TakeBackLast()))
    evening.wait(61.0)
    evening.tell(AsArbiter(pin, TakeBackLast()))
    assert evening.table.record.moves == ()

"""The voltages that a Pi's inputs see: what is open must be high, and what is closed low.

Seen are 200 positions of random games at once, as a scan by each library leaves the wires at the
moment when the files are read.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from itertools import count, islice
from math import exp, log
from random import Random
from typing import NamedTuple, cast

import gpiod
import numpy as np
import pytest

from hardware.matrix import Matrix
from hardware.pins import COLUMNS, ROWS, BoardPins, GpiodPins, GpioPins, LgpioPins
from rules import SQUARES, Position, parse_rules
from tests.hardware.circuit import SCHOTTKY, SILICON, Parts, Volts
from tests.hardware.pi import HIGH_V, LOW_V, StandInChip, StandInGpio, StandInLgpio, StandInPi

POSITIONS, EVERY, PLIES = 200, 4, 120

WEAK, STRONG = 73e3, 33e3
PULLS = (STRONG, 50e3, WEAK)
"""Of a Pi's pulls, in ohms: as little, as is usual and as much as they may have."""

DIODES = {"1N4148": SILICON, "BAT54": SCHOTTKY}


class Boards(NamedTuple):
    """The switches of many boards, by board and square."""

    closed: list[list[bool]]


@cache
def boards() -> Boards:
    """Return boards with a piece on each square where one stood in a random game."""
    positions = islice((each for seed in count() for each in game(seed)), POSITIONS)
    return Boards([[each.piece_at(square) is not None for square in SQUARES] for each in positions])


def game(seed: int) -> Iterator[Position]:
    """Yield the position every few plies of a game at random."""
    chance, position = Random(seed), Position.start(parse_rules("appendix"))
    for ply in range(PLIES):
        if position.outcome is not None:
            return
        if ply % EVERY == 0:
            yield position
        position = position.play(chance.choice(position.moves()))


class LeavesPulls(StandInLgpio):
    """Claims ranks as open drains alone, so that they keep the pulls that the Pi booted with."""

    def gpio_claim_output(self, handle: int, pin: int, level: int, flags: int, /) -> int:
        return super().gpio_claim_output(handle, pin, level, self.SET_OPEN_DRAIN)


class FloatsRanks(StandInGpio):
    """Sets ranks up without a pull, so that only the files charge their wires."""

    def setup(
        self, channel: int, direction: int, pull_up_down: int = 20, initial: int | None = None
    ) -> None:
        pull = self.PUD_OFF if channel in ROWS else pull_up_down
        super().setup(channel, direction, pull, initial)


Opened = Callable[[StandInPi], BoardPins]


def by_lgpio(pi: StandInPi, library: type[StandInLgpio] = StandInLgpio) -> BoardPins:
    return LgpioPins(library(pi), COLUMNS, ())


def by_gpiod(pi: StandInPi) -> BoardPins:
    return GpiodPins(cast(gpiod.Chip, StandInChip(pi)), COLUMNS, ())


def by_gpio(pi: StandInPi, library: type[StandInGpio] = StandInGpio) -> BoardPins:
    return GpioPins(library(pi))


class Levels(NamedTuple):
    """What the files stood at when they were read."""

    lowest_open: float
    highest_closed: float
    spoiled: int
    """How many boards have an open switch whose file is not high."""

    @property
    def are_right(self) -> bool:
        return self.lowest_open > HIGH_V and self.highest_closed < LOW_V


def levels(
    opened: Opened, parts: Parts, settle_s: float | None = None, tried: Boards | None = None
) -> Levels:
    """Scan all boards once, and look at the voltages whenever the files are about to be read.

    That is `settle_s` after a rank was driven, where it is another time than a Pi's.
    """
    tried = tried or boards()
    pi, files_v = StandInPi(tried, parts=parts), list[Volts]()

    def wait(seconds: float) -> None:
        pi.wait(seconds if settle_s is None else settle_s)
        files_v.append(pi.volts(COLUMNS))

    Matrix(opened(pi), ROWS, COLUMNS, wait).scan()
    volts = np.stack(files_v, axis=1).reshape(len(tried.closed), len(SQUARES))
    closed = np.array(tried.closed)
    spoiled = (volts <= HIGH_V) & ~closed
    return Levels(
        float(volts[~closed].min()), float(volts[closed].max()), int(spoiled.any(axis=1).sum())
    )


@pytest.mark.parametrize("ranks", [1, 2, 3, 4, 5])
def test_a_file_on_ranks_that_are_pulled_down_stands_where_ohm_and_shockley_say(ranks: int) -> None:
    pi = StandInPi(Boards([[n in range(50, 50 + 10 * ranks, 10) for n in range(100)]]))
    by_lgpio(pi).release(COLUMNS[0])
    pi.wait(1.0)
    ((file_v,),) = pi.volts(COLUMNS[:1])
    of_each_a = (3.3 - file_v) / 50e3 / ranks
    diode_v = SILICON.thermal_v * log(of_each_a / SILICON.saturation_a)
    assert file_v == pytest.approx(diode_v + 50e3 * of_each_a, abs=0.002)


def test_a_wire_rises_as_its_capacitance_and_its_pull_say_and_lags_a_little() -> None:
    pi = StandInPi(Boards([[False] * 100]), parts=Parts(wire_farad=600e-12, pull_ohm=50e3))
    pins = by_gpio(pi)
    pins.drive_low(COLUMNS[0])
    pi.wait(1.0)
    pins.release(COLUMNS[0])
    pi.wait(100e-6)
    ((volts,),) = pi.volts(COLUMNS[:1])
    assert 0.94 < volts / (3.3 * (1 - exp(-100 / 30))) < 1


@pytest.mark.parametrize("diode", DIODES)
@pytest.mark.parametrize("pull_ohm", PULLS)
@pytest.mark.parametrize("opened", [by_lgpio, by_gpio, by_gpiod])
def test_no_level_is_in_doubt(opened: Opened, pull_ohm: float, diode: str) -> None:
    found = levels(opened, Parts(DIODES[diode], pull_ohm=pull_ohm))
    assert found.are_right, found


def test_ranks_that_keep_the_pulls_of_booting_spoil_nearly_every_board() -> None:
    found = levels(partial(by_lgpio, library=LeavesPulls), Parts())
    assert found.spoiled > 0.9 * POSITIONS
    assert 0.8 < found.lowest_open < 1.0


def test_ranks_without_a_pull_rise_too_late_on_long_wires() -> None:
    found = levels(partial(by_gpio, library=FloatsRanks), Parts(pull_ohm=WEAK))
    assert found.spoiled > 0.3 * POSITIONS


PIN_OHM = 40
"""Of a pin that drives low, at most."""

COLD_V = 0.05
"""Dropped more by a diode at 0 degrees than at 25, 2 mV for each."""

PROTECTED = Parts(rank_ohm=100 + PIN_OHM, file_ohm=1000)
"""With the resistors of `docs/build/pi.md` at the pins."""

PICO = replace(PROTECTED, wire_farad=300e-12)
"""With those of `docs/build/microcontroller.md` at a Pico's pins: its levels are a Pi's."""

PICO_WEAK, PICO_STRONG = 80e3, 50e3
PICO_SETTLE_S = 30e-6
"""`SETTLE_US` of the firmware, which releases ranks to their pulls, too."""

LONG_PICO = replace(PICO, joint=SCHOTTKY, wire_farad=1e-9)


@pytest.mark.parametrize(
    ("parts", "settle_s"),
    [
        (Parts(wire_farad=1e-9, pull_ohm=WEAK), None),
        (PROTECTED, None),
        (replace(PROTECTED, pull_ohm=STRONG), None),
        (replace(PROTECTED, pull_ohm=WEAK), None),
        (Parts(added_ohm=22e3, pull_ohm=WEAK, wire_farad=2e-9), None),
        (replace(PROTECTED, joint=SCHOTTKY, added_ohm=22e3, pull_ohm=STRONG), None),
        (replace(PICO, pull_ohm=PICO_STRONG), PICO_SETTLE_S),
        (replace(PICO, pull_ohm=PICO_WEAK), PICO_SETTLE_S),
        (replace(LONG_PICO, pull_ohm=PICO_STRONG, added_ohm=22e3), PICO_SETTLE_S),
        (replace(LONG_PICO, pull_ohm=PICO_WEAK, added_ohm=22e3), PICO_SETTLE_S),
    ],
)
def test_what_the_building_pages_allow_holds(parts: Parts, settle_s: float | None) -> None:
    found = levels(by_lgpio if settle_s is None else by_gpio, parts, settle_s)
    assert found.are_right, found


@pytest.mark.parametrize(
    "parts",
    [
        Parts(added_ohm=4700, pull_ohm=WEAK),
        replace(PROTECTED, added_ohm=15e3, pull_ohm=WEAK),
    ],
)
def test_what_they_advise_against_does_not(parts: Parts) -> None:
    assert levels(by_lgpio, parts).highest_closed > LOW_V


@pytest.mark.parametrize(("ohm", "is_low"), [(22e3, True), (15e3, False)])
def test_a_full_rank_wants_pull_ups_that_are_not_too_strong(ohm: float, is_low: bool) -> None:
    full = Boards([[square < 10 for square in SQUARES]])
    parts = replace(PROTECTED, joint=SCHOTTKY, added_ohm=ohm, pull_ohm=STRONG)
    assert (levels(by_lgpio, parts, tried=full).highest_closed + COLD_V < LOW_V) == is_low


def test_a_pico_whose_ranks_float_is_too_slow_for_such_wires() -> None:
    opened = partial(by_gpio, library=FloatsRanks)
    assert not levels(opened, replace(PICO, pull_ohm=PICO_WEAK), PICO_SETTLE_S).are_right

"""What all lamps keep to. A new driver or stand-in signs by one more entry of LAMPS."""

from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import Protocol

import pytest

from firmware_bridge import BoardSettings
from firmware_bridge.build import MEGA, PICO, Microcontroller
from firmware_bridge.emulation import emulator
from firmware_bridge.emulation.emulator import decode_spi
from hardware.lamps import SpiLamps
from hardware.ports import RGB, Lamps
from tests.emulated.boards import board
from tests.emulated.rig import Rig
from tests.hardware.spi_wire import SpiWire
from tests.needs import EMULATOR, PICO_EMULATOR

BRIGHT_MA = 6200
DARK: tuple[RGB, ...] = ((0, 0, 0),) * 100
FRAME_S = 0.05
"""Lights that were shown can be seen by then."""


class Lit(Protocol):
    """Lamps, and what can be seen of them."""

    @property
    def lamps(self) -> Lamps:
        """The driver."""
        ...

    def seen(self) -> Sequence[RGB]:
        """Look at the lamps a moment later."""
        ...


class OnChip:
    """The real driver over the emulated chip, whose pulses are looked at."""

    def __init__(self, build: Microcontroller) -> None:
        self._rig = Rig(board(build), BoardSettings(limit_ma=BRIGHT_MA))
        self._rig.start()
        self.lamps = self._rig.driver

    def seen(self) -> Sequence[RGB]:
        self._rig.run(FRAME_S)
        strip = self._rig.board.strip
        assert strip.bad_pulses == 0
        return strip.lights


class OnSpi:
    """The Pi's lamps, whose SPI bytes go to the same model of lamps as the chip's pulses."""

    def __init__(self) -> None:
        self._wire = SpiWire()
        self.lamps = SpiLamps(self._wire, BRIGHT_MA)

    def seen(self) -> Sequence[RGB]:
        strip = decode_spi(emulator.library(), self._wire.sent, self._wire.max_speed_hz)
        assert (strip.frames, strip.bad_pulses) == (1, 0)
        assert strip.longest_gap_us < 1
        return strip.lights


LAMPS: dict[str, Callable[[], Lit]] = {
    "serial board": partial(OnChip, MEGA),
    "serial board, a Pico": partial(OnChip, PICO),
    "SPI": OnSpi,
}
NEEDED = {"serial board": EMULATOR, "serial board, a Pico": PICO_EMULATOR, "SPI": EMULATOR}
DEAR = {"serial board, a Pico": [pytest.mark.ci]}


@pytest.fixture(
    params=[
        pytest.param(name, marks=[pytest.mark.needs(*NEEDED.get(name, ())), *DEAR.get(name, ())])
        for name in LAMPS
    ]
)
def lit(request: pytest.FixtureRequest) -> Lit:
    return LAMPS[request.param]()


def test_each_lamp_has_its_own_colour_in_lamp_order(lit: Lit) -> None:
    for lamp in (0, 1, 9, 10, 55, 99):
        lights = [*DARK]
        lights[lamp] = (lamp + 1, 200 - lamp, 255)
        lit.lamps.show(lights)
        assert list(lit.seen()) == lights


def test_any_lights_are_shown_whole(lit: Lit) -> None:
    rng = Random(6)
    for colours in (1, 2, 16, 17, 100):
        palette = [(rng.randrange(256), rng.randrange(256), n) for n in range(colours)]
        lights = [palette[lamp % colours] for lamp in range(100)]
        lit.lamps.show(lights)
        assert list(lit.seen()) == lights


def test_the_last_lights_stand(lit: Lit) -> None:
    lit.lamps.show(((9, 9, 9),) * 100)
    lit.lamps.show(((1, 2, 3),) * 100)
    assert tuple(lit.seen()) == ((1, 2, 3),) * 100
    assert tuple(lit.seen()) == ((1, 2, 3),) * 100


def test_what_is_shown_again_stays(lit: Lit) -> None:
    for _ in range(3):
        lit.lamps.show(((4, 0, 0),) * 100)
        assert tuple(lit.seen()) == ((4, 0, 0),) * 100


def test_what_the_caller_changes_later_changes_no_lamp(lit: Lit) -> None:
    lights = [*DARK]
    lit.lamps.show(tuple(lights))
    lights[3] = (255, 0, 0)
    assert tuple(lit.seen()) == DARK

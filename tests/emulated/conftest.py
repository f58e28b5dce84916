"""Boards for the suites here: each microcontroller, by hand one, and their emulators let go."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from firmware_bridge.build import BUILDS, MEGA, NANO, PICO, Microcontroller, Variant
from tests.emulated.boards import board
from tests.emulated.emulated_board import EmulatedBoard
from tests.needs import PICO_EMULATOR
from tests.profiles import sampled

MakeBoard = Callable[..., EmulatedBoard]


ON_PICO = pytest.param(PICO.name, marks=[pytest.mark.ci, pytest.mark.needs(*PICO_EMULATOR)])


@pytest.fixture(params=[*sampled([MEGA.name, NANO.name], by_hand=1), ON_PICO])
def build(request: pytest.FixtureRequest) -> Microcontroller:
    return BUILDS[request.param]


@pytest.fixture(params=[MEGA.name, ON_PICO])
def direct(request: pytest.FixtureRequest) -> Microcontroller:
    """A microcontroller on whose own pins all rows hang."""
    return BUILDS[request.param]


@pytest.fixture
def make_board() -> Iterator[MakeBoard]:
    """Make a board by its build and variant, soldered as the keywords of EmulatedBoard say."""
    boards: list[EmulatedBoard] = []

    def make(
        build: Microcontroller, variant: Variant | None = None, **soldered: Any
    ) -> EmulatedBoard:
        boards.append(board(build, variant, **soldered))
        return boards[-1]

    yield make
    for made in boards:
        made.close()

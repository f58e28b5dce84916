"""Boards for the suites here: both microcontrollers, by hand one, and their memory freed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from firmware_bridge.build import Variant
from firmware_bridge.builds import BUILDS, Build
from firmware_bridge.emulation import built
from firmware_bridge.emulation.emulator import EmulatedBoard
from tests.profiles import sampled

MakeBoard = Callable[..., EmulatedBoard]


@pytest.fixture(params=sampled(BUILDS, by_hand=1))
def build(request: pytest.FixtureRequest) -> Build:
    return BUILDS[request.param]


@pytest.fixture
def make_board() -> Iterator[MakeBoard]:
    """Make a board by its build and variant, soldered as the keywords of EmulatedBoard say."""
    boards: list[EmulatedBoard] = []

    def make(build: Build, variant: Variant | None = None, **soldered: Any) -> EmulatedBoard:
        boards.append(built.board(build, variant, **soldered))
        return boards[-1]

    yield make
    for board in boards:
        board.close()

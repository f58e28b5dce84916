"""The emulator and the firmware's images, built once for all suites here."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from firmware_bridge.build import Image, Variant, build_firmware
from firmware_bridge.builds import BUILDS, Build
from tests.emulated.emulator import EmulatedBoard, build_emulator

MakeImage = Callable[[Build, Variant], Image]
MakeBoard = Callable[..., EmulatedBoard]


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    return build_emulator(tmp_path_factory.mktemp("emulator"))


@pytest.fixture(scope="session")
def make_image(tmp_path_factory: pytest.TempPathFactory) -> MakeImage:
    built: dict[tuple[str, Variant], Image] = {}

    def make(build: Build, variant: Variant) -> Image:
        key = (build.name, variant)
        if key not in built:
            built[key] = build_firmware(build, variant, tmp_path_factory.mktemp(build.name))
        return built[key]

    return make


@pytest.fixture(params=list(BUILDS))
def build(request: pytest.FixtureRequest) -> Build:
    return BUILDS[request.param]


@pytest.fixture
def make_board(library: ctypes.CDLL, make_image: MakeImage) -> Iterator[MakeBoard]:
    """Make a board by its build and variant, soldered as the keywords of EmulatedBoard say."""
    boards: list[EmulatedBoard] = []

    def make(build: Build, variant: Variant | None = None, **soldered: Any) -> EmulatedBoard:
        image = make_image(build, variant or Variant()).hex_file
        boards.append(EmulatedBoard(library, build, image, **soldered))
        return boards[-1]

    yield make
    for board in boards:
        board.close()

"""Recordings played as switch edges into the emulated chip give the readings of `jetan replay`."""

from pathlib import Path

import pytest

from firmware_bridge.build import Microcontroller
from tests.emulated.conftest import MakeBoard
from tests.emulated.replayed import compare
from tests.needs import EMULATOR
from tests.profiles import sampled
from tests.recordings import read_recording
from tests.tidy.tree import ROOT

pytestmark = pytest.mark.needs(*EMULATOR)

RECORDINGS = sorted((ROOT / "tests" / "data").glob("*.jsonl"))


@pytest.mark.parametrize("path", sampled(RECORDINGS, by_hand=2), ids=lambda path: path.stem)
def test_a_recording_reads_the_same_through_the_chip(
    build: Microcontroller, make_board: MakeBoard, path: Path
) -> None:
    through, direct = compare(make_board(build), read_recording(path), path.name)
    assert through == direct
    assert len(direct) > 5

"""Recordings played as switch edges into the emulated chip give the readings of `jetan replay`."""

import pytest

from firmware_bridge.build import Microcontroller
from tests.emulated.conftest import MakeBoard
from tests.emulated.replayed import compare
from tests.jetan_table.reading.kept import KEPT, beginning
from tests.needs import EMULATOR
from tests.profiles import sampled

pytestmark = pytest.mark.needs(*EMULATOR)


@pytest.mark.parametrize("name", sampled(KEPT, by_hand=2))
def test_a_recording_reads_the_same_through_the_chip(
    build: Microcontroller, make_board: MakeBoard, name: str
) -> None:
    through, direct = compare(make_board(build), beginning(name, 60.0), name)
    assert through == direct
    assert len(direct) > 5

"""The table's own driver on the real GPIO libraries, in an emulated Raspberry Pi 3."""

import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hardware.pins import CLASSIC, GPIOD, NEWER
from hardware.ports import Observation
from hardware.reeds import reed_evidence
from jetan_table.replay.recordings import Recording
from jetan_table.replay.replay import ArchivedSensor, replay_of_recording
from rules import Square
from tests.contracts.gpio import GPIO_CONTRACT, PINS_CONTRACT, SHARED_CONTRACT
from tests.contracts.sensor import SWITCH_CONTRACT
from tests.emulated.replayed import lines
from tests.emulated_pi.image import image
from tests.emulated_pi.pi import run_guest
from tests.needs import PI_EMULATOR
from tests.once import once
from tests.recordings import read_recording
from tests.tidy.tree import ROOT

pytestmark = [pytest.mark.needs(*PI_EMULATOR), pytest.mark.early]

RECORDING = ROOT / "tests" / "data" / "captures.jsonl"
SCAN_S = 0.005
SCANS_AFTER = 3
"""The board is scanned so often after a change: until its bounce has been ignored."""

LIBRARIES = (CLASSIC, NEWER, GPIOD)
BOTH_OF_RPI = [clause.__name__ for clause in (*GPIO_CONTRACT, *PINS_CONTRACT)]
AS_PLAYED = [f"{clause.__name__} as played" for clause in (*PINS_CONTRACT, *SWITCH_CONTRACT)]
AS_PLAYED += ["buttons_are_told as played"]
CLAUSES = [
    *((library, clause) for library in LIBRARIES for clause in AS_PLAYED),
    *((library, clause) for library in (CLASSIC, NEWER) for clause in BOTH_OF_RPI),
    *((GPIOD, clause.__name__) for clause in SHARED_CONTRACT),
]

CALLS = {CLASSIC: 120, NEWER: 30, GPIOD: 30}
"""Of the library that `jetan play` uses, a scan."""

Reports = list[dict[str, Any]]


def polls(recording: Recording) -> Iterator[tuple[float, list[tuple[int, bool]]]]:
    """Yield when the board is scanned, and what has changed since the time before."""
    changes: dict[int, list[tuple[int, bool]]] = {0: []}
    for change in recording.changes:
        scan = int(change.at / SCAN_S) + 1
        changes.setdefault(scan, []).append((change.switch, change.closed))
        for later in range(SCANS_AFTER):
            changes.setdefault(scan + later, [])
    for scan in sorted(changes):
        yield scan * SCAN_S, changes[scan]


@pytest.fixture(scope="module")
def reports(run_folder: Path) -> Reports:
    """What the Pi has told of everything asked here; it is started once a run."""
    lines: Reports = once(run_folder / "pi", start_pi)
    return lines


def start_pi() -> Reports:
    recording = read_recording(RECORDING)
    job = {
        "keeps_contracts": True,
        "polls": list(polls(recording)),
        "closed": list(recording.closed),
    }
    try:
        made = image()
    except subprocess.CalledProcessError as error:
        pytest.skip(f"a Pi's packages cannot be fetched: {error.cmd[0]} said {error.stderr!r}")
    reports, console = run_guest(made, job)
    assert reports, console
    assert {line["library"] for line in reports} == set(LIBRARIES), console
    return reports


@pytest.fixture(params=LIBRARIES)
def of_library(request: pytest.FixtureRequest, reports: Reports) -> Reports:
    return [line for line in reports if line["library"] == request.param]


@pytest.mark.parametrize(("library", "clause"), CLAUSES)
def test_the_contract_is_kept(reports: Reports, library: str, clause: str) -> None:
    (line,) = (
        line for line in reports if line["library"] == library and line.get("clause") == clause
    )
    assert line["error"] is None, line["error"]


def test_it_is_the_pi_it_should_be(of_library: Reports) -> None:
    assert of_library[0]["model"] == "Raspberry Pi 3 Model B"


def test_a_recording_reads_the_same_through_the_pins(of_library: Reports) -> None:
    observations = [
        Observation(line["at"], {Square(square): reed_evidence(on) for square, on in line["seen"]})
        for line in of_library
        if "at" in line
    ]
    direct = replay_of_recording(read_recording(RECORDING), RECORDING.name)
    through = list(lines(replace(direct, source=ArchivedSensor(observations))))
    assert through == list(lines(direct))
    assert len(through) > 5


def test_a_scan_takes_few_calls(of_library: Reports) -> None:
    measured = of_library[-1]
    assert measured["calls_per_scan"] == CALLS[measured["library"]]
    assert measured["scans_per_s"] > 0
    assert measured["cpu_ms_per_scan"] > 0

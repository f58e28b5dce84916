"""What a table knows to be amiss of its machine and itself, what is ignored, and its jobs."""

import threading
from itertools import chain, repeat
from pathlib import Path

import pytest

from firmware_bridge.build import READY
from hardware.ports import FaultKind, SwitchCounts
from jetan_table.extras.commissioning import machine
from jetan_table.extras.commissioning.doctor import findings_of
from jetan_table.extras.commissioning.page import Fitter
from jetan_table.extras.commissioning.setup import IGNORED_IN, Job
from jetan_table.extras.commissioning.walk import CommissioningRefused
from jetan_table.extras.updates import versions
from jetan_table.game.commands import BoardIsRight
from jetan_table.notices import lamps_of, listed, severity
from jetan_table.page.state import of_table
from jetan_table.settings import Settings
from jetan_table.table.switches import keep_switches
from jetan_table.wiring import set_damaged_files_aside
from rules import Notice, parse_square
from tests.firmware_bridge.pico_drive import Pico
from tests.jetan_table.sitting import sitting
from tests.jetan_table.table.test_loop import Bench


def done(job: Job | None) -> Job:
    assert job is not None
    job.thread.join()
    return job


@pytest.mark.parts
def test_what_a_table_that_plays_knows_has_the_ids_that_the_doctor_has(tmp_path: Path) -> None:
    with sitting(tmp_path) as evening:
        assert not list(of_table(evening.table))
        evening.hands.fail(parse_square("e5"), FaultKind.STUCK, evening.clock.now())
        evening.wait(2.0)
        evening.tell(BoardIsRight())
        (notice,) = of_table(evening.table)
        assert (notice.id, lamps_of(notice)) == ("switches-e5", ("e5",))
        kept = SwitchCounts(41, 0, 0, 7)
        keep_switches(tmp_path, {parse_square("e5"): kept})
        assert notice.id in {each.id for each in findings_of(Settings(), tmp_path)}
    bench = Bench(tmp_path / "bench")
    bench.board.trouble = Notice("board", "fail", "the cable is out")
    assert [each.id for each in of_table(bench.table)] == ["board"]
    bench.journal.close()


@pytest.mark.parts
def test_a_supply_that_sags_and_a_folder_nobody_writes_are_found_where_the_system_tells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    supply, folder = tmp_path / "get_throttled", tmp_path / "data"
    monkeypatch.setattr(machine, "THROTTLED", str(supply).lstrip("/"))
    folder.write_text("a file: nobody writes games into it")
    errors = {"pass": set[str](), "fail": set[str]()}
    for verdict, bits in (("fail", "50005\n"), ("pass", "0\n")):
        supply.write_text(bits)
        found = listed(findings_of(Settings(), folder))
        errors[verdict] = {each.id for each in found if severity(each) == "error"}
    assert errors["fail"] - errors["pass"] == {"supply"}
    assert "disk" in errors["pass"]


def test_what_is_ignored_stays_so_after_a_start_and_a_damaged_file_ignores_nothing(
    tmp_path: Path,
) -> None:
    repairs = Fitter(tmp_path, list)
    repairs.do("ignore", "switches-d4", None)
    repairs.do("ignore", "update-0.98", None)
    repairs.do("hear", "switches-d4", None)
    assert Fitter(tmp_path, list).ignored == {"update-0.98"}
    (tmp_path / IGNORED_IN).write_text('{"ids": 7}')
    assert Fitter(tmp_path, list).ignored == frozenset()
    assert "ignored.damaged-1.json" in "".join(set_damaged_files_aside(tmp_path))


def test_the_machine_is_looked_at_again_when_somebody_asks(tmp_path: Path) -> None:
    looked, looks = threading.Semaphore(0), chain((["pass"],), repeat(["fail"]))

    def look() -> list[Notice]:
        looked.release()
        return [Notice("supply", each, "5 V", "", "") for each in next(looks)]  # type: ignore[arg-type]

    repairs = Fitter(tmp_path, look)
    repairs.watch()
    looked.acquire()
    repairs.do("look", "", None)
    looked.acquire()
    while not repairs.found:
        looked.acquire(timeout=0.01)
    assert [each.id for each in repairs.found] == ["supply"]


def test_a_picos_firmware_is_written_by_a_job_and_one_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware_bridge.build.MOUNTED", (str(tmp_path / "pico").lstrip("/"),))
    repairs = Fitter(tmp_path, list)
    repairs.do("flash", "pico", None)
    failed = done(repairs.job)
    assert failed.state == "failed"
    assert "hold BOOTSEL" in failed.said[-1]
    pico = Pico(tmp_path / "pico")
    repairs.do("flash", "pico", None)
    with pytest.raises(CommissioningRefused):
        repairs.do("update", "", None)
    job = done(repairs.job)
    assert (job.state, job.lines[-1]) == ("done", "Raspberry Pi Pico: flashed")
    assert pico.taken() == READY.read_bytes()


def test_an_update_is_only_asked_for_and_root_takes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repairs = Fitter(tmp_path, list)
    repairs.do("update", "", None)
    assert done(repairs.job).state == "failed", "this is no package"
    monkeypatch.setattr(versions, "installed", lambda: None)
    monkeypatch.setattr(versions, "WATCHED", tmp_path / "update")
    monkeypatch.setattr(versions, "LOG", tmp_path / "log")
    assert versions.last_update() == []
    repairs.do("update", "", None)
    assert done(repairs.job).state == "done"
    assert (tmp_path / "update").read_bytes() == b"", "the page says nothing but that"
    (tmp_path / "log").write_text("Installing 0.98\n")
    assert versions.last_update() == ["Installing 0.98"]

"""What monitors are told of a table."""

from pathlib import Path

import pytest

from jetan_table import __version__
from jetan_table.table.heartbeat import WATCHDOG_S
from jetan_table.table.loop import Troubles
from jetan_table.web.health import HealthState, health_of
from jetan_table.web.mailbox import LastStep, Mailbox, PageSnapshot
from jetan_table.web.state import state_of
from tests.jetan_table.sitting import sitting

STARTED = 1000.0


def look(folder: Path, step: LastStep | None, now: float = STARTED) -> HealthState:
    """Return how a table is whose last step this was."""
    with sitting(folder) as evening:
        state = state_of(evening.table, evening.hands)
        mailbox = Mailbox(PageSnapshot(state, evening.table.record))
    mailbox.last_step = step
    return health_of(mailbox, now)


def test_a_table_that_goes_on_is_well(tmp_path: Path) -> None:
    health = look(tmp_path, LastStep(STARTED - 0.25, Troubles(None, None)))
    assert health == HealthState(__version__, True, True, 0.25)
    assert health.is_well


def test_a_disk_and_a_board_that_refuse_are_told_apart(tmp_path: Path) -> None:
    health = look(tmp_path, LastStep(STARTED, Troubles("the cable is out", "no room")))
    assert (health.sensing, health.disk) == (False, False)
    assert health.troubles == ("the cable is out", "no room")
    disk_alone = look(tmp_path, LastStep(STARTED, Troubles(None, "no room")))
    assert (disk_alone.sensing, disk_alone.disk, disk_alone.is_well) == (True, False, False)


@pytest.mark.promises("a scan stands still for 20 s", "`/health`")
def test_a_scan_that_stands_still_is_told(tmp_path: Path) -> None:
    last = LastStep(STARTED, Troubles(None, None))
    assert look(tmp_path, last, STARTED + WATCHDOG_S).is_well
    late = look(tmp_path, last, STARTED + WATCHDOG_S + 5)
    assert not late.sensing
    assert late.last_scan_s == WATCHDOG_S + 5
    assert late.troubles == ("no scan for 25 s",)


def test_a_board_not_looked_at_yet_is_not_sensed(tmp_path: Path) -> None:
    health = look(tmp_path, None)
    assert not health.is_well
    assert health.last_scan_s is None

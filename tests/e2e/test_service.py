"""The table as a service manager sees it: ready, alive while it scans, gone when interrupted."""

import signal
import socket
import subprocess
from contextlib import closing
from pathlib import Path

from jetan_table.cli import EXIT_INTERRUPTED
from jetan_table.journal.archive import Archive
from jetan_table.machine.service import UNIT
from tests.e2e.command import begun

WATCHDOG_USEC = 400_000


def test_a_table_is_ready_alive_and_ends_as_its_unit_says(tmp_path: Path) -> None:
    systemd = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    systemd.settimeout(60)
    unit = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": str(WATCHDOG_USEC)}
    with closing(systemd):
        systemd.bind(unit["NOTIFY_SOCKET"])
        words = ("play", "--terminal", "--plain", "--hands", "auto", "--data", tmp_path / "data")
        nowhere = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
        process = begun(tmp_path, *words, env=unit, **nowhere)
        try:
            heard = list[bytes]()
            while len(heard) < 6:
                message = systemd.recv(100)
                if not message.startswith(b"WATCHDOG_USEC="):  # the disk was written to meanwhile
                    heard.append(message)
            process.send_signal(signal.SIGINT)
            code = process.wait(60)
        finally:
            process.kill()
    assert heard == [b"READY=1", *[b"WATCHDOG=1"] * 5]
    assert code in (0, EXIT_INTERRUPTED)
    assert "KillSignal=SIGINT" in UNIT
    assert f"SuccessExitStatus={EXIT_INTERRUPTED} " in UNIT
    with closing(Archive.open(tmp_path / "data")) as archive:
        assert len(archive.games()) == 1

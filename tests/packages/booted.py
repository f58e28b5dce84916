"""A Debian in a folder, run by its own systemd: real units, in namespaces of their own.

It shares the network with the tests. Its processes are in a control group of their own, which is
taken away with them.
"""

import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, TypeAlias

from tests.debian import rights, root_runs

BOOT: Final = """
set -e
mount --bind "$1" "$1"
mount -t cgroup2 cgroup2 "$1/mnt"
mkdir "$1/mnt/$2"
echo $$ >"$1/mnt/$2/cgroup.procs"
umount "$1/mnt"
exec unshare --pid --cgroup --ipc --uts --fork --kill-child sh -c "$3" sh "$1"
"""
"""What goes before, outside: the control group."""

BEGIN: Final = """
set -e
cd "$1"
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
for folder in run tmp dev; do mount -t tmpfs tmpfs $folder; done
for device in null zero full random urandom; do
    touch dev/$device
    mount --bind /dev/$device dev/$device
done
exec env -i container=tests PATH=/usr/sbin:/usr/bin chroot . /lib/systemd/systemd
"""
END: Final = """
mount -t cgroup2 cgroup2 "$1/mnt"
until find "$1/mnt/$2" -depth -type d -exec rmdir {} +; do sleep 0.1; done
"""
APART: Final = ("unshare", "--mount", "--propagation", "private", "sh", "-c")
PATIENCE_S: Final = 60

Inside: TypeAlias = Callable[..., "subprocess.CompletedProcess[str]"]
"""Runs a command in it as root, and returns how that went."""


def can_boot() -> bool:
    """Whether this machine runs a whole system: some containers let not even root do that."""
    tried = "mount -t cgroup2 cgroup2 /mnt; umount /mnt && exec unshare --pid --cgroup --fork true"
    done = subprocess.run([*rights(), *APART, tried], check=False, capture_output=True)
    return done.returncode == 0


@contextmanager
def booted(root: Path) -> Iterator[Inside]:
    """Let the Debian under `root` be run by systemd while the block runs."""
    name = f"jetan-{os.getpid()}"
    nowhere = subprocess.DEVNULL
    begun = [*rights(), *APART, BOOT, "sh", str(root), name, BEGIN]
    with subprocess.Popen(begun, stdin=nowhere, stdout=nowhere, stderr=nowhere) as process:
        first = ""
        try:
            first = str(_first(process.pid))
            entered = [*rights(), "nsenter", "-t", first, "--all", "--root", "--wd", "env", "-i"]
            entered += ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/var/lib/jetan"]

            def inside(*words: str) -> subprocess.CompletedProcess[str]:
                return subprocess.run(
                    [*entered, *words],
                    check=False,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    text=True,
                )

            for _tenth in range(10 * PATIENCE_S):
                if inside("systemctl", "is-system-running").stdout in {"running\n", "degraded\n"}:
                    break
                time.sleep(0.1)
            yield inside
        finally:
            root_runs("kill", "-9", first or str(process.pid))
            process.wait(PATIENCE_S)
            root_runs(*APART, END, "sh", root, name)


def _first(pid: int) -> int:
    """Return which process is systemd among those that this one has begun."""
    for _tenth in range(10 * PATIENCE_S):
        below = str(pid)
        with suppress(OSError):  # it may be another program, or gone, by the time it is read
            while children := Path(f"/proc/{below}/task/{below}/children").read_text().split():
                below = children[0]
                if Path(f"/proc/{below}/comm").read_text() == "systemd\n":
                    return int(below)
        time.sleep(0.1)
    raise AssertionError("systemd did not begin: do this machine's namespaces allow it?")

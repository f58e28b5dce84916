"""Starts an emulated Raspberry Pi 3, and reads what the guest's programs tell."""

import json
import stat
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.emulated_pi.cpio import Entry, folder, format_cpio
from tests.emulated_pi.image import WHEELS, Image
from tests.tidy.tree import ROOT

PATIENCE_S = 240
TAKEN = ("rules", "hardware", "tests/contracts", "tests/emulated_pi", "tests/hardware")
DONE, PANIC = "@done", "Kernel panic"

RUN = f"""cd /tmp
for more in "" {" ".join(f":/{name}" for name in WHEELS)}; do
    PYTHONPATH="/project$more" python3.11 -m tests.emulated_pi.guest /project/job || echo "! $?"
done
echo {DONE}
"""

KERNEL_LINE = "console=ttyAMA0 iomem=relaxed quiet rdinit=/init"
"""A Raspberry Pi's own kernel has `/dev/gpiomem`; Debian's must be relaxed about `/dev/mem`."""


def project(job: object) -> Iterator[Entry]:
    """Yield what the guest runs, and its job."""
    folders = {"project": None}
    entries = []
    for taken in TAKEN:
        for path in sorted((ROOT / taken).rglob("*.py")):
            name = f"project/{path.relative_to(ROOT)}"
            folders |= dict.fromkeys(str(parent) for parent in reversed(Path(name).parents[:-1]))
            entries.append(Entry(name, stat.S_IFREG | 0o644, path.read_bytes()))
    yield from map(folder, sorted(folders))
    yield from entries
    yield Entry("project/job", stat.S_IFREG | 0o644, json.dumps(job).encode())
    yield Entry("project/run", stat.S_IFREG | 0o755, RUN.encode())


def run_guest(image: Image, job: object) -> tuple[list[dict[str, Any]], str]:
    """Start the Pi with a job; return what was told, and all that stood on its console."""
    with tempfile.TemporaryDirectory() as scratch:
        files = Path(scratch, "files")
        packed = image.files.read_bytes()
        files.write_bytes(packed + bytes(-len(packed) % 4) + format_cpio(project(job)))
        starts = ["-kernel", str(image.kernel), "-dtb", str(image.device_tree)]
        starts += ["-initrd", str(files), "-append", KERNEL_LINE]
        alone = ["-display", "none", "-monitor", "none", "-serial", "stdio"]
        machine = subprocess.Popen(
            ["qemu-system-aarch64", "-M", "raspi3b", *starts, *alone],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
        # It cannot switch itself off, and a kernel that hangs says nothing.
        patience = threading.Timer(PATIENCE_S, machine.kill)
        patience.start()
        assert machine.stdout is not None
        console = []
        for line in machine.stdout:
            console.append(line)
            if line.startswith(DONE) or PANIC in line:
                break
        patience.cancel()
        machine.kill()
        machine.communicate()
    lines = [json.loads(line[1:]) for line in console if line.startswith("@ ")]
    return lines, "".join(console)

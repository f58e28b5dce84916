"""An emulated board with a Pico: the image a user flashes, run by rp2040js in virtual time.

What rp2040js leaves to whoever runs it stands in `pico/`: the boot ROM's part, the state machines'
time, a USB host, and what is soldered to the board.
"""

import hashlib
import json
import os
import shutil
import subprocess
import tempfile
import weakref
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from firmware_bridge.build import Microcontroller
from firmware_bridge.emulation.emulator import Strip
from hardware.ports import Change
from tests.once import once

HERE = Path(__file__).parent / "pico"
LAMPS = 100
US_PER_S = 1_000_000
_SCRATCH = tempfile.TemporaryDirectory(prefix="jetan-pico-")  # removed when Python ends


@cache
def program() -> Path:
    """Return where the emulator's program stands, beside the package that it needs."""
    folder = Path(_SCRATCH.name, "board")
    shutil.copytree(HERE, folder)
    (folder / "node_modules").symlink_to(packages())
    return folder / "board.mjs"


def packages() -> Path:
    """Return npm's packages as the lock file names them, fetched once and kept."""
    lock = (HERE / "package-lock.json").read_bytes()
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "jetan"
    kept = home / f"rp2040js-{hashlib.sha256(lock).hexdigest()[:12]}"
    kept.mkdir(parents=True, exist_ok=True)
    once(kept / "ready", lambda: fetch(kept))
    return kept / "node_modules"


def fetch(folder: Path) -> str:
    """Let npm fetch what the lock file names; it checks each by its sum."""
    for name in ("package.json", "package-lock.json"):
        shutil.copy(HERE / name, folder)
    quiet = ("--ignore-scripts", "--no-audit", "--no-fund")
    subprocess.run(["npm", "ci", *quiet], cwd=folder, check=True, capture_output=True)
    return "fetched"


class PicoBoard:
    """One board, whose USB host ends it where it breaks a rule of USB.

    `descriptors` are what it has told the host.
    """

    def __init__(
        self, build: Microcontroller, image: Path, *, has_diodes: bool = True, rise_us: int = 11
    ) -> None:
        """Solder the board as `build` says and switch it on."""
        wiring = {
            "rows": [int(pin.port) for pin in build.rows],
            "columns": [int(pin.port) for pin in build.columns],
            "lamps": int(build.lamps.port),
            "diodes": has_diodes,
            "rise_us": rise_us,
        }
        self._node = subprocess.Popen(
            ["node", str(program()), str(image), json.dumps(wiring)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._end = weakref.finalize(self, self._node.communicate)
        self._said: list[tuple[float, int]] = []
        self._now = 0.0
        self._do({})

    def close(self) -> None:
        self._end()

    @property
    def now(self) -> float:
        return self._now

    def run_until(self, at: float) -> None:
        self._do({"run": at * US_PER_S})

    def change(self, changes: Iterable[Change]) -> None:
        self._do({"edges": [(one.at * US_PER_S, one.switch, one.closed) for one in changes]})

    def send(self, data: bytes) -> None:
        self._do({"hear": data.hex()})

    def receive(self) -> list[tuple[float, int]]:
        heard, self._said = self._said, []
        return heard

    def reset(self, cause: int, bootloader_s: float = 0.0) -> None:
        self._do({"reset": cause, "held": bootloader_s * US_PER_S})

    def hang(self) -> None:
        self._do({"hang": True})

    def open(self, is_open: bool) -> None:
        """Let a program of the host open the port, or close it."""
        self._do({"open": is_open})

    @property
    def strip(self) -> Strip:
        look = self._look()
        rgb = bytes.fromhex(look["lights"])
        return Strip(
            tuple((rgb[at], rgb[at + 1], rgb[at + 2]) for at in range(0, 3 * LAMPS, 3)),
            look["shown_at"] / US_PER_S,
            look["frames"],
            look["bad_pulses"],
            look["longest_gap_us"],
        )

    @property
    def fights(self) -> int:
        return int(self._look()["fights"])

    @property
    def overruns(self) -> int:
        return 0  # a USB host sends when there is room

    @property
    def descriptors(self) -> dict[str, bytes]:
        return {name: bytes(answer) for name, answer in self._look()["descriptors"].items()}

    def _look(self) -> dict[str, Any]:
        return self._do({"look": True})

    def _do(self, command: dict[str, Any]) -> dict[str, Any]:
        assert self._node.stdin is not None
        assert self._node.stdout is not None
        self._node.stdin.write(json.dumps(command) + "\n")
        self._node.stdin.flush()
        line = self._node.stdout.readline()
        assert line, "the emulator has ended: it says why on standard error"
        answer: dict[str, Any] = json.loads(line)
        self._now = answer["now"] / US_PER_S
        self._said += [(at / US_PER_S, byte) for at, byte in answer["said"]]
        return answer

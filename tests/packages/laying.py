"""Packs the table once a run, and lays packages into a Debian under a folder."""

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from packages.release import OFFER, offer
from tests.debian import root_runs

ROOT: Final = Path(__file__).parents[2]
EPOCH: Final = 1_790_000_000
"""The time that packages of these tests are of."""


@dataclass(frozen=True, slots=True)
class Packed:
    """The wheel, and the Debian packages for this kind of machine and for the other."""

    wheel: Path
    own: Path
    other: Path


def pack(out: Path) -> list[str]:
    """Pack all there is into `out`; return the names in the order of `Packed`."""
    build = [sys.executable, str(ROOT / "packages" / "build.py"), "--plain", "--out", str(out)]
    subprocess.run(build, check=True, env={**os.environ, "SOURCE_DATE_EPOCH": str(EPOCH)})
    ask = ["dpkg", "--print-architecture"]
    own = subprocess.run(ask, check=True, capture_output=True, text=True).stdout.strip()
    (wheel,), (deb,) = out.glob("*.whl"), out.glob(f"*_{own}.deb")
    (other,) = set(out.glob("*.deb")) - {deb}
    return [str(wheel), str(deb), str(other)]


def inside(root: Path, *words: str) -> str:
    """Run a command in the Debian under `root`; return what it says."""
    return root_runs(*entered(root), *words)


def entered(root: Path) -> Sequence[str]:
    path = "PATH=/usr/sbin:/usr/bin:/sbin:/bin"
    return ["env", "-i", path, "HOME=/var/lib/jetan", "chroot", str(root)]


def as_table(*words: str) -> Sequence[str]:
    return ["setpriv", "--reuid=jetan", "--regid=jetan", "--init-groups", *words]


def games(root: Path, data: str = "/var/lib/jetan") -> list[str]:
    return inside(root, "jetan", "games", "list", "--data", data).splitlines()[1:]


def two_packages(folder: Path, version: str) -> None:
    """Write what stands for the packages of a release, and what offers them."""
    for path in folder.glob("*.deb"):
        path.rename(path.with_suffix(".kept"))
    for machine in ("amd64", "arm64"):
        (folder / f"jetan-table_{version}_{machine}.deb").write_text(f"{version} {machine}")
    (folder / OFFER).write_text(offer(folder))
    for path in folder.glob("*.kept"):
        path.rename(path.with_suffix(".deb"))

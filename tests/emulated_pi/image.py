"""A Raspberry Pi 3 for QEMU: Debian's kernel and packages for it, made once and kept.

Debian's own tools fetch and check the packages, in a root of their own that leaves this machine's
alone. In it are the real RPi.GPIO, from Debian, and from PyPI the real rpi-lgpio with lgpio, and
the real gpiod.
"""

import gzip
import hashlib
import os
import re
import shutil
import stat
import subprocess
import tempfile
import venv
from dataclasses import dataclass
from pathlib import Path

from tests.emulated_pi.cpio import Entry, folder, format_cpio, tree

RELEASE = "bookworm"
MIRROR = "http://deb.debian.org/debian"
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
KERNEL = "linux-image-arm64"
DEVICE_TREE = "broadcom/bcm2837-rpi-3-b.dtb"
TOLD_BY_FIRMWARE = ("/system", "linux,revision", "0xa02082")
"""That it is a Pi 3 Model B, which the libraries ask for."""

PACKAGES = (
    "busybox-static",
    "libc6",
    "libexpat1",
    "libgcc-s1",
    "libpython3.11-minimal",
    "libpython3.11-stdlib",
    "python3-rpi.gpio",
    "python3.11-minimal",
    "zlib1g",
)
WHEELS = {"newer": ("lgpio==0.2.2.0", "rpi-lgpio==0.6"), "gpiod": ("gpiod==2.5.0",)}
"""Wheels by the folder that they are in; Debian's RPi.GPIO is where Debian puts it."""

PLATFORM = (
    *("--platform", "manylinux_2_34_aarch64", "--platform", "manylinux2014_aarch64"),
    *("--python-version", "3.11"),
)

LEFT_OUT = re.compile(
    r"usr/share/|usr/lib/[^/]+/(gconv|perl)|etc/|usr/lib/valgrind"
    r"|.*/(test|unittest|distutils|lib2to3|asyncio|tkinter|idlelib|pydoc_data|sqlite3|curses)(/|$)"
)

INIT = """#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc none /proc
mount -t sysfs none /sys
mount -t devtmpfs none /dev
mkdir -p /tmp
exec /bin/sh /project/run </dev/console >/dev/console 2>&1
"""


@dataclass(frozen=True, slots=True)
class Image:
    """The files QEMU starts from; `files` is a packed archive to which another may be joined."""

    kernel: Path
    device_tree: Path
    files: Path


def image() -> Image:
    """Return the image, made now if it is not there; that takes a minute and loads 70 MB."""
    recipe = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:12]
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "jetan"
    kept = home / f"pi3-{recipe}"
    if not kept.is_dir():
        home.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=home) as scratch:
            made = make(Path(scratch))
            if not kept.is_dir():
                made.rename(kept)
    return Image(kept / "kernel", kept / "pi3.dtb", kept / "files.gz")


def make(scratch: Path) -> Path:
    """Make the image in a folder that will be removed; return the folder to keep."""
    packed = fetch_packages(scratch / "apt")
    root, kernel, made = scratch / "root", scratch / "linux", scratch / "image"
    made.mkdir()
    for package in packed:
        unpack_into = kernel if package.name.startswith("linux-image") else root
        subprocess.run(["dpkg-deb", "-x", package, unpack_into], check=True)
    fetch_wheels(scratch, root)
    shutil.copy(next((kernel / "boot").glob("vmlinuz-*")), made / "kernel")
    tree_file = made / "pi3.dtb"
    shutil.copy(next((kernel / "usr" / "lib").glob(f"*/{DEVICE_TREE}")), tree_file)
    subprocess.run(["fdtput", "-p", "-c", tree_file, "/system"], check=True)
    subprocess.run(["fdtput", "-t", "x", tree_file, *TOLD_BY_FIRMWARE], check=True)
    files = [entry for entry in tree(root) if not LEFT_OUT.match(entry.name)]
    own = [
        *map(folder, ("dev", "proc", "sys", "etc")),
        Entry("dev/console", stat.S_IFCHR | 0o600, device=(5, 1)),
        Entry("init", stat.S_IFREG | 0o755, INIT.encode()),
    ]
    (made / "files.gz").write_bytes(gzip.compress(format_cpio([*own, *files]), 6))
    return made


def fetch_packages(root: Path) -> list[Path]:
    """Fetch the packages for arm64 with an apt of our own; return their files."""
    for name in (
        "etc/apt/apt.conf.d",
        "etc/apt/preferences.d",
        "var/lib/apt/lists/partial",
        "debs",
    ):
        (root / name).mkdir(parents=True)
    for name in ("var/lib/dpkg", "var/cache/apt/archives/partial"):
        (root / name).mkdir(parents=True)
    (root / "var/lib/dpkg/status").touch()
    source = f"deb [signed-by={KEYRING}] {MIRROR} {RELEASE} main\n"
    (root / "etc/apt/sources.list").write_text(source)
    own = {
        "Dir": root,
        "Dir::State::status": root / "var/lib/dpkg/status",
        "APT::Architecture": "arm64",
        "APT::Architectures": "arm64",
        "APT::Sandbox::User": "root",
        "Acquire::Languages": "none",
    }
    options = [word for name, value in own.items() for word in ("-o", f"{name}={value}")]

    def apt(*words: str) -> str:
        done = subprocess.run(
            [*words[:1], "-qq", *options, *words[1:]],
            cwd=root / "debs",
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout

    apt("apt-get", "update")
    kernel = re.search(r"^Depends: (linux-image-\S+)", apt("apt-cache", "show", KERNEL), re.M)
    assert kernel is not None
    apt("apt-get", "download", kernel[1], *PACKAGES)
    return sorted((root / "debs").glob("*.deb"))


def fetch_wheels(scratch: Path, into: Path) -> None:
    """Fetch the wheels for the Pi's Python, each into its folder."""
    venv.create(scratch / "venv", with_pip=True)
    pip = [str(scratch / "venv" / "bin" / "python"), "-m", "pip", "-q", "install", "--no-deps"]
    for name, wheels in WHEELS.items():
        which = ["--target", str(into / name), "--only-binary", ":all:", *PLATFORM]
        subprocess.run([*pip, *which, *wheels], check=True, capture_output=True)

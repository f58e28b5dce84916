"""Programs that some suites stand on beyond Python, and what brings them.

`@pytest.mark.needs("git")` on a test skips it with the apt line where the program is missing, and
fails it under JETAN_CI=1. `python3 tests/needs.py` prints the apt packages that are missing here,
with JETAN_TIER=release also those that only a release's tests stand on.

`jetan check` brings less of Python's packages than `jetan test`: a test that lacks one is skipped.
"""

import importlib.util
import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final


@dataclass(frozen=True, slots=True)
class Need:
    """A program a suite calls, and the Debian packages that bring it, and a file of theirs."""

    program: str
    apt: str
    file: str | None = None
    for_release: bool = False
    """Whether only tests of that tier stand on it, which CI leaves out."""

    def is_met(self) -> bool:
        """Whether the program is on the search path, and the file where Debian puts it."""
        is_found = shutil.which(self.program) is not None
        return is_found and (self.file is None or Path(self.file).is_file())

    def mend(self) -> str:
        """The line that brings it on Debian."""
        return f"sudo apt-get install {self.apt}"


KEYRING: Final = "/usr/share/keyrings/debian-archive-keyring.gpg"

NEEDS: Final = {
    "arm-gcc": Need("arm-none-eabi-gcc", "gcc-arm-none-eabi"),
    "avr-gcc": Need("avr-gcc", "gcc-avr avr-libc"),
    "cc": Need("cc", "gcc libc6-dev"),
    "chromium": Need("chromium-headless-shell", "chromium-headless-shell"),
    "debian": Need("dpkg-deb", "apt dpkg debian-archive-keyring", KEYRING),
    "espeak-ng": Need("espeak-ng", "espeak-ng"),
    "fdtput": Need("fdtput", "device-tree-compiler", for_release=True),
    "flock": Need("flock", "util-linux"),
    "git": Need("git", "git"),
    "gpg": Need("gpg", "gnupg"),
    "gpgv": Need("gpgv", "gpgv"),
    "make": Need("make", "make"),
    "mmdebstrap": Need("mmdebstrap", "mmdebstrap"),
    "mosquitto": Need("mosquitto", "mosquitto"),
    "ngspice": Need("ngspice", "ngspice", for_release=True),
    "node": Need("node", "nodejs"),
    "npm": Need("npm", "npm"),
    "openssl": Need("openssl", "openssl"),
    "pdftoppm": Need("pdftoppm", "poppler-utils"),
    "qemu": Need("qemu-system-aarch64", "qemu-system-arm", for_release=True),
    "qemu-user": Need("qemu-aarch64-static", "qemu-user-static", for_release=True),
    "setpriv": Need("setpriv", "util-linux"),
    "simavr": Need("simavr", "simavr libsimavr-dev", "/usr/include/simavr/sim_avr.h"),
    "systemd-analyze": Need("systemd-analyze", "systemd"),
    "unshare": Need("unshare", "util-linux"),
}

EMULATOR: Final = ("avr-gcc", "cc", "make", "simavr")
"""What building the firmware and running it in an emulated chip stands on."""

PICO_EMULATOR: Final = ("arm-gcc", "make", "node", "npm")
"""What building and running a Pico's firmware stands on, beyond the network for the first time."""

PI_EMULATOR: Final = ("debian", "fdtput", "qemu")
"""What an emulated Raspberry Pi stands on, beyond the network for its first start."""

MODULES: Final = {
    **dict.fromkeys(
        (
            *("axe_playwright_python", "cv2", "gerbonara", "manifold3d", "mkdocs"),
            *("openapi_spec_validator", "playwright", "schemathesis", "trimesh", "yaml"),
        ),
        "./jetan test brings it",
    ),
    **dict.fromkeys(("chess", "pyspiel"), "./jetan bench brings it"),
}
"""Packages that only some tests stand on, by what is imported, and what brings each."""
NAMED: Final = re.compile(r"No module named '(\w+)|needs (OpenCV)|cannot import .* from '(tests)\.")
"""The third is what a test sees of another that lacks OpenCV, and was not read to its end."""


def lacking(error: str) -> str | None:
    """Why a test cannot run, by its error: a package is missing that it may lack; else None."""
    for found in NAMED.finditer(error):
        name = found[1] or "cv2"
        if name in MODULES and importlib.util.find_spec(name) is None:
            return f"{name} is missing: {MODULES[name]}"
    return None


if __name__ == "__main__":
    is_release = os.environ.get("JETAN_TIER") == "release"
    for need in NEEDS.values():
        if not need.is_met() and (is_release or not need.for_release):
            print(*need.apt.split(), sep="\n")

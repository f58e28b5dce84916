"""The speed of a scan of a Raspberry Pi's own pins, with RPi.GPIO, rpi-lgpio and gpiod.

The table's scan runs as in `jetan play` on the real libraries in an emulated Raspberry Pi 3,
which is slower than a real one; its waits for the wires to settle are real, and the model of the
wires is left out. The floor of a scan is those waits: ten of 0.1 ms. Hands want 50 scans a second;
`cpu_at_50_hz` is the share of one core that so many take.
"""

import json as json_text

from hardware.matrix import SETTLE_S
from hardware.pins import SIZE
from tests.emulated_pi.image import image
from tests.emulated_pi.pi import run_guest

WANTED_HZ = 50
JOB = {"keeps_contracts": False, "polls": [], "closed": []}


def main(json: bool) -> None:
    """Measure, and print a table, or one JSON object by library."""
    figures = measure()
    if json:
        print(json_text.dumps(figures))
        return
    for library, row in figures.items():
        for name, value in row.items():
            print(f"{library:12} {name:20} {value:>9,.2f}")


def measure() -> dict[str, dict[str, float]]:
    """Return every figure of one run, by library."""
    reports, console = run_guest(image(), JOB)
    measured = [line for line in reports if "scans_per_s" in line]
    assert measured, console
    return {
        line["library"]: {
            "calls_per_scan": line["calls_per_scan"],
            "scans_per_s": line["scans_per_s"],
            "scans_vs_wanted": line["scans_per_s"] / WANTED_HZ,
            "scan_vs_floor": 1 / line["scans_per_s"] / (SIZE * SETTLE_S),
            "cpu_at_50_hz": line["cpu_ms_per_scan"] * WANTED_HZ / 1000,
        }
        for line in measured
    }

"""Draws the letters and numerals of the page's headings: `python -m docs.letters`.

Capitals of 1922, when the book was printed: upright strokes are broad and all others thin, the
waist is low, and what is round is a circle. Small letters are small capitals. The file is a WOFF,
which every browser reads; its letters have no hints and no curves.
"""

import struct
import zlib
from collections.abc import Mapping
from functools import reduce
from math import cos, hypot, pi, sin
from operator import add
from pathlib import Path
from typing import Final

from manifold3d import CrossSection, FillRule

FILE: Final = Path(__file__).parents[1] / "jetan_table/page/static/jetan.woff"
EM, HIGH, SMALL = 1000, 700, 0.77
BROAD, THIN, BESIDE, FIGURE = 122, 62, 46, 560
"""The widths of strokes, the room beside a letter, and how wide every numeral is."""

LETTERS: Final = """
A line 0 0 270 700; line 290 700 560 0 broad; bar 142 60 480
B stem 0 0 700; bowl 259 700 400; bowl 0 321 440
C arc 350 350 350 350 42 318
D stem 0 0 700; bowl 0 700 560
E stem 0 0 700; bar 0 0 400; bar 259 0 330; bar 638 0 390
F stem 0 0 700; bar 259 0 330; bar 638 0 390
G arc 350 350 350 350 42 318; stem 538 60 259; bar 197 350 600
H stem 0 0 700; stem 430 0 700; bar 259 0 430
I stem 0 0 700
J stem 170 150 700; arc 122 170 170 170 180 360
K stem 0 0 700; line 102 259 450 700; line 192 309 440 0 broad
L stem 0 0 700; bar 0 0 390
M line 30 0 110 700; line 110 700 355 40 broad; line 355 40 600 700; line 590 700 680 0 broad
N line 31 0 31 700; line 61 700 500 0 broad; line 531 0 531 700
O arc 350 350 350 350 0 360
P stem 0 0 700; bowl 259 700 420
Q arc 350 350 350 350 0 360; line 380 190 690 -70 broad
R stem 0 0 700; bowl 259 700 420; line 230 279 460 0 broad
S arc 205 480 205 252 35 270; arc 225 160 225 160 -145 90
T stem 220 0 700; bar 638 0 562
U stem 0 230 700; stem 380 230 700; arc 251 230 251 230 180 360
V line 50 700 280 0 broad; line 280 0 530 700
W line 50 700 235 0 broad; line 235 0 420 700; line 420 700 605 0 broad; line 605 0 800 700
X line 60 700 480 0 broad; line 20 0 490 700
Y line 40 700 250 259 broad; line 250 259 480 700; stem 189 0 279
Z bar 0 0 460; bar 638 0 460; line 70 0 400 700 broad
"""
MARKS: Final = """
0 arc 234 350 234 350 0 360
1 stem 173 0 700; line 84 550 244 700
2 arc 234 475 234 225 -40 170; line 30 20 398 370 broad; bar 0 0 468
3 arc 234 505 220 195 -90 150; arc 234 215 234 215 -155 90
4 stem 278 0 700; line 10 170 348 700; bar 150 0 468
5 bar 638 40 448; line 71 330 71 700; arc 234 220 234 220 -160 135
6 arc 234 225 234 225 0 360; line 90 320 378 700 broad
7 bar 638 0 468; line 120 0 418 690 broad
8 arc 234 505 220 195 0 360; arc 234 215 234 215 0 360
9 arc 234 475 234 225 0 360; line 90 0 378 380 broad
. dot 0 60
, dot 0 60; line -10 -110 20 40
: dot 0 60; dot 0 390
! dot 0 60; line 0 190 0 700 broad
? dot 190 60; line 190 180 190 340 broad; arc 190 500 190 200 -90 170
- bar 240 0 240
– bar 240 0 420
’ line 0 520 30 700 broad
+ bar 240 0 380; line 190 80 190 462
× line 0 90 340 430; line 0 430 340 90
/ line 0 -60 330 700
· dot 0 320
… dot 0 60; dot 190 60; dot 380 60
( arc 300 320 300 470 120 240
) arc 0 320 300 470 -60 60
"""
"""Each character's strokes; lengths are for capitals."""


def polygon(*points: tuple[float, float]) -> CrossSection:
    """Return an area by its corners, whichever way round they are told."""
    return CrossSection([points], FillRule.NonZero) + CrossSection([points[::-1]], FillRule.NonZero)


def oval(x: float, y: float, rx: float, ry: float) -> CrossSection:
    """Return an oval about a point."""
    turns = [pi * at / 24 for at in range(48)]
    return polygon(*((x + rx * cos(turn), y + ry * sin(turn)) for turn in turns))


def stroke(told: str, k: float) -> CrossSection:
    """Return what one part of a character's line tells, its lengths `k` times as large."""
    kind, *rest = told.split()
    wide = BROAD if "broad" in rest or kind == "stem" else THIN
    a, b, c, d, start, end = ([float(each) for each in rest if each != "broad"] + [0] * 5)[:6]
    match kind:
        case "stem":  # at x, from y to y
            return polygon(
                (a * k, b * k), (a * k + wide, b * k), (a * k + wide, c * k), (a * k, c * k)
            )
        case "bar":  # at y, from x to x
            return polygon(
                (b * k, a * k), (c * k, a * k), (c * k, a * k + wide), (b * k, a * k + wide)
            )
        case "line":  # from x, y to x, y; cut level at its ends
            half = wide * hypot(c - a, d - b) / abs(d - b) / 2
            ends = ((a, b, -half), (a, b, half), (c, d, half), (c, d, -half))
            return polygon(*((x * k + aside, y * k) for x, y, aside in ends))
        case "dot":
            return oval(a * k, b * k, 60, 60)
        case "bowl":  # from y to y, as far as x
            low, high, far, ry = a * k, b * k, c * k, (b - a) * k / 2
            turn = max(far - ry, BROAD)
            arms = [stroke(f"bar {y / k} 0 {turn / k}", k) for y in (low, high - THIN)]
            bow = oval(turn, low + ry, far - turn, ry)
            inner = oval(turn, low + ry, far - turn - BROAD, ry - THIN)
            right = polygon((turn, low), (far, low), (far, high), (turn, high))
            return arms[0] + arms[1] + ((bow - inner) ^ right)
    # An arc: about x, y, with these radii, from one direction to another; broad at its sides.
    x, y, rx, ry = a * k, b * k, c * k, d * k
    turns = [pi / 180 * (start + (end - start) * step / 24) for step in range(25)]
    part = polygon((x, y), *((x + 2000 * cos(turn), y + 2000 * sin(turn)) for turn in turns))
    return (oval(x, y, rx, ry) - oval(x, y, rx - BROAD, ry - THIN)) ^ part


def shapes(told: str, k: float = 1) -> dict[str, CrossSection]:
    """Return the characters of a text of strokes."""
    lines = told.strip().splitlines()
    return {
        line[0]: reduce(add, (stroke(part, k) for part in line[2:].split(";"))) for line in lines
    }


def glyphs() -> Mapping[str, tuple[CrossSection, float]]:
    """Return each character's shape, and how wide it is with the room beside."""
    small = {name.lower(): shape for name, shape in shapes(LETTERS, SMALL).items()}
    drawn = shapes(LETTERS) | small | shapes(MARKS)
    drawn |= {"−": drawn["–"], "'": drawn["’"], "‑": drawn["-"]}
    for plain, dotted in zip("AOUaou", "ÄÖÜäöü", strict=True):
        x0, _, x1, high = drawn[plain].bounds()
        dots = [oval((x0 + x1) / 2 + aside, high + 95, 52, 52) for aside in (-100, 100)]
        drawn[dotted] = drawn[plain] + dots[0] + dots[1]
    drawn["ß"] = drawn["s"] + drawn["s"].translate((drawn["s"].bounds()[2] + BESIDE, 0))
    made: dict[str, tuple[CrossSection, float]] = {" ": (CrossSection(), 250.0)}
    for name, shape in drawn.items():
        x0, _, x1, _ = shape.bounds()
        wide = FIGURE if name.isdigit() else x1 - x0 + 2 * BESIDE
        made[name] = shape.translate(((wide - x0 - x1) / 2, 0)), wide
    return made


def outlines(shape: CrossSection) -> bytes:
    """Return a shape as a glyph of TrueType: its corners, as steps from one to the next."""
    contours = [
        [(round(x), round(y)) for x, y in each] for each in shape.simplify(1.2).to_polygons()
    ]
    if not contours:
        return b""
    points = [point for contour in contours for point in contour[::-1]]
    ends = [sum(map(len, contours[: at + 1])) - 1 for at in range(len(contours))]
    xs, ys = zip(*points, strict=True)
    head = struct.pack(">5h", len(contours), min(xs), min(ys), max(xs), max(ys))
    flags, steps = bytearray(b"\x01" * len(points)), [bytearray(), bytearray()]
    for axis, (values, short, same) in enumerate(((xs, 0x02, 0x10), (ys, 0x04, 0x20))):
        before = 0
        for at, value in enumerate(values):
            step, before = value - before, value
            if step == 0:
                flags[at] |= same
            elif abs(step) < 256:
                flags[at] |= short | (same if step > 0 else 0)
                steps[axis].append(abs(step))
            else:
                steps[axis] += struct.pack(">h", step)
    body = head + struct.pack(f">{len(ends)}HH", *ends, 0) + flags + steps[0] + steps[1]
    return body + b"\0" * (-len(body) % 4)


def font(letters: Mapping[str, tuple[CrossSection, float]]) -> bytes:
    """Return a WOFF of these letters."""
    names = sorted(letters, key=ord)
    bodies = [b"", *(outlines(letters[name][0]) for name in names)]
    places = [sum(map(len, bodies[:at])) for at in range(len(bodies) + 1)]
    advances = [FIGURE, *(round(letters[name][1]) for name in names)]
    lefts = [
        0,
        *(
            round(letters[name][0].bounds()[0]) if letters[name][0].num_vert() else 0
            for name in names
        ),
    ]
    codes = [*map(ord, names), 0xFFFF]
    count = len(codes)
    reach = 2 ** (count.bit_length() - 1)
    deltas = [(at + 1 - code) % 65536 for at, code in enumerate(codes[:-1])] + [1]
    cmap = struct.pack(
        ">7H",
        4,
        16 + 8 * count,
        0,
        2 * count,
        2 * reach,
        reach.bit_length() - 1,
        2 * (count - reach),
    )
    cmap += struct.pack(
        f">{count}HH{count}H{count}H{count}H", *codes, 0, *codes, *deltas, *[0] * count
    )
    said = "Jetan".encode("utf-16-be")
    tables = {
        b"OS/2": struct.pack(
            ">HhHHH10hh10s4I4sHHHhhhHHII2h3H",
            4,
            500,
            500,
            5,
            0,
            *[0] * 10,
            0,
            b"\0" * 10,
            1,
            0,
            0,
            0,
            b"none",
            64,
            32,
            0x2026,
            800,
            -200,
            0,
            900,
            250,
            1,
            0,
            round(HIGH * SMALL),
            HIGH,
            0,
            32,
            1,
        ),
        b"cmap": struct.pack(">HHHHI", 0, 1, 3, 1, 12) + cmap,
        b"glyf": b"".join(bodies),
        b"head": struct.pack(
            ">4I2H2q4h2H3h",
            0x10000,
            0x10000,
            0,
            0x5F0F3CF5,
            3,
            EM,
            0,
            0,
            0,
            -200,
            1200,
            900,
            0,
            8,
            2,
            1,
            0,
        ),
        b"hhea": struct.pack(
            ">I3hH11hH", 0x10000, 800, -200, 0, 1200, 0, 0, 1200, 1, *[0] * 7, len(bodies)
        ),
        b"hmtx": b"".join(struct.pack(">Hh", *each) for each in zip(advances, lefts, strict=True)),
        b"loca": struct.pack(f">{len(places)}I", *places),
        b"maxp": struct.pack(">I14H", 0x10000, len(bodies), 400, 12, 0, 0, 1, *[0] * 8),
        b"name": b"".join(
            [
                struct.pack(">3H", 0, 4, 54),
                *(struct.pack(">6H", 3, 1, 0x409, each, len(said), 0) for each in (1, 2, 4, 6)),
                said,
            ]
        ),
        b"post": struct.pack(">Iihh5I", 0x30000, 0, -100, 50, 0, 0, 0, 0, 0),
    }
    return woff(tables)


def woff(tables: Mapping[bytes, bytes]) -> bytes:
    """Return tables of a font, each compressed, as one file."""
    at, directory, bodies, whole = 44 + 20 * len(tables), b"", b"", 12 + 16 * len(tables)
    for tag, table in tables.items():
        padded = table + b"\0" * (-len(table) % 4)
        total = sum(struct.unpack(f">{len(padded) // 4}I", padded)) % 2**32
        packed = min(zlib.compress(table, 9), table, key=len)
        directory += struct.pack(">4s4I", tag, at + len(bodies), len(packed), len(table), total)
        bodies += packed + b"\0" * (-len(packed) % 4)
        whole += len(padded)
    head = struct.pack(
        ">4sIIHHIHH5I", b"wOFF", 0x10000, at + len(bodies), len(tables), 0, whole, 1, 0, *[0] * 5
    )
    return head + directory + bodies


if __name__ == "__main__":
    FILE.write_bytes(font(glyphs()))

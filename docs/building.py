"""Draws the drilling templates, and writes the tables of the pages in `docs/build`.

`python -m docs.building`: the sizes are those of `hardware.build`, the tables say what
`docs.fitting` reckons of magnets and reeds, and
`jetan_table.extras.workshop.parts` what is bought.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from math import ceil, floor
from pathlib import Path
from typing import Final

from docs.fitting import SAMPLE, held, is_recommended, push_mn, seen
from docs.glow import next_door, past_any_foot
from firmware_bridge.build import NANO, PICO
from hardware.build import Build, Magnet, Turns, build_of
from hardware.pins import COLUMNS, ROWS
from jetan_table.extras.workshop.circuits import HEADER_PIN, LAMP_GPIO, PI_GROUNDS
from jetan_table.extras.workshop.paper import drilling
from jetan_table.extras.workshop.parts import Line, bill, hours, joints
from jetan_table.extras.workshop.sheet import PAPERS, format_pages, format_sheet, tiles
from rules import FILES, RING_RADII, Square

FOLDER: Final = Path(__file__).parent / "build"
REEDS: Final = FOLDER / "reeds.md"

CLASSES: Final[Sequence[Turns]] = ((10.0, 15.0), (15.0, 20.0), (20.0, 25.0))
"""Reeds that are sold, by the ampere-turns at which they close."""

DISK_CLASSES: Final = ((CLASSES[0], CLASSES[1]), (CLASSES[1], CLASSES[1]), (CLASSES[1], CLASSES[2]))
"""Those of a disk's outer rings, and of its two inner ones."""

FLAT, DISK = build_of("grid", "wired"), build_of("ninth-ray", "wired")
WAYS: Final = {
    "paper": build_of(way="paper"),
    "strips": build_of(way="strip"),
    "wired": FLAT,
    "disk": DISK,
}
SENSED: Final = {"strips": WAYS["strips"], "wired flat board": FLAT, "disk": DISK}
TITLES: Final = {
    "paper": "paper and a camera",
    "strips": "strips",
    "wired": "wired by hand",
    "disk": "the round board, wired by hand",
}
"""The pages of the ways."""

TOLERANCE_MM: Final = 0.5
"""0.3 mm of print and 0.2 of glue."""

LIMIT_A, FULL_A = 2.0, 0.06
"""The default limit of all lamps, and what one lamp takes in full white."""

FUSE_OHM, SUPPLY_OHM_M, LEAD_OHM_M, CONTACT_OHM, STRIP_OHM = 0.03, 0.024, 0.213, 0.02, 0.0102
"""Of a fuse with what guards the poles; a metre of 0.75 mm2, one way; a metre of 28 AWG; a contact
of a plug; and a strip's copper from plug to plug, supply and ground."""

FIRST: Final = [
    Line(5, "circuit board, strip of five squares, solder mask white (five are the least)", 140),
    Line(12, "reed switch, 14 mm of glass, 15 to 20 ampere-turns", 30),
    Line(6, "lamp WS2812B, 5 × 5 mm", 10),
    Line(6, "diode 1N4148W, SOD-123", 3),
    Line(6, "capacitor, 100 nF, 0805", 2),
    Line(3, "neodymium magnet, round, 10 × 3 mm", 20),
    Line(1, "piece of clear acrylic, 2 mm, 100 × 100 mm", 200),
    Line(1, "filament for one part of the light grid, two pieces and a corner", 250),
    Line(1, "postage", 800),
]
"""What one square and one strip take before twenty."""

FLAT_MAGNETS: Final = (Magnet(8, 3), Magnet(10, 2), Magnet(10, 3))
DISK_MAGNETS: Final = (Magnet(5, 3), Magnet(6, 2), Magnet(6, 3))
FLAT_DEPTHS: Final = (6.0, 7.0, 8.0, 10.0)
DISK_DEPTHS: Final = (4.4, 5.4, 6.4)


def main() -> None:
    """Write the templates, and the tables into the pages."""
    for name, content in drawn().items():
        (FOLDER / name).write_bytes(content)
    for page in pages():
        page.write_text(with_tables(page.read_text(encoding="utf-8")), encoding="utf-8")


def pages() -> list[Path]:
    """Return the pages of the guide."""
    return sorted(FOLDER.glob("*.md"))


def drawn() -> Mapping[str, bytes]:
    """Return each template's bytes by its file's name: the whole board, and its pages of A4."""
    files = {}
    for build in (FLAT, DISK):
        sheet = drilling(build)
        files[f"drilling-{build.board}.svg"] = format_sheet(sheet, "svg")
        files[f"drilling-{build.board}-a4.pdf"] = format_pages(tiles(sheet, PAPERS["a4"]))
    return files


def with_tables(page: str) -> str:
    """Return a page with those tables written anew that it has."""
    tables: Mapping[str, Callable[[], Iterable[str]]] = {
        "sizes": sizes,
        "magnets": magnets,
        "disk's magnets": disk_magnets,
        "ways": ways,
        "what you get": what_you_get,
        "first article": first_article,
        "pins on strips": pins_on_strips,
        **{f"parts of {name}": partial(parts, build) for name, build in WAYS.items()},
    }
    for name, lines in tables.items():
        begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
        before, found, rest = page.partition(begin)
        if found:
            page = before + begin + "\n".join(lines()) + "\n" + end + rest.partition(end)[2]
    return page


def ways() -> Iterator[str]:
    """Yield what each way of building takes."""
    yield "| | what it costs about | hours | joints by hand | squares light up |"
    yield "|---|---|---|---|---|"
    for name, build in WAYS.items():
        lines = bill(build)
        lights = "on a screen" if build.way == "paper" else "yes"
        solder = f"{joints(lines):,}" if joints(lines) else "none"
        euros, time = f"{_euros(lines)} EUR", f"{hours(build, lines)}"
        yield _row(f"[{TITLES[name]}]({name}.md)", euros, time, solder, lights)
    yield ""
    yield "A Pi (60 to 90 EUR) or another computer, and for paper a webcam, are not counted."
    yield "Paper takes an hour where a shelf holds the camera, and three with a stand of laths."


def what_you_get() -> Iterator[str]:
    """Yield what a builder of each board with switches gets, as it is reckoned."""
    builds = list(SENSED.values())
    bills = [bill(build) for build in builds]
    yield _row("", *SENSED)
    yield "|---|" + "---|" * len(builds)
    for off in (0.0, TOLERANCE_MM):
        name = f", {off:g} mm nearer or farther than drawn" if off else ""
        each = [
            [replace(build, depth_mm=build.depth_mm + way) for way in (-off, off)]
            for build in builds
        ]
        yield _row(
            f"places where a piece is seen{name}",
            *(_percent(min(map(seen, pair))) for pair in each),
        )
        yield _row(
            f"effect of all others on a reed{name}",
            *(_share(max(map(held, pair))) for pair in each),
        )
    yield _row("push between neighbours", *(f"{push_mn(build):.1f} mN" for build in builds))
    for name, light in (
        ("light past a foot, wherever it stands on its square", past_any_foot),
        ("a neighbouring square's light", next_door),
    ):
        shares = [[100 * light(build, square) for square in _rings(build)] for build in builds]
        found = [min(each) if light is past_any_foot else max(each) for each in shares]
        yield _row(name, *(f"{share:.0f} %" if share >= 1 else "under 1 %" for share in found))
    volts = [f"{farthest_v(build):.1f} V" for build in builds]
    yield _row(f"at the farthest lamp, where {LIMIT_A:g} A light the far end", *volts)
    yield _row("joints by hand", *(f"{joints(lines):,}" for lines in bills))
    yield _row("hours, without a printer's", *map(_hours, builds, bills))
    yield _row("euros, without a Pi", *map(_euros, bills))


def _hours(build: Build, lines: list[Line]) -> str:
    return f"about {hours(build, lines)}"


def _euros(lines: list[Line]) -> str:
    return f"{5 * round(total(lines) / 5)}"


def _rings(build: Build) -> Sequence[Square]:
    return SAMPLE if build is DISK else SAMPLE[:1]


def farthest_v(build: Build) -> float:
    """Return the volts at the lamp that is farthest from a supply of 5 V, at worst.

    That is when the lamps at one half's far end shine fully, as many as the limit allows. A fuse,
    the supply's lead of a metre and its contacts are in it. On strips a lead of two wires for the
    supply and three for ground goes to each half, and on from strip to strip; by hand, thicker wire
    goes round each half in 1.5 m.
    """
    if build.way == "strip":
        wires = 1 / 2 + 1 / 3  # two for the supply, three for ground
        lead = (0.3 * LEAD_OHM_M + 2 * CONTACT_OHM) * wires
        step = STRIP_OHM + CONTACT_OHM * wires
    else:
        lead = step = 0.15 * 2 * SUPPLY_OHM_M
    steps = sum(min(LIMIT_A, FULL_A * 5 * (10 - at)) for at in range(1, 10))
    return 5.0 - LIMIT_A * (FUSE_OHM + 2 * SUPPLY_OHM_M + lead) - steps * step


def first_article() -> Iterator[str]:
    """Yield what is ordered for one square and one strip."""
    yield "| count | part | together, EUR |"
    yield "|---|---|---|"
    for line in FIRST:
        yield _row(str(line.count), line.what, f"{line.count * line.cents / 100:.2f}")
    yield ""
    yield f"Together about {total(FIRST):.0f} EUR."


def parts(build: Build) -> Iterator[str]:
    """Yield what is bought for a table."""
    lines = bill(build)
    yield "| count | part | each, EUR |"
    yield "|---|---|---|"
    for line in lines:
        yield _row(str(line.count), line.what, f"{line.cents / 100:.2f}")
    by_hand = joints(lines)
    solder = f", {by_hand:,} joints by hand" if by_hand else ""
    yield ""
    yield f"Together about {_euros(lines)} EUR and {hours(build, lines)} hours{solder}."


def pins_on_strips() -> Iterator[str]:
    """Yield what is joined to the plug of the Pi's adapter, by rank and file."""
    yield _row("", *(f"{at}, {letter}" for at, letter in enumerate(FILES, 1)))
    yield "|---|" + "---|" * len(FILES)
    register = [f"{'first' if at < 8 else 'second'} Q{'ABCDEFGH'[at % 8]}" for at in range(10)]
    chips = (("rank", ROWS, PICO.rows, register), ("file", COLUMNS, PICO.columns, NANO.columns))
    for word, gpios, pico, nano in chips:
        yield _row(f"{word}: J1", *(str(HEADER_PIN[gpio]) for gpio in gpios))
        yield _row("Pico", *(pin.label for pin in pico))
        named = (pin if isinstance(pin, str) else pin.label for pin in nano)
        yield _row("Nano" if word == "file" else "Nano's 74HC595", *named)
    yield ""
    lamps = f"Lamps: pin {HEADER_PIN[LAMP_GPIO]} to {PICO.lamps.label} of a Pico"
    yield f"{lamps}, {NANO.lamps.label} of a Nano. Ground: pin {PI_GROUNDS[0]}."


def total(lines: Iterable[Line]) -> float:
    """Return what all lines cost together, in euros."""
    return sum(line.count * line.cents for line in lines) / 100


def sizes() -> Iterator[str]:
    """Yield what is recommended of each board."""
    inner = DISK.unit_mm * RING_RADII[-2]
    yield _row("", *SENSED)
    yield "|---|" + "---|" * len(SENSED)
    both = list(SENSED.values())
    squares = [f"{build.square_mm:g} mm" for build in both if build is not DISK]
    yield _row("squares", *squares, f"rings of {DISK.square_mm:g} mm, the innermost {inner:.0f} mm")
    for name, size in (
        ("all squares together", "width_mm"),
        ("a piece's foot", "base_mm"),
        ("the playing surface, at most", "surface_mm"),
        ("depth: the middle of the magnet to the reed", "depth_mm"),
        ("the reed under the top of the surface", "reed_mm"),
    ):
        yield _row(name, *(f"{getattr(build, size):.3g} mm" for build in both))
    yield _row("magnet, wide × high", *("{:g} × {:g} mm".format(*each.magnet) for each in both))
    kinds = ("one standing" if build is DISK else "two lying, crossed" for build in both)
    reeds = (
        f"{kind}, {_classes(each.turns, each.inner_turns)}"
        for kind, each in zip(kinds, both, strict=True)
    )
    yield _row("reeds at a square", *reeds)
    yield _row("a piece's play", *(f"{build.play_mm:.3g} mm" for build in both))
    yield _row("places where it is seen", *(_percent(seen(build)) for build in both))
    for name, are_alike in (("at their worst", False), ("all the same way up", True)):
        shares = (_share(held(build, are_alike)) for build in both)
        yield _row(f"effect of all others on a reed, {name}", *shares)
    yield _row("push between neighbours, at most", *(f"{push_mn(build):.1f} mN" for build in both))


def magnets() -> Iterator[str]:
    """Yield the flat board's table: for each magnet and depth, how reeds do at their worst."""
    yield from _magnet_rows(FLAT, FLAT_MAGNETS, FLAT_DEPTHS, [(each, each) for each in CLASSES])


def disk_magnets() -> Iterator[str]:
    """Yield the disk's table."""
    yield from _magnet_rows(DISK, DISK_MAGNETS, DISK_DEPTHS, DISK_CLASSES)


def _magnet_rows(
    build: Build,
    magnets: Sequence[Magnet],
    depths: Sequence[float],
    classes: Sequence[tuple[Turns, Turns]],
) -> Iterator[str]:
    yield _row("magnet; depth", *(_classes(*pair) for pair in classes))
    yield "|---|" + "---|" * len(classes)
    for magnet, depth in product(magnets, depths):
        cells = []
        for turns, inner in classes:
            tried = replace(build, magnet=magnet, depth_mm=depth, turns=turns, inner_turns=inner)
            share_seen, share_held = seen(tried), held(tried)
            text = f"{_percent(share_seen)}, {_share(share_held)}"
            cells.append(f"**{text}**" if is_recommended(share_seen, share_held) else text)
        yield _row(f"{magnet.width:g} × {magnet.height:g} mm; {depth:g} mm", *cells)


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _classes(turns: Turns, inner: Turns) -> str:
    """Return the class of the reeds in words, and that of a disk's two inner rings."""
    least, most = turns
    usual = f"{least:g} to {most:g} AT"
    return usual if inner == turns else f"{usual}, inner rings {inner[0]:g} to {inner[1]:g}"


def _percent(share: float) -> str:
    return f"{floor(100 * share)} %"


def _share(share: float) -> str:
    return f"{ceil(100 * share) / 100:.2f}"


if __name__ == "__main__":
    main()

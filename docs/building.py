"""Draws the drilling templates, and writes the tables of the pages in `docs/build`.

`python -m docs.building`: the sizes are those of `hardware.build`, the tables say what
`docs.fitting` reckons of magnets and reeds, and
`jetan_table.extras.workshop.parts` what is bought.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import product
from math import ceil, floor
from pathlib import Path
from typing import Final

from docs.fitting import held, is_recommended, seen
from firmware_bridge.build import NANO, PICO
from hardware.build import Build, Magnet, build_of
from hardware.pins import COLUMNS, ROWS
from jetan_table.extras.workshop.circuits import HEADER_PIN, LAMP_GPIO, PI_GROUNDS
from jetan_table.extras.workshop.paper import drilling
from jetan_table.extras.workshop.parts import Line, bill, hours, joints
from jetan_table.extras.workshop.sheet import PAPERS, format_pages, format_sheet, tiles
from rules import FILES, RING_RADII

FOLDER: Final = Path(__file__).parent / "build"
REEDS: Final = FOLDER / "reeds.md"

Turns = tuple[float, float]
CLASSES: Final[Sequence[Turns]] = ((10.0, 15.0), (15.0, 20.0), (20.0, 25.0))
"""Reeds that are sold, by the ampere-turns at which they close."""

FLAT, DISK = build_of("grid", "wired"), build_of("ninth-ray", "wired")
WAYS: Final = {"paper": build_of(way="paper"), "strips": build_of(way="strip"), "wired": FLAT}
TITLES: Final = {"paper": "paper and a camera", "strips": "strips", "wired": "wired by hand"}
"""The pages of the ways."""

FLAT_MAGNETS: Final = (Magnet(8, 3), Magnet(10, 2), Magnet(10, 3), Magnet(12, 3))
DISK_MAGNETS: Final = (Magnet(6, 2), Magnet(6, 3), Magnet(8, 2))
FLAT_DEPTHS: Final = (6.0, 8.0, 10.0, 12.0)
DISK_DEPTHS: Final = (4.0, 5.0, 6.0, 8.0)


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
        euros = f"{5 * ceil(total(lines) / 5)} EUR"
        solder = f"{joints(lines):,}" if joints(lines) else "none"
        yield _row(f"[{TITLES[name]}]({name}.md)", euros, f"{hours(build, lines)}", solder, lights)
    yield ""
    yield "A Pi or another computer, and for paper a webcam, are not counted."


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
    yield f"Together about {total(lines):.0f} EUR and {hours(build, lines)} hours{solder}."


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
    yield "| | flat board | disk |"
    yield "|---|---|---|"
    squares = (
        f"{FLAT.square_mm:g} mm",
        f"rings of {DISK.square_mm:g} mm, the innermost {inner:.0f} mm",
    )
    yield _row("squares", *squares)
    for name, size in (
        ("all squares together", "width_mm"),
        ("a piece's foot", "base_mm"),
        ("the playing surface, at most", "surface_mm"),
        ("depth: the middle of the magnet to the reed", "depth_mm"),
    ):
        yield _row(name, *(f"{getattr(build, size):.3g} mm" for build in (FLAT, DISK)))
    both = [(build, *build.magnet, *build.turns) for build in (FLAT, DISK)]
    yield _row("magnet, wide × high", *(f"{wide:g} × {high:g} mm" for _, wide, high, *_ in both))
    kinds = ("two lying, crossed", "one standing")
    reeds = (f"{kind}, {_class(each[3:])}" for kind, each in zip(kinds, both, strict=True))
    yield _row("reeds at a square", *reeds)
    yield _row("a piece's play", *(f"{build.play_mm:g} mm" for build in (FLAT, DISK)))
    yield _row("places where it is seen", *(_percent(seen(build)) for build in (FLAT, DISK)))
    for name, are_alike in (("at their worst", False), ("all the same way up", True)):
        shares = (_share(held(build, are_alike)) for build in (FLAT, DISK))
        yield _row(f"effect of all others on a reed, {name}", *shares)


def magnets() -> Iterator[str]:
    """Yield the flat board's table: for each magnet and depth, how reeds do at their worst."""
    yield from _magnet_rows(FLAT, FLAT_MAGNETS, FLAT_DEPTHS)


def disk_magnets() -> Iterator[str]:
    """Yield the disk's table."""
    yield from _magnet_rows(DISK, DISK_MAGNETS, DISK_DEPTHS)


def fit(build: Build) -> tuple[float, float]:
    """Return what is seen by the least sensitive reeds of a class, and what holds the most."""
    usual = replace(build, magnet=FLAT.magnet, turns=FLAT.turns)
    times = build.magnet.moment / usual.magnet.moment * usual.turns[0] / build.turns[0]
    return seen(build), times * _held(usual)


_held = cache(held)


def _magnet_rows(build: Build, magnets: Sequence[Magnet], depths: Sequence[float]) -> Iterator[str]:
    yield _row("magnet; depth", *(_class(turns) for turns in CLASSES))
    yield "|---|" + "---|" * len(CLASSES)
    for magnet, depth in product(magnets, depths):
        cells = []
        for turns in CLASSES:
            share_seen, share_held = fit(replace(build, magnet=magnet, depth_mm=depth, turns=turns))
            text = f"{_percent(share_seen)}, {_share(share_held)}"
            cells.append(f"**{text}**" if is_recommended(share_seen, share_held) else text)
        yield _row(f"{magnet.width:g} × {magnet.height:g} mm; {depth:g} mm", *cells)


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _class(turns: Sequence[float]) -> str:
    return f"{turns[0]:g} to {turns[1]:g} AT"


def _percent(share: float) -> str:
    return f"{floor(100 * share)} %"


def _share(share: float) -> str:
    return f"{ceil(100 * share) / 100:.2f}"


if __name__ == "__main__":
    main()

"""`jetan camera`: sheets to print, and whether a camera sees the board well."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click
import msgspec

from rules import Topology, grid, ninth_ray
from vision.needs import require_opencv

from ..doctor import Finding
from . import describe, examples

if TYPE_CHECKING:
    from vision.locating import Place
    from vision.sources import Frame

BOARDS: Mapping[str, Callable[[], Topology]] = {
    "grid": grid,
    "ninth-ray": lambda: ninth_ray("clockwise"),
}
TRIED_FRAMES = 20
EXIT_UNFIT = 1

BOARD = click.option("--board", type=click.Choice(list(BOARDS)), default="grid", show_default=True)
CORNERS = click.option("--corners", metavar="X,Y,…", help="Pixels of the corners a1, j1, j10, a10.")
MARKERS = click.option("--markers", type=click.Path(path_type=Path, dir_okay=False))
OUT = click.option("--out", type=click.Path(path_type=Path, dir_okay=False), required=True)


@click.group(epilog=examples("jetan camera sheet --out border.svg", "jetan camera doctor usb:0"))
def camera() -> None:
    """Print markers, and look whether a camera sees the board well."""


@camera.command(
    epilog=examples(
        "jetan camera sheet --out border.svg",
        "jetan camera sheet --board ninth-ray --squares --out board.pdf",
        "jetan camera sheet --cards --out cards.pdf",
    )
)
@BOARD
@click.option("--cards", is_flag=True, help="Loose cards on A4, to lay beside any board.")
@click.option("--squares", is_flag=True, help="The board's squares too.")
@click.option("--square-mm", type=click.FloatRange(10, 120), default=40.0, show_default=True)
@OUT
def sheet(
    board: Literal["grid", "ninth-ray"], cards: bool, squares: bool, square_mm: float, out: Path
) -> None:
    """Write a sheet to print at its true size: SVG, or PDF where --out ends so.

    Beside a border's sheet its markers are written as .json, for `jetan watch --markers`.
    """
    require_opencv()
    from vision.layout import layout_of
    from vision.sheet import border, format_sheet
    from vision.sheet import cards as cards_sheet

    suffix = out.suffix.lower().removeprefix(".")
    if suffix not in ("svg", "pdf"):
        raise click.UsageError(f"--out {out}: must end in .svg or .pdf")
    layout = layout_of(BOARDS[board]())
    made = cards_sheet() if cards else border(layout, square_mm, squares)
    out.write_bytes(format_sheet(made, "pdf" if suffix == "pdf" else "svg"))
    print(f"{out}: {made.width:g} × {made.height:g} mm")
    if made.markers is not None:
        beside = out.with_suffix(".json")
        beside.write_text(made.markers + "\n", encoding="utf-8")
        print(f"{beside}: for jetan watch --markers")


@camera.command(epilog=examples("jetan camera calibrate usb:0 --markers border.json"))
@click.argument("source")
@BOARD
@CORNERS
@MARKERS
def calibrate(source: str, board: str, corners: str | None, markers: Path | None) -> None:
    """Find the board in SOURCE, and print its corners and the lens's distortion.

    The corners can be given to `jetan watch --corners`. The lens is measured by the board's own
    lines, each time a board is found: nothing need be kept of it.
    """
    _, place = _first_place(source, BOARDS[board](), corners, markers)
    pixels = place.view.project(place.layout.corners).ravel()
    print("corners " + ",".join(f"{pixel:.1f}" for pixel in pixels))
    rim = place.view.lens * (1 + (place.view.height / place.view.width) ** 2) / 4
    print(f"lens {place.view.lens:+.3f} ({100 * rim:+.1f} % in the picture's corners)")


@camera.command(epilog=examples("jetan camera preview usb:0 --out preview.jpg"))
@click.argument("source")
@BOARD
@CORNERS
@MARKERS
@OUT
def preview(source: str, board: str, corners: str | None, markers: Path | None, out: Path) -> None:
    """Write a picture of what SOURCE shows, with the board's squares as they were found."""
    frame, place = _first_place(source, BOARDS[board](), corners, markers)
    from vision.annotate import annotated, as_jpeg
    from vision.camera import Clarity, Sight

    out.write_bytes(as_jpeg(annotated(Sight(frame, Clarity.SETTLED, place), None)))
    print(f"{out}: the board is found by its {place.how}")


@camera.command(epilog=examples("jetan camera doctor", "jetan camera doctor usb:0 --json"))
@click.argument("source", required=False)
@BOARD
@CORNERS
@MARKERS
@click.option("--json", "as_json", is_flag=True, help="One JSON text a line.")
def doctor(
    source: str | None, board: str, corners: str | None, markers: Path | None, as_json: bool
) -> int:
    """List the cameras there are, and check what SOURCE shows; exit code 1 where a check fails."""
    findings = []
    for finding in _findings(source, BOARDS[board](), corners, markers):
        findings.append(finding)
        if as_json:
            print(msgspec.json.encode(asdict(finding)).decode())
        else:
            mend = f" -> {finding.mend}" if finding.mend else ""
            print(f"{finding.verdict:4}  {finding.check:9} {finding.found}{mend}", flush=True)
    return EXIT_UNFIT if any(finding.verdict == "fail" for finding in findings) else 0


def _findings(
    source: str | None, topology: Topology, corners: str | None, markers: Path | None
) -> Iterator[Finding]:
    from vision.errors import MissingOpenCV, VisionError

    try:
        require_opencv()
    except MissingOpenCV as error:
        yield Finding("opencv", "fail", str(error))
        return
    from vision.live import listed
    from vision.quality import quality_of

    from ..camera_doctor import examine_view

    yield Finding("cameras", "pass" if listed() != "none" else "warn", listed())
    if source is None:
        return
    try:
        frame, place = _first_place(source, topology, corners, markers)
    except (VisionError, OSError) as error:
        yield Finding("board", "fail", describe(error))
        return
    assert frame.picture is not None
    yield from examine_view(place, quality_of(frame.picture, place))


def _first_place(
    source: str, topology: Topology, corners: str | None, markers: Path | None
) -> tuple[Frame, Place]:
    """Return the first frame in which the board is found, and where; BoardNotFound after some."""
    require_opencv()
    from vision.errors import BoardNotFound
    from vision.layout import layout_of
    from vision.locating import Locator, parse_corners
    from vision.markers import read_markers
    from vision.opening import open_source

    locator = Locator(
        layout_of(topology),
        read_markers(markers) if markers else None,
        parse_corners(corners) if corners else None,
    )
    trouble = BoardNotFound(f"{source}: shows nothing")
    with closing(open_source(source, time.monotonic)) as opened:
        for _, frame in zip(range(TRIED_FRAMES), opened.frames(), strict=False):
            if frame.picture is None:
                trouble = BoardNotFound(f"{frame.name}: {frame.trouble}")
                continue
            try:
                return frame, locator.find(frame.picture)
            except BoardNotFound as error:
                trouble = error
    raise trouble

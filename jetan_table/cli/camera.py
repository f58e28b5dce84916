"""`jetan camera`: sheets to print, a lens to measure, and whether a camera sees the board well."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import click

from hardware.build import LEAST_PAPER_MM, MOST_MM, RING_MM, SQUARE_MM, Shape, build_of
from rules import Position, Topology
from rules.sentences import Worded, _
from vision.needs import require_opencv

from ..boards.camera_kept import LENS as KEPT_LENS
from ..extras.commissioning.doctor_command import print_findings
from ..journal.rules_named import named_rules
from ..languages import translation, worded
from ..notices import Notice
from ..settings import CameraSettings
from .options import (
    FILE,
    Data,
    Json,
    Lang,
    Say,
    SeenOptions,
    Words,
    command,
    group,
    is_named,
    misused,
    option,
)

if TYPE_CHECKING:
    from vision.board_finder import BoardPlace
    from vision.sources import Frame, Source

BOARDS: Mapping[str, str] = {"grid": "appendix", "ninth-ray": "ninth-ray-clockwise"}
"""The rules by which pieces stand at the start on each board that a camera may be tried with."""
TRIED_FRAMES = 20
MOST_BLIND_FRAMES = 3
"""A source is given up after so many that show nothing before the first that does."""

Board: TypeAlias = Annotated[str, option(type=click.Choice(list(BOARDS)), default="grid")]
OutFile: TypeAlias = Annotated[Path, option(type=FILE, required=True)]


@group("jetan camera sheet --out border.svg", "jetan camera doctor usb:0")
def camera() -> None:
    """Print markers, and look whether a camera sees the board well."""


@command(
    "jetan camera sheet --out border.svg",
    "jetan camera sheet --board ninth-ray --squares --out board.pdf",
    "jetan camera sheet --squares --tiles --out pages.pdf",
    "jetan camera sheet --cards --out cards.pdf",
    "jetan camera sheet --charuco --out lens.pdf",
    of=camera,
)
def sheet(
    board: Annotated[Shape, option(default="grid")],
    cards: Annotated[bool, "Loose cards on A4, to lay beside any board."],
    charuco: Annotated[bool, "Squares and markers on A4, to measure a lens by."],
    squares: Annotated[bool, "The board's squares too."],
    tiles: Annotated[
        bool, "A PDF of A4 pages to glue together; else one sheet, for a copy shop if it is large."
    ],
    square_mm: Annotated[
        float | None,
        option(
            "Side of a square; of a disk the width of its four outer rings. Usually "
            f"{SQUARE_MM:g}, of a disk {RING_MM:g}.",
            within=(LEAST_PAPER_MM, MOST_MM),
        ),
    ],
    out: OutFile,
    say: Words,
) -> None:
    """Write a sheet to print at its true size. It is SVG, or PDF where --out ends so.

    A board at its usual size is larger than printers at home take: let a copy shop print it, give
    --tiles for A4 pages, or --square-mm 16, which fits on one.

    Beside a border's sheet its markers are written as .json, for `jetan watch --markers`.
    """
    require_opencv()
    from ..extras.workshop.paper import board_sheet
    from ..extras.workshop.sheet import PAPERS, fits, format_pages, format_sheet, lens_sheet
    from ..extras.workshop.sheet import cards as cards_sheet
    from ..extras.workshop.sheet import tiles as cut

    suffix = out.suffix.lower().removeprefix(".")
    if suffix not in ("svg", "pdf"):
        raise misused(_("--out {out}: must end in .svg or .pdf"), out=out)
    if cards and charuco:
        raise misused(_("--cards and --charuco are two sheets: write one after the other"))
    if charuco:
        made = lens_sheet()
    elif cards:
        made = cards_sheet()
    else:
        made = board_sheet(build_of(board, "paper", square_mm), squares)
    if tiles:
        if suffix != "pdf":
            raise misused(_("--tiles makes pages: --out must end in .pdf"))
        pages = cut(made, PAPERS["a4"])
        out.write_bytes(format_pages(pages))
        print(say(_("{path}: {pages} pages A4, to be glued together"), path=out, pages=len(pages)))
    else:
        out.write_bytes(format_sheet(made, "pdf" if suffix == "pdf" else "svg"))
        print(f"{out}: {made.width:g} × {made.height:g} mm")
        if not fits(made, PAPERS["a4"]):
            print(say(_("larger than A4: for a copy shop, or give --tiles, or --square-mm 16")))
    if made.markers is not None:
        beside = out.with_suffix(".json")
        beside.write_text(made.markers + "\n", encoding="utf-8")
        print(say(_("{path}: for jetan watch --markers"), path=beside))


@command(
    "jetan camera calibrate usb:0 --markers border.json",
    "jetan camera calibrate usb:0 --charuco",
    "jetan camera calibrate pictures --charuco --out wide.json",
    of=camera,
)
def calibrate(
    source: str,
    board: Board,
    sight: SeenOptions,
    position: Annotated[
        str | None, option("What stands on the board, if not the start.", metavar="POSITION")
    ],
    charuco: Annotated[bool, "Measure the lens by views of the sheet of that name."],
    out: Annotated[
        Path | None,
        option("Where the lens is kept; unless told, lens.json in the data folder.", type=FILE),
    ],
    data: Data,
    seconds: Annotated[
        float, option("How long views of the sheet are waited for.", least=1, default=180.0)
    ],
    say: Words,
) -> None:
    """Print where the board is in SOURCE, or measure the lens.

    Give the corners to `jetan watch --corners`. The pieces tell which side is whose, at their
    start or as in --position; without them the command says which corner it took for a1. It
    measures the lens by the board's own lines, each time it finds a board.

    A lens that bends a lot is measured once, with --charuco: SOURCE then shows the sheet that
    `jetan camera sheet --charuco` wrote, flat on cardboard, held still under one tilt after the
    other, also in the picture's corners. The lens is kept for `--lens` and `[camera] lens`.
    """
    settings = sight.within(CameraSettings(source))
    if charuco:
        if settings.corners or settings.markers or settings.lens:
            raise misused(_("--charuco needs no --corners, --markers or --lens"))
        _measure(source, out or data / KEPT_LENS, seconds, say)
        return
    if out or is_named("data"):
        raise misused(_("--out and --data tell where the lens is kept: give --charuco too"))
    frame, place = first_place(settings, topology_of(board))
    sided = place if place.how != "lines" else sided_by_pieces(frame, place, board, position)
    place = sided or place
    pixels = place.view.project(place.layout.corners).ravel()
    found = ",".join(f"{pixel:.1f}" for pixel in pixels)
    print(say(_("corners {corners}"), corners=found))
    if sided is None:
        print(say(SIDES_UNKNOWN, x=pixels[0], y=pixels[1]))
    rim = place.view.lens * (1 + (place.view.height / place.view.width) ** 2) / 4
    bent = (
        _("lens {lens:+.3f} ({rim:+.1f} % in the picture's corners, beyond what was measured)")
        if settings.lens
        else _("lens {lens:+.3f} ({rim:+.1f} % in the picture's corners)")
    )
    print(say(bent, lens=place.view.lens, rim=100 * rim))


SIDES_UNKNOWN = _(
    "no pieces tell which side is whose: the corner at {x:.0f},{y:.0f} was taken for a1. "
    "Set them up and do it again, or say what stands there with --position"
)


def sided_by_pieces(
    frame: Frame, place: BoardPlace, board: str, text: str | None
) -> BoardPlace | None:
    """Return where a board lies that was found by its lines, its sides told by its pieces.

    None where they do not stand as `text` says, or else as at the start.
    """
    from vision.board_finder import BoardFinder
    from vision.camera import BoardCamera
    from vision.errors import UnlikePosition

    from ..reading.jetan_game import occupants_of
    from .watch import first_position

    start = first_position(named_rules(BOARDS[board]), text)
    finder = BoardFinder(place.layout, lens=place.view.measured)
    camera = BoardCamera(finder, start.juggernaut is not None, True)
    try:
        return camera.begin(frame, occupants_of(start), is_certain=False).place
    except UnlikePosition:
        return None


def _measure(source: str, out: Path, seconds: float, say: Say) -> None:
    """Measure the lens by the views of a sheet that SOURCE shows, and keep it."""
    require_opencv()
    from vision.charuco import ENOUGH_VIEWS, good_views, measure_lens
    from vision.lens import write_lens
    from vision.opening import open_source

    views, looked_at = [], 0

    def frames(opened: Source) -> Iterator[Frame]:
        nonlocal looked_at
        began: float | None = None
        for frame in opened.frames():
            began = frame.at if began is None else began
            if frame.at - began > seconds:
                return
            looked_at += 1
            yield frame

    with closing(open_source(source, time.monotonic)) as opened:
        found = good_views(frames(opened), opened.are_stills)
        for number, (frame, view) in enumerate(islice(found, ENOUGH_VIEWS), 1):
            values = {"name": frame.name, "corners": len(view.numbers)}
            words = _("view {number} of {views}: {name}, {corners} corners")
            print(say(words, number=number, views=ENOUGH_VIEWS, **values))
            views.append(view)
    good = _("{views} good views in {pictures} pictures")
    print(say(good, views=len(views), pictures=looked_at))
    measured = measure_lens(views)
    write_lens(out, measured.lens)
    print(say(_("error {error:.2f} pixels"), error=measured.error))
    for advice in measured.advice:
        print(say(_("better: {advice}"), advice=advice))
    print(say(_("{path}: for --lens, or [camera] lens in the settings"), path=out))


@command("jetan camera preview usb:0 --out preview.jpg", of=camera)
def preview(source: str, board: Board, sight: SeenOptions, out: OutFile, say: Words) -> None:
    """Write a picture of SOURCE, with the squares that were found."""
    frame, place = first_place(sight.within(CameraSettings(source or "")), topology_of(board))
    out.write_bytes(pictured(frame, place))
    found = _("{path}: the board is found by its {how}")
    print(say(found, path=out, how=place.how))


def pictured(frame: Frame, place: BoardPlace) -> bytes:
    """Return a frame as a JPEG, with the squares that were found."""
    from vision.annotate import annotated, as_jpeg
    from vision.camera import Clarity, Sight

    return as_jpeg(annotated(Sight(frame, Clarity.SETTLED, place), None))


@command("jetan camera doctor", "jetan camera doctor usb:0 --json", of=camera)
def doctor(source: str | None, board: Board, sight: SeenOptions, lang: Lang, as_json: Json) -> int:
    """Check what SOURCE shows, and list the cameras there are.

    Ends with exit code 1 where a check fails.
    """
    start = Position.start(named_rules(BOARDS[board]))
    findings = findings_of_camera(sight.within(CameraSettings(source or "")), start)
    return print_findings(findings, translation(lang), as_json)


def findings_of_camera(settings: CameraSettings, start: Position) -> Iterator[Notice]:
    """Yield what is found of a camera, and of the cameras there are where none is named.

    `start` is what stands at the start of a game on the board that it should show.
    """
    from vision.errors import MissingOpenCV, VisionError

    try:
        require_opencv()
    except MissingOpenCV as error:
        yield Notice("opencv", "fail", error.worded)
        return
    from vision.camera import BoardCamera
    from vision.live import NONE, listed
    from vision.quality import quality_of

    from ..boards.table_camera import UNMARKED, finder_of
    from ..extras.commissioning.camera_doctor import examine_start, examine_view
    from ..reading.jetan_game import occupants_of

    yield Notice("cameras", "pass" if listed() != NONE else "warn", listed())
    if not settings.source:
        return
    try:
        frame, place = first_place(settings, start.rules.topology)
    except (VisionError, OSError) as error:
        yield Notice("board", "fail", worded(error))
        return
    assert frame.picture is not None
    yield from examine_view(place, quality_of(frame.picture, place))
    if settings.markers and place.how != "markers":
        yield Notice("markers", "warn", Worded(UNMARKED, how=place.how), SHOW_MARKERS)
    camera = BoardCamera(
        finder_of(settings, start.rules.topology), start.juggernaut is not None, True
    )
    yield examine_start(camera, frame, occupants_of(start))


SHOW_MARKERS = _("show all markers, flat and whole, and look whether the file is this board's")


def topology_of(board: str) -> Topology:
    """Return the board of one of BOARDS."""
    return named_rules(BOARDS[board]).topology


def first_place(settings: CameraSettings, topology: Topology) -> tuple[Frame, BoardPlace]:
    """Return the first frame in which the board is found, and where; BoardNotFound after some."""
    require_opencv()
    from vision.errors import BoardNotFound
    from vision.opening import open_source

    from ..boards.table_camera import finder_of

    source, finder = settings.source, finder_of(settings, topology)
    trouble = BoardNotFound(_("{source}: shows nothing"), source=source)
    is_blind = True
    with closing(open_source(source, time.monotonic)) as opened:
        for number, frame in zip(range(TRIED_FRAMES), opened.frames(), strict=False):
            if frame.picture is None:
                trouble = BoardNotFound(
                    _("{name}: {trouble}"), name=frame.name, trouble=frame.trouble
                )
                if is_blind and number + 1 == MOST_BLIND_FRAMES:
                    break
                continue
            is_blind = False
            try:
                return frame, finder.find(frame.picture)
            except BoardNotFound as error:
                trouble = error
    raise trouble

"""`jetan camera`: sheets to print, a lens to measure, and whether a camera sees the board well."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import click

from rules import Topology
from rules.sentences import _
from vision.needs import require_opencv

from ..boards.camera_kept import LENS as KEPT_LENS
from ..journal.rules_named import named_rules
from ..settings import CameraSettings
from .options import (
    FILE,
    Data,
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

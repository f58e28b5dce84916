"""`jetan camera doctor`: whether a camera sees the board well; each finding with its mend.

What looks at pictures is imported where one is looked at: without OpenCV that is a finding, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rules import Position, Square, Worded, _, format_square
from rules.sentences import Notice
from vision.errors import BoardNotFound, MissingOpenCV, VisionError, require_opencv

from ...cli.camera import BOARDS, Board, first_place
from ...cli.options import Json, Lang, SeenOptions, command
from ...game.agreements import named_rules
from ...languages import translation, worded
from ...settings import CameraSettings
from .doctor import print_findings

if TYPE_CHECKING:
    from vision.camera import BoardCamera
    from vision.finder import BoardPlace
    from vision.showing import Quality
    from vision.sources import Frame

HIGH, LOW = 45.0, 30.0
"""Degrees: from below the first tall pieces hide others, from below the second many, which is read
with more questions, if at all."""

WIDE_PX, NARROW_PX = 20.0, 13.0
"""Pixels across the farthest square: from the first on it passes, below the second it fails."""

DENIED, DENIED_ALONE = 2.0, 4.0
"""Nats by which the network denies what should stand on several squares, and on one alone. Of 16
painted starts it denies one square in three by 2.5 to 2.8; one piece that is missing by 4 to 13."""

SHARP_PX = 5.0
"""Pixels that a line of the board is wide where the picture is sharp enough."""

CLEAR_STEP = 25.0
"""Grey levels, of 255, that light squares must be lighter than dark ones."""

MUCH_BURNT = 0.02
"""The share of the board that may be too bright to show anything."""

WIDE_STRIP = 1.0
"""Squares of the surroundings that should be in the picture on every side."""


def examine_start(camera: BoardCamera, frame: Frame, start: Sequence[int]) -> Notice:
    """Return whether the pieces stand as at the `start` in a frame, and nothing lies over them.

    `camera` has seen nothing yet.
    """
    from vision.camera import denied
    from vision.showing import covered

    assert frame.picture is not None
    try:
        sight = camera.begin(frame, start, is_certain=False)
    except BoardNotFound as error:
        return _judged("pieces", error.worded, SET_UP, False)
    assert sight.place is not None
    assert sight.seen is not None
    unlike = {*covered(frame.picture, sight.place, start), *denied(sight.seen, start, DENIED)}
    if len(unlike) == 1:
        unlike = set(denied(sight.seen, start, DENIED_ALONE))
    if not unlike:
        return _judged("pieces", _("they stand as at the start"), SET_UP, True)
    squares = ", ".join(format_square(Square(each)) for each in sorted(unlike))
    found = Worded(_("not as at the start, or covered: {squares}"), squares=squares)
    return _judged("pieces", found, SET_UP, False)


SET_UP = _("set the pieces up as at the start, take your hands away, and look again")


def examine_view(place: BoardPlace, quality: Quality) -> Iterator[Notice]:
    """Yield a finding for everything that matters of a camera and its board."""
    found = Worded(
        _("found by its {how}, {support:.0f} % of its lines seen"),
        how=place.how,
        support=100 * place.support,
    )
    yield Notice("board", "pass", found)
    yield from examine_picture(quality)


def examine_picture(quality: Quality) -> Iterator[Notice]:
    """Yield a finding for everything that matters of a camera's picture."""
    elevation, wide = quality.elevation, quality.square_px
    found = Worded(_("{elevation:.0f} degrees above the board"), elevation=elevation)
    mend = _("put the camera higher: 45 degrees and more")
    yield _judged("height", found, mend, elevation >= HIGH, elevation < LOW)
    found = Worded(_("the farthest squares are {square_px:.0f} pixels wide"), square_px=wide)
    mend = _("bring the camera nearer, or ask it for larger pictures")
    yield _judged("size", found, mend, wide >= WIDE_PX, wide < NARROW_PX)
    found = Worded(_("lines are {blur:.1f} pixels wide"), blur=quality.blur)
    mend = _("focus on the board, clean the lens, give it more light")
    yield _judged("focus", found, mend, quality.blur <= SHARP_PX)
    yield _light(quality)
    strip = _("{strip:.1f} squares of the surroundings are in the picture")
    mend = _("show a square and a half around the board: there hands are seen coming")
    found = Worded(strip, strip=max(quality.strip, 0))
    yield _judged("around", found, mend, quality.strip >= WIDE_STRIP)


def _light(quality: Quality) -> Notice:
    if quality.burnt > MUCH_BURNT:
        found = Worded(_("{burnt:.0f} % of the board is too bright"), burnt=100 * quality.burnt)
        return _judged("light", found, _("move the lamp so that it is not mirrored"), False)
    found = Worded(
        _("light squares are {step:.0f} grey levels lighter than dark ones"), step=quality.step
    )
    return _judged(
        "light", found, _("more light, or a longer exposure"), quality.step >= CLEAR_STEP
    )


def _judged(check: str, found: str, mend: str, is_good: bool, is_bad: bool = False) -> Notice:
    if is_good:
        return Notice(check, "pass", found)
    return Notice(check, "fail" if is_bad else "warn", found, mend)


@command("jetan camera doctor", "jetan camera doctor usb:0 --json", name="doctor")
def camera_doctor(
    source: str | None, board: Board, sight: SeenOptions, lang: Lang, as_json: Json
) -> int:
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
    try:
        require_opencv()
    except MissingOpenCV as error:
        yield Notice("opencv", "fail", error.worded)
        return
    from vision.camera import BoardCamera
    from vision.showing import quality_of
    from vision.sources import NONE, listed

    from ...boards.camera import UNMARKED, finder_of
    from ...reading.jetan_game import occupants_of

    yield Notice("cameras", "pass" if listed() != NONE else "warn", listed())
    if not settings.source:
        return
    try:
        frame, place = first_place(settings, start.rules.board)
    except (VisionError, OSError) as error:
        yield Notice("board", "fail", worded(error))
        return
    assert frame.picture is not None
    yield from examine_view(place, quality_of(frame.picture, place))
    if settings.markers and place.how != "markers":
        yield Notice("markers", "warn", Worded(UNMARKED, how=place.how), SHOW_MARKERS)
    camera = BoardCamera(finder_of(settings, start.rules.board), start.juggernaut is not None, True)
    yield examine_start(camera, frame, occupants_of(start))


SHOW_MARKERS = _("show all markers, flat and whole, and look whether the file is this board's")

"""`jetan camera doctor`: whether a camera sees the board well."""

from collections.abc import Iterator

from rules import Position
from rules.sentences import Worded, _
from vision.errors import require_opencv

from ...cli.camera import BOARDS, Board, first_place
from ...cli.options import Json, Lang, SeenOptions, command
from ...game.agreements import named_rules
from ...languages import translation, worded
from ...notices import Notice
from ...settings import CameraSettings
from .doctor import print_findings


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
    from vision.errors import MissingOpenCV, VisionError

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
    from .camera_doctor import examine_start, examine_view

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

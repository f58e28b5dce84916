"""`jetan watch`: reads a game from a camera, a video or a folder of pictures."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from rules import Position, Rules, format_position, parse_position
from rules.sentences import Worded, _

from ..boards.camera_kept import CameraKept, tell_kept
from ..game.agreements import named_rules
from ..reading.jetan_game import Standing
from ..reading.readings import Reading
from ..settings import CameraSettings, data_folder
from ..terminal.terminal import LinesTyped, is_spoken
from .options import (
    FOLDER,
    Lang,
    RulesText,
    Say,
    SeenOptions,
    command,
    option,
    saying,
    to_stderr,
)

if TYPE_CHECKING:
    from ..replay.watching import Watcher

GIVES_UP_S = 5.0
"""A camera that has shown nothing for so long from the beginning on is given up."""

NOT_ASKED = _("{word}: answers no open question")
IF_IT_STANDS = _("{why}. If all stands as it should, say so: --position '{position}'")


@command(
    "jetan watch usb:0",
    "jetan watch evening.mp4 --rules cazaux",
    "jetan watch pictures --markers board.json --json",
    "jetan watch pictures --corners 384,623,903,616,896,96,376,103 --show seen",
    'jetan watch rtsp://phone.local/live --position "$(cat position.txt)"',
)
def watch(
    source: str,
    rules: RulesText,
    position: Annotated[
        str | None, option("What the first frame shows, if not the start.", metavar="POSITION")
    ],
    sight: SeenOptions,
    as_json: Annotated[bool, option("JSON lines, as in docs/camera.md.", "--json")],
    show: Annotated[Path | None, option("Pictures of what was seen.", type=FOLDER)],
    lang: Lang,
) -> None:
    """Watch a game in SOURCE and print what is played.

    SOURCE is a folder of pictures, a video, usb:0 or /dev/video0, rpicam:0, or the address of a
    phone (http, rtsp). The first frame shows the start, or --position, which is taken as certain.
    Without --markers and --corners the board is found by its own lines.

    Answer a question by a line that you type or pipe in: one of its squares, or the number of a
    board that was shown when the game was lost.
    """
    from vision.needs import require_opencv

    require_opencv()
    from vision.camera import BoardCamera
    from vision.errors import UnlikePosition
    from vision.live import Shown
    from vision.opening import open_source

    from ..boards.table_camera import UNMARKED, finder_of
    from ..replay.watching import JsonFrameLines, PictureWriter, Watcher, WordFrameLines

    start = first_position(named_rules(rules), position)
    asked = sight.within(CameraSettings(source))
    kept = CameraKept(data_folder(None, os.environ)).added_to(asked)
    tell_kept(asked, kept, to_stderr(lang))
    finder = finder_of(kept, start.rules.topology)
    with closing(open_source(source, time.monotonic)) as opened:
        camera = BoardCamera(finder, start.juggernaut is not None, opened.are_stills)
        form = JsonFrameLines(start) if as_json else WordFrameLines(start, lang)
        pictures = PictureWriter(show) if show else None
        watcher = Watcher(camera, start, is_certain=position is not None)
        typed = LinesTyped(sys.stdin.fileno()).read if is_spoken(sys.stdin) else list[str]
        has_markers = bool(kept.markers)
        try:
            for watched in watcher.watch(Shown(opened, GIVES_UP_S)):
                if has_markers and camera.place is not None:
                    has_markers = False  # that is said once
                    if camera.place.how != "markers":
                        to_stderr(lang)(Worded(UNMARKED, how=camera.place.how))
                readings = (*watched.readings, *answered(watcher, typed(), saying(lang)))
                for line in form.lines(replace(watched, readings=readings)):
                    print(line, flush=True)
                if pictures:
                    pictures.take(watched)
        except UnlikePosition as error:
            stands = {"why": error.worded, "position": format_position(start)}
            raise UnlikePosition(IF_IT_STANDS, **stands) from None


def answered(watcher: Watcher, typed: Iterable[str], say: Say) -> Iterator[Reading[Standing]]:
    """Yield what follows from the lines that have been typed; one that answers nothing is said."""
    for word in filter(None, map(str.strip, typed)):
        try:
            yield from watcher.take_word(word)
        except ValueError:
            print(say(NOT_ASKED, word=word), file=sys.stderr)


def first_position(rules: Rules, text: str | None) -> Position:
    """Return what the first frame shows. A Juggernaut in the text is one in the rules."""
    if text is None:
        return Position.start(rules)
    position = parse_position(text, rules)
    if position.juggernaut is not None and rules["juggernaut"] == "off":
        with_one = rules.changed({"juggernaut": "random-empty"})
        return parse_position(text, with_one)
    return position

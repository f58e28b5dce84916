"""`jetan watch`: reads a game from a camera, a video or a folder of pictures."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rules import Position, Rules, parse_position
from rules.sentences import _

from ..boards.camera_kept import CameraKept
from ..journal.rules_named import named_rules
from ..languages import Language
from ..reading.jetan_game import Standing
from ..reading.readings import Reading
from ..settings import CameraSettings, data_folder
from . import examples
from .options import LANGUAGE, RULES, Say, saying, spoken
from .play_camera import say_kept
from .typed_lines import TypedLines

if TYPE_CHECKING:
    from ..replay.watching import Watcher

GIVES_UP_S = 5.0
"""A camera that has shown nothing for so long from the beginning on is given up."""

NOT_ASKED = _("{word}: nothing is asked that this answers")


@click.command(
    epilog=examples(
        "jetan watch usb:0",
        "jetan watch evening.mp4 --rules cazaux",
        "jetan watch pictures --markers board.json --json",
        "jetan watch pictures --corners 384,623,903,616,896,96,376,103 --show seen",
        'jetan watch rtsp://phone.local/live --position "$(cat position.txt)"',
    )
)
@click.argument("source")
@RULES
@click.option(
    "--position", metavar="POSITION", help="What the first frame shows, if not the start."
)
@click.option("--corners", metavar="X,Y,…", help="Pixels of the corners at a1, j1, j10, a10.")
@click.option("--markers", type=click.Path(path_type=Path, dir_okay=False), help="Markers' file.")
@click.option("--lens", type=click.Path(path_type=Path, dir_okay=False), help="Lens's file.")
@click.option("--json", "as_json", is_flag=True, help="JSON lines, as in docs/camera.md.")
@click.option(
    "--show", type=click.Path(path_type=Path, file_okay=False), help="Pictures of what was seen."
)
@LANGUAGE
def watch(
    source: str,
    rules: str,
    position: str | None,
    corners: str | None,
    markers: Path | None,
    lens: Path | None,
    as_json: bool,
    show: Path | None,
    lang: Language | None,
) -> None:
    """Watch a game in SOURCE and print what is played.

    SOURCE is a folder of pictures, a video, usb:0 or /dev/video0, rpicam:0, or the address of a
    phone (http, rtsp). The first frame shows the start, or --position. Without --markers and
    --corners the board is found by its own lines.

    What is asked can be answered by a line that is typed or piped in: a square that was asked
    about, or the number of a board that was shown when the game was lost.
    """
    from vision.needs import require_opencv

    require_opencv()
    from vision.board_finder import BoardFinder, parse_corners
    from vision.camera import BoardCamera
    from vision.layout import layout_of
    from vision.lens import read_lens
    from vision.live import Shown
    from vision.markers import read_markers
    from vision.opening import open_source

    from ..replay.frame_lines import JsonFrameLines, WordFrameLines
    from ..replay.watching import PictureWriter, Watcher

    start = first_position(named_rules(rules), position)
    asked = CameraSettings(source, corners or "", "", str(lens or ""))
    kept = CameraKept(data_folder(None, os.environ)).added_to(asked)
    say_kept(asked, kept, saying(lang))
    finder = BoardFinder(
        layout_of(start.rules.topology),
        read_markers(markers) if markers else None,
        parse_corners(kept.corners) if kept.corners else None,
        read_lens(Path(kept.lens)) if kept.lens else None,
    )
    with closing(open_source(source, time.monotonic)) as opened:
        camera = BoardCamera(finder, start.juggernaut is not None, opened.are_stills)
        form = JsonFrameLines(start) if as_json else WordFrameLines(start, spoken(lang))
        pictures = PictureWriter(show) if show else None
        watcher, typed = Watcher(camera, start), TypedLines()
        for watched in watcher.watch(Shown(opened, GIVES_UP_S)):
            readings = (*watched.readings, *answered(watcher, typed, saying(lang)))
            for line in form.lines(replace(watched, readings=readings)):
                print(line, flush=True)
            if pictures:
                pictures.take(watched)


def answered(watcher: Watcher, typed: TypedLines, say: Say) -> Iterator[Reading[Standing]]:
    """Yield what follows from the lines that have been typed; one that answers nothing is said."""
    for word in typed.waiting():
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

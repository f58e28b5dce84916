"""`jetan camera`, `watch` and `replay`: what cameras see, and recordings read once more."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import click

from rules import Position, Rules, Topology, Worded, _, format_position, parse_position
from vision.errors import require_opencv

from ..boards.opening import LENS as KEPT_LENS
from ..boards.opening import tell_kept, with_kept
from ..game.agreements import named_rules
from ..game.events import GameId
from ..journal.archive import read_kept
from ..reading.readings import Reading, Standing
from ..replay.recordings import read_seen
from ..replay.replay import (
    JsonLines,
    Replay,
    WordLines,
    advance,
    replay_of_game,
    replay_of_recording,
)
from ..settings import CameraSettings, data_folder
from ..table.loop import Clock, EagerClock, WallClock
from ..terminal.terminal import LinesTyped, is_spoken, watch_in_lines, watch_on_screen
from .options import (
    FILE_TYPE,
    FOLDER_TYPE,
    Data,
    Lang,
    RulesText,
    Say,
    SeenOptions,
    Words,
    argument,
    command,
    group,
    is_named,
    misused,
    option,
    saying,
    to_stderr,
)

if TYPE_CHECKING:  # OpenCV is slow to load, and what reads switches needs none
    from vision.finder import BoardPlace
    from vision.sources import Frame, Source

    from ..replay.watching import Follower


@command(
    "jetan replay evening.jsonl",
    "jetan replay evening.jsonl --rules appendix,thoat=jumps --json",
    "jetan replay evening.jsonl --lamps --speed 4",
    "jetan replay --game 3 --evidence",
)
def replay(
    files: Annotated[tuple[Path, ...], argument(type=FILE_TYPE)],
    game: Annotated[int | None, "A game that was kept, by today's reader."],
    data: Data,
    rules: Annotated[
        str | None, option("Instead of those that the recording names.", metavar="RULES")
    ],
    as_json: Annotated[bool, option("JSON lines, as in docs/recordings.md.", "--json")],
    evidence: Annotated[bool, "Say of each ply why it is believed."],
    lamps: Annotated[bool, "Show the board and its lamps."],
    speed: Annotated[float | None, option("How fast; 0: at full speed.", least=0)],
    lang: Lang,
) -> None:
    """Read the recordings FILES, or a kept game, and print what was played.

    What is printed never depends on anything later in the recording. Lines come as fast as they
    can, a screen with lamps in its own time, unless --speed says otherwise.
    """
    if not files and game is None:
        raise misused(_("name a recording, or a kept game with --game"))
    if game is not None and (files or rules):
        raise misused(_("--game goes without recordings and --rules"))
    if lamps and (as_json or evidence):
        raise misused(_("--lamps goes without --json and --evidence"))
    if game is not None:
        replays = [read_kept(data, replay_of_game, GameId(game))]
    else:
        replays = _recorded(files, rules)
    on_screen = lamps and sys.stdin.isatty() and sys.stdout.isatty()
    for each in replays:
        clock = _clock(float(on_screen) if speed is None else speed)
        if lamps:
            if not on_screen:
                watch_in_lines(each, clock, lang)
            elif not watch_on_screen(each, clock, lang):
                return  # somebody has quit
            continue
        form = JsonLines(evidence) if as_json else WordLines(each.start, evidence, lang)
        if len(replays) > 1:
            print(form.title(each.name))
        tell(each, clock, form)


def tell(replay: Replay, clock: Clock, form: JsonLines | WordLines) -> None:
    """Print what is read, when it is read."""
    for reading in advance(replay.source, replay.reader(), replay.ends_at):
        clock.sleep(max(reading.at - clock.now(), 0.0))
        for line in form.lines(reading):
            print(line, flush=True)


def _recorded(files: tuple[Path, ...], rules: str | None) -> list[Replay]:
    """Read every recording before the first is played, so that a bad one is refused at once."""
    chosen = None if rules is None else named_rules(rules)
    return [replay_of_recording(read_seen(file), file.name, chosen) for file in files]


def _clock(speed: float) -> Clock:
    """Return a clock that shows 0 now."""
    return WallClock(speed, 0.0) if speed else EagerClock(0.0)


GIVES_UP_S = 5.0
"""Seconds after which a camera is given up that has shown nothing from the beginning on."""

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
    show: Annotated[Path | None, option("Pictures of what was seen.", type=FOLDER_TYPE)],
    lang: Lang,
) -> None:
    """Watch a game in SOURCE and print what is played.

    SOURCE is a folder of pictures, a video, usb:0 or /dev/video0, rpicam:0, or the address of a
    phone (http, rtsp). The first frame shows the start, or --position, which is taken as certain.
    Without --markers and --corners the board is found by its own lines.

    Answer a question by a line that you type or pipe in: one of its squares, or the number of a
    board that was shown when the game was lost.
    """
    from vision.errors import require_opencv

    require_opencv()
    from vision.camera import BoardCamera
    from vision.errors import UnlikePosition
    from vision.sources import open_source, shown_within

    from ..boards.camera import UNMARKED, finder_of
    from ..replay import watching

    start = first_position(named_rules(rules), position)
    asked = sight.within(CameraSettings(source))
    kept = with_kept(asked, data_folder(None, os.environ))
    tell_kept(asked, kept, to_stderr(lang))
    finder = finder_of(kept, start.rules.board)
    with closing(open_source(source, time.monotonic)) as opened:
        camera = BoardCamera(finder, start.juggernaut is not None, opened.are_stills)
        lines_of = watching.as_json(start) if as_json else watching.as_words(start, lang)
        picture = watching.pictures_into(show) if show else None
        watcher = watching.follower_of_jetan(camera, start, is_certain=position is not None)
        typed = LinesTyped(sys.stdin.fileno()).read if is_spoken(sys.stdin) else list[str]
        has_markers = bool(kept.markers)
        try:
            for watched in watcher.watch(shown_within(opened, GIVES_UP_S)):
                if has_markers and camera.place is not None:
                    has_markers = False  # that is said once
                    if camera.place.how != "markers":
                        to_stderr(lang)(Worded(UNMARKED, how=camera.place.how))
                readings = (*watched.readings, *answered(watcher, typed(), saying(lang)))
                for line in lines_of(replace(watched, readings=readings)):
                    print(line, flush=True)
                if picture:
                    picture(watched)
        except UnlikePosition as error:
            stands = {"why": error.worded, "position": format_position(start)}
            raise UnlikePosition(IF_IT_STANDS, **stands) from None


def answered(
    watcher: Follower[Standing], typed: Iterable[str], say: Say
) -> Iterator[Reading[Standing]]:
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


BOARDS: Mapping[str, str] = {"grid": "appendix", "ninth-ray": "ninth-ray-clockwise"}
"""The rules by which pieces stand at the start on each board that a camera may be tried with."""

Board: TypeAlias = Annotated[str, option(type=click.Choice(list(BOARDS)), default="grid")]
OutFile: TypeAlias = Annotated[Path, option(type=FILE_TYPE, required=True)]


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
        option(
            "Where the lens is kept; unless told, lens.json in the data folder.", type=FILE_TYPE
        ),
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
    require_opencv()
    from ..boards.camera import first_place

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
    from vision.camera import BoardCamera
    from vision.errors import UnlikePosition
    from vision.finder import BoardFinder

    from ..reading.readings import occupants_of

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
    from vision.geometry import write_lens
    from vision.markers import ENOUGH_VIEWS, good_views, measure_lens
    from vision.sources import open_source

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
    lens, error, better = measure_lens(views)
    write_lens(out, lens)
    print(say(_("error {error:.2f} pixels"), error=error))
    for advice in better:
        print(say(_("better: {advice}"), advice=advice))
    print(say(_("{path}: for --lens, or [camera] lens in the settings"), path=out))


@command("jetan camera preview usb:0 --out preview.jpg", of=camera)
def preview(source: str, board: Board, sight: SeenOptions, out: OutFile, say: Words) -> None:
    """Write a picture of SOURCE, with the squares that were found."""
    require_opencv()
    from ..boards.camera import first_place, pictured

    frame, place = first_place(sight.within(CameraSettings(source or "")), topology_of(board))
    out.write_bytes(pictured(frame, place))
    found = _("{path}: the board is found by its {how}")
    print(say(found, path=out, how=place.how))


def topology_of(board: str) -> Topology:
    """Return the board of one of BOARDS."""
    return named_rules(BOARDS[board]).board

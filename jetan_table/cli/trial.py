"""`jetan trial`: what this board or camera gives, found out by a game of known truth."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Literal

import click
import msgspec
from msgspec.structs import replace

from hardware.debounce import Bouncing
from rules import Position, Square, parse_rules, squares_of
from rules.sentences import _
from vision.needs import require_opencv

from ..board.kept_switches import forget_teaching
from ..boards.opening import open_board, open_simulated
from ..files import write_whole
from ..lamps.lights import LAMP_OF, Lamp
from ..languages import Language, say_in
from ..replay.looks import Looks, format_looks
from ..replay.recordings import Recording, format_recording
from ..settings import Settings, data_folder
from ..setup.planted import planted
from ..simulation.board import steady_board
from ..simulation.truth import Truth
from ..table.board import Board, Surface
from ..table.loop import Clock, EagerClock, WallClock
from ..terminal.terminal import LinesTyped
from ..trial.hands import ScriptedHands
from ..trial.report import as_object, lines
from ..trial.running import Course, Trial, TrialTypist, Watches
from ..trial.script import RULES, Demand, Script, by_looks, by_switches
from ..trial.teaching import teach
from ..trial.truth_of import recording_of, truth_of
from ..trial.verdict import CameraSaid, Verdict, is_fit, judge
from ..wiring import lighting_of
from ..words.speech import Voice, can_speak
from . import examples
from .findings import EXIT_UNFIT
from .options import CONFIG, DATA, JSON, LANGUAGE, misused, print_json
from .play_camera import CameraOptions, camera_of, camera_options
from .play_options import chosen_settings

if TYPE_CHECKING:
    pass


Kind = Literal["serial", "pins"]
BOARDS = ("serial", "pins", "camera", "simulated", "simulated-camera", "emulated")
PLAYED = ("simulated", "simulated-camera", "emulated")
TAUGHT = ("serial", "pins")
"""Those whose switches are somebody's: what a trial has shown of them is kept."""
LOOKS_S = 0.05
"""A camera is asked for what it saw so often; pictures come when they come."""


@click.command(
    epilog=examples(
        "jetan trial",
        "jetan trial --board serial --out .",
        "jetan trial --camera usb:0",
        "jetan trial --board simulated --fault dead:e8 --fault weak:d2",
        "jetan trial --board simulated-camera --fault blurred",
    )
)
@click.option("--board", type=click.Choice(BOARDS), help="Which board, if not the settings'.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Folder to save in.")
@click.option("--seed", type=int, default=1, show_default=True, help="Of the simulated hands.")
@click.option("--fault", "faults", multiple=True, help="Plant one in a simulated board: dead:e4.")
@click.option("--undo", is_flag=True, help="Forget what the last trial has taught of switches.")
@camera_options
@DATA
@CONFIG
@LANGUAGE
@JSON
def trial(
    board: str | None,
    out: Path | None,
    seed: int,
    faults: tuple[str, ...],
    undo: bool,
    data: Path | None,
    config: Path | None,
    lang: Language | None,
    as_json: bool,
    camera: CameraOptions,
) -> int:
    """Prove this board: you are led through a game, and the table says what the board gives.

    First pieces are lifted by name and by light, which tells wires and lamps; then forty moves are
    made as you are told; then every square left is touched. It takes some ten minutes. A camera's
    board has no lamps: there words lead, and what is tried is how it looks. What was seen is saved
    with its truth, for `jetan replay` and `jetan bench reading`. What it has shown of a real
    board's switches is added to what is known of them. Ends with exit code 1 where something is to
    be mended.
    """
    settings = camera.added_to(chosen_settings(config, lang, None, None, None))
    if undo:
        return forget(data_folder(data, os.environ), settings.table.language)
    kind = board_of(board, settings, faults)
    language, to = settings.table.language, sys.stderr if as_json else sys.stdout
    folder = data_folder(data, os.environ)
    with (
        voice_of(settings, kind in PLAYED) as voice,
        opened(kind, settings, seed, faults, folder) as tried,
    ):

        def tell(line: str) -> None:
            print(line, flush=True, file=to)
            voice(line)

        verdict, recording, truth, course = tried_out(tried, settings, tell)
    if as_json:
        print_json(as_object(verdict))
    else:
        print("\n".join(lines(verdict, language)))
    if truth.plies:
        path = save(recording, truth, out or folder / "trials")
        line = say_in(language, _("Saved, with its truth beside it: {path}"), path=path)
        print(line, file=to)
        if kind in TAUGHT:
            print(*teach(course, folder, language), sep="\n", file=to)
    return 0 if verdict.is_sound else EXIT_UNFIT


def forget(folder: Path, language: Language) -> int:
    """Put back what was known of the switches before the last trial."""
    if not forget_teaching(folder):
        raise misused(_("--undo: no trial has taught anything since"))
    print(say_in(language, _("What the last trial has taught of the switches is forgotten.")))
    return 0


def tried_out(
    tried: Tried, settings: Settings, tell: Callable[[str], None]
) -> tuple[Verdict, Recording | Looks, Truth, Course]:
    """Lead hands through a trial, of which `tell` tells people; return what came of it."""
    lead = Trial(
        tried.board,
        tried.typist,
        tried.clock,
        tell,
        settings.table.language,
        lighting_of(settings, tried.lamp_of),
        tried.script,
        LOOKS_S if tried.script.looks else 1 / settings.reed.scan_hz,
        Watches(time.perf_counter, time.process_time),
        tried.trouble,
    )
    course = lead.run(is_fit)
    bouncing, camera = tried.bouncing(), tried.camera_says()
    name = f"trial-{time.strftime('%Y%m%d_%H%M%S', time.localtime(course.began_at))}"
    recording = recording_of(course)
    truth = truth_of(course, name, () if camera is None else camera.stirs)
    hold_off = settings.reed.debounce_ms
    verdict = judge(
        course, lead.histories, bouncing, hold_off, lead.tempo, recording, truth, camera
    )
    return verdict, recording, truth, course


def board_of(board: str | None, settings: Settings, faults: Sequence[str]) -> str:
    """Return which board is to be tried; UsageError for none, or for faults that it cannot have."""
    kind = board or settings.table.board
    if kind not in BOARDS:
        raise misused(
            _("the settings name no real board: say which with --board; or watch it done there")
        )
    if faults and kind not in PLAYED:
        raise misused(_("--fault: only a simulated or an emulated board can be spoilt"))
    return kind


def save(recording: Recording | Looks, truth: Truth, folder: Path) -> Path:
    """Write a recording and its truth into a folder; return the recording's path. OSError."""
    path = folder / f"{truth.recording}.jsonl"
    write_whole(path, text_of(recording).encode())
    write_whole(path.with_name(f"{truth.recording}.truth.json"), msgspec.json.encode(truth) + b"\n")
    return path


def text_of(recording: Recording | Looks) -> str:
    """Return a recording's text."""
    if isinstance(recording, Looks):
        return format_looks(recording)
    return format_recording(recording)


@dataclass(frozen=True, slots=True)
class Tried:
    """A board to be tried, and who does what is asked."""

    board: Surface
    typist: TrialTypist
    clock: Clock
    script: Script
    bouncing: Callable[[], Mapping[Square, Bouncing]] = dict
    trouble: Callable[[], str | None] = lambda: None
    camera_says: Callable[[], CameraSaid | None] = lambda: None
    """What there is to be said of a camera."""
    lamp_of: Sequence[Lamp] = LAMP_OF


class People(LinesTyped):
    """People at a real board: they read what is asked, and type."""

    def hear(self, demand: Demand | None, now: float) -> None:
        """Nothing: it stands on the screen."""


@contextmanager
def voice_of(settings: Settings, is_played: bool) -> Iterator[Callable[[str], None]]:
    """Give what says a line aloud while the block runs: nothing where sound is off."""
    if is_played or not settings.sound.speak or not can_speak():
        yield lambda line: None
        return
    with closing(Voice(settings.table.language)) as voice:
        yield voice.say


@contextmanager
def opened(
    kind: str, settings: Settings, seed: int, faults: Sequence[str], folder: Path
) -> Iterator[Tried]:
    """Give the board that is to be tried while the block runs."""
    if kind in ("camera", "simulated-camera"):
        with opened_eyes(kind, settings, seed, faults, folder) as tried:
            yield tried
        return
    rng, wiring, script = Random(seed), planted(faults), by_switches()
    standing = list(squares_of(Position.start(parse_rules(RULES)).occupied))
    clock: Clock = EagerClock() if kind == "simulated" else WallClock()
    if kind in ("simulated", "emulated"):
        under = steady_board(standing, rng, clock.now(), wiring=wiring)
        board: Board = open_simulated(under, settings, clock.now, kind == "emulated")
        typist: TrialTypist = ScriptedHands(under, rng, clock.now)
        lamp_of: Sequence[Lamp] = LAMP_OF
    else:
        table = replace(settings.table, board=msgspec.convert(kind, Kind))
        board = open_board(replace(settings, table=table), clock.now, time.sleep)
        typist, lamp_of = People(sys.stdin.fileno()), settings.lamps.lamp_of()
    with closing(board):
        bouncing, trouble = lambda: board.bouncing, lambda: board.trouble
        yield Tried(board, typist, clock, script, bouncing, trouble, lamp_of=lamp_of)


@contextmanager
def opened_eyes(
    kind: str, settings: Settings, seed: int, faults: Sequence[str], folder: Path
) -> Iterator[Tried]:
    """Give the camera that is to be tried while the block runs, or a simulated one."""
    require_opencv()
    from ..trial.eyes import CameraEyes  # OpenCV: only where a camera looks
    from ..trial.painted import PaintedCamera, spoilt

    start, script = Position.start(parse_rules(RULES)), by_looks()
    if kind == "simulated-camera":
        eager, painted = EagerClock(), PaintedCamera(start, spoilt(faults))
        eyes = CameraEyes(painted, start)
        yield Tried(
            eyes,
            ScriptedHands(painted, Random(seed), eager.now),
            eager,
            script,
            camera_says=eyes.says,
        )
        return
    clock = WallClock()
    camera = camera_of(settings, clock.now, folder)
    assert camera is not None, "settings that name no camera are refused before"
    with closing(camera):
        eyes = CameraEyes(camera, start)
        trouble = lambda: camera.trouble(clock.now())  # noqa: E731
        yield Tried(
            eyes, People(sys.stdin.fileno()), clock, script, trouble=trouble, camera_says=eyes.says
        )

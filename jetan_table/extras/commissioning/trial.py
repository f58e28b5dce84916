"""`jetan trial`: what this board or camera gives, found out by a game of known truth."""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from functools import partial
from pathlib import Path
from random import Random
from typing import Annotated

import click
import msgspec
from msgspec.structs import replace

from rules import Position, _, parse_rules, squares_of
from vision.errors import require_opencv

from ...boards.opening import camera_of, open_board
from ...cli.options import (
    EXIT_AMISS,
    FOLDER,
    Config,
    Data,
    Json,
    Lang,
    command,
    misused,
    option,
    print_json,
    to_stderr,
)
from ...cli.play_options import CameraOptions, chosen_settings
from ...files import write_whole
from ...languages import Language, say_in
from ...light.lamps import LAMP_OF
from ...light.speech import Voice, can_speak
from ...people.board import SimulatedBoard, steady_board
from ...people.truth import Truth
from ...replay.recordings import Looks, Recording, format_looks, format_recording
from ...settings import Settings
from ...table.loop import EagerClock, WallClock
from ...table.switches import forget_teaching
from ...wiring import lighting_of
from .course import RULES, Script, Tried
from .simulated import LedHands, planted
from .verdict import as_object, lines, prove, teach
from .wire import People

BOARDS = ("serial", "pins", "camera", "simulated", "simulated-camera", "emulated")
PLAYED = ("simulated", "simulated-camera", "emulated")
TAUGHT = ("serial", "pins")
"""Those whose switches are somebody's: what a trial has shown of them is kept."""
LOOKS_S = 0.05
"""A camera is asked for what it saw so often; pictures come when they come."""


@command(
    "jetan trial",
    "jetan trial --board serial --out .",
    "jetan trial --camera usb:0",
    "jetan trial --board simulated --fault dead:e8 --fault weak:d2",
    "jetan trial --board simulated-camera --fault blurred",
)
def trial(
    board: Annotated[
        str | None, option("Which board, if not the settings'.", type=click.Choice(BOARDS))
    ],
    out: Annotated[Path | None, option("Folder to save in.", type=FOLDER)],
    seed: Annotated[int, option("Seed of the simulated hands.", default=1)],
    faults: Annotated[
        tuple[str, ...],
        option("A fault for a simulated board: dead:e4.", "--fault", type=str, multiple=True),
    ],
    undo: Annotated[bool, "Forget what the last trial has taught of switches."],
    camera: CameraOptions,
    data: Data,
    config: Config,
    lang: Lang,
    as_json: Json,
) -> int:
    """Test this board: the table leads you through a game, and says how good the board is.

    First you lift pieces, by name and by light, which tests wires and lamps; then you make forty
    moves as you are told; then you touch every square left. It takes some ten minutes. A camera's
    board has no lamps: there words lead you, and the trial tests how well the camera sees. It
    saves what it saw with the truth, for `jetan replay` and `jetan bench reading`, and adds what a
    real board's switches have shown to what is known of them. Ends with exit code 1 if something
    needs mending.
    """
    settings = camera.added_to(chosen_settings(config, lang, None, None, None))
    if undo:
        return forget(data, settings.table.language)
    kind = board_of(board, settings, faults)
    language, to = settings.table.language, sys.stderr if as_json else sys.stdout
    with (
        voice_of(settings, kind in PLAYED) as voice,
        opened(kind, settings, seed, faults, data) as tried,
    ):

        def tell(line: str) -> None:
            print(line, flush=True, file=to)
            voice(line)

        proof = prove(
            tried,
            f"trial-{time.strftime('%Y%m%d_%H%M%S', time.localtime(tried.clock.now()))}",
            tell,
            language,
        )
    verdict = proof.verdict
    if as_json:
        print_json(as_object(verdict))
    else:
        print("\n".join(lines(verdict, language)))
    if proof.truth.plies:
        path = save(proof.recording, proof.truth, out or data / "trials")
        line = say_in(language, _("Saved, with its truth beside it: {path}"), path=path)
        print(line, file=to)
        if kind in TAUGHT:
            print(*teach(proof.course, data, language), sep="\n", file=to)
    return 0 if verdict.is_sound else EXIT_AMISS


def forget(folder: Path, language: Language) -> int:
    """Put back what was known of the switches before the last trial."""
    if not forget_teaching(folder):
        raise misused(_("--undo: no trial has taught anything since"))
    print(say_in(language, _("What the last trial has taught of the switches is forgotten.")))
    return 0


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
    text = format_looks(recording) if isinstance(recording, Looks) else format_recording(recording)
    write_whole(path, text.encode())
    write_whole(path.with_name(f"{truth.recording}.truth.json"), msgspec.json.encode(truth) + b"\n")
    return path


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
    rng, start = Random(seed), Position.start(parse_rules(RULES))
    clock = EagerClock() if kind in ("simulated", "simulated-camera") else WallClock()
    script = Script(looks=kind in ("camera", "simulated-camera"))
    lamp_of = LAMP_OF if kind in PLAYED else settings.lamps.lamp_of()
    tried = partial(
        Tried,
        clock=clock,
        script=script,
        lighting=lighting_of(settings, lamp_of),
        step_s=LOOKS_S if script.looks else 1 / settings.reed.scan_hz,
        stopwatch=time.perf_counter,
        cpu=time.process_time,
        hold_off_ms=settings.reed.debounce_ms,
    )
    if script.looks:
        require_opencv()
        from .eyes import CameraEyes, PaintedCamera, spoilt  # OpenCV: where a camera looks

        tell = to_stderr(settings.table.language)
        camera = camera_of(settings, clock.now, folder, tell) if kind == "camera" else None
        painted = PaintedCamera(start, spoilt(faults))
        eyes = CameraEyes(camera or painted, start)
        with nullcontext() if camera is None else closing(camera):
            yield tried(
                board=eyes,
                typist=LedHands(painted, rng, clock.now) if camera is None else People.typing(),
                trouble=lambda: None if camera is None else camera.trouble(clock.now()),
                camera_says=eyes.says,
            )
        return
    under: SimulatedBoard | None = None
    if kind in PLAYED:
        standing, wiring = list(squares_of(start.occupied)), planted(faults)
        under = steady_board(standing, rng, clock.now(), wiring=wiring)
    table = replace(settings.table, board=kind)
    board = open_board(replace(settings, table=table), clock.now, time.sleep, under=under)
    with closing(board):
        yield tried(
            board=board,
            typist=People.typing() if under is None else LedHands(under, rng, clock.now),
            bouncing=lambda: board.bouncing,
            trouble=lambda: board.trouble,
        )

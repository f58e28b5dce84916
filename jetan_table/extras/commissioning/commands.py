"""`jetan doctor`, `camera doctor`, `setup`, `trial` and `wire`: from parts to a first game."""

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from random import Random
from typing import Annotated, Any, Final, Literal

import click
from msgspec.structs import replace

from rules import Notice, Position, Translate, _, english, parse_rules, squares_of
from vision.errors import require_opencv

from ...boards.opening import camera_of, open_board
from ...cli.camera import BOARDS as PRINTED
from ...cli.camera import Board
from ...cli.options import (
    EXIT_PROBLEM,
    FOLDER_TYPE,
    Browser,
    Config,
    Data,
    Json,
    Lan,
    Lang,
    Port,
    SeenOptions,
    command,
    misused,
    option,
    print_json,
    to_stderr,
)
from ...cli.play_options import CameraOptions, chosen_settings
from ...game.agreements import named_rules
from ...languages import Language, say_in, translation
from ...light.lamps import LAMP_OF
from ...light.speech import Voice, can_speak
from ...notices import about
from ...people.board import SimulatedBoard, steady_board
from ...settings import CameraSettings, Settings, find_settings, places, read_settings
from ...table.board import BoardHands, Surface
from ...table.loop import EagerClock, WallClock
from ...table.switches import forget_teaching
from ...terminal.terminal import LinesTyped
from ...wiring import lighting_of
from .course import RULES, Script, Trial
from .doctor import findings_here, findings_of_camera
from .setup import wiring_options, with_options, without_orders, write_options
from .simulated import LedHands, drawn_wiring, planted
from .verdict import as_object, is_fit, judged, lines, recording_of, save, teach, truth_of
from .walk import Leading, Wiring, WiringWalk, wiring_map

VERDICTS: Final = {
    "pass": (_("pass"), "green"),
    "warn": (_("warn"), "yellow"),
    "fail": (_("fail"), "red"),
}


@command("jetan doctor", "jetan doctor --json")
def doctor(data: Data, config: Config, lang: Lang, as_json: Json) -> int:
    """Check this machine: one line a check, with the mend where it does not pass.

    Ends with exit code 1 where a check fails. What the settings do not use only warns.
    """
    findings = findings_here(data, config)
    return print_findings(findings, translation(lang), as_json)


def print_findings(findings: Iterable[Notice], translate: Translate, as_json: bool) -> int:
    """Print findings and return the exit code that they mean."""
    code = 0
    for finding in findings:
        code = EXIT_PROBLEM if finding.verdict == "fail" else code
        if as_json:
            print_json(finding_as_object(finding.in_words(english)))
            continue
        line = finding.in_words(translate)
        verdict, colour = VERDICTS[finding.verdict]
        mend = f" -> {line.mend}" if line.mend else ""
        click.secho(f"{translate(verdict):4}", fg=colour, bold=finding.verdict == "fail", nl=False)
        click.echo(f"  {finding.id:13} {line.found}{mend}")
    return code


def finding_as_object(notice: Notice) -> dict[str, str]:
    """Return a notice as programs read it."""
    breaks = "" if notice.verdict == "pass" else str(about(notice).breaks)
    return {
        "id": notice.id,
        "check": notice.check,
        "verdict": notice.verdict,
        "found": notice.found,
        "breaks": breaks,
        "mend": notice.mend,
    }


@command("jetan camera doctor", "jetan camera doctor usb:0 --json", name="doctor")
def camera_doctor(
    source: str | None, board: Board, sight: SeenOptions, lang: Lang, as_json: Json
) -> int:
    """Check what SOURCE shows, and list the cameras there are.

    Ends with exit code 1 where a check fails.
    """
    start = Position.start(named_rules(PRINTED[board]))
    findings = findings_of_camera(sight.within(CameraSettings(source or "")), start)
    return print_findings(findings, translation(lang), as_json)


@command("jetan setup", "jetan setup --lan", "jetan setup --config here.toml")
def setup(lan: Lan, port: Port, browser: Browser, data: Data, config: Config, lang: Lang) -> int:
    """Set a table up on the page: its board, wires, lamps, sound, and a first game.

    An interrupted set-up goes on where it was. At the end it writes the settings, and the table
    starts with them. A table that is running holds its board: stop it first.
    """
    from ...cli.play import play

    code: int = click.get_current_context().invoke(
        play,
        lan=lan,
        port=port,
        browser=browser,
        data=data,
        config=config,
        lang=lang,
        board="screen",
        sets_up=True,
    )
    return code


@command(
    "jetan wire",
    "jetan wire --board serial --walk",
    "jetan wire --board simulated --seed 7 --dry-run",
)
def wire(
    board: Annotated[
        Literal["serial", "pins", "simulated"] | None,
        "Which board, if not that of the settings; simulated: watch it done.",
    ],
    walks: Annotated[bool, option("Try every square, and draw the map.", "--walk")],
    seed: Annotated[int, option("Seed of the simulated board.", default=1)],
    dry_run: Annotated[bool, "Print the settings, and write none."],
    config: Config,
    lang: Lang,
) -> int:
    """Find out how a board is wired, and write it into the settings.

    Wires and lamps may run in any order: put one piece on the squares that are named, then on
    those that are lit. About fifteen pieces are enough for a usual wiring; --walk tries every
    square. What a simulated board has told is only printed, unless --config names a file. Ends
    with exit code 1 if too many switches did not respond.
    """
    path = find_settings(config, os.environ)
    settings = read_settings(path if path is not None and path.exists() else None)
    if board == "simulated":
        wiring = at_simulated_board(seed, walks, lang)
    else:
        settings = replace(
            settings, table=replace(settings.table, board=real_board(board, settings))
        )
        wiring = at_board(settings, walks, lang)
    if wiring is None:
        return EXIT_PROBLEM
    print("\n".join(wiring_map(wiring, lang)))
    options = wiring_options(wiring)
    if board != "simulated":
        options = {"table": {"board": settings.table.board}, **options}
    if dry_run or (board == "simulated" and config is None):
        print(with_options("", options), end="")
        return 0
    kept = path or places(os.environ)[0]
    write_options(kept, options)
    print(say_in(lang, _("{path}: the wiring is written."), path=kept))
    return 0


REAL: Final[tuple[Literal["serial", "pins"], ...]] = ("serial", "pins")


def real_board(
    board: Literal["serial", "pins"] | None, settings: Settings
) -> Literal["serial", "pins"]:
    """Return which real board is meant, by name or by the settings; UsageError for none."""
    for kind in REAL:
        if kind == (board or settings.table.board):
            return kind
    raise misused(
        _(
            "the settings name no real board: say --board serial or --board pins; or watch it "
            "done with --board simulated"
        )
    )


def at_simulated_board(seed: int, walks: bool, language: Language) -> Wiring | None:
    """Let a simulated builder do what is asked, at a board wired by chance."""
    rng = Random(seed)
    board, clock = steady_board((), rng, wiring=drawn_wiring(rng)), EagerClock()
    hands = LedHands(board, rng, clock.now)
    leading = Leading(board, hands.read, clock, say, language, hear=hands.hear)
    return WiringWalk(leading).run(walks)


def at_board(settings: Settings, walks: bool, language: Language) -> Wiring | None:
    """Ask the people at a real board, with its driver's orders left out."""
    clock = WallClock()
    with closing(open_board(without_orders(settings), clock.now, time.sleep)) as board:
        typed = LinesTyped(sys.stdin.fileno()).read
        leading = Leading(board, typed, clock, say, language, lambda: board.trouble)
        return WiringWalk(leading).run(walks)


def say(line: str) -> None:
    """Show people a line at once, whatever it is written to."""
    print(line, flush=True)


BOARDS = ("serial", "pins", "camera", "simulated", "simulated-camera", "emulated")
PLAYED = ("simulated", "simulated-camera", "emulated")
TAUGHT = ("serial", "pins")
"""Those whose switches are somebody's: what a trial has shown of them is kept."""
LOOKS_S = 0.05
"""Seconds between two looks at a camera's pictures, which come at their own pace."""


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
    out: Annotated[Path | None, option("Folder to save in.", type=FOLDER_TYPE)],
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
    with voice_of(settings, kind in PLAYED) as voice:

        def tell(line: str) -> None:
            print(line, flush=True, file=to)
            voice(line)

        with opened(kind, settings, seed, faults, data, tell) as tried:
            begun = time.localtime(tried.clock.now())
            log = tried.run(is_fit)
    recording = recording_of(log)
    truth = truth_of(log, time.strftime("trial-%Y%m%d_%H%M%S", begun))
    verdict = judged(log, recording, truth)
    if as_json:
        print_json(as_object(verdict))
    else:
        print("\n".join(lines(verdict, language)))
    if truth.plies:
        path = save(recording, truth, out or data / "trials")
        line = say_in(language, _("Saved, with its truth beside it: {path}"), path=path)
        print(line, file=to)
        if kind in TAUGHT:
            print(*teach(log, data, language), sep="\n", file=to)
    return 0 if verdict.is_sound else EXIT_PROBLEM


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


@contextmanager
def voice_of(settings: Settings, is_played: bool) -> Iterator[Callable[[str], None]]:
    """Give what says a line aloud while the block runs: nothing where sound is off."""
    if is_played or not settings.sound.speak or not can_speak(settings.sound.command):
        yield lambda line: None
        return
    with closing(Voice(settings.table.language, command=settings.sound.command)) as voice:
        yield voice.say


@contextmanager
def opened(
    kind: str,
    settings: Settings,
    seed: int,
    faults: Sequence[str],
    folder: Path,
    tell: Callable[[str], None],
) -> Iterator[Trial]:
    """Give the trial of a board, open while the block runs."""
    rng, start = Random(seed), Position.start(parse_rules(RULES))
    clock = EagerClock() if kind in ("simulated", "simulated-camera") else WallClock()
    script = Script(looks=kind in ("camera", "simulated-camera"))
    lamp_of = LAMP_OF if kind in PLAYED else settings.lamps.lamp_of()

    def trial_at(at: Surface, hands: BoardHands | None, **more: Any) -> Trial:
        led = None if hands is None else LedHands(hands, rng, clock.now)
        return Trial(
            board=at,
            typed=LinesTyped(sys.stdin.fileno()).read if led is None else led.read,
            hear=None if led is None else led.hear,
            tell=tell,
            language=settings.table.language,
            clock=clock,
            script=script,
            lighting=lighting_of(settings, lamp_of),
            step_s=LOOKS_S if script.looks else 1 / settings.reed.scan_hz,
            stopwatch=time.perf_counter,
            cpu=time.process_time,
            hold_off_ms=settings.reed.debounce_ms,
            **more,
        )

    if script.looks:
        require_opencv()
        from .eyes import CameraEyes, PaintedCamera, spoilt  # OpenCV: where a camera looks

        warn = to_stderr(settings.table.language)
        camera = camera_of(settings, clock.now, folder, warn) if kind == "camera" else None
        painted = PaintedCamera(start, spoilt(faults))
        eyes = CameraEyes(camera or painted, start)
        with nullcontext() if camera is None else closing(camera):
            yield trial_at(
                eyes,
                painted if camera is None else None,
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
        yield trial_at(board, under, bouncing=lambda: board.bouncing, trouble=lambda: board.trouble)

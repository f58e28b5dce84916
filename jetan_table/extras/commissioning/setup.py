"""Set-up: from a box of parts to a first game, on the page; `jetan setup` opens it.

What is answered is kept on disk at once, so that a set-up that was cut goes on where it was. In the
end it writes the same settings that `jetan wire` and people write.
"""

import os
import re
import shutil
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from threading import Lock, Thread
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias, get_args

import click
import msgspec
from msgspec.structs import replace

from hardware.matrix import squares_in_order
from hardware.ports import RGB
from rules import SQUARES, Position, SentenceError, Square, _, format_square
from rules.sentences import Notice
from vision.errors import require_opencv

from ...boards.opening import open_board, with_kept
from ...cli.options import Browser, Config, Data, Lan, Lang, Port, command
from ...cli.play import play
from ...errors import TableError
from ...files import Damaged, read_json, read_text, write_whole
from ...game.agreements import named_rules
from ...languages import Language, refused_in, said_in, translation, worded
from ...light.lamps import OFF
from ...machine.machine import cameras, look_around, serial_ports
from ...settings import BoardKind, Settings, find_settings, parse_settings, places
from ...table.board import Board
from ...table.loop import Clock, WallClock
from ...wiring import Seating
from ..hall.settings import NO_TABLE_NAME, TABLE_NAME, HallSettings
from .doctor import examine
from .walk import DARK, EVERY, LIT, NAMED, Errand, Leading, OrderName, WiringWalk
from .wire import Options, order_option, wiring_options, with_options, without_orders, write_options

KEPT_IN: Final = "setup.json"

Kind: TypeAlias = Literal["screen", "camera", "serial", "pins", "emulated", "practice"]
"""What sort of table: none yet, any board under a camera, one on a cable, one on the Pi's pins, the
firmware in an emulated chip, or a simulated board that is wired by chance."""

Step: TypeAlias = Literal[
    "language", "kind", "find", "wire", "lamps", "name", "sound", "opponent", "clock", "done"
]
STEPS: Final[tuple[Step, ...]] = get_args(Step)
FOUND: Final = frozenset[Kind]({"camera", "serial", "pins"})
"""Sorts that have to be found."""
WIRED: Final = frozenset[Kind]({"serial", "pins", "emulated", "practice"})
"""Sorts that have switches and lamps."""
ASKED: Final[Mapping[str, tuple[str, ...]]] = {
    "table": ("language", "clock", "rules"),
    "serial": ("port",),
    "camera": ("source", "markers"),
    "lamps": ("brightness", "palette", "limit_ma"),
    "hall": ("table",),
    "sound": ("speak",),
}
"""The settings that set-up asks for, by section; the wiring finds itself."""

MOST_LINES = 40
STARTS_S: Final = 5.0
"""An emulated board may take so long to start."""
NO_ANSWER = _("The emulated board does not answer: begin once more.")
RESTS_S: Final = 0.8
"""A piece that a page puts on a square stands there for so long after it has been seen."""


class NotNow(TableError, ValueError):
    """An answer that fits nothing that is asked; the message says what is."""


PRACTICE_SEED = 7
"""The practice board is wired by chance, but always the same: set-up may be cut and go on."""

CHECKS: dict[Kind, frozenset[str]] = {
    "serial": frozenset({"groups", "serial"}),
    "pins": frozenset({"groups", "gpio", "spi", "i2c", "supply", "pace"}),
    "camera": frozenset({"opencv"}),
}
"""What of the doctor's checks a sort of table stands on."""


WAY_IN = (
    Notice(
        "stand",
        "pass",
        _(
            "hold the camera firmly above the board, all of it in the picture: 45 to 60 degrees "
            "are enough for flat discs, tall pieces need more"
        ),
    ),
    Notice("mirror", "pass", _("turn the camera's mirroring off; phones call it the selfie view")),
    Notice("lamp", "pass", _("light the board evenly, so that no lamp is mirrored in it")),
    Notice(
        "print",
        "pass",
        _(
            "the surest is a printed board with markers and flat discs: jetan build evening "
            "--way paper, with --board ninth-ray for the round one. Its evening/paper/markers.json "
            "is what is asked for here"
        ),
    ),
)
"""What people see to before a camera's picture is judged."""


class ThisMachine:
    """This one; `folder` is where games are kept."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def kinds(self) -> Sequence[Kind]:
        has_emulator = shutil.which("simavr") is not None
        emulated: tuple[Kind, ...] = ("emulated",) if has_emulator else ()
        return ("screen", "camera", "serial", "pins", *emulated, "practice")

    def candidates(self, kind: Kind) -> Sequence[str]:
        match kind:
            case "serial":
                return serial_ports()
            case "camera":
                return cameras()
        return ()

    def examine(self, kind: Kind, settings: Settings, whole: bool) -> Iterator[Notice]:
        wanted = CHECKS.get(kind, frozenset())
        if whole or wanted:
            board = kind if kind in ("serial", "pins", "camera") else "screen"
            table = replace(settings.table, board=board)
            machine = look_around(self._folder, WallClock())
            for finding in examine(machine, replace(settings, table=table)):
                if whole or finding.check in wanted:
                    yield finding
        if kind == "camera":
            if not whole:
                yield from WAY_IN
            yield from self._findings(settings)

    def _findings(self, settings: Settings) -> Iterator[Notice]:
        """Yield what is found of the table's camera over the board that the table plays on."""
        from .camera_doctor import findings_of_camera  # OpenCV: only for a camera

        try:
            start = Position.start(named_rules(settings.table.rules))
            camera = with_kept(settings.camera, self._folder)
        except (SentenceError, OSError) as error:
            yield Notice("board", "fail", worded(error))
            return
        yield from findings_of_camera(camera, start)

    def picture(self, settings: Settings) -> bytes:
        from ...cli.camera import first_place, pictured

        camera = with_kept(settings.camera, self._folder)
        return pictured(*first_place(camera, named_rules(settings.table.rules).board))

    def check(self, kind: Kind, settings: Settings) -> None:
        if kind == "camera":
            require_opencv()
            from vision.sources import open_source

            from ...boards.camera import found_by

            named_rules(settings.table.rules)
            found_by(settings.camera)
            open_source(settings.camera.source, time.monotonic).close()
        elif kind in ("serial", "pins", "emulated"):
            self.open(kind, settings).close()

    def open(self, kind: Kind, settings: Settings) -> Board:
        clock, under = WallClock(), None
        board: BoardKind = "simulated" if kind == "practice" else kind
        if kind in ("practice", "emulated"):
            from ...people.board import steady_board  # simulated people: only for such a board
            from .simulated import drawn_wiring

            rng = Random(PRACTICE_SEED)
            under = steady_board((), rng, wiring=drawn_wiring(rng) if kind == "practice" else None)
        named = replace(settings, table=replace(settings.table, board=board))
        return open_board(named, clock.now, time.sleep, under=under)


class SetUpProgress(msgspec.Struct, frozen=True):
    """What set-up has been told so far."""

    step: Step = "language"
    kind: Kind = "screen"
    options: dict[str, dict[str, Any]] = {}
    opponent: str = ""
    answers: tuple[str, ...] = ()
    """What the walk along the wires was answered."""
    marks: str = ""
    """What is known of each square's switch, once the walk is done."""


def lit_at(board: Board) -> Square | None:
    """Return the square that is lit, where that can be known without people's eyes."""
    return None if board.hands is None else board.hands.lit()


class LeftAlone(Exception):
    """The walk is not wanted any more."""


class Walking:
    """The walk along the wires, on a thread of its own: what a page asks of it, and shows."""

    def __init__(
        self,
        board: Board,
        clock: Clock,
        language: Language,
        earlier: Sequence[str],
        keep: Callable[[str], None],
    ) -> None:
        self.board, self._clock, self._language = board, clock, language
        self._lines: list[str] = []
        self._typed: deque[str] = deque()
        self._taps: deque[Square] = deque()
        """What was asked and is not done yet: a page's thread adds, that of the walk takes."""
        self._resting: list[Square] = []
        """Where the page's hands have put a piece, and nothing has been seen of it yet."""
        self._is_left, self._began_at = False, clock.now()
        self.result: Options | None = None
        self.marks = ""
        self.trouble: str | None = None
        self.is_over = False
        leading = Leading(self, self, clock, self._tell, language, self._board_trouble)
        self._walk = WiringWalk(leading, earlier, keep)
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            wiring = self._walk.run(walks=False)
            if wiring is not None:
                self.marks = "".join(state.value for state in wiring.states)
                self.result = wiring_options(wiring)
        except LeftAlone:
            pass
        except (SentenceError, OSError) as error:
            self.trouble = refused_in(self._language, error)
        self.is_over = True

    # What the walk asks of its board and its typist

    def poll(self, now: float) -> Any:
        if self._is_left:
            raise LeftAlone
        hands = self.board.hands
        if hands is not None:
            if self._walk.leading.occupancy.occupied:
                for square in self._resting:
                    hands.lift(now + RESTS_S, square)
                self._resting.clear()
            while self._taps:
                self._resting.append(self._taps.popleft())
                hands.put(now, self._resting[-1])
        return self.board.poll(now)

    def show(self, lights: Any) -> None:
        self.board.show(lights)

    def hear(self, errand: Errand, now: float) -> None:
        """Nothing: the page shows it."""

    def read(self) -> list[str]:
        return [self._typed.popleft() for _line in range(len(self._typed))]

    def _board_trouble(self) -> Notice | None:
        """Return why the board cannot be trusted; one that is no real one needs time to start."""
        trouble = self.board.trouble
        if trouble is None or self.board.hands is None:
            return trouble
        is_late = self._clock.now() >= self._began_at + STARTS_S
        return Notice("board", "fail", NO_ANSWER) if is_late else None

    def _tell(self, line: str) -> None:
        self._lines = [*self._lines, line][-MOST_LINES:]

    # What a page asks

    def nothing(self) -> None:
        """Say that the board is empty, or that nothing happened."""
        self._typed.append("")

    def tap(self, square: Square) -> None:
        """Put a piece on a square where the page has hands; else say that it is the lit one."""
        wizard = self._walk.wizard
        step = None if wizard is None else wizard.step
        must_be_named = step is not None and step.must_be_named
        if self.board.hands is not None and not must_be_named:
            self._taps.append(square)
        else:
            self._typed.append(format_square(square))

    def document(self) -> dict[str, Any]:
        wizard = self._walk.wizard
        step = None if wizard is None else wizard.step
        lit = lit_at(self.board) if step is not None and step.lamp is not None else None
        board = None if self.is_over else self._board_trouble()
        trouble = self.trouble or (board and board.found)
        return {
            "lines": list(self._lines),
            "wanted": None if step is None or step.square is None else format_square(step.square),
            "lit": None if lit is None else format_square(lit),
            "lamp": None if step is None else step.lamp,
            "count": 0 if wizard is None else wizard.count,
            "is_over": self.is_over,
            "is_known": self.result is not None,
            "trouble": said_in(self._language, trouble) if trouble else None,
        }

    def close(self) -> None:
        """Leave it, and let go of the board."""
        self._is_left = True
        self._thread.join(5.0)
        self.board.close()


class SetUp:
    """One set-up of one table; any thread may ask, one at a time."""

    def __init__(
        self,
        folder: Path,
        settings_file: Path,
        machine: ThisMachine,
        clock: Callable[[], Clock],
    ) -> None:
        """What is told is kept in `folder`, and in the end written into `settings_file`."""
        self._kept, self._settings_file = folder / KEPT_IN, settings_file
        self._machine, self._clock, self._lock = machine, clock, Lock()
        self.is_begun = self._kept.exists()
        """Whether one was begun and not ended, now or before."""
        self.is_finished = False
        """Where the page is that shows it: the table's is to be there again in the end."""
        self._progress = SetUpProgress()
        with suppress(OSError, Damaged):  # what cannot be read is asked anew
            self._progress = read_json(self._kept, SetUpProgress) or self._progress
        self._walking: Walking | None = None
        self._shining: Board | None = None
        self._found: list[dict[str, str]] = []
        self._trouble: str | None = None

    @property
    def kind(self) -> Kind:
        return self._progress.kind

    def document(self) -> dict[str, Any]:
        with self._lock:
            if self._walking is not None:
                self._take_wiring(self._walking)
            progress, settings = self._progress, self._settings()
            steps = self._steps()
            return {
                "step": progress.step,
                "steps": steps,
                "kind": progress.kind,
                "kinds": list(self._machine.kinds()),
                "candidates": list(self._machine.candidates(progress.kind))
                if progress.step == "find"
                else [],
                "settings": {
                    "name" if section == "hall" else name: getattr(settings.section(section), name)
                    for section, names in ASKED.items()
                    for name in names
                },
                "opponent": progress.opponent,
                "found": self._found,
                "walk": None if self._walking is None else self._walking.document(),
                "marks": progress.marks,
                "lamps": self._lamps(settings) if progress.step == "lamps" else None,
                "trouble": self._trouble,
                "file": str(self._settings_file),
                "is_finished": self.is_finished,
            }

    def answer(self, options: Mapping[str, Mapping[str, Any]], more: Mapping[str, str]) -> None:
        """Take in what this step asked for, and go on to the next.

        `options` are settings by section; `more` the `kind` or the `opponent`. BadSettings where an
        option cannot be so, NotNow for a sort there is none of; nothing is changed then.
        """
        with self._lock:
            kind, kinds = more.get("kind", self.kind), self._machine.kinds()
            if kind not in kinds:
                raise NotNow(
                    _("{kind}: no such table here, there are {kinds}"),
                    kind=kind,
                    kinds=", ".join(kinds),
                )
            for section, values in options.items():
                if strange := values.keys() - set(ASKED.get(section, ())):
                    raise NotNow(
                        _("[{section}] {name}: set-up asks for no such thing"),
                        section=section,
                        name=min(strange),
                    )
            name = self._settings(options).of(HallSettings).table
            if name and re.fullmatch(TABLE_NAME, name) is None:
                raise NotNow(NO_TABLE_NAME, name=name)
            self._leave_board()  # what the walk has told meanwhile is kept by now
            progress = self._progress if kind == self.kind else _unwired(self._progress)
            self._keep(
                replace(
                    progress,
                    options=_merged(progress.options, _placed(options)),
                    kind=msgspec.convert(kind, Kind),
                    opponent=more.get("opponent", progress.opponent),
                )
            )
            self._go_on()

    def go(self, step: str) -> None:
        """Go to a step that this table has; NotNow for another."""
        with self._lock:
            if step not in self._steps():
                raise NotNow(_("{step}: set-up has no such step"), step=step)
            self._leave_board()
            self._keep(replace(self._progress, step=msgspec.convert(step, Step)))

    def skip(self) -> None:
        """Leave a step as it is, and go on to the next."""
        with self._lock:
            self._leave_board()
            self._go_on()

    def examine(self) -> None:
        """Look what the machine finds of this table; at the last step, of all it stands on."""
        with self._lock:
            self._leave_board()
            settings = self._settings()
            whole = self._progress.step == "done"
            say = translation(settings.table.language)
            notices = self._machine.examine(self.kind, settings, whole)
            self._found = [_shown(each.in_words(say), say(each.check)) for each in notices]

    def picture(self) -> bytes:
        """Return what the camera sees as a JPEG; an error of the camera's where it sees nothing."""
        return self._machine.picture(self._settings())

    def walk(self) -> None:
        """Begin the walk along the wires, or go on with it; what hinders it is shown."""
        with self._lock:
            if self.kind not in WIRED:
                raise NotNow(_("this table has no wires"))
            self._leave_board()
            board = self._open(bare=True)
            if board is not None:
                language = self._settings().table.language
                self._walking = Walking(
                    board, self._clock(), language, self._progress.answers, self._note
                )

    def walk_every(self) -> None:
        """Go on with the walk, or begin it, until every square was tried."""
        with self._lock:
            self._leave_board()
            if EVERY not in self._progress.answers:
                answers = (*self._progress.answers, EVERY)
                self._keep(replace(self._progress, answers=answers, marks=""))
        self.walk()

    def again(self) -> None:
        """Forget what the walk has told, and begin it anew."""
        with self._lock:
            self._leave_board()
            self._keep(_unwired(self._progress))
        self.walk()

    def nothing(self) -> None:
        if self._walking is not None:
            self._walking.nothing()

    def tap(self, square: Square) -> None:
        """Touch a square of the board as the page shows it."""
        if self._walking is not None:
            self._walking.tap(square)

    def shine(self, square: Square | None = None) -> None:
        """Light every square of the board as it is set now, or one; what hinders that is shown."""
        with self._lock:
            if self._shining is None:
                self._leave_board()
                self._shining = self._open(bare=False)
            if self._shining is not None:
                settings = self._settings()
                red, green, blue = (round(settings.lamps.brightness * part) for part in LIT)
                lamp_of = settings.lamps.lamp_of()
                shown: list[RGB] = [OFF for _square in SQUARES]
                for each in SQUARES if square is None else (square,):
                    shown[lamp_of[each]] = red, green, blue
                self._shining.show(shown)

    def order(self, name: OrderName) -> None:
        """Take a usual order for that of the lamps; NotNow for one that is none."""
        with self._lock:
            if name not in NAMED:
                raise NotNow(_("{order}: no such order of lamps"), order=" ".join(name))
            more = {"lamps": {"order": order_option(NAMED[name])}}
            self._keep(replace(self._progress, options=_merged(self._progress.options, more)))

    def finish(self) -> None:
        """Write the settings; the table begins anew with them.

        Where such a table could not begin here that is shown, and nothing is written.
        """
        with self._lock:
            self._leave_board()
            if not self._can_begin():
                return
            write_options(self._settings_file, self._whole())
            self._kept.unlink(missing_ok=True)
            self.is_finished = True

    def leave(self) -> None:
        """Let go of the board; what is known is kept for later."""
        with self._lock:
            self._leave_board()

    # Within

    def _steps(self) -> list[Step]:
        """Return the steps that this sort of table has."""
        kind = self._progress.kind
        none = {"find"} - ({"find"} if kind in FOUND else set())
        none |= set() if kind in WIRED else {"wire", "lamps"}
        return [step for step in STEPS if step not in none]

    def _lamps(self, settings: Settings) -> dict[str, Any]:
        """Return in which order the lamps are set to run, and what is lit. It may have a name."""
        squares = squares_in_order(settings.lamps.order)
        name = next((name for name, order in NAMED.items() if order == squares), None)
        lit = None if self._shining is None else lit_at(self._shining)
        return {
            "name": name,
            "squares": list(map(format_square, squares)),
            "lit": None if lit is None else format_square(lit),
        }

    def _go_on(self) -> None:
        steps = self._steps()
        at = steps.index(self._progress.step) if self._progress.step in steps else 0
        self._keep(replace(self._progress, step=steps[min(at + 1, len(steps) - 1)]))

    def _whole(self) -> dict[str, dict[str, Any]]:
        """Return all options as they are to be written."""
        if self.kind in ("screen", "camera", "serial", "pins"):
            return _merged(self._progress.options, {"table": {"board": self.kind}})
        # What was found out at a board that is none is no setting of a real one.
        return _unwired(self._progress).options

    def _settings(self, more: Options = MappingProxyType({})) -> Settings:
        """Return the settings as they are by now, and with `more`; BadSettings."""
        text = read_text(self._settings_file) if self._settings_file.exists() else ""
        return parse_settings(with_options(text, _merged(self._progress.options, more)))

    def _can_begin(self) -> bool:
        """Whether this table's parts are here; what is wrong with them is shown where not."""
        settings = self._settings()
        try:
            self._machine.check(self.kind, settings)
        except (SentenceError, OSError) as error:
            self._trouble = refused_in(settings.table.language, error)
        return self._trouble is None

    def _open(self, bare: bool) -> Board | None:
        settings, self._trouble = self._settings(), None
        try:
            return self._machine.open(self.kind, without_orders(settings) if bare else settings)
        except (SentenceError, OSError) as error:
            self._trouble = refused_in(settings.table.language, error)
            return None

    def _leave_board(self) -> None:
        if self._walking is not None:
            self._walking.close()
            self._take_wiring(self._walking)
            self._walking = None
        if self._shining is not None:
            self._shining.show(DARK)
            self._shining.close()
            self._shining = None
        self._found, self._trouble = [], None

    def _take_wiring(self, walking: Walking) -> None:
        if walking.result is None or self._progress.marks:
            return
        options = _merged(self._progress.options, walking.result)
        self._keep(replace(self._progress, options=options, marks=walking.marks))

    def _note(self, answer: str) -> None:
        self._keep(replace(self._progress, answers=(*self._progress.answers, answer)))

    def _keep(self, progress: SetUpProgress) -> None:
        self._kept.parent.mkdir(parents=True, exist_ok=True)
        write_whole(self._kept, msgspec.json.encode(progress))
        self._progress, self.is_begun = progress, True


def _shown(notice: Notice, check: str) -> dict[str, str]:
    """Return a notice as a page shows it, under its check in words."""
    what = {"verdict": notice.verdict, "found": notice.found, "mend": notice.mend}
    return {"check": check, **what}


def _merged(options: Options, more: Options) -> dict[str, dict[str, Any]]:
    """Return options with others over them."""
    merged = {section: dict(values) for section, values in options.items()}
    for section, values in more.items():
        merged.setdefault(section, {}).update(values)
    return merged


def _placed(options: Options) -> Options:
    """Return options with the place of a camera's markers whole: a table begins in any folder."""
    markers = options.get("camera", {}).get("markers")
    if not markers:
        return options
    return _merged(options, {"camera": {"markers": str(Path(str(markers)).absolute())}})


def _unwired(progress: SetUpProgress) -> SetUpProgress:
    """Return what was told, but for what a walk along the wires has found out."""
    options = {
        section: {name: value for name, value in values.items() if name != "order"}
        for section, values in progress.options.items()
    }
    return replace(progress, options=options, answers=(), marks="")


def set_up_of(settings: Settings, folder: Path, config: Path | None) -> SetUp | None:
    """Return the set-up of the table whose games are in `folder`; None where its board is held."""
    if settings.table.board != "screen":
        return None
    settings_file = find_settings(config, os.environ) or places(os.environ)[0]
    return SetUp(folder, settings_file, ThisMachine(folder), WallClock)


def begin_anew(set_up: SetUp, seating: Seating) -> None:
    """Let this process begin again as the table that was set up, if it was, its page in place."""
    if not set_up.is_finished:
        return
    arguments = ["play", "--no-browser", "--port", str(seating.port)]
    arguments += ["--lan"] if seating.is_open else []
    arguments += ["--board", "emulated"] if set_up.kind == "emulated" else []
    arguments += ["--data", str(seating.folder)]
    arguments += [] if seating.config is None else ["--config", str(seating.config)]
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, "-m", "jetan_table", *arguments])


@command("jetan setup", "jetan setup --lan", "jetan setup --config here.toml")
def setup(lan: Lan, port: Port, browser: Browser, data: Data, config: Config, lang: Lang) -> int:
    """Set a table up on the page: its board, wires, lamps, sound, and a first game.

    An interrupted set-up goes on where it was. At the end it writes the settings, and the table
    starts with them. A table that is running holds its board: stop it first.
    """
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

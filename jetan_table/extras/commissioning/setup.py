"""Set-up on the page, from a box of parts to a first game; `jetan setup` opens it.

Answers are kept on disk at once, so that an interrupted set-up goes on where it was. At the end it
writes the same settings file that `jetan wire` and people write.
"""

import os
import re
import shutil
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from threading import Lock, Thread
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args

import msgspec
import tomlkit
from msgspec.structs import replace
from tomlkit.items import Item

from hardware.matrix import ORDERS, squares_in_order
from hardware.ports import RGB
from rules import (
    SQUARES,
    Notice,
    Sentence,
    SentenceError,
    Square,
    Worded,
    _,
    format_square,
    parse_square,
)
from vision.errors import require_opencv

from ...boards.opening import open_board, with_kept
from ...files import Damaged, read_json, read_text, write_whole
from ...game.agreements import named_rules
from ...languages import Language, refused_in, translation, worded, worded_in
from ...settings import BoardKind, Settings, parse_settings
from ...table.board import Board
from ...table.loop import Clock, WallClock
from ...wiring import Seating
from ..hall.settings import NO_TABLE_NAME, TABLE_NAME, HallSettings
from .doctor import TableKind, examine_kind
from .machine import cameras, serial_ports
from .walk import (
    DARK,
    EVERY,
    LIT,
    NAMED_ORDERS,
    CommissioningRefused,
    Instruction,
    Leading,
    Wiring,
    WiringWalk,
)

SET_UP_KEPT_IN: Final = "setup.json"
IGNORED_IN: Final = "ignored.json"

Options: TypeAlias = Mapping[str, Mapping[str, Any]]
"""Values of settings by section and name."""
NOTHING: Final[Options] = MappingProxyType({})

Step: TypeAlias = Literal[
    "language", "kind", "find", "wire", "lamps", "name", "sound", "opponent", "clock", "done"
]
SquareName: TypeAlias = Annotated[str, msgspec.Meta(max_length=3)]

WIRED: Final = frozenset[TableKind]({"serial", "pins", "emulated", "practice"})
"""The sorts with switches and lamps."""
ONLY_OF: Final[Mapping[Step, frozenset[TableKind]]] = {
    "find": frozenset({"camera", "serial", "pins"}),
    "wire": WIRED,
    "lamps": WIRED,
}
"""The sorts of tables for each step that not all have."""
ASKED: Final[Mapping[str, tuple[str, ...]]] = {
    "table": ("language", "clock", "rules"),
    "serial": ("port",),
    "camera": ("source", "markers"),
    "lamps": ("brightness", "palette", "limit_ma"),
    "hall": ("table",),
    "sound": ("speak",),
}
"""The settings that the steps ask for, by section, without the wiring."""

MOST_LINES: Final = 200
WALK_LINES: Final = 40
STARTS_S: Final = 5.0
"""Seconds that an emulated board may take to start."""
NO_ANSWER = _("The emulated board does not answer: begin once more.")
RESTS_S: Final = 0.8
"""Seconds that a piece which a page puts on a square stands there after it has been seen."""
PRACTICE_SEED: Final = 7
"""The practice board is wired by chance, but always the same: set-up may be cut and go on."""


class SetUpProgress(msgspec.Struct, frozen=True):
    """The answers of a set-up so far."""

    step: Step = "language"
    kind: TableKind = "screen"
    options: dict[str, dict[str, Any]] = {}
    opponent: str = ""
    answers: tuple[str, ...] = ()
    """The answers to the walk along the wires."""
    marks: str = ""
    """The mark of each square's switch, once the walk is done."""


class KeptIgnored(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The ids of notices that people have ignored."""

    ids: list[str] = []


# What this machine has for a sort of table


def kinds_here() -> Sequence[TableKind]:
    """Return the sorts of tables that this machine can have."""
    emulated: tuple[TableKind, ...] = ("emulated",) if shutil.which("simavr") is not None else ()
    return ("screen", "camera", "serial", "pins", *emulated, "practice")


def candidates(kind: TableKind) -> Sequence[str]:
    """Return where a board of that sort may be: the ports, or the cameras, that there are."""
    return serial_ports() if kind == "serial" else cameras() if kind == "camera" else ()


def check_kind(kind: TableKind, settings: Settings) -> None:
    """Raise the error with which such a table would fail at its start."""
    if kind == "camera":
        require_opencv()
        from vision.sources import open_source

        from ...boards.camera import found_by

        named_rules(settings.table.rules)
        found_by(settings.camera)
        open_source(settings.camera.source, time.monotonic).close()
    elif kind in ("serial", "pins", "emulated"):
        open_kind(kind, settings).close()


def open_kind(kind: TableKind, settings: Settings) -> Board:
    """Open the board of such a table; raises what `open_board` raises."""
    clock, under = WallClock(), None
    board: BoardKind = "simulated" if kind == "practice" else kind
    if kind in ("practice", "emulated"):
        from ...people.board import steady_board  # simulated people: only for such a board
        from .simulated import drawn_wiring

        rng = Random(PRACTICE_SEED)
        under = steady_board((), rng, wiring=drawn_wiring(rng) if kind == "practice" else None)
    named = replace(settings, table=replace(settings.table, board=board))
    return open_board(named, clock.now, time.sleep, under=under)


class Job:
    """Work on a thread of its own, and its messages."""

    def __init__(self, name: str, work: Callable[[], None], most_lines: int = MOST_LINES) -> None:
        self.name, self._work = name, work
        self.lines: deque[str] = deque(maxlen=most_lines)
        self.state: Literal["runs", "done", "failed"] = "runs"
        self.trouble: str | None = None
        self.thread = Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        self.thread.start()

    def tell(self, template: Sentence, /, **values: object) -> None:
        """Add a message."""
        self.lines.append(Worded(template, **values))

    @property
    def said(self) -> Sequence[str]:
        """Return its messages, and the reason at the end if it has failed."""
        return (*self.lines, *(() if self.trouble is None else (self.trouble,)))

    def _run(self) -> None:
        try:
            self._work()
            self.state = "done"
        except (SentenceError, OSError) as error:
            self.trouble, self.state = worded(error), "failed"


def lit_at(board: Board) -> Square | None:
    """Return the square that is lit, where that can be known without people's eyes."""
    return None if board.hands is None else board.hands.lit()


class Walking(Job):
    """The walk along the wires: what a page asks of it, and shows."""

    def __init__(
        self,
        board: Board,
        clock: Clock,
        language: Language,
        earlier: Sequence[str],
        keep: Callable[[str], None],
    ) -> None:
        super().__init__("walk", self._walk_on, WALK_LINES)
        self.board, self._clock, self._language = board, clock, language
        self._typed: deque[str] = deque()
        self._taps: deque[Square] = deque()
        """Squares still to be touched: the page's thread adds, the walk's thread takes."""
        self._resting: list[Square] = []
        """Squares where the page's hands have put a piece that has not been seen yet."""
        self._is_left, self._began_at = False, clock.now()
        self.wiring: Wiring | None = None
        say = self.lines.append
        leading = Leading(self, self._read, clock, say, language, self._board_trouble)
        self._walk = WiringWalk(leading, earlier, keep)
        self.start()

    def _walk_on(self) -> None:
        self.wiring = self._walk.run(walks=False)

    def _read(self) -> list[str]:
        return [self._typed.popleft() for _line in range(len(self._typed))]

    def _board_trouble(self) -> Notice | None:
        """Return the board's trouble; a board that is not real is given time to start."""
        trouble = self.board.trouble
        if trouble is None or self.board.hands is None:
            return trouble
        # An emulated chip takes seconds to boot. Its silence until then is no trouble to show.
        is_late = self._clock.now() >= self._began_at + STARTS_S
        return Notice("board", "fail", NO_ANSWER) if is_late else None

    # What the walk asks of its board

    def poll(self, now: float) -> Any:
        if self._is_left:
            raise InterruptedError  # which ends the walk, and nobody asks why
        hands = self.board.hands
        if hands is not None:
            # The page's piece is lifted again once the walk has seen it, as people would do when
            # they are told.
            if self._walk.leading.occupancy.occupied:
                for square in self._resting:
                    hands.lift(now + RESTS_S, square)
                self._resting.clear()
            while self._taps:
                self._resting.append(self._taps.popleft())
                hands.put(now, self._resting[-1])
        return self.board.poll(now)

    def show(self, lights: Sequence[RGB]) -> None:
        self.board.show(lights)

    # What a page asks

    @property
    def _step(self) -> Instruction | None:
        return None if self._walk.wizard is None else self._walk.wizard.step

    def nothing(self) -> None:
        """Say that the board is empty, or that nothing happened."""
        self._typed.append("")

    def tap(self, square: Square) -> None:
        """Put a piece on a square where the page has hands; else say that it is the lit one."""
        step = self._step
        # Simulated hands put the piece there; with a real board a tap can only mean the square that
        # is lit.
        if self.board.hands is not None and not (step and step.is_named):
            self._taps.append(square)
        else:
            self._typed.append(format_square(square))

    def document(self) -> dict[str, Any]:
        wizard, step, is_over = self._walk.wizard, self._step, self.state != "runs"
        lamp = None if step is None else step.lamp
        lit = None if lamp is None else lit_at(self.board)
        amiss = None if is_over else self._board_trouble()
        trouble = self.trouble or (amiss and amiss.found)
        return {
            "lines": list(self.lines),
            "wanted": format_square(step.squares[0]) if step and step.by_words else None,
            "lit": None if lit is None else format_square(lit),
            "lamp": lamp,
            "count": 0 if wizard is None else wizard.count,
            "is_over": is_over,
            "is_known": self.wiring is not None,
            "trouble": worded_in(self._language, trouble) if trouble else None,
        }

    def close(self) -> None:
        """Leave it, and let go of the board."""
        self._is_left = True
        self.thread.join(5.0)
        self.board.close()


class SetUp:
    """One set-up of one table. Threads that share it hold its `lock`."""

    def __init__(self, folder: Path, settings_file: Path, clock: Callable[[], Clock]) -> None:
        """Keep answers in `folder`, and write them into `settings_file` at the end."""
        self._folder, self._kept = folder, folder / SET_UP_KEPT_IN
        self._settings_file, self._clock, self.lock = settings_file, clock, Lock()
        self.is_begun = self._kept.exists()
        """True if a set-up was begun, now or before, and not ended."""
        self.is_finished = False
        self._progress = SetUpProgress()
        with suppress(OSError, Damaged):  # what cannot be read is asked anew
            self._progress = read_json(self._kept, SetUpProgress) or self._progress
        self._walking: Walking | None = None
        self._shining: Board | None = None
        self._found: list[dict[str, str]] = []
        self._trouble: str | None = None

    @property
    def kind(self) -> TableKind:
        return self._progress.kind

    def document(self) -> dict[str, Any]:
        """Return the page's view of it."""
        if self._walking is not None:
            self._take_wiring(self._walking)
        progress, settings = self._progress, self._settings()
        is_lit = progress.step == "lamps"
        return {
            "step": progress.step,
            "steps": self._steps(),
            "kind": progress.kind,
            "kinds": list(kinds_here()),
            "candidates": list(candidates(progress.kind)) if progress.step == "find" else [],
            "settings": {
                "name" if section == "hall" else name: getattr(settings.section(section), name)
                for section, names in ASKED.items()
                for name in names
            },
            "opponent": progress.opponent,
            "found": self._found,
            "walk": None if self._walking is None else self._walking.document(),
            "marks": progress.marks,
            "lamps": self._lamps(settings) if is_lit else None,
            "trouble": self._trouble,
            "file": str(self._settings_file),
            "is_finished": self.is_finished,
        }

    def answer(
        self, options: Options = NOTHING, kind: str | None = None, opponent: str | None = None
    ) -> None:
        """Take in the answer to this step, and go on to the next.

        `options` are settings by section; `kind` is the sort of table, and `opponent` that of the
        first game. BadSettings for an impossible option, CommissioningRefused for an unknown sort;
        nothing is changed then.
        """
        kind, kinds = self.kind if kind is None else kind, kinds_here()
        if kind not in kinds:
            raise CommissioningRefused(
                _("{kind}: no such table here, there are {kinds}"),
                kind=kind,
                kinds=", ".join(kinds),
            )
        for section, values in options.items():
            if strange := values.keys() - set(ASKED.get(section, ())):
                raise CommissioningRefused(
                    _("[{section}] {name}: set-up asks for no such thing"),
                    section=section,
                    name=min(strange),
                )
        name = self._settings(options).of(HallSettings).table
        if name and re.fullmatch(TABLE_NAME, name) is None:
            raise CommissioningRefused(NO_TABLE_NAME, name=name)
        self._leave_board()  # what the walk has told meanwhile is kept by now
        progress = self._progress if kind == self.kind else _unwired(self._progress)
        self._keep(
            replace(
                progress,
                options=_merged(progress.options, _placed(options)),
                kind=msgspec.convert(kind, TableKind),
                opponent=progress.opponent if opponent is None else opponent,
            )
        )
        self._go_on()

    def go(self, step: str) -> None:
        """Go to a step that this table has; CommissioningRefused for another."""
        if step not in self._steps():
            raise CommissioningRefused(_("{step}: set-up has no such step"), step=step)
        self._leave_board()
        self._keep(replace(self._progress, step=msgspec.convert(step, Step)))

    def skip(self) -> None:
        """Leave a step as it is, and go on to the next."""
        self._leave_board()
        self._go_on()

    def examine(self) -> None:
        """Look what the machine finds of this table; at the last step, of all it stands on."""
        self._leave_board()
        settings = self._settings()
        whole = self._progress.step == "done"
        say = translation(settings.table.language)
        found = examine_kind(self._folder, self.kind, settings, whole)
        self._found = [_shown(each.in_words(say), say(each.check)) for each in found]

    def picture(self) -> bytes:
        """Return what the camera sees as a JPEG; an error of the camera's where it sees nothing."""
        require_opencv()
        from ...boards.camera import first_place, pictured

        settings = self._settings()
        camera = with_kept(settings.camera, self._folder)
        return pictured(*first_place(camera, named_rules(settings.table.rules).board))

    def walk(self) -> None:
        """Begin the walk along the wires, or go on with it; what hinders it is shown."""
        if self.kind not in WIRED:
            raise CommissioningRefused(_("this table has no wires"))
        self._leave_board()
        board = self._open(bare=True)
        if board is not None:
            language = self._settings().table.language
            self._walking = Walking(
                board, self._clock(), language, self._progress.answers, self._note
            )

    def every(self) -> None:
        """Go on with the walk, or begin it, until every square was tried."""
        self._leave_board()
        if EVERY not in self._progress.answers:
            answers = (*self._progress.answers, EVERY)
            self._keep(replace(self._progress, answers=answers, marks=""))
        self.walk()

    def again(self) -> None:
        """Forget what the walk has told, and begin it anew."""
        self._leave_board()
        self._keep(_unwired(self._progress))
        self.walk()

    def nothing(self) -> None:
        """Say that the board is empty, or that nothing has happened."""
        if self._walking is not None:
            self._walking.nothing()

    def tap(self, square: SquareName) -> None:
        """Touch a square of the board as the page shows it."""
        at = parse_square(square)
        if self._walking is not None:
            self._walking.tap(at)

    def shine(self, square: SquareName | None = None) -> None:
        """Light every square of the board as it is set now, or one; what hinders that is shown."""
        lit = SQUARES if square is None else (parse_square(square),)
        if self._shining is None:
            self._leave_board()
            self._shining = self._open(bare=False)
        if self._shining is not None:
            settings = self._settings()
            red, green, blue = (round(settings.lamps.brightness * part) for part in LIT)
            lamp_of = settings.lamps.lamp_of()
            shown = list(DARK)
            for each in lit:
                shown[lamp_of[each]] = red, green, blue
            self._shining.show(shown)

    def order(self, pattern: str, corner: str, along: str) -> None:
        """Take a usual order for that of the lamps: its pattern, the corner of the first lamp, and
        along what it runs. CommissioningRefused for one that is none.
        """
        name = pattern, corner, along
        if name not in NAMED_ORDERS:
            raise CommissioningRefused(_("{order}: no such order of lamps"), order=" ".join(name))
        more = {"lamps": {"order": order_option(NAMED_ORDERS[name])}}
        self._keep(replace(self._progress, options=_merged(self._progress.options, more)))

    def finish(self) -> None:
        """Write the settings; the table begins anew with them.

        Where such a table could not begin here that is shown, and nothing is written.
        """
        self._leave_board()
        settings = self._settings()
        try:
            check_kind(self.kind, settings)
        except (SentenceError, OSError) as error:
            self._trouble = refused_in(settings.table.language, error)
            return
        if self.kind in ("screen", "camera", "serial", "pins"):
            whole = _merged(self._progress.options, {"table": {"board": self.kind}})
        else:  # what was found out at a board that is none is no setting of a real one
            whole = _unwired(self._progress).options
        write_options(self._settings_file, whole)
        self._kept.unlink(missing_ok=True)
        self.is_finished = True

    def leave(self) -> None:
        """Let go of the board; what is known is kept for later."""
        self._leave_board()

    # Within

    def _steps(self) -> list[Step]:
        """Return the steps that this sort of table has."""
        return [step for step in get_args(Step) if self.kind in ONLY_OF.get(step, (self.kind,))]

    def _lamps(self, settings: Settings) -> dict[str, Any]:
        """Return in which order the lamps are set to run, and what is lit. It may have a name."""
        squares = squares_in_order(settings.lamps.order)
        name = next((name for name, order in NAMED_ORDERS.items() if order == squares), None)
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

    def _settings(self, more: Options = NOTHING) -> Settings:
        """Return the settings as they are by now, and with `more`; BadSettings."""
        text = read_text(self._settings_file) if self._settings_file.exists() else ""
        return parse_settings(with_options(text, _merged(self._progress.options, more)))

    def _open(self, bare: bool) -> Board | None:
        settings, self._trouble = self._settings(), None
        try:
            return open_kind(self.kind, without_orders(settings) if bare else settings)
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
        wiring = walking.wiring
        if wiring is None or self._progress.marks:
            return
        options = _merged(self._progress.options, wiring_options(wiring))
        marks = "".join(state.value for state in wiring.states)
        self._keep(replace(self._progress, options=options, marks=marks))

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
    """Return the answers without those about wires."""
    options = {
        section: {name: value for name, value in values.items() if name != "order"}
        for section, values in progress.options.items()
    }
    return replace(progress, options=options, answers=(), marks="")


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


# The settings file


IN_A_LINE = 10


def order_option(squares: Sequence[Square]) -> str | list[str]:
    """Return an order of squares as its option has it: by name, if it has one."""
    names = (name for name, order in ORDERS.items() if order == tuple(squares))
    return next(names, [format_square(square) for square in squares])


def wiring_options(wiring: Wiring) -> dict[str, dict[str, object]]:
    """Return how a board is wired as options."""
    return {
        "reed": {"order": order_option(wiring.switches)},
        "lamps": {"order": order_option(wiring.lamps)},
    }


def without_orders(settings: Settings) -> Settings:
    """Return settings without orders, so that a driver takes switch n for square n."""
    return replace(
        settings,
        reed=replace(settings.reed, order="rows"),
        lamps=replace(settings.lamps, order="rows"),
    )


def write_options(path: Path, options: Options) -> None:
    """Set options in a settings file, which is made if it is missing.

    Raises BadSettings, and changes nothing, if the file is not valid or would not be afterwards.
    """
    text = with_options(read_text(path) if path.exists() else "", options)
    write_whole(path, text.encode())


def with_options(text: str, options: Options) -> str:
    """Return the text of a settings file with options set; raises BadSettings."""
    parse_settings(text)
    document = tomlkit.parse(text)
    for section, values in options.items():
        table = document.setdefault(section, tomlkit.table())
        for name, value in values.items():
            table[name] = _item(value)
    changed = tomlkit.dumps(document)
    parse_settings(changed)
    return changed


def _item(value: object) -> Item:
    """Return a value as TOML; a long list in lines of ten, as a board has them."""
    if not isinstance(value, list) or len(value) <= IN_A_LINE:
        return tomlkit.item(value)
    rows = (value[n : n + IN_A_LINE] for n in range(0, len(value), IN_A_LINE))
    lines = (", ".join(tomlkit.item(entry).as_string() for entry in row) for row in rows)
    return tomlkit.value("[\n    " + ",\n    ".join(lines) + ",\n]")

"""A trial: the instructions for hands, the record of what was seen, and the run itself.

The script is forty moves by the book's Appendix on the grid, each with the manner in which hands
are to make it: all manners of capture, slides, second thoughts, a take-back, pieces that are put
right, and pauses. Switches report one touch after the other. A camera looks once the hands are
gone, so a move is one instruction for it.

Where a switch shows nothing, people confirm that they have done what was asked, and the next
instruction follows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cache, partial
from typing import TYPE_CHECKING, Final

from hardware.ports import RGB, Evidence, Flip, Observation, presence
from hardware.reeds import Bouncing
from hardware.sensors import BLINK_S, SquareHistories
from rules import (
    SQUARES,
    Move,
    Notice,
    Position,
    Square,
    _,
    format_square,
    parse_rules,
    parse_square,
    squares_of,
)

from ...languages import Language
from ...light.lamps import Cue, Lighting, lights
from ...table.board import Surface
from ...table.loop import Clock
from .walk import DARK, Flips, Instruction, Leading

if TYPE_CHECKING:
    from vision.showing import Quality  # what looks at pictures: only where a camera does

RULES: Final = "appendix"


class Manner(Enum):
    """The manner in which hands make a ply, by its tag in recordings."""

    PLAIN = "plain"
    SLIDE = "slide"
    VICTIM_FIRST = "capture-victim-first"
    ATTACKER_FIRST = "capture-attacker-first"
    AT_ONCE = "capture-one-hand"
    SECOND_THOUGHT = "wrong-square"
    HESITATION = "hesitation"
    TAKEN_BACK = "takeback"


@dataclass(frozen=True, slots=True)
class ScriptedPly:
    """One ply of the script: `number` is 1 for the first; `other` is a square it needs besides."""

    number: int
    move: Move
    manner: Manner
    before: Position
    other: Square | None = None


LIFT = _("Lift the piece on {square}.")
PUT = _("Put it down on {square}.")
TAKE = _("Take the piece on {square} off the board.")
SLIDE = _("Slide the piece from {start} to {end}; do not lift it.")
AT_ONCE = _("Lift the piece on {start}; put it in the place of the piece on {end} with one hand.")
NUDGE = _("Lift the piece on {square}, and put it back.")
NUDGE_LIT = _("Lift the piece that is lit, and put it back.")
TRY = _("Put a piece from the box on {square}, and take it up again.")
REST = _("Touch nothing for {seconds} seconds.")
BACK = _("Take that move back: lift the piece on {square}.")
HANDS_OFF = _("After each move take your hands away: the camera looks when they are gone.")
MOVE = _("Move the piece from {start} to {end}.")
TAKE_FIRST = _(
    "Take the piece on {end} off the board, then put the piece from {start} in its place."
)
TAKE_LAST = _(
    "Lift the piece on {start}, take the piece on {end} off the board, put the lifted one there."
)
HOLD = _("Hold the piece from {start} over {between} for a moment, then put it down on {end}.")
RETURN = _("Take that move back: put the piece from {start} back on {end}.")
STRAIGHTEN = _("Put the piece on {square} right, within its square.")

LOOKED_AT: Final = {
    Manner.SLIDE: SLIDE,
    Manner.VICTIM_FIRST: TAKE_FIRST,
    Manner.ATTACKER_FIRST: TAKE_LAST,
    Manner.AT_ONCE: AT_ONCE,
}
"""The sentence for a move before a camera, by its manner."""

PLIES: Final = """
f1-i3 h9-i8 d1-c4 e10-e8/hesitation/c10 b2-c3 d10-a7 e2-e3/takeback g10-d7
c4-d7/capture-victim-first j9-i7 g1-d4/wrong-square/e5 a7-d4/capture-attacker-first
e1-d4/capture-victim-first f9-g8 d7-a10/capture-one-hand b9-a8 a10-d9/capture-attacker-first
f10-d9/capture-one-hand j2-i4 h10-h7/slide h2-g3/hesitation/h1 g9-h8 g2-h3 e9-d8/takeback
c2-b3/wrong-square/b4 j10-j8/slide j1-j3/slide a9-c8 f2-f3 b10-b8 b1-d3/slide b8-b6
d4-b6/capture-attacker-first i9-j9 a2-b4 e8-g6 a1-a3/slide g8-g7/wrong-square/g5
b6-c9/capture-victim-first i7-j7
"""
"""From and to; the manner, unless it is plain; and the other square that is touched."""

NUDGED: Final = {6: "c1", 19: "i10", 30: "d2"}
"""The square of a piece that is put right after each of these plies."""

RESTS: Final = {13: 8.0, 27: 8.0, 40: 5.0}
"""Seconds of rest after each of these plies, in which a weak switch shows itself."""

BY_WORDS: Final = ("a1", "b2", "c9", "d10", "e1", "f2", "g9", "h10", "i1", "j2")
"""A piece of every file and of all four ranks that are full at first: they tell the wires."""

BY_LIGHT: Final = ("b2", "i9", "c10", "a1", "h1")
"""Squares that no two orders of lamps light alike."""

SEEN_BY_WORDS: Final = ("a1", "j9")
"""One corner of each side."""


@cache
def all_plies() -> tuple[ScriptedPly, ...]:
    """Return the forty plies."""
    position, made = Position.start(parse_rules(RULES)), []
    for number, word in enumerate(PLIES.split(), 1):
        way, manner, other = [*word.split("/"), *("", "")][:3]
        start, _dash, end = way.partition("-")
        wanted = parse_square(start), parse_square(end)
        move = next(
            each for each in position.moves() if (each.from_square, each.to_square) == wanted
        )
        beside = parse_square(other) if other else None
        made.append(ScriptedPly(number, move, Manner(manner or "plain"), position, beside))
        position = position.play(move)
    return tuple(made)


@dataclass(frozen=True, slots=True)
class Script:
    """The instructions for a board whose switches report each touch, or for one under a camera."""

    looks: bool = False
    """True for a camera: it sees only finished moves, and knows whose a piece is."""
    plies: tuple[ScriptedPly, ...] = field(default_factory=all_plies)

    @property
    def patience_s(self) -> float:
        """Seconds without the wanted change after which people are told how to go on."""
        return 8.0 if self.looks else 3.0

    def check(self) -> Iterator[Instruction]:
        """Yield the instructions before the game.

        They tell the order of wires and lamps, or whether a camera calls squares by their names.
        """
        if self.looks:
            for square in map(parse_square, SEEN_BY_WORDS):
                yield Instruction(LIFT, (square,), ((square, False),), by_words=True)
                yield Instruction(PUT, (square,), ((square, True),), by_words=True)
            return
        for square in map(parse_square, BY_WORDS):
            yield nudge(square, by_words=True)
        for square in map(parse_square, BY_LIGHT):
            yield nudge(square, by_light=True)

    def instructions(self, ply: ScriptedPly) -> Iterator[Instruction]:
        """Yield the instructions for a ply, and for what follows it."""
        start, end, number = ply.move.from_square, ply.move.to_square, ply.number
        made = tuple(_seen(ply) if self.looks else _touched(ply))
        yield from made
        if ply.manner is Manner.TAKEN_BACK:
            rest = Instruction(REST, ply=number, lasts_s=3.0)
            yield rest
            if self.looks:
                wants = ((end, False), (start, True))
                yield Instruction(RETURN, (end, start), wants, number, by_words=True)
            else:
                yield Instruction(BACK, (end,), ((end, False),), number)
                yield Instruction(PUT, (start,), ((start, True),), number)
            yield rest
            yield from made
        if number in NUDGED:
            square = parse_square(NUDGED[number])
            straightened = Instruction(STRAIGHTEN, (square,), lasts_s=4.0, by_words=True)
            yield straightened if self.looks else nudge(square)
        if number in RESTS:
            yield Instruction(REST, lasts_s=RESTS[number])

    def untouched(self) -> Iterator[Instruction]:
        """Yield instructions to touch every square that was left alone till the end.

        There are none for a camera, which has seen them all.
        """
        if self.looks:
            return
        asked = [
            *self.check(),
            *(instruction for ply in self.plies for instruction in self.instructions(ply)),
        ]
        touched = {square for instruction in asked for square, _level in instruction.wants}
        stands = self.plies[-1].before.play(self.plies[-1].move)
        for square in SQUARES:
            if square not in touched and stands.piece_at(square) is not None:
                yield nudge(square)
            elif square not in touched:
                yield Instruction(TRY, (square,), ((square, True), (square, False)))


def _touched(ply: ScriptedPly) -> Iterator[Instruction]:
    """Yield the touches that make a ply."""
    start, end, number = ply.move.from_square, ply.move.to_square, ply.number
    match ply.manner:
        case Manner.SLIDE:
            yield Instruction(SLIDE, (start, end), ((start, False), (end, True)), number)
        case Manner.AT_ONCE:
            wants = ((start, False), (end, True))
            yield Instruction(AT_ONCE, (start, end), wants, number, may_hide=True)
        case Manner.VICTIM_FIRST:
            yield Instruction(TAKE, (end,), ((end, False),), number)
            yield from _carry(start, end, number)
        case Manner.ATTACKER_FIRST:
            yield Instruction(LIFT, (start,), ((start, False),), number)
            yield Instruction(TAKE, (end,), ((end, False),), number)
            yield Instruction(PUT, (end,), ((end, True),), number)
        case Manner.SECOND_THOUGHT if ply.other is not None:
            yield from _carry(start, ply.other, number)
            yield from _carry(ply.other, end, number)
        case Manner.HESITATION if ply.other is not None:
            yield from _carry(ply.other, ply.other, number)
            yield from _carry(start, end, number)
        case _:
            yield from _carry(start, end, number)


def _seen(ply: ScriptedPly) -> Iterator[Instruction]:
    """Yield a ply as one instruction for a camera, which need not see each touch."""
    start, end = ply.move.from_square, ply.move.to_square
    is_held = ply.manner is Manner.SECOND_THOUGHT
    yield Instruction(
        HOLD if is_held else LOOKED_AT.get(ply.manner, MOVE),
        (start, end) if ply.other is None or not is_held else (start, ply.other, end),
        ((start, False), (end, True)),
        ply.number,
        by_words=True,
        may_hide=ply.before.piece_at(end) is not None,
    )


def nudge(square: Square, by_words: bool = False, by_light: bool = False) -> Instruction:
    """Return the instruction to lift a piece and put it back."""
    wants = ((square, False), (square, True))
    words = NUDGE_LIT if by_light else NUDGE
    return Instruction(words, (square,), wants, by_words=by_words, by_light=by_light)


def _carry(start: Square, end: Square, ply: int) -> Iterator[Instruction]:
    yield Instruction(LIFT, (start,), ((start, False),), ply)
    yield Instruction(PUT, (end,), ((end, True),), ply)


@dataclass(frozen=True, slots=True)
class CameraFigures:
    """A camera's share of a trial: figures, faults, and the times at which something moved."""

    looks_hz: float
    """Pictures a second that were looked at."""
    ages_s: Sequence[float]
    """The age of each picture when it was looked at, in seconds."""
    rested: float
    """The share of looks that showed the board at rest."""
    doubts: Mapping[Square, float]
    """The share of looks at rest in which a square was in doubt, the worst first."""
    worst: Quality | None
    """The worst values of its pictures; None if no board was found."""
    faults: Mapping[str, Sequence[str]]
    """Faults by the names of `verdict.FAULTS`, with squares or a figure."""
    notices: Sequence[Notice]
    """Findings about its pictures that would spoil a game."""
    stirs: Sequence[float]


SILENT_S: Final = 10.0
"""Seconds without a report after which a board is not waited for."""

SETTLED_S: Final = 1.0
"""Seconds that the pieces must stand right before the first instruction."""

HIDDEN_S = 2.5
"""Seconds to wait for a change that may go unseen."""

REST_S = 0.3
"""Seconds from a change to the next instruction."""

SET_UP = _("Set the pieces up as for a new game. (If they stand so, and nothing happens: Enter.)")
ENTER = _("(Nothing is seen of it. If it is done: Enter.)")
STRANGE = _("({square} changed instead. If you did what was asked: Enter; else put it right.)")


@dataclass(slots=True)
class InstructionDone:
    """A carried-out instruction of the script. Times are seconds on the table clock."""

    instruction: Instruction
    asked_at: float
    seen_at: list[float | None]
    """The time of each wanted change; None if people said that it was done."""
    done_at: float
    strays: list[tuple[Flip, float]] = field(default_factory=list)
    """Changes on squares that the instruction does not name, with their times."""

    @property
    def is_vain(self) -> bool:
        """True if a change was missed that had to be seen."""
        wants = len(self.seen_at) - self.instruction.may_hide
        return None in self.seen_at[:wants]


class InstructionWatch:
    """Follows one instruction, look by look, until it is done."""

    def __init__(
        self, instruction: Instruction, lifts: list[tuple[Flip, float]], now: float
    ) -> None:
        """`lifts` are squares that have opened, and may close again at once: weak ones blink."""
        self.done = InstructionDone(instruction, now, [None] * len(instruction.wants), now)
        self._lifts, self._last_at = lifts, now

    def is_done(self, flips: Flips, typed: Sequence[str], now: float) -> bool:
        """Take in a look; return True once the instruction is done, or people say so."""
        for flip, at in flips:
            self._flip(flip, at)
        # A weak switch opens for a moment under a piece that stands still. An opening is a lift
        # only if it lasts longer than such a blink, so it is judged late.
        for lift, at in [each for each in self._lifts if now - each[1] >= BLINK_S]:
            self._lifts.remove((lift, at))
            self._take(lift, at)
        done, instruction = self.done, self.done.instruction
        is_rested = now >= self._last_at + max(REST_S, instruction.lasts_s)
        is_over = self._is_hidden and now >= self._last_at + HIDDEN_S
        is_said = bool(typed) and bool(instruction.wants)
        done.done_at = now
        return is_over or is_said or (is_rested and None not in done.seen_at)

    def _flip(self, flip: Flip, at: float) -> None:
        """Take in that a square has become occupied or empty at a time.

        It counts as empty only once it has been so for longer than a weak switch opens.
        """
        if not flip.is_occupied:
            self._lifts.append((flip, at))
            return
        # Closing again settles a pending opening: it was a blink, or the square was really empty in
        # between.
        blink = next((each for each in self._lifts if each[0].square == flip.square), None)
        if blink is not None:
            self._lifts.remove(blink)
            if at - blink[1] < BLINK_S:
                # An opening that is as short as a blink is a capture, where one is asked for.
                if self._is_hidden and self._place(flip) is not None:
                    self.done.seen_at[-1] = self._last_at = at
                return
            self._take(*blink)
        self._take(flip, at)

    @property
    def _is_hidden(self) -> bool:
        """True if all was seen but a last change that may go unseen."""
        return self.done.instruction.may_hide and self.done.seen_at.count(None) == 1

    def _place(self, flip: Flip) -> int | None:
        """Return which of the changes that are wanted this is: the next one of its square."""
        for place, (square, is_occupied) in enumerate(self.done.instruction.wants):
            if self.done.seen_at[place] is None and square == flip.square:
                return place if is_occupied == flip.is_occupied else None
        return None

    def _take(self, flip: Flip, at: float) -> None:
        place = self._place(flip)
        if place is not None:
            self.done.seen_at[place] = self._last_at = at
        elif flip.square not in self.done.instruction.squares:
            self.done.strays.append((flip, at))


MOST_VAIN: Final = 8
"""The number of instructions in vain after which the game is broken off."""


@dataclass(slots=True)
class TrialLog:
    """The record of a trial. Times are on the table clock, and lengths in seconds."""

    script: Script
    step_s: float = 0.0
    """Seconds from one look at the board to the next, as set."""
    missing: frozenset[Square] = frozenset()
    """Squares that were empty by the switches when people had set the pieces up."""
    extra: frozenset[Square] = frozenset()
    """Squares that were occupied then, and should not be."""
    checked: Sequence[InstructionDone] = ()
    played: Sequence[InstructionDone] = ()
    tried: Sequence[InstructionDone] = ()
    began_at: float = 0.0
    begun_with: Mapping[Square, Evidence] = field(default_factory=dict)
    """The first evidence for each square then; empty if the board told nothing."""
    observations: Sequence[Observation] = ()
    """All that was seen from then until the game's end."""
    ended_at: float = 0.0
    histories: SquareHistories = field(default_factory=SquareHistories)
    late: list[float] = field(default_factory=list)
    """By how much each look at the board came later than it should."""
    polls: list[float] = field(default_factory=list)
    shows: list[float] = field(default_factory=list)
    """Seconds that each change of the lamps took."""
    cpu_share: float = 0.0
    """The share of one core that the whole trial took."""
    margins_ms: Mapping[Square, float] = field(default_factory=dict)
    """By how much the hold-off was longer than a switch's longest bounce, where it was measured."""
    camera: CameraFigures | None = None
    """The camera's share; None for a board with switches."""

    @property
    def standing(self) -> frozenset[Square]:
        """The squares that were reported as occupied when the game began."""
        return frozenset(at for at, known in self.begun_with.items() if presence(known) > 0)

    @property
    def done(self) -> Sequence[InstructionDone]:
        """All that was asked."""
        return (*self.checked, *self.played, *self.tried)


@dataclass(kw_only=True)
class Trial:
    """Leads hands at one board through the script; times its looks and lamps meanwhile."""

    board: Surface
    typed: Callable[[], Sequence[str]]
    """Returns the lines that were typed since the last call."""
    clock: Clock
    script: Script
    lighting: Lighting
    step_s: float
    """From one look at the board to the next."""
    stopwatch: Callable[[], float]
    cpu: Callable[[], float]
    """Counts the seconds that the program has worked."""
    hold_off_ms: float
    """A switch that has changed is not believed again before this has passed."""
    tell: Callable[[str], None]
    language: Language
    hear: Callable[[Instruction, float], None] | None = None
    """The ears of simulated hands; people read the instructions."""
    bouncing: Callable[[], Mapping[Square, Bouncing]] = dict
    trouble: Callable[[], Notice | None] = lambda: None
    camera_says: Callable[[], CameraFigures | None] = lambda: None
    """The camera's figures so far."""

    def __post_init__(self) -> None:
        how = self.tell, self.language, self.trouble, self.step_s, self.hear
        self._leading = Leading(self, self.typed, self.clock, *how)
        self._log = TrialLog(self.script, self.step_s)
        self._observations: list[Observation] = []
        self._lifts: list[tuple[Flip, float]] = []
        self._looked_at: float | None = None

    def run(self, is_fit: Callable[[TrialLog], bool]) -> TrialLog:
        """Lead through all of it; after the check only where a board `is_fit` to be played on."""
        began, worked, log = self.stopwatch(), self.cpu(), self._log
        wanted = frozenset(squares_of(Position.start(parse_rules(RULES)).occupied))
        leading, known = self._leading, self._leading.occupancy
        self._set_up(wanted)
        log.missing = frozenset(wanted - known.occupied)
        log.extra = frozenset(known.occupied - wanted)
        # Wires and lamps are checked before the game: if they are exchanged, forty moves would
        # prove the same fault forty times.
        log.checked = self._lead(self.script.check()) if known else ()
        log.begun_with = dict(known.evidence)
        log.began_at = log.ended_at = self.clock.now()
        if is_fit(log):
            self._go_through(log)
        leading.show(DARK)
        passed = self.stopwatch() - began
        log.cpu_share = (self.cpu() - worked) / passed if passed else 0.0
        log.margins_ms = {
            square: self.hold_off_ms - how.longest_s * 1000
            for square, how in self.bouncing().items()
            if how.longest_s is not None
        }
        log.camera = self.camera_says()
        return log

    def poll(self, now: float) -> list[Observation]:
        """Look at the board, and keep what it shows."""
        log = self._log
        if self._looked_at is not None:
            log.late.append(max(now - self._looked_at - self.step_s, 0.0))
        self._looked_at = now
        begun = self.stopwatch()
        news = list(self.board.poll(now))
        log.polls.append(self.stopwatch() - begun)
        self._observations += news
        for observation in news:
            log.histories.observe(observation)
        return news

    def show(self, lights: Sequence[RGB]) -> None:
        begun = self.stopwatch()
        self.board.show(lights)
        self._log.shows.append(self.stopwatch() - begun)

    def _set_up(self, wanted: frozenset[Square]) -> None:
        """Wait until the pieces stand as for a new game; who says so is believed."""
        known, began = self._leading.occupancy, self.clock.now()
        right_since: float | None = None

        def is_done(flips: Flips, typed: Sequence[str], now: float) -> bool:
            nonlocal right_since
            is_right = bool(known) and known.occupied == wanted
            right_since = (right_since or now) if is_right else None
            # A board that has told nothing yet may still be starting: only after a while is Enter
            # taken as "there is nothing to wait for".
            is_said = bool(typed) and (bool(known) or now >= began + SILENT_S)
            return is_said or (right_since is not None and now >= right_since + SETTLED_S)

        def shown(now: float) -> Sequence[RGB]:
            cues = dict.fromkeys(known.occupied - wanted, Cue.WRONG)
            cues |= dict.fromkeys(wanted - known.occupied, Cue.BELONGS)
            return lights(cues, self.lighting, now)

        def hint() -> None:
            if self.script.looks:
                self._leading.say(HANDS_OFF)

        self._leading.lead(Instruction(SET_UP), is_done, shown, hint, 0.0)

    def _go_through(self, log: TrialLog) -> None:
        """Lead through the game, and in the end over the squares that were left alone."""
        first, plies = len(self._observations), self.script.plies
        played: list[InstructionDone] = []
        for ply in plies:
            self.tell(f"{ply.number}/{len(plies)}")
            played += self._lead(self.script.instructions(ply))
            # People who do what they are told in vain lose patience; the faults found so far are
            # enough.
            if _vain(played) >= MOST_VAIN:
                break
        log.played, log.ended_at = played, self.clock.now()
        log.observations = tuple(self._observations[first:])
        if _vain(played) < MOST_VAIN:
            log.tried = self._lead(self.script.untouched())

    def _lead(self, asked: Iterable[Instruction]) -> Sequence[InstructionDone]:
        done = []
        for instruction in asked:
            watch = InstructionWatch(instruction, self._lifts, self.clock.now())
            self._leading.lead(
                instruction,
                watch.is_done,
                partial(self._lights, instruction),
                partial(self._hint, watch.done),
                self.script.patience_s + instruction.lasts_s,
            )
            done.append(watch.done)
        return done

    def _lights(self, instruction: Instruction, now: float) -> Sequence[RGB]:
        """Return the lamps' colours for an instruction: lift this, put it there."""
        cues = {
            square: Cue.BELONGS if (square, True) in instruction.wants[-1:] else Cue.WANTED
            for square in instruction.squares
            if not instruction.by_words
        }
        return lights(cues, self.lighting, now)

    def _hint(self, done: InstructionDone) -> None:
        if done.strays:
            self._leading.say(STRANGE, square=format_square(done.strays[0][0].square))
        else:
            self._leading.say(ENTER)


def _vain(done: Iterable[InstructionDone]) -> int:
    return sum(each.is_vain for each in done)

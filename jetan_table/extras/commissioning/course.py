"""The course of a trial: what is asked of hands, what was seen of it, and what can be wrong.

The script is forty moves by the book's Appendix on the grid, and the manner in which hands are to
make each: every manner of taking is in it, slides, second thoughts, a take-back, pieces that are
put right, and pauses. Switches are told of one touch after the other; a camera looks when hands are
gone, so for it a move is one errand.

What a switch does not show, people say: they have done what was asked, and the next errand comes.
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
from .walk import DARK, Errand, Flips, Leading

if TYPE_CHECKING:
    from vision.showing import Quality  # what looks at pictures: only where a camera does

RULES: Final = "appendix"


class Manner(Enum):
    """How hands make a ply, by its tag in recordings."""

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
"""How hands are to make a move before a camera, by its manner."""

PLIES: Final = """
f1-i3 h9-i8 d1-c4 e10-e8/hesitation/c10 b2-c3 d10-a7 e2-e3/takeback g10-d7
c4-d7/capture-victim-first j9-i7 g1-d4/wrong-square/e5 a7-d4/capture-attacker-first
e1-d4/capture-victim-first f9-g8 d7-a10/capture-one-hand b9-a8 a10-d9/capture-attacker-first
f10-d9/capture-one-hand j2-i4 h10-h7/slide h2-g3/hesitation/h1 g9-h8 g2-h3 e9-d8/takeback
c2-b3/wrong-square/b4 j10-j8/slide j1-j3/slide a9-c8 f2-f3 b10-b8 b1-d3/slide b8-b6
d4-b6/capture-attacker-first i9-j9 a2-b4 e8-g6 a1-a3/slide g8-g7/wrong-square/g5
b6-c9/capture-victim-first i7-j7
"""
"""From and to; the manner, where it is not plain; and the other square that is touched."""

NUDGED: Final = {6: "c1", 19: "i10", 30: "d2"}
"""After these plies a piece is put right."""

RESTS: Final = {13: 8.0, 27: 8.0, 40: 5.0}
"""After these plies nothing is touched for so many seconds: a weak switch shows itself."""

BY_WORDS: Final = ("a1", "b2", "c9", "d10", "e1", "f2", "g9", "h10", "i1", "j2")
"""A piece of every file and of all four ranks that are full at first: they tell the wires."""

BY_LIGHT: Final = ("b2", "i9", "c10", "a1", "h1")
"""No two orders of lamps light the same squares for these."""

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
    """What is asked at a board whose switches tell each touch, or one that a camera looks at."""

    looks: bool = False
    """Whether a camera looks: it sees what hands have left, and tells whose a piece is."""
    plies: tuple[ScriptedPly, ...] = field(default_factory=all_plies)

    @property
    def patience_s(self) -> float:
        """After so long without what is asked for, people are told how to go on."""
        return 8.0 if self.looks else 3.0

    def check(self) -> Iterator[Errand]:
        """Yield what is asked before anything is played.

        It tells how wires and lamps run, or whether a camera calls squares by their names.
        """
        if self.looks:
            for square in map(parse_square, SEEN_BY_WORDS):
                yield Errand(LIFT, (square,), ((square, False),), by_words=True)
                yield Errand(PUT, (square,), ((square, True),), by_words=True)
            return
        for square in map(parse_square, BY_WORDS):
            yield nudge(square, by_words=True)
        for square in map(parse_square, BY_LIGHT):
            yield nudge(square, by_light=True)

    def errands(self, ply: ScriptedPly) -> Iterator[Errand]:
        """Yield what hands are asked to do for a ply, and after it."""
        start, end, number = ply.move.from_square, ply.move.to_square, ply.number
        made = tuple(_seen(ply) if self.looks else _touched(ply))
        yield from made
        if ply.manner is Manner.TAKEN_BACK:
            rest = Errand(REST, ply=number, lasts_s=3.0)
            yield rest
            if self.looks:
                wants = ((end, False), (start, True))
                yield Errand(RETURN, (end, start), wants, number, by_words=True)
            else:
                yield Errand(BACK, (end,), ((end, False),), number)
                yield Errand(PUT, (start,), ((start, True),), number)
            yield rest
            yield from made
        if number in NUDGED:
            square = parse_square(NUDGED[number])
            straightened = Errand(STRAIGHTEN, (square,), lasts_s=4.0, by_words=True)
            yield straightened if self.looks else nudge(square)
        if number in RESTS:
            yield Errand(REST, lasts_s=RESTS[number])

    def untouched(self) -> Iterator[Errand]:
        """Yield what has a piece touch, in the end, every square that was left alone till then.

        Nothing is asked where a camera looks: it has seen them all.
        """
        if self.looks:
            return
        asked = [*self.check(), *(errand for ply in self.plies for errand in self.errands(ply))]
        touched = {square for errand in asked for square, _level in errand.wants}
        stands = self.plies[-1].before.play(self.plies[-1].move)
        for square in SQUARES:
            if square not in touched and stands.piece_at(square) is not None:
                yield nudge(square)
            elif square not in touched:
                yield Errand(TRY, (square,), ((square, True), (square, False)))


def _touched(ply: ScriptedPly) -> Iterator[Errand]:
    """Yield what hands do to make a ply, touch by touch."""
    start, end, number = ply.move.from_square, ply.move.to_square, ply.number
    match ply.manner:
        case Manner.SLIDE:
            yield Errand(SLIDE, (start, end), ((start, False), (end, True)), number)
        case Manner.AT_ONCE:
            wants = ((start, False), (end, True))
            yield Errand(AT_ONCE, (start, end), wants, number, may_hide=True)
        case Manner.VICTIM_FIRST:
            yield Errand(TAKE, (end,), ((end, False),), number)
            yield from _carry(start, end, number)
        case Manner.ATTACKER_FIRST:
            yield Errand(LIFT, (start,), ((start, False),), number)
            yield Errand(TAKE, (end,), ((end, False),), number)
            yield Errand(PUT, (end,), ((end, True),), number)
        case Manner.SECOND_THOUGHT if ply.other is not None:
            yield from _carry(start, ply.other, number)
            yield from _carry(ply.other, end, number)
        case Manner.HESITATION if ply.other is not None:
            yield from _carry(ply.other, ply.other, number)
            yield from _carry(start, end, number)
        case _:
            yield from _carry(start, end, number)


def _seen(ply: ScriptedPly) -> Iterator[Errand]:
    """Yield the same as one errand for a camera, which need not see what is touched meanwhile."""
    start, end = ply.move.from_square, ply.move.to_square
    is_held = ply.manner is Manner.SECOND_THOUGHT
    yield Errand(
        HOLD if is_held else LOOKED_AT.get(ply.manner, MOVE),
        (start, end) if ply.other is None or not is_held else (start, ply.other, end),
        ((start, False), (end, True)),
        ply.number,
        by_words=True,
        may_hide=ply.before.piece_at(end) is not None,
    )


def nudge(square: Square, by_words: bool = False, by_light: bool = False) -> Errand:
    """Return the errand that a piece be lifted and put back."""
    wants = ((square, False), (square, True))
    words = NUDGE_LIT if by_light else NUDGE
    return Errand(words, (square,), wants, by_words=by_words, by_light=by_light)


def _carry(start: Square, end: Square, ply: int) -> Iterator[Errand]:
    yield Errand(LIFT, (start,), ((start, False),), ply)
    yield Errand(PUT, (end,), ((end, True),), ply)


@dataclass(frozen=True, slots=True)
class CameraSaid:
    """What a trial has of its camera: figures, what was wrong, and when something moved."""

    looks_hz: float
    """Pictures a second that were looked at."""
    ages_s: Sequence[float]
    """How old each was when it was looked at, in seconds."""
    rested: float
    """The share of looks that showed the board at rest."""
    doubts: Mapping[Square, float]
    """Of squares that were in doubt, in what share of the looks at rest; the worst first."""
    worst: Quality | None
    """The worst that its pictures gave; None where no board was found."""
    faults: Mapping[str, Sequence[str]]
    """What was wrong, by the names of `verdict.FAULTS`, and which squares or how often."""
    notices: Sequence[Notice]
    """What a camera's doctor says of its pictures that would spoil a game."""
    stirs: Sequence[float]


SILENT_S: Final = 10.0
"""A board that tells nothing for so long need not be waited for."""

SETTLED_S: Final = 1.0
"""The pieces stand as they should for so long before anything is asked."""

HIDDEN_S = 2.5
"""A change that may go unseen is waited for so long, after the one before it."""

REST_S = 0.3
"""From what was seen to the next errand."""

SET_UP = _("Set the pieces up as for a new game. (If they stand so, and nothing happens: Enter.)")
ENTER = _("(Nothing is seen of it. If it is done: Enter.)")
STRANGE = _("({square} changed instead. If you did what was asked: Enter; else put it right.)")


@dataclass(slots=True)
class ErrandDone:
    """An errand of the script, and what became of it. Times are seconds on the table clock."""

    errand: Errand
    asked_at: float
    seen_at: list[float | None]
    """When each change that it wants was seen; None: never, people said that it was done."""
    done_at: float
    strays: list[tuple[Flip, float]] = field(default_factory=list)
    """Squares that changed though nothing was asked of them, and when."""

    @property
    def is_vain(self) -> bool:
        """Whether something was not seen that had to be."""
        wants = len(self.seen_at) - self.errand.may_hide
        return None in self.seen_at[:wants]


class ErrandWatch:
    """Judges, look by look, whether an errand is done."""

    def __init__(self, errand: Errand, lifts: list[tuple[Flip, float]], now: float) -> None:
        """`lifts` are squares that have opened, and may close again at once: weak ones blink."""
        self.done = ErrandDone(errand, now, [None] * len(errand.wants), now)
        self._lifts, self._last_at = lifts, now

    def is_done(self, flips: Flips, typed: Sequence[str], now: float) -> bool:
        """Take in a look; return whether the errand is done, or people say so."""
        for flip, at in flips:
            self._flip(flip, at)
        for lift, at in [each for each in self._lifts if now - each[1] >= BLINK_S]:
            self._lifts.remove((lift, at))
            self._take(lift, at)
        done, errand = self.done, self.done.errand
        is_rested = now >= self._last_at + max(REST_S, errand.lasts_s)
        is_over = self._is_hidden and now >= self._last_at + HIDDEN_S
        is_said = bool(typed) and bool(errand.wants)
        done.done_at = now
        return is_over or is_said or (is_rested and None not in done.seen_at)

    def _flip(self, flip: Flip, at: float) -> None:
        """Take in that a square has become occupied or empty at a time.

        It counts as empty only once it has been so for longer than a weak switch opens.
        """
        if not flip.is_occupied:
            self._lifts.append((flip, at))
            return
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
        """Whether all was seen but a last change that may go unseen."""
        return self.done.errand.may_hide and self.done.seen_at.count(None) == 1

    def _place(self, flip: Flip) -> int | None:
        """Return which of the changes that are wanted this is: the next one of its square."""
        for place, (square, is_occupied) in enumerate(self.done.errand.wants):
            if self.done.seen_at[place] is None and square == flip.square:
                return place if is_occupied == flip.is_occupied else None
        return None

    def _take(self, flip: Flip, at: float) -> None:
        place = self._place(flip)
        if place is not None:
            self.done.seen_at[place] = self._last_at = at
        elif flip.square not in self.done.errand.squares:
            self.done.strays.append((flip, at))


MOST_VAIN: Final = 8
"""A game in which so many errands were in vain is not played on."""


@dataclass(slots=True)
class Course:
    """What was done and seen in a trial. Times on the table clock and lengths are seconds."""

    script: Script
    step_s: float = 0.0
    """From one look at the board to the next, as it should be."""
    missing: frozenset[Square] = frozenset()
    """Squares that were empty by the switches when people had set the pieces up."""
    extra: frozenset[Square] = frozenset()
    """Squares that were occupied then, and should not be."""
    checked: Sequence[ErrandDone] = ()
    played: Sequence[ErrandDone] = ()
    tried: Sequence[ErrandDone] = ()
    began_at: float = 0.0
    begun_with: Mapping[Square, Evidence] = field(default_factory=dict)
    """What was known of the board then; nothing where it has told nothing."""
    observations: Sequence[Observation] = ()
    """All that was seen from then until the game's end."""
    ended_at: float = 0.0
    histories: SquareHistories = field(default_factory=SquareHistories)
    late: list[float] = field(default_factory=list)
    """By how much each look at the board came later than it should."""
    polls: list[float] = field(default_factory=list)
    shows: list[float] = field(default_factory=list)
    """How long the lamps took to be shown, each time they changed."""
    cpu_share: float = 0.0
    """How much of one core the whole took."""
    margins_ms: Mapping[Square, float] = field(default_factory=dict)
    """By how much the hold-off was longer than a switch's longest bounce, where it was measured."""
    camera: CameraSaid | None = None
    """What a camera gave, where one looked."""

    @property
    def standing(self) -> frozenset[Square]:
        """What was called occupied when the game began."""
        return frozenset(at for at, known in self.begun_with.items() if presence(known) > 0)

    @property
    def done(self) -> Sequence[ErrandDone]:
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
    hear: Callable[[Errand, float], None] | None = None
    """How simulated hands hear what they are asked; people read it."""
    bouncing: Callable[[], Mapping[Square, Bouncing]] = dict
    trouble: Callable[[], Notice | None] = lambda: None
    camera_says: Callable[[], CameraSaid | None] = lambda: None
    """What there is to be said of a camera."""

    def __post_init__(self) -> None:
        how = self.tell, self.language, self.trouble, self.step_s, self.hear
        self._leading = Leading(self, self.typed, self.clock, *how)
        self._course = Course(self.script, self.step_s)
        self._observations: list[Observation] = []
        self._lifts: list[tuple[Flip, float]] = []
        self._looked_at: float | None = None

    def run(self, is_fit: Callable[[Course], bool]) -> Course:
        """Lead through all of it; after the check only where a board `is_fit` to be played on."""
        began, worked, course = self.stopwatch(), self.cpu(), self._course
        wanted = frozenset(squares_of(Position.start(parse_rules(RULES)).occupied))
        leading, known = self._leading, self._leading.occupancy
        self._set_up(wanted)
        course.missing = frozenset(wanted - known.occupied)
        course.extra = frozenset(known.occupied - wanted)
        course.checked = self._lead(self.script.check()) if known else ()
        course.begun_with = dict(known.evidence)
        course.began_at = course.ended_at = self.clock.now()
        if is_fit(course):
            self._go_through(course)
        leading.show(DARK)
        passed = self.stopwatch() - began
        course.cpu_share = (self.cpu() - worked) / passed if passed else 0.0
        course.margins_ms = {
            square: self.hold_off_ms - how.longest_s * 1000
            for square, how in self.bouncing().items()
            if how.longest_s is not None
        }
        course.camera = self.camera_says()
        return course

    def poll(self, now: float) -> list[Observation]:
        """Look at the board, and keep what it shows."""
        course = self._course
        if self._looked_at is not None:
            course.late.append(max(now - self._looked_at - self.step_s, 0.0))
        self._looked_at = now
        begun = self.stopwatch()
        news = list(self.board.poll(now))
        course.polls.append(self.stopwatch() - begun)
        self._observations += news
        for observation in news:
            course.histories.observe(observation)
        return news

    def show(self, lights: Sequence[RGB]) -> None:
        begun = self.stopwatch()
        self.board.show(lights)
        self._course.shows.append(self.stopwatch() - begun)

    def _set_up(self, wanted: frozenset[Square]) -> None:
        """Wait until the pieces stand as for a new game; who says so is believed."""
        known, began = self._leading.occupancy, self.clock.now()
        right_since: float | None = None

        def is_done(flips: Flips, typed: Sequence[str], now: float) -> bool:
            nonlocal right_since
            is_right = bool(known) and known.occupied == wanted
            right_since = (right_since or now) if is_right else None
            is_said = bool(typed) and (bool(known) or now >= began + SILENT_S)
            return is_said or (right_since is not None and now >= right_since + SETTLED_S)

        def shown(now: float) -> Sequence[RGB]:
            cues = dict.fromkeys(known.occupied - wanted, Cue.WRONG)
            cues |= dict.fromkeys(wanted - known.occupied, Cue.BELONGS)
            return lights(cues, self.lighting, now)

        def hint() -> None:
            if self.script.looks:
                self._leading.say(HANDS_OFF)

        self._leading.lead(Errand(SET_UP), is_done, shown, hint, 0.0)

    def _go_through(self, course: Course) -> None:
        """Lead through the game, and in the end over the squares that were left alone."""
        first, plies = len(self._observations), self.script.plies
        played: list[ErrandDone] = []
        for ply in plies:
            self.tell(f"{ply.number}/{len(plies)}")
            played += self._lead(self.script.errands(ply))
            if _vain(played) >= MOST_VAIN:
                break
        course.played, course.ended_at = played, self.clock.now()
        course.observations = tuple(self._observations[first:])
        if _vain(played) < MOST_VAIN:
            course.tried = self._lead(self.script.untouched())

    def _lead(self, asked: Iterable[Errand]) -> Sequence[ErrandDone]:
        done = []
        for errand in asked:
            watch = ErrandWatch(errand, self._lifts, self.clock.now())
            self._leading.lead(
                errand,
                watch.is_done,
                partial(self._lights, errand),
                partial(self._hint, watch.done),
                self.script.patience_s + errand.lasts_s,
            )
            done.append(watch.done)
        return done

    def _lights(self, errand: Errand, now: float) -> Sequence[RGB]:
        """Return what lamps say of an errand in the table's own lights: lift this, put it there."""
        cues = {
            square: Cue.BELONGS if (square, True) in errand.wants[-1:] else Cue.WANTED
            for square in errand.squares
            if not errand.by_words
        }
        return lights(cues, self.lighting, now)

    def _hint(self, done: ErrandDone) -> None:
        if done.strays:
            self._leading.say(STRANGE, square=format_square(done.strays[0][0].square))
        else:
            self._leading.say(ENTER)


def _vain(done: Iterable[ErrandDone]) -> int:
    return sum(each.is_vain for each in done)

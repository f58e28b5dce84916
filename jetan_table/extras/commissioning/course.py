"""How a trial leads hands: what is lit, said and seen, and what that took.

What a switch does not show, people say: they have done what was asked, and the next errand comes.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from hardware.ports import RGB, Evidence, Flip, Observation, presence
from hardware.reeds import Bouncing
from hardware.sensors import BLINK_S, SquareHistories
from rules import Position, Square, format_square, parse_rules, squares_of
from rules.sentences import _

from ...languages import Language
from ...light.lamps import Cue, Lighting, lights
from ...table.board import Surface
from ...table.loop import Clock
from .faults import CameraSaid
from .script import HANDS_OFF, RULES, Script
from .walk import DARK, Errand, HandDemand, Leading, Seen, Typist

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


@dataclass(frozen=True, slots=True)
class Stray:
    """A square that changed though nothing was asked of it. `at` is in seconds."""

    at: float
    square: Square
    is_occupied: bool


@dataclass(frozen=True, slots=True)
class ErrandDone:
    """What became of a errand. Times are seconds on the table clock."""

    errand: Errand
    asked_at: float
    seen_at: tuple[float | None, ...]
    """When each change that it wants was seen; None: never, people said that it was done."""
    done_at: float
    strays: tuple[Stray, ...] = ()

    @property
    def is_vain(self) -> bool:
        """Whether something was not seen that had to be."""
        wants = len(self.seen_at) - self.errand.may_hide
        return None in self.seen_at[:wants]


@dataclass(frozen=True, slots=True)
class Led:
    """Who is led in a trial, by which lights and script."""

    leading: Leading
    lighting: Lighting
    script: Script
    lifts: list[Stray]
    """Squares that have opened, and may close again at once: a weak switch blinks."""


class TrialDemand(HandDemand):
    """Base of what a trial asks: lamps say it in the table's own lights."""

    def __init__(self, errand: Errand, led: Led) -> None:
        super().__init__(errand)
        self._led = led

    def cues(self) -> Mapping[Square, Cue]:
        """Return what squares mean: lift this, put it there."""
        errand = self.errand
        return {
            square: Cue.BELONGS if (square, True) in errand.wants[-1:] else Cue.WANTED
            for square in errand.squares
            if not errand.by_words
        }

    def lights(self, now: float) -> Sequence[RGB]:
        how = self._led.lighting
        return lights(self.cues(), how, now)


class StandingReady(TrialDemand):
    """The pieces are to stand as for a new game; who says so is believed."""

    patience_s = 0.0

    def __init__(self, led: Led, wanted: Collection[Square], now: float) -> None:
        super().__init__(Errand(SET_UP), led)
        self._known, self._wanted, self._began = led.leading.occupancy, set(wanted), now
        self._right_since: float | None = None

    def see(self, look: Seen, now: float) -> bool:
        is_right = bool(self._known) and self._known.occupied == self._wanted
        self._right_since = (self._right_since or now) if is_right else None
        is_said = bool(look.typed) and (bool(self._known) or now >= self._began + SILENT_S)
        has_settled = self._right_since is not None and now >= self._right_since + SETTLED_S
        return is_said or has_settled

    def help(self) -> None:
        if self._led.script.looks:
            self._led.leading.say(HANDS_OFF)

    def cues(self) -> Mapping[Square, Cue]:
        occupied = self._known.occupied
        wrong = dict.fromkeys(occupied - self._wanted, Cue.WRONG)
        return wrong | dict.fromkeys(self._wanted - occupied, Cue.BELONGS)


class ScriptDemand(TrialDemand):
    """An errand of the script, and what has been seen of it."""

    def __init__(self, errand: Errand, led: Led, now: float) -> None:
        super().__init__(errand, led)
        self.patience_s = led.script.patience_s + errand.lasts_s
        self._asked_at = self._last_at = self._done_at = now
        self._seen: list[float | None] = [None] * len(errand.wants)
        self._strays: list[Stray] = []

    @property
    def done(self) -> ErrandDone:
        shown, strays = tuple(self._seen), tuple(self._strays)
        return ErrandDone(self.errand, self._asked_at, shown, self._done_at, strays)

    def see(self, look: Seen, now: float) -> bool:
        for flip, at in look.flips:
            self._flip(flip, at)
        lifts = self._led.lifts
        for lift in [each for each in lifts if now - each.at >= BLINK_S]:
            lifts.remove(lift)
            self._take(lift)
        is_rested = now >= self._last_at + max(REST_S, self.errand.lasts_s)
        is_over = self._is_hidden and now >= self._last_at + HIDDEN_S
        is_said = bool(look.typed) and bool(self.errand.wants)
        self._done_at = now
        return is_over or is_said or (is_rested and None not in self._seen)

    def help(self) -> None:
        if self._strays:
            self._led.leading.say(STRANGE, square=format_square(self._strays[0].square))
        else:
            self._led.leading.say(ENTER)

    def _flip(self, flip: Flip, at: float) -> None:
        """Take in that a square has become occupied or empty at a time.

        It counts as empty only once it has been so for longer than a weak switch opens.
        """
        change, lifts = Stray(at, flip.square, flip.is_occupied), self._led.lifts
        if not flip.is_occupied:
            lifts.append(change)
            return
        blink = next((each for each in lifts if each.square == flip.square), None)
        if blink is not None:
            lifts.remove(blink)
            if at - blink.at < BLINK_S:
                # An opening that is as short as a blink is a capture, where one is asked for.
                if self._is_hidden and self._place(change) is not None:
                    self._seen[-1] = self._last_at = at
                return
            self._take(blink)
        self._take(change)

    @property
    def _is_hidden(self) -> bool:
        """Whether all was seen but a last change that may go unseen."""
        return self.errand.may_hide and self._seen.count(None) == 1

    def _place(self, change: Stray) -> int | None:
        """Return which of the changes that are wanted this is: the next one of its square."""
        for place, (square, is_occupied) in enumerate(self.errand.wants):
            if self._seen[place] is None and square == change.square:
                return place if is_occupied == change.is_occupied else None
        return None

    def _take(self, change: Stray) -> None:
        place = self._place(change)
        if place is not None:
            self._seen[place] = self._last_at = change.at
        elif change.square not in self.errand.squares:
            self._strays.append(change)


MOST_VAIN: Final = 8
"""A game in which so many errands were in vain is not played on."""


@dataclass(slots=True)
class WorkTimes:
    """What the table's work took. Times are seconds, one a look at the board."""

    step_s: float
    """From one look to the next, as it should be."""
    late: list[float] = field(default_factory=list)
    """By how much each look came later."""
    polls: list[float] = field(default_factory=list)
    shows: list[float] = field(default_factory=list)
    """How long the lamps took to be shown, each time they changed."""
    cpu_share: float = 0.0
    """How much of one core the whole took."""


@dataclass(frozen=True, slots=True)
class Course:
    """What was done and seen in a trial. Times are seconds on the table clock."""

    missing: frozenset[Square]
    """Squares that were empty by the switches when people had set the pieces up."""
    extra: frozenset[Square]
    """Squares that were occupied then, and should not be."""
    checked: tuple[ErrandDone, ...]
    played: tuple[ErrandDone, ...]
    tried: tuple[ErrandDone, ...]
    began_at: float
    """When the game began."""
    begun_with: Mapping[Square, Evidence]
    """What was known of the board then; nothing where it has told nothing."""
    observations: tuple[Observation, ...]
    """All that was seen from then until the game's end."""
    ended_at: float
    script: Script

    @property
    def standing(self) -> frozenset[Square]:
        """What was called occupied when the game began."""
        return frozenset(at for at, known in self.begun_with.items() if presence(known) > 0)

    @property
    def done(self) -> tuple[ErrandDone, ...]:
        """All that was asked."""
        return self.checked + self.played + self.tried


@dataclass(slots=True)
class Watches:
    """What measures the work: `stopwatch` counts seconds, `cpu` those that the program worked."""

    stopwatch: Callable[[], float]
    cpu: Callable[[], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """A board to be tried, who does what is asked, and how it is lit and looked at."""

    board: Surface
    typist: Typist
    clock: Clock
    script: Script
    lighting: Lighting
    step_s: float
    """From one look at the board to the next."""
    watches: Watches
    hold_off_ms: float
    """For so long a switch that has changed is not believed again."""
    bouncing: Callable[[], Mapping[Square, Bouncing]] = dict
    trouble: Callable[[], str | None] = lambda: None
    camera_says: Callable[[], CameraSaid | None] = lambda: None
    """What there is to be said of a camera."""


class Measured:
    """A board whose looks and lamps are timed, and all that it shows kept."""

    def __init__(self, board: Surface, step_s: float, watches: Watches) -> None:
        self._board, self._watches = board, watches
        self.tempo = WorkTimes(step_s)
        self.histories = SquareHistories()
        self.observations: list[Observation] = []
        self._looked_at: float | None = None

    def poll(self, now: float) -> list[Observation]:
        tempo, stopwatch = self.tempo, self._watches.stopwatch
        if self._looked_at is not None:
            tempo.late.append(max(now - self._looked_at - tempo.step_s, 0.0))
        self._looked_at = now
        begun = stopwatch()
        news = list(self._board.poll(now))
        tempo.polls.append(stopwatch() - begun)
        self.observations += news
        for observation in news:
            self.histories.observe(observation)
        return news

    def show(self, lights: Sequence[RGB]) -> None:
        begun = self._watches.stopwatch()
        self._board.show(lights)
        self.tempo.shows.append(self._watches.stopwatch() - begun)


class Trial:
    """Leads hands at one board through the script."""

    def __init__(self, tried: Tried, tell: Callable[[str], None], language: Language) -> None:
        """`tell` shows people a line."""
        step_s, clock, self._watches = tried.step_s, tried.clock, tried.watches
        self._board, self._clock = Measured(tried.board, step_s, tried.watches), clock
        how = tell, language, tried.trouble, step_s
        self._leading = Leading(self._board, tried.typist, clock, *how)
        self._script = tried.script
        self._led = Led(self._leading, tried.lighting, tried.script, [])
        self.tempo, self.histories = self._board.tempo, self._board.histories

    def run(self, is_fit: Callable[[Course], bool]) -> Course:
        """Lead through all of it; after the check only where a board `is_fit` to be played on."""
        began, worked = self._watches.stopwatch(), self._watches.cpu()
        wanted = frozenset(squares_of(Position.start(parse_rules(RULES)).occupied))
        leading, known = self._leading, self._leading.occupancy
        leading.lead(StandingReady(self._led, wanted, self._clock.now()))
        missing, extra = frozenset(wanted - known.occupied), frozenset(known.occupied - wanted)
        checked = self._lead(self._script.check()) if known else ()
        begun_with, began_at = dict(known.evidence), self._clock.now()
        first = len(self._board.observations)
        course = Course(
            missing, extra, checked, (), (), began_at, begun_with, (), began_at, self._script
        )
        if is_fit(course):
            course = self._go_through(course, first)
        leading.show(DARK)
        passed = self._watches.stopwatch() - began
        self.tempo.cpu_share = (self._watches.cpu() - worked) / passed if passed else 0.0
        return course

    def _go_through(self, course: Course, first: int) -> Course:
        """Lead through the game; what has been observed of it begins with the `first`."""
        played: list[ErrandDone] = []
        plies, observed = self._script.plies, self._board.observations
        for ply in plies:
            self._leading.tell(f"{ply.number}/{len(plies)}")
            played += self._lead(self._script.errands(ply))
            if _vain(played) >= MOST_VAIN:
                break
        ended_at, last = self._clock.now(), len(observed)
        tried = self._lead(self._script.untouched()) if _vain(played) < MOST_VAIN else ()
        return replace(
            course,
            played=tuple(played),
            tried=tried,
            observations=tuple(observed[first:last]),
            ended_at=ended_at,
        )

    def _lead(self, asked: Iterable[Errand]) -> tuple[ErrandDone, ...]:
        done = []
        for errand in asked:
            demand = ScriptDemand(errand, self._led, self._clock.now())
            self._leading.lead(demand)
            done.append(demand.done)
        return tuple(done)


def _vain(done: Iterable[ErrandDone]) -> int:
    return sum(each.is_vain for each in done)

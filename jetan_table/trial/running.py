"""One run of a trial at a board: what is lit and said, what is seen, and what that took."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

from hardware.ports import Evidence, Observation, presence
from hardware.square_history import SquareHistories
from rules import Position, Square, format_square, parse_rules, squares_of
from rules.sentences import Sentence, _

from ..lamps.cues import Cue
from ..lamps.lighting import Lighting
from ..lamps.lights import lights
from ..languages import Language, say_in
from ..reading.occupancy import Flip, Occupancy
from ..table.board import Surface
from ..table.loop import Clock
from .leader import DemandDone, Leader
from .script import HANDS_OFF, RULES, Demand, Script

SILENT_S: Final = 10.0
"""A board that tells nothing for so long need not be waited for."""

SETTLED_S: Final = 1.0
"""The pieces stand as they should for so long before anything is asked."""

MOST_VAIN: Final = 8
"""A game in which so many demands were in vain is not played on."""

SET_UP = _("Set the pieces up as for a new game. (If they stand so, and nothing happens: Enter.)")
ENTER = _("(Nothing is seen of it. If it is done: Enter.)")
STRANGE = _("({square} changed instead. If you did what was asked: Enter; else put it right.)")


class TrialTypist(Protocol):
    """Who does what is asked, and types a line where nothing was seen of it."""

    def read(self) -> list[str]:
        """Return the lines typed since the last call."""
        ...

    def hear(self, demand: Demand | None, now: float) -> None:
        """Take in what is asked for now; None: to set the pieces up."""
        ...


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
    checked: tuple[DemandDone, ...]
    played: tuple[DemandDone, ...]
    tried: tuple[DemandDone, ...]
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
    def done(self) -> tuple[DemandDone, ...]:
        """All that was asked."""
        return self.checked + self.played + self.tried


@dataclass(slots=True)
class Watches:
    """What measures the work: `stopwatch` counts seconds, `cpu` those that the program worked."""

    stopwatch: Callable[[], float]
    cpu: Callable[[], float]


class Trial:
    """Leads hands at one board through the script."""

    def __init__(
        self,
        board: Surface,
        typist: TrialTypist,
        clock: Clock,
        tell: Callable[[str], None],
        language: Language,
        lighting: Lighting,
        script: Script,
        step_s: float,
        watches: Watches,
        trouble: Callable[[], str | None] = lambda: None,
    ) -> None:
        """`tell` shows people a line; `trouble` is why the board cannot be trusted now, if so."""
        self._board, self._typist, self._clock, self._tell = board, typist, clock, tell
        self._language, self._lighting, self._watches = language, lighting, watches
        self._script, self._trouble = script, trouble
        self._troubled: str | None = None
        self.tempo = WorkTimes(step_s)
        self.histories = SquareHistories()
        self._occupancy = Occupancy()
        self._observations: list[Observation] = []
        self._shown: tuple[tuple[int, int, int], ...] | None = None
        self._looked_at: float | None = None

    def run(self, is_fit: Callable[[Course], bool]) -> Course:
        """Lead through all of it; after the check only where a board `is_fit` to be played on."""
        began, worked = self._watches.stopwatch(), self._watches.cpu()
        start = Position.start(parse_rules(RULES))
        wanted = frozenset(squares_of(start.occupied))
        self._set_up(wanted)
        missing = frozenset(wanted - self._occupancy.occupied)
        extra = frozenset(self._occupancy.occupied - wanted)
        checked = self._lead(self._script.check()) if self._occupancy else ()
        begun_with, began_at = dict(self._occupancy.evidence), self._clock.now()
        first = len(self._observations)
        course = Course(
            missing, extra, checked, (), (), began_at, begun_with, (), began_at, self._script
        )
        if is_fit(course):
            course = self._go_through(course, first)
        self._show({})
        passed = self._watches.stopwatch() - began
        self.tempo.cpu_share = (self._watches.cpu() - worked) / passed if passed else 0.0
        return course

    def _go_through(self, course: Course, first: int) -> Course:
        """Lead through the game; what has been observed of it begins with the `first`."""
        played = self._play()
        tried: tuple[DemandDone, ...] = ()
        ended_at, last = self._clock.now(), len(self._observations)
        if _vain(played) < MOST_VAIN:
            tried = self._lead(self._script.untouched())
        seen_then = tuple(self._observations[first:last])
        return replace(
            course, played=played, tried=tried, observations=seen_then, ended_at=ended_at
        )

    def _set_up(self, wanted: Collection[Square]) -> None:
        self._say(SET_UP)
        if self._script.looks:
            self._say(HANDS_OFF)
        began = self._clock.now()
        self._typist.hear(None, began)
        right_since: float | None = None
        while True:
            self._look()
            occupied = self._occupancy.occupied
            now = self._clock.now()
            is_right = bool(self._occupancy) and occupied == set(wanted)
            right_since = (right_since or now) if is_right else None
            is_typed = bool(self._typist.read())
            if is_typed and (self._occupancy or now >= began + SILENT_S):
                return
            if right_since is not None and now >= right_since + SETTLED_S:
                return
            wrong = dict.fromkeys(occupied - set(wanted), Cue.WRONG)
            self._show(wrong | dict.fromkeys(set(wanted) - occupied, Cue.BELONGS))

    def _play(self) -> tuple[DemandDone, ...]:
        done: list[DemandDone] = []
        plies = self._script.plies
        for ply in plies:
            self._tell(f"{ply.number}/{len(plies)}")
            done += self._lead(self._script.demands(ply))
            if _vain(done) >= MOST_VAIN:
                break
        return tuple(done)

    def _lead(self, asked: Iterable[Demand]) -> tuple[DemandDone, ...]:
        leader = Leader(asked, self._clock.now())
        while (demand := leader.demand) is not None:
            self._ask(demand)
            asked_at, hinted = self._clock.now(), False
            while leader.demand is demand:
                for flip, at in self._look():
                    leader.flip(flip, at)
                now = self._clock.now()
                leader.tick(now)
                if leader.demand is not demand:
                    break
                self._show(_cues(demand))
                if not hinted and now >= asked_at + self._script.patience_s + demand.lasts_s:
                    hinted = True
                    strange = leader.strange
                    if strange is not None:
                        self._say(STRANGE, square=format_square(strange.square))
                    else:
                        self._say(ENTER)
                if self._typist.read() and demand.wants:
                    leader.say_done(now)
        return tuple(leader.done)

    def _ask(self, demand: Demand) -> None:
        self._typist.read()  # what was typed before is no answer to this
        self._say(demand.words, **demand.values)
        self._typist.hear(demand, self._clock.now())

    def _look(self) -> list[tuple[Flip, float]]:
        """Let a moment pass, and return what has changed on the board, and when."""
        stopwatch, tempo = self._watches.stopwatch, self.tempo
        self._clock.sleep(tempo.step_s)
        now = self._clock.now()
        if self._looked_at is not None:
            tempo.late.append(max(now - self._looked_at - tempo.step_s, 0.0))
        self._looked_at = now
        troubled, self._troubled = self._troubled, self._trouble()
        if self._troubled and self._troubled != troubled:
            self._tell(self._troubled)
        begun = stopwatch()
        observations = list(self._board.poll(now))
        tempo.polls.append(stopwatch() - begun)
        flips = []
        for observation in observations:
            self._observations.append(observation)
            self.histories.observe(observation)
            flips += [(flip, observation.at) for flip in self._occupancy.update(observation)]
        return flips

    def _show(self, cues: Mapping[Square, Cue]) -> None:
        lighting = self._lighting
        shown = lights(
            cues, lighting.palette, self._clock.now(), lighting.lamp_of, lighting.dimming
        )
        if shown != self._shown:
            self._shown, begun = shown, self._watches.stopwatch()
            self._board.show(shown)
            self.tempo.shows.append(self._watches.stopwatch() - begun)

    def _say(self, what: Sentence, **values: object) -> None:
        self._tell(say_in(self._language, what, **values))


def _cues(demand: Demand) -> dict[Square, Cue]:
    """Return what lamps say of a demand: lift this, put it there."""
    if demand.by_words:
        return {}
    return {
        square: Cue.BELONGS if (square, True) in demand.wants[-1:] else Cue.WANTED
        for square in demand.squares
    }


def _vain(done: Iterable[DemandDone]) -> int:
    return sum(each.is_vain for each in done)

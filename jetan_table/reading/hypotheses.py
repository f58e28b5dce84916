"""All accounts of the moment, best first, and the questions that they leave open.

`think` searches the accounts of the trace, in as many calls as it takes. Where the board is quiet
and nothing explains it well, `seek_fault` adds those by which a switch has failed or an earlier
capture was another, and `seek_way` asks for the way back. An account costs what `cost` says, what
its world costs, and a fine for each told step that it gives up. `rivals` are those within a margin
of the best: all that is told or asked rests on them.

Where they differ, `Asking` says what may be asked, each question with the time from which it is
worth asking: hands mostly answer it themselves by what they do next. A question has one unknown,
where a piece ended or from where it came.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import NamedTuple, TypeAlias

from hardware.ports import Evidence as Likelihoods
from hardware.ports import FaultKind
from rules import Square, squares_of

from ..game.events import Question
from .accounts import Hypothesis, WayBack, count_kept, unsaid
from .costs import PRICES
from .history import History, Moment
from .readings import LIFT_LATE, JetanGame, Standing, Step, number_of, question_about
from .scene import Colours, Scene, Tempo, Trace
from .search import A_WEIGHING, Found, HypothesisSearch, Seed, Work, tries_of
from .speaking import (
    A_MOMENT_S,
    NEXT_SHOWS,
    Ask,
    Rival,
    SpeechClock,
    Wait,
    decide,
    later_s,
    silence_s,
)
from .way_back import clearest, find_ways_back, may_cost

FURTHER_BACK = 4  # told plies by which the way back begins further back, each time it finds none
FURTHEST_BACK = 16  # told plies, at the most
MOST_SHOWN = 3  # boards among which people may choose
MOST_POOR = 6  # hypotheses, the best, whose oddities are asked which switch may have failed
PLIES_SINCE = 2  # a dispute, by all who dispute: then it is settled
MOST_SUSPECTED = 30  # switches that are followed at once


Squares: TypeAlias = tuple[Square, Square]
"""From where to where a step goes."""


class Hypotheses:
    """Weighs what has happened since the history's anchor; `forget` when something has changed."""

    def __init__(self, game: JetanGame, history: History) -> None:
        self.tempo = Tempo()
        self.flickering = 0  # the squares that stood empty for a moment, with no hand near, as bits
        self._colours = Colours()
        self._game = game
        self._work = Work()
        self._search = HypothesisSearch(game, self._work)
        self._history = history
        self.way: tuple[Moment, list[WayBack]] | None = None  # back to how the board stands
        self.boards: list[tuple[Moment, WayBack]] = []  # how it may stand, where no way is clear
        self._is_way_sought = False
        self._found: list[Hypothesis] | None = None  # None until it is asked for
        self.holds_until = math.inf  # when they are to be weighed again, though nothing has changed
        self.is_lost = False  # the last search has found nothing good: it tells nothing
        self._likely: list[Seed] = []  # the best that were found last
        self._supposes_unseen = False  # whether they hold captures that nobody saw in any case
        self._faults_sought_at = 0.0  # since the last change; 0 where not yet
        self._suspected: list[tuple[Square, FaultKind]] = []

    def forget(self) -> None:
        """Drop what was found: something has changed, or been told."""
        self._weigh_again()
        self._faults_sought_at = 0.0
        self.way, self.boards, self._is_way_sought = None, [], False

    def _weigh_again(self) -> None:
        """Let all be weighed again, which may cost more or less by now."""
        self._found = self._work.in_progress = None

    def begin_call(self, now: float) -> None:
        """Let as much be worked again as one call may do."""
        self._work.renew(now)

    @property
    def goes_on_at(self) -> float:
        """Time at which a search that has paused may go on, in seconds on the table clock."""
        return self._work.goes_on_at

    def think(self, now: float) -> bool:
        """Go on with what is to be searched, as far as this call may; whether all is done.

        What has begun is searched to its end, however much time has passed.
        """
        if self._work.in_progress is None:
            # A search under way is not begun anew because time has passed: where it is long it
            # would never end.
            if self._found is not None and now + A_MOMENT_S >= self.holds_until:
                self._weigh_again()
            if self._found is None:
                self._work.in_progress = self._rank(now, unseen=0)
        return self._work.go_on()

    def _rank(self, now: float, unseen: int) -> Generator[None, None, None]:
        """Find all hypotheses of the trace."""
        self._found = yield from self._explain(self.scene(now), self._suspected, unseen=unseen)
        anchor, worlds = self._history.anchor, self._history.anchor.worlds
        self.is_lost = not self._found or self._found[0].is_lost(len(anchor.reported))
        sound = [each for each in self._found if each.fault is None]
        self._likely = [(worlds[e.world].position, e.steps) for e in sound[:MOST_POOR]]
        self._supposes_unseen = unseen > 0
        self.holds_until = min((each.holds_until for each in self._found), default=math.inf)

    @property
    def makes_no_sense(self) -> bool:
        """Return True if the board makes no sense by the best that has been found."""
        best = next(iter(self.ranked()), None)
        if best is None or best.strangers or best.in_hand.bit_count() > 1:
            return True
        return best.is_lost(len(self._history.anchor.reported))

    def seek_way(self, now: float) -> bool:
        """Search for the way back, as far as this call may; whether all is done."""
        if not self._is_way_sought:
            self._work.in_progress = self._seek_way(now)
        return self._work.go_on()

    def _seek_way(self, now: float) -> Generator[None, None, None]:
        """Seek it from the anchor, then from further back, where something was told wrongly.

        Take it only where it explains more than that the board is odd.
        """
        # All four lost games of a bench had a ply told wrongly that was left behind an anchor, so
        # that no way led on from it. Further back is tried in strides, for each attempt costs a
        # search.
        least = 0
        here = next(self._history.moments())
        fitting = [each for each in self.ranked() if not self._history.differs(each.after)]
        boards = {each.after: (here, each.as_way) for each in reversed(fitting)}
        for moment in self._history.moments():
            count = len(moment.reported)
            if count < least:
                continue
            if count > FURTHEST_BACK:
                break
            scene = self.scene(now, moment.trace)
            found = yield from find_ways_back(
                self._game, self._work, moment.worlds, scene, moment.reported
            )
            for way in found:
                boards.setdefault(way.position, (moment, way))
            ways = clearest(found, scene, moment.reported)
            if ways and self._explains_more(ways[0], moment):
                self.way = moment, ways
                break
            least = count + FURTHER_BACK
        likely = sorted(boards.values(), key=lambda one: one[1].strain)[:MOST_SHOWN]
        # Where no legal way leads to the board, people can still put the pieces as they were told.
        self.boards = likely or [(here, self._history.as_told)]
        self._is_way_sought = True

    def _explains_more(self, way: WayBack, moment: Moment) -> bool:
        """Return True if a way explains more than any account of other steps.

        What was told is denied only where every account is hopeless beside the way. Of one that
        begins further back only the strain counts, for it has seen more touches than the accounts;
        and it has no fewer plies than were told: what hands take back, the board shows.
        """
        # To deny what was told takes 400 to 1 (`HOPELESS`), chosen on a lost game that has seven
        # plies fewer right with `LOST`.
        plies, accounts = len(way.taken), self.ranked()
        kept = count_kept([one.step for one in way.taken], moment.reported)
        clearly = PRICES.MARGIN if kept == len(moment.reported) else PRICES.HOPELESS
        if not moment.back:
            others = (
                self.cost(each)
                for each in accounts
                if tuple(step.squares for step in each.steps) != way.squares
            )
            most = min(others, default=math.inf) - clearly
            return way.cost < most and way.cost <= may_cost(plies)
        strain = min((self.cost(each) - each.touches for each in accounts), default=math.inf)
        most = min(strain - clearly, may_cost(plies - kept))
        return plies >= len(moment.reported) and way.since(kept) < most

    def see_colour(self, square: Square, evidence: Likelihoods, at: float) -> bool:
        """Take in whose piece is seen; return whether it came to its square unseen."""
        before = self._colours.losses(square)
        is_another = self._colours.take(square, evidence, at)
        if self._colours.losses(square) != before:
            self.forget()
        return is_another

    def is_flicker(self, square: Square) -> bool:
        """Return True if a square that is occupied again only flickered, with nothing in the air.

        Then that is forgotten, if the square is known to flicker: the first time something over a
        switch that has stuck may have taken it.
        """
        trace, found = self._history.trace, self.ranked()
        times = trace.changes.get(square, [])
        if len(times) < 2 or not trace.level >> square & 1:
            return False
        if times[-1] - times[-2] >= PRICES.FLICKER_S * self.tempo.pace:
            return False
        since = times[-2] - PRICES.HOLD_S
        # A hand near by may have taken the piece and set another there.
        if any(times[-1] > since for other, times in trace.changes.items() if other != square):
            return False  # a hand was near
        if not found or found[0].in_hand != 1 << square:
            return False
        if self.flickering >> square & 1:
            trace.forget_last(square)
        return True

    def trust(self, square: Square) -> None:
        """A switch has followed, so that it is not suspected any more."""
        self._suspected = [fault for fault in self._suspected if fault[0] != square]

    def ranked(self) -> list[Hypothesis]:
        """All hypotheses of the trace, best first; none while they are searched for."""
        return self._found or []

    def suppose_unseen(self, now: float) -> bool:
        """Let captures that nobody saw be among the hypotheses in any case; whether they are."""
        if not self._supposes_unseen and self._work.in_progress is None:
            self._work.in_progress = self._rank(now, unseen=1)
        return self.think(now)

    def _explain(
        self, scene: Scene, *suspected: Sequence[tuple[Square, FaultKind]], unseen: int = 0
    ) -> Found:
        """Explain the trace, best first, also by switches suspected: each list gets its share."""
        anchor = self._history.anchor
        tries = self._work.tries
        found = yield from self._search.explain(
            anchor.worlds, scene, anchor.reported, unseen, seeds=self._likely, tries=tries
        )
        # Failed switches are searched for only below what they could improve on.
        limit = min((each.cost for each in found), default=math.inf) + PRICES.HOPELESS
        for faults in filter(None, suspected):
            found += yield from self._search.explain_by_failures(
                anchor.worlds, scene, anchor.reported, faults, limit, tries
            )
        found.sort(key=self.cost)
        return found

    def scene(self, now: float, trace: Trace | None = None) -> Scene:
        """Return the trace since the anchor, or another, with all that bears on it."""
        trace, rates = trace or self._history.trace, self._history.rates
        pace, slowest = self.tempo.pace, self.tempo.slowest
        return Scene(trace, pace, slowest, self.flickering, now, self._colours, rates)

    def seek_fault(self, now: float, changed_at: float) -> float | None:
        """Add hypotheses by a failed switch, where the board is quiet and yet unexplained.

        Returns when to ask again, in seconds on the table clock; None where nothing is amiss.
        """
        found = self.ranked()
        if not found:
            return None
        best = found[0]
        scene = self.scene(now)
        unsure_since = changed_at if best.unsure_since is None else best.unsure_since
        rise_at = max(unsure_since + scene.rise_s, changed_at)
        # Twice at most: once the board is quiet, and once a piece that was knocked over would stand
        # again.
        if self._faults_sought_at >= rise_at:
            return None
        strain = best.strain(len(self._history.anchor.reported))
        amiss = bool(best.strangers or best.hasty) or strain > PRICES.STRANGER
        is_open = any(rival.in_hand or rival.strangers for rival in self.rivals())
        if not amiss and not is_open:
            self._suspected = []
            return None
        quiet_at = changed_at + PRICES.SUSPECT_S * self.tempo.pace
        due = rise_at if best.in_hand and not amiss else quiet_at
        if due > now:
            return due
        if self._faults_sought_at >= quiet_at and rise_at > now:
            return rise_at
        self._faults_sought_at = now
        self._work.in_progress = self._add_faults(scene)
        return None if rise_at <= now else rise_at

    def _add_faults(self, scene: Scene) -> Generator[None, None, None]:
        """Add the hypotheses by which a switch has failed, or something was told wrongly."""
        anchor = self._history.anchor
        found = self.ranked()
        poor = [hypothesis for hypothesis in found if hypothesis.fault is None][:MOST_POOR]
        # Those suspected before have a share of their own, so that new suspects cannot crowd out
        # the one that has failed.
        fresh = [
            fault
            for fault in self._search.suspects(anchor.worlds, scene, anchor.reported, poor)
            if fault not in self._suspected
        ]
        found = yield from self._explain(scene, self._suspected, fresh)
        found = yield from self._suppose_otherwise(scene, found)
        self._found, self._supposes_unseen = found, False
        limit = self.cost(found[0]) + PRICES.FORGET if found else math.inf
        likely = [
            each.fault for each in found if each.fault is not None and self.cost(each) < limit
        ]
        self._suspected = list(dict.fromkeys(likely))[:MOST_SUSPECTED]

    def is_disturbed(self, best: Hypothesis) -> bool:
        """Return True if a stranger came while the step to be told next was under way."""
        trace, index = self._history.trace, len(self._history.anchor.reported)
        lifted_at = best.lifted_at[index] if len(best.steps) > index else None
        since = [trace.changes[square][-1] for square in squares_of(best.strangers)]
        return lifted_at is not None and max(since, default=lifted_at) > lifted_at

    def wants_to_seek_fault(self, rivals: Sequence[Hypothesis]) -> bool:
        """Return True if rivals are so poor that failed switches must be thought of first.

        Of several steps that are still to be told, each may have been a little odd.
        """
        is_open = self._faults_sought_at == 0.0 and not any(rival.fault for rival in rivals)
        reported = len(self._history.anchor.reported)
        untold = len(rivals[0].steps) - reported
        poor = PRICES.STRANGER + PRICES.LOST_AGAIN * max(untold - 1, 0)
        return is_open and rivals[0].strain(reported) > poor

    def _suppose_otherwise(self, scene: Scene, found: list[Hypothesis]) -> Found:
        """Add the worlds in which a late capture was another than was told, or none.

        Only those that are not clearly worse than the rest.
        """
        anchor = self._history.anchor
        known = {world.assumed for world in anchor.worlds}
        otherwise = list(self._history.otherwise())
        tries = tries_of(len(otherwise))
        # A capture told wrongly some plies ago makes every later account poor, and looks like a
        # failed switch. Both are offered here, and what they cost decides.
        as_told = self.cost(found[0]) if found else math.inf
        for world in otherwise:
            self._work.spend(A_WEIGHING)
            if self._work.is_used_up:
                yield
            likely = self.cost(found[0]) + PRICES.FORGET if found else math.inf
            most = min(as_told + PRICES.FORGET * bool(world.failed), likely)
            if world.cost >= most or world.assumed in known:
                continue
            more = yield from self._search.explain(
                (world,), scene, anchor.reported, limit=most, tries=tries
            )
            index = len(anchor.worlds)
            anchor.worlds.append(world)
            more = [replace(hypothesis, world=index) for hypothesis in more]
            if min(map(self.cost, more), default=math.inf) < most:
                found = sorted((*found, *more), key=self.cost)
            else:
                anchor.worlds.pop()
        return found

    def has_gone_on(self, rivals: Sequence[Hypothesis]) -> bool:
        """Return True if so much was played since a dispute of good hypotheses that it is over.

        What comes later seldom tells any more: the likeliest of them is believed, unless they are
        as likely.
        """
        best = rivals[0]
        floor = self.cost(best) + PRICES.MARGIN
        # Nothing that is played later tells two such accounts apart, so that waiting would never
        # end.
        near = [each for each in rivals if self.cost(each) < self.cost(best) + PRICES.LIKELIER]
        return all(self.keeps(each) is self.keeps(best) for each in near) and all(
            len(rival.steps) > self.kept(rival) + PLIES_SINCE - self.keeps(rival)
            and rival.landed_at[-1] is not None
            for rival in rivals
            if self.cost(rival) < floor
        )

    def rivals(self, margin: float | None = None) -> list[Hypothesis]:
        """The best hypothesis, and those not clearly worse: none of them can be ruled out.

        Clearly is by `margin` nats, `MARGIN` where nothing is said.
        """
        margin = PRICES.MARGIN if margin is None else margin
        found = self.ranked()
        if not found:
            return []
        best = found[0]
        floor = self.cost(best) + (margin if self.keeps(best) else PRICES.MARGIN_TO_RETRACT)
        return list(takewhile(lambda hypothesis: self.cost(hypothesis) < floor, found))

    def taken_as_well(self) -> list[Hypothesis]:
        """Return those by which the next step took another, where nobody saw which it took.

        They are not much worse, and where that is all that tells, it is better asked.
        """
        index, best = len(self._history.anchor.reported), self.ranked()[0]
        step = best.steps[index]
        if not step.capture or best.landed_at[index] is not None:
            return []
        return [
            other
            for other in self.rivals(PRICES.FORGET)
            if self.keeps(other) and len(other.steps) > index
            if other.steps[index].from_square == step.from_square
            if other.steps[index].capture and other.steps[index].to_square != step.to_square
        ]

    def choices(self, rivals: Sequence[Hypothesis]) -> dict[object, Step[Standing]]:
        """Return what the next step may be by these hypotheses, by its squares.

        Where they differ only in what a piece took, so may others that are not much worse: a longer
        list is the cheaper mistake. Where it certainly took, only what it can have taken is listed.
        """
        index = len(self._history.anchor.reported)
        # A list without the truth makes people choose a lie: the truth was among the options of 240
        # of 241 questions. So the list is rather too long.
        kinds = {each.steps[index].capture for each in self.rivals()}
        likely = [each.steps[index] for each in rivals if each.steps[index].capture in kinds]
        steps: dict[object, Step[Standing]] = {step.squares: step for step in likely}
        sources = {step.from_square for step in steps.values()}
        for other in self.rivals(PRICES.FORGET) if len(sources) == 1 else ():
            if self.keeps(other) and len(other.steps) > index:
                step = other.steps[index]
                if step.from_square in sources and step.capture in kinds:
                    steps[step.squares] = step
        return steps

    def cost(self, hypothesis: Hypothesis) -> float:
        """The cost of a hypothesis, its world's and that of giving up what was told, in nats."""
        anchor = self._history.anchor
        given_up = PRICES.RETRACT * unsaid(hypothesis.steps, anchor.reported)
        return hypothesis.cost + anchor.worlds[hypothesis.world].cost + given_up

    def said_by(self, hypotheses: Iterable[Hypothesis]) -> list[Rival[Squares]]:
        """Return what these would tell next, by the squares of its step."""
        index = len(self._history.anchor.reported)
        return [
            Rival(
                self.cost(each),
                self.kept(each),
                next((step.squares for step in each.steps[index:]), None),
            )
            for each in hypotheses
        ]

    def keeps(self, hypothesis: Hypothesis) -> bool:
        """Return True if a hypothesis begins with what has been told."""
        return self.kept(hypothesis) == len(self._history.anchor.reported)

    def keeping(self) -> list[Hypothesis]:
        """All hypotheses that begin with what has been told, best first."""
        return list(filter(self.keeps, self.ranked()))

    def kept(self, hypothesis: Hypothesis) -> int:
        """Return the number of steps told with which a hypothesis begins."""
        return count_kept(hypothesis.steps, self._history.anchor.reported)


class Inquiry(NamedTuple):
    """A question that may be put."""

    at: float
    """From when on, in seconds on the table clock; infinity where hands must go on first."""
    question: Question
    options: tuple[Step[Standing], ...]
    """The steps it asks about, the likeliest first."""
    is_certain: bool = False
    """True where one of them has been played for certain."""


@dataclass(slots=True)
class Asking:
    """Finds what is open by the `rivals`, the best hypotheses and those not clearly worse.

    `number` is that of the next ply; the board changed last at `changed_at`, in seconds.
    """

    history: History
    hypotheses: Hypotheses
    rivals: Sequence[Hypothesis]
    number: int
    changed_at: float
    now: float

    def inquiries(self) -> Iterator[Inquiry | Wait]:
        """Yield what may be asked where not all rivals have the same next step.

        A wait stands for a question that cannot be found yet.
        """
        which = self.which()
        if which is not None:
            yield which
        held = [rival for rival in self.rivals if len(rival.steps) == self._index]
        if held and (hidden := self._hidden()):
            yield from self._whether(hidden, held, self.changed_at)
        elif held:
            yield from self._taken_by(held)

    def which(self) -> Inquiry | None:
        """Ask which it was, where all rivals have another next step; None where they have none."""
        if any(len(rival.steps) <= self._index for rival in self.rivals):
            return None
        if self.hypotheses.wants_to_seek_fault(self.rivals):
            return None
        options = tuple(self.hypotheses.choices(self.rivals).values())
        question = question_about(number_of(options[0], self.number), options)
        if question is None:
            return None
        return Inquiry(self._asks_at(), question, options, is_certain=True)

    @property
    def _index(self) -> int:
        """The number of steps told since the anchor."""
        return len(self.history.anchor.reported)

    def _taken_by(self, held: Sequence[Hypothesis]) -> Iterator[Inquiry | Wait]:
        """Ask what was taken by the piece that left first, of those that the best has in hand."""
        best, trace = held[0], self.history.trace
        if not best.in_hand or best.strangers or best.fault is not None:
            return
        since, gone = min((trace.changes[each][-1], each) for each in squares_of(best.in_hand))
        # Before that nothing of it can be worth asking, and captures that nobody saw cost a search.
        soonest = since + silence_s(1.0)
        if soonest > self.now + A_MOMENT_S:
            yield Wait(soonest)
            return
        if not self.hypotheses.suppose_unseen(self.now):
            yield Wait(max(self.hypotheses.goes_on_at, self.now))
            return
        found = self._unseen(best, gone)
        if not found:
            return
        # Where more is in the air, or what it took was seen to leave, hands were at work until now.
        is_seen = any(each.landed_at[self._index] is not None for each in found)
        still_since = self.changed_at if is_seen or best.in_hand != 1 << gone else since
        least_s = silence_s(NEXT_SHOWS) if any(each.in_hand for each in found) else 0.0
        yield from self._whether(found, held, still_since, least_s)

    def _hidden(self) -> list[Hypothesis]:
        """Return those by which pieces over switches that have failed may have taken unseen.

        They come next. None where something else may have happened, or is about to.
        """
        index, failed = self._index, self.history.trace.ignored
        hidden = [rival for rival in self.rivals if len(rival.steps) == index + 1]
        has_rival = any(len(r.steps) > index + 1 or r.in_hand | r.strangers for r in self.rivals)
        blind = all(failed >> rival.steps[-1].from_square & 1 for rival in hidden)
        return hidden if blind and not has_rival else []

    def _unseen(self, best: Hypothesis, gone: Square) -> list[Hypothesis]:
        """Return those by which the piece that `best` holds in the air, from `gone`, took another.

        None where all of them are too unlikely, the best by more than twice the margin, or what it
        can have taken is in the air as well. Where one was seen to take, none clearly worse.
        """
        found = [
            hypothesis
            for hypothesis in self.hypotheses.keeping()
            if len(hypothesis.steps) == self._index + 1
            and hypothesis.in_hand == best.in_hand & ~(1 << gone)
            and hypothesis.steps[-1].from_square == gone
            and not hypothesis.strangers
            and hypothesis.fault is None
            and hypothesis.steps[-1].is_ply
        ]
        # Without a gap a capture looks like a piece that is only held, so that it is asked about as
        # long as it is not much less likely than that.
        cheapest = min((hypothesis.cost for hypothesis in found), default=0.0)
        is_likely = cheapest < best.cost + PRICES.RETRACT + PRICES.MARGIN
        if not is_likely or any(best.in_hand >> each.steps[-1].to_square & 1 for each in found):
            return []
        is_seen = any(hypothesis.landed_at[-1] is not None for hypothesis in found)
        most = cheapest + PRICES.FORGET if is_seen else math.inf
        return [hypothesis for hypothesis in found if hypothesis.cost < most]

    def _asks_at(self) -> float:
        """Return when to ask which step came next: once silence costs more than it may save.

        Whether anything was taken at all is shown by the reply, or by a piece in the air; but not
        what a piece took, or which of several came to where one did. Where one was not seen to
        leave, its switch may open as soon as a piece beside is moved.
        """
        rivals, index = self.rivals, self._index
        replies = [[at for at in r.landed_at[index + 1 :] if at is not None] for r in rivals]
        landed = [reply[0] for reply in replies if reply]
        has_replied = len(landed) == len(rivals)
        steps = [rival.steps[index] for rival in rivals]
        captures = [step.capture for step in steps]
        is_open = any(captures) and not all(captures)
        lifted_at = [rival.lifted_at[index] for rival in rivals]
        is_late = all(at is None for at in lifted_at)
        has_left = all(
            at is not None or rival.step_doubts[index] == LIFT_LATE
            for at, rival in zip(lifted_at, rivals, strict=True)
        )
        hold_s = PRICES.HOLD_S * max(self.hypotheses.tempo.pace, 1.0)
        shown = [reply[2] for reply in replies if reply[2:]]
        if len(shown) == len(rivals) and has_left:
            return max(shown) + hold_s
        if any(rival.in_hand for rival in rivals) and (is_open or is_late):
            return math.inf
        if is_late and not has_left:
            return max(landed, default=self.changed_at) + later_s()
        if is_open and not has_replied:
            return self.changed_at + later_s()
        came_there = has_left and len({step.to_square for step in steps}) == 1
        quiet_at = self.changed_at + silence_s(NEXT_SHOWS)
        if not has_replied or not (all(captures) or came_there):
            return quiet_at
        return min(quiet_at, max(landed) + hold_s)

    def _whether(
        self,
        found: Sequence[Hypothesis],
        others: Sequence[Hypothesis],
        since: float,
        least_s: float = 0.0,
    ) -> Iterator[Inquiry]:
        """Ask which step of those `found` was played, if any; by the `others` none of them was.

        Nothing has shown it `since` then; it is waited for `least_s` seconds at the least.
        """
        cost, index = self.hypotheses.cost, self._index
        without: list[Rival[Squares]] = [Rival(cost(each), index, None) for each in others]
        accounts = [*without, *self.hypotheses.said_by(found)]
        what = decide(accounts, index, SpeechClock(self.now))
        if not isinstance(what, Ask):
            return
        if len(what.options) > 1:  # which of them, the reply hardly shows
            wait_s = silence_s(1.0 - what.played, what.played)
        else:  # that it was taken, the reply shows
            wait_s = later_s(what.played)
        steps = {each.steps[index].squares: each.steps[index] for each in found}
        options = tuple(steps[squares] for squares in what.options)
        question = question_about(number_of(options[0], self.number), options)
        if question is not None:
            yield Inquiry(since + max(wait_s, least_s), question, options)

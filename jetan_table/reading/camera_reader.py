"""The camera reader: from evidence of whole boards to what has been played.

A camera sees every square at once, but seldom the hands in the act. So nothing is decided square by
square: every position that can follow legally is weighed against all squares together, several
positions are kept alive while the evidence is thin (a beam), and a step is told once all positions
within a margin of the best agree on it. What turns out wrong is taken back in words.

Nothing here knows a piece, a clock or a camera; the words are those of `readings`.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from typing import Generic

from msgspec import structs

from hardware.ports import SURELY_KNOWN, Believed, Observation
from hardware.ports import Evidence as Likelihoods
from rules import Square, format_square, parse_square

from ..game.events import Question
from .camera_beam import (
    EXPLAINED,
    HOPELESS,
    MOST_OF_A_SQUARE,
    STEP,
    TELLING_MARGIN,
    BoardLook,
    Candidate,
    KeptLook,
    LookDecoder,
    Node,
    WayOfLooks,
    Weighing,
    candidate_at,
    pieces_on,
)
from .readings import (
    Belief,
    CameraGame,
    Evidence,
    FoundAgain,
    GameLost,
    P,
    Reading,
    Step,
    answering,
    question_about,
    telling,
    undoing,
)
from .speaking import (
    NEXT_SHOWS,
    Ask,
    Rival,
    Silence,
    SpeechClock,
    Withdraw,
    decide,
    rest_s,
    silence_after,
    silence_s,
)

STRAIN = 12.0  # nats that the best leaves unexplained, besides one square: then nothing is told
# A way that leaves more unexplained since a step was told than one square can say is no way: too
# much has been overlooked.
OWED = MOST_OF_A_SQUARE
# Of two ways to one position, one must be so much likelier by what has been seen to close a
# question: 8,000 to 1.
DOUBT = 1.5 * TELLING_MARGIN

REMEMBERED = 12  # looks, for what a step owes that is found later than it was made

# More steps found in one look are told, or taken back, when another look shows them too: a hand may
# look like many.
STEPS_AT_ONCE = 2
MAY_BE_NOTHING = 0.5  # the chance that anything was played where "nothing" is among the answers
MOST_ASKED = 3  # that nothing has happened is one of them

BACK = 12  # the way back is looked for from so many steps before what was told last
CLEARLY_AHEAD = 10.0  # and taken where it is so much likelier than any to another position, in nats
MOST_SHOWN = 3  # positions among which people may choose


class CameraReader(Generic[P]):
    """Reads looks at whole boards into plies.

    `position` is what the board should show at first, `number` that of the next ply. It is driven
    as the reader of switches is: observations in, readings out, `belief` at any moment.
    """

    due: float | None = None  # nothing becomes certain by waiting alone

    def __init__(self, game: CameraGame[P], position: P, number: int = 1) -> None:
        self.game = game
        self._start = candidate_at(game, position, None, number)
        self._candidates = [self._start]
        self._reported: list[Node[P]] = []
        self._evidence: dict[Square, Likelihoods] = {}
        self._look = BoardLook({})
        self._earlier: deque[KeptLook] = deque(maxlen=REMEMBERED)
        self._undecided_since: float | None = None
        self._is_shaken = False
        """Whether the look before would have taken back more steps than that."""
        self._question: Question | None = None
        self._passed: dict[int, Question] = {}
        """Questions that are open though play has gone on, by the step reported that each is
        about: which it was is not told, and the likeliest stands for it."""
        self._denied: frozenset[tuple[Square, Square]] = frozenset()
        self._vouched: dict[Square, tuple[int, int]] = {}
        """What squares looked like, and what stands there, when people answered about them."""
        self._said = 0
        """So many of the steps reported first are as players have said."""
        self._settled = 0.0
        """What the likeliest way owed when all that it has was told, or a step was."""
        self._decoder = LookDecoder(game)
        self._silence: Silence | None = None
        """Since when nothing has been told of what is seen; None where all of it is explained."""
        self.shown: tuple[P, ...] = ()
        """Which positions people may choose from, since it was said that the game is lost."""
        self._at = 0.0

    # ------------------------------------------------------------------ what goes in

    def observe(self, observation: Observation) -> list[Reading[P]]:
        """Take in what a sensor saw, and return what follows from it."""
        self._at = observation.at
        for square, evidence in observation.squares.items():
            if evidence is None:
                self._evidence.pop(square, None)
            else:
                self._evidence[square] = evidence
        shown = {
            square: self._vouched_for(square, self._evidence[square]) for square in self._evidence
        }
        self._look = BoardLook(shown)
        # Light that has changed tells no side from the other until it has been learned: what stands
        # where still shows.
        if self._look.is_relit(self._candidates[0].occupants):
            self._look = BoardLook({square: _sideless(each) for square, each in shown.items()})
        weighing = Weighing(
            self.game,
            self._start.position,
            self._look,
            observation.at,
            self._reported,
            self._denied,
            self._earlier,
            [*self._passed, *[len(self._reported)] * (self._question is not None)],
        )
        found = weighing.weighed(self._candidates)
        if self._look.likeliest:
            self._earlier.append(KeptLook(observation.at, self._look, weighing.trust))
        # A way holds all that players have said, but for what hands took back.
        kept = [w for w in found if self._kept(path := w.path) >= min(self._said, len(path))]
        self._candidates = kept or found
        best = self._candidates[0]
        # What is owed while all is explained belongs to old errors of the camera, and is no reason
        # to doubt what comes.
        if best.strain < EXPLAINED and best.path == self._reported:
            self._settled = best.debt
        # The decoder remembers what the beam has dropped, but a live camera sees the same board for
        # minutes: only another board is kept.
        if observation.squares and self._decoder.keep(KeptLook(observation.at, self._look)):
            self._seek_way_back()
        readings = self._conclude(observation.at)
        return readings + self._mind_the_way(observation.at, bool(readings))

    # ------------------------------------------------------------------ lost, and found again

    def _mind_the_way(self, at: float, has_spoken: bool) -> list[Reading[P]]:
        """Say that the game is lost where nothing explains what is seen; and that it is found.

        It is said once silence has cost more than it is likely to cost to say it for nothing.
        """
        best = self._candidates[0]
        if self.makes_sense and len(best.path) <= len(self._reported):
            self._silence = None
            was_lost, self.shown = bool(self.shown), ()
            return [Reading(FoundAgain(self.number), at)] if was_lost else []
        before = None if has_spoken else self._silence
        self._silence = silence_after(before, at, self._look.unlike(self.occupants))
        if self.shown or self._silence.cost < rest_s(NEXT_SHOWS):
            return []
        self.shown = tuple(way.position for way in self._ways_back()[1][:MOST_SHOWN])
        return [Reading(GameLost(self.number, self.shown), at)]

    def _ways_back(self) -> tuple[int, list[WayOfLooks[P]]]:
        """Return how the looks may have come about since some steps were told, and how many."""
        anchor = max(self._said, len(self._reported) - BACK, 0)
        since = self._reported[anchor - 1].at if anchor else -math.inf
        position = self._reported[anchor - 1].step.after if anchor else self._start.position
        return anchor, self._decoder.ways_from(position, since)

    def _seek_way_back(self) -> None:
        """Go on by the one way that explains all looks, once the game is lost and there is one."""
        if not self.shown:
            return
        anchor, ways = self._ways_back()
        best, rivals = ways[0], ways[1:]
        ahead = min([best.ahead, *(rival.cost - best.cost for rival in rivals[:1])])
        if ahead > CLEARLY_AHEAD and self._look.strain(best.occupants, but_worst=True) < STRAIN:
            self._candidates = [self._at_end_of(best, anchor)]

    def _at_end_of(self, way: WayOfLooks[P], anchor: int) -> Candidate[P]:
        node, number = self._reported[anchor - 1] if anchor else None, self._after(anchor)
        for step, kept in way.steps:
            ply = number - (not step.is_ply)
            node = Node(node, step, ply, kept.at, kept.at, kept.look)
            number += step.is_ply
        return candidate_at(self.game, self._start.position, node, number)

    def stands(self, number: int, at: float) -> list[Reading[P]]:
        """Take it from people that one of the positions shown stands there, 1 being the first.

        ValueError where there is none, or no way leads there any more.
        """
        anchor, ways = self._ways_back()
        shown = self.shown[number - 1 : number] if number > 0 else ()
        way = next((each for each in ways if each.position in shown), None)
        if way is None:
            raise ValueError(f"no board {number} was shown, or it cannot be there any more")
        self._candidates = [self._at_end_of(way, anchor)]
        readings = self._conclude(at, answered=True)
        self._said = len(self._reported)
        return readings + self._mind_the_way(at, has_spoken=True)

    def _kept(self, path: Sequence[Node[P]]) -> int:
        """Return with how many of the steps reported a way begins; of open ones any will do."""
        kept = 0
        for index, (one, other) in enumerate(zip(self._reported, path, strict=False)):
            is_same = one.step.squares == other.step.squares
            if not is_same and (index not in self._passed or one.step.is_ply != other.step.is_ply):
                break
            kept += 1
        return kept

    def tick(self, now: float) -> list[Reading[P]]:
        """Let time pass; only looks decide."""
        return []

    def answer(self, number: int, square: Square) -> list[Reading[P]]:
        """The players say which of its candidates a question meant; ValueError if it is none."""
        index = next((i for i, each in self._passed.items() if each.number == number), None)
        question = self._question if index is None else self._passed[index]
        if question is None or question.number != number or square not in question.squares:
            raise ValueError(f"ply {number} was not asked about, or {square} is no candidate")
        answer, open_at = format_square(square), len(self._reported) if index is None else index
        meant = [
            candidate
            for candidate in self._candidates
            if len(path := candidate.path) > open_at
            and question.means(answer, *path[open_at].step.squares)
        ]
        if question.denies(answer) and not meant:
            readings = self._deny(question, index)
        else:
            self._candidates = meant or [self._as_said(question, answer, open_at)]
            readings = self._conclude(self._at, answered=True)
            self._said = open_at + 1
        self._vouch(question)
        return readings

    def _vouch(self, question: Question) -> None:
        """Keep what people have said of the squares asked about, for as long as they look so."""
        ends = filter(None, (question.from_square, question.to_square))
        for square in {*question.squares, *map(parse_square, ends)}:
            looks = self._look.likeliest.get(square)
            if looks is not None:
                self._vouched[square] = looks, self.occupants[square]

    def _vouched_for(self, square: Square, evidence: Likelihoods) -> Likelihoods:
        """Return the evidence of a square, or what people said while it has not changed since."""
        if square not in self._vouched:
            return evidence
        looks, who = self._vouched[square]
        if evidence[looks] < max(evidence) or who != self.occupants[square]:
            del self._vouched[square]
            return evidence
        empty, black, orange, neutral = (-EXPLAINED * (who != each) for each in range(4))
        return empty, black, orange, neutral

    def _as_said(self, question: Question, answer: str, index: int) -> Candidate[P]:
        """Return what players say though no way that is alive has it: begin anew with it."""
        before = self._reported[index - 1].step.after if index else self._start.position
        steps = self.game.steps(before, pieces_on(self.game.occupants(before)))
        step = next((each for each in steps if question.means(answer, *each.squares)), None)
        if step is None:
            raise ValueError(f"ply {question.number} cannot have been that")
        last = self._reported[index - 1] if index else None
        node = Node(last, step, question.number, self._at, self._at, self._look)
        return candidate_at(self.game, self._start.position, node, self._after(index) + step.is_ply)

    def _deny(self, question: Question, index: int | None) -> list[Reading[P]]:
        """The players say that what was asked about has not happened, nor what followed it."""
        readings: list[Reading[P]] = []
        if index is not None:
            readings = self._taken_back(index, self._at)
        count = len(self._reported)
        kept, denied = [], set(self._denied)
        for candidate in self._candidates:
            rest = candidate.path[count:]
            if rest and _names(question, rest[0].step):
                denied.add(rest[0].step.squares)
            else:
                kept.append(candidate)
        last = self._reported[-1] if self._reported else None
        number = self._after(count)
        self._candidates = kept or [candidate_at(self.game, self._start.position, last, number)]
        self._denied, self._undecided_since = frozenset(denied), None
        return readings + self._nothing_happened(self._at)

    def _after(self, count: int) -> int:
        """Return the number of the ply after so many of the steps reported."""
        return self._start.next_number + sum(node.step.is_ply for node in self._reported[:count])

    # ------------------------------------------------------------------ what is believed

    @property
    def number(self) -> int:
        """The number of the next ply."""
        return self._after(len(self._reported))

    @property
    def questions(self) -> tuple[Question, ...]:
        """The open questions, the earliest ply first."""
        now = () if self._question is None else (self._question,)
        return (*(each for _, each in sorted(self._passed.items())), *now)

    @property
    def makes_sense(self) -> bool:
        """True while some position explains the last look, but for one square at most.

        The way to it must explain the looks since the last step that was told.
        """
        best = self._candidates[0]
        goes_on = self._kept(best.path) == len(self._reported)
        owed = best.debt - self._settled if goes_on else 0.0
        return owed < OWED and self._look.strain(best.occupants, but_worst=True) < STRAIN

    @property
    def believed(self) -> Believed | None:
        """The likeliest occupant of each square; None while no position explains what is seen.

        How sure each square is: how much better the best position is than any that differs there,
        "nothing has happened" included.
        """
        if not self.makes_sense:
            return None
        best, *rest = self._candidates
        margins = [SURELY_KNOWN] * len(best.occupants)
        for rival in reversed(rest):
            behind = best.score - rival.score
            for square, occupant in enumerate(rival.occupants):
                if occupant != best.occupants[square]:
                    margins[square] = min(margins[square], behind)
        return Believed(tuple(best.occupants), tuple(margins))

    @property
    def likeliest(self) -> list[tuple[Square, Square]]:
        """Return the steps of the likeliest way from the first position, told or not."""
        path = self._candidates[0].path
        return [node.step.squares for node in path if not _is_rest(node.step)]

    @property
    def occupants(self) -> Sequence[int]:
        """The occupant of each square, by what has been told."""
        return self.game.occupants(self._position)

    @property
    def belief(self) -> Belief[P]:
        """The position as it is read now, and what is open in it."""
        occupants = self.occupants
        unlike = self._look.unlike(occupants)
        missing = frozenset(s for s in unlike if occupants[s] and self._look.loss(s, 0) == 0)
        return Belief(
            self._position,
            self.number,
            tuple(sorted(missing)),
            missing,
            unlike - missing,
            next(iter(self._passed.values()), self._question),
        )

    @property
    def _position(self) -> P:
        return self._reported[-1].step.after if self._reported else self._start.position

    # ------------------------------------------------------------------ concluding

    def _conclude(self, at: float, answered: bool = False) -> list[Reading[P]]:
        """Tell what all good candidates agree on, and take back what none of them holds."""
        best = self._candidates[0]
        rivals = [
            candidate
            for candidate in self._candidates
            if candidate.score > best.score - self._margin(best, candidate)
        ]
        paths = [candidate.path for candidate in rivals]
        count, clock = len(self._reported), SpeechClock(at)  # no look is waited for
        if not self.makes_sense and not answered:
            return []
        way = max(paths, key=self._kept)
        self._follow(way)
        what = decide([self._rival(each) for each in rivals], count, clock)
        kept = what.kept if isinstance(what, Withdraw) else count
        # A hand over the board may hide many pieces at once. Several steps are taken back, or told,
        # only when a second look says the same.
        was_shaken, self._is_shaken = self._is_shaken, count - kept > STEPS_AT_ONCE
        if self._is_shaken and not was_shaken and not answered:
            return []
        readings = self._taken_back(kept, at) + self._explained(paths, at)
        untold = way[len(self._reported) :]
        if sum(node.at == at for node in untold) > STEPS_AT_ONCE and not answered:
            return readings
        for node in untold:
            following = [self._rival(each, node) for each in rivals]
            what = decide(following, len(self._reported), clock)
            besides = self._besides(node, paths, untold)
            if (besides or isinstance(what, Ask)) and self._passes(paths):
                return readings + self._conclude(at, answered)
            if isinstance(what, Ask):
                doubters = [path for path in paths if not self._holds(path, node)]
                nodes = [node] + [self._next(path) for path in doubters]
                return readings + self._ask(nodes, at)
            if besides:
                # Once play has gone on past what the neutral piece may have done, that is asked at
                # once: the ply waits for nothing else.
                waits = besides[0].step.is_ply
                readings += self._ask([*besides, *map(self._next, paths)], at, waits)
                return readings + (self._conclude(at, answered) if self._passes(paths) else [])
            readings += self._tell(node, at)
        if all(len(path) <= len(self._reported) for path in paths):
            self._undecided_since = None
            readings += self._nothing_happened(at)
        return readings

    def _follow(self, way: Sequence[Node[P]]) -> None:
        """Let what is open be as the likeliest way has it."""
        if self._passed:
            kept = self._kept(way)
            self._reported[:kept] = way[:kept]

    def _explained(self, paths: Sequence[list[Node[P]]], at: float) -> list[Reading[P]]:
        """Tell what steps that are open have been, where all these ways agree on it by now."""
        readings: list[Reading[P]] = []
        for index in sorted(self._passed):
            steps = {path[index].step.squares for path in paths if self._kept(path) > index}
            if len(steps) == 1:
                node = self._reported[index]
                del self._passed[index]
                if _is_rest(node.step):
                    readings.append(undoing(node.number, False, at))
                else:
                    readings.append(answering(node.number, node.step, at))
        return readings

    def _passes(self, paths: Sequence[list[Node[P]]]) -> bool:
        """Go on past a step that is asked about, where by all these ways play has gone on."""
        question, index = self._question, len(self._reported)
        if question is None:
            return False
        for path in paths:
            if self._kept(path) < index or len(path) <= index:
                return False
            is_there = _is_about(question, path[index])
            if len(path) <= index + is_there or not (is_there or _rested(question, path[index])):
                return False
        self._candidates = [self._with_rest(each, question, index) for each in self._candidates]
        self._passed[index], self._question = question, None
        self._reported.append(self._candidates[0].path[index])
        self._denied, self._undecided_since = frozenset(), None
        return True

    def _with_rest(self, candidate: Candidate[P], question: Question, index: int) -> Candidate[P]:
        """Return a candidate by whose way the neutral piece has rested with that as its step.

        So all ways go on with the same ply whatever it did before, and it stops nobody's.
        """
        path = candidate.path
        if self._kept(path) < index or len(path) <= index or not _rested(question, path[index]):
            return candidate
        before, after = path[index - 1] if index else None, path[index]
        position = before.step.after if before else self._start.position
        assert question.from_square is not None
        square = parse_square(question.from_square)
        step = Step(square, square, False, lambda: position, is_ply=False, surprise=-STEP)
        node = Node(before, step, question.number, after.at, after.since, after.look)
        for each in path[index:]:
            node = replace(each, parent=node)
        return replace(candidate, node=node)

    def _margin(self, best: Candidate[P], rival: Candidate[P]) -> float:
        """Return by how much the best must be likelier than a rival for it to be told.

        Of ways to one position, about which it is asked, no later look could tell which it was; nor
        does it tell that one is shorter. A piece that is missing is seen to be: something is amiss.
        """
        missing = self._look.missing(best.occupants)
        if not (self._question or self._passed) or rival.position != best.position:
            return TELLING_MARGIN + missing
        more = len(rival.path) - len(best.path)
        return DOUBT + missing + STEP * max(more, 0)

    def _rival(
        self, candidate: Candidate[P], node: Node[P] | None = None
    ) -> Rival[tuple[Square, Square]]:
        """Return what a candidate would tell next: `node`, where it has that later or anywhere.

        Without a node, with how much of what was told it begins.
        """
        path, count = candidate.path, len(self._reported)
        if node is None:
            return Rival(-candidate.score, self._kept(path), None)
        following = node if self._holds(path, node) else self._next(path)
        squares = None if following is None else following.step.squares
        return Rival(-candidate.score, count, squares)

    def _next(self, path: list[Node[P]]) -> Node[P] | None:
        """Return the first step on a way that has not been told."""
        return next(iter(path[len(self._reported) :]), None)

    def _holds(self, path: list[Node[P]], node: Node[P]) -> bool:
        """Return True if a way holds a step too, in whatever order, among those not told yet."""
        rest = path[self._kept(path) :]
        return any(other.step.squares == node.step.squares for other in rest)

    def _besides(
        self, node: Node[P], paths: list[list[Node[P]]], untold: list[Node[P]]
    ) -> list[Node[P]]:
        """Return a step that some way has before one that all hold, and the best has not at all.

        It is asked about first: what is told stands in order.
        """
        known = {each.step.squares for each in untold}
        for path in paths:
            kept = self._kept(path)
            for other in path[kept:] if kept == len(self._reported) else []:
                if other.step.squares == node.step.squares:
                    break
                if other.step.squares not in known:
                    return [other]
        return []

    def _tell(self, node: Node[P], at: float) -> list[Reading[P]]:
        question, step = self._question, node.step
        is_asked = question is not None and _is_about(question, node)
        before = [] if is_asked else self._nothing_happened(at)
        self._reported.append(node)
        self._settled = self._candidates[0].debt
        self._question, self._denied, self._undecided_since = None, frozenset(), None
        if is_asked:
            return [answering(node.number, step, at)]
        runner_up = self._candidates[1].score if len(self._candidates) > 1 else -HOPELESS
        margin = min(self._candidates[0].score - runner_up, HOPELESS)
        evidence = Evidence(None, node.at, (), margin, bool(self._passed))
        return [*before, telling(node.number, step, evidence, at)]

    def _nothing_happened(self, at: float) -> list[Reading[P]]:
        """Close an open question: what it asks about has not happened."""
        question, self._question = self._question, None
        if question is None:
            return []
        return [undoing(question.number, question.is_ply, at)]

    def _taken_back(self, kept: int, at: float) -> list[Reading[P]]:
        """Take back what was told and none of the good candidates holds: all but so many steps."""
        # That stands: what hands have taken back, no later look of the same board revives.
        first = next(iter(self._reported[kept:]), None)
        others = [each for each in self._candidates if first not in each.path]
        self._candidates = others or self._candidates
        undone = [node for node in self._reported[kept:] if not _is_rest(node.step)][::-1]
        readings: list[Reading[P]] = []
        if undone:  # what is asked about would have come after that
            readings = self._nothing_happened(at)
            readings += [undoing(node.number, node.step.is_ply, at) for node in undone]
            self._settled = self._candidates[0].debt
        del self._reported[kept:]
        self._passed = {index: each for index, each in self._passed.items() if index < kept}
        self._said = min(self._said, kept)
        return readings

    def _ask(self, nodes: list[Node[P] | None], at: float, waits: bool = True) -> list[Reading[P]]:
        """Ask which of these steps it was, once the board has been undecided for some looks.

        None stands for none of them. The likeliest come first: where no one question tells all of
        them apart, it is asked whether it was one of the first two.
        """
        if self._undecided_since is None:
            self._undecided_since = at
        # Which of two pieces came to a square, or where one went, is one question; more than that
        # no sentence asks. So others stand for "none of these".
        first = nodes[0]
        if first is not None:
            nodes = [node and (node if _may_be(first, node) else None) for node in nodes]
        # Where nothing may have been played, a shadow may be all there was: another look may tell.
        played = MAY_BE_NOTHING if None in nodes else 1.0
        asks_at = self._undecided_since + silence_s(NEXT_SHOWS, played) * waits
        if at < asks_at or first is None or self._awaits_answer(first):
            return []
        withdrawn = self._nothing_happened(at)
        steps = [node.step for node in nodes if node is not None]
        asked = question_about(first.number, steps)
        # The truth may be none of them: something is left that even the likeliest does not explain.
        is_whole = (
            None not in nodes and self._look.strain(self._candidates[0].occupants) < EXPLAINED
        )
        if asked is None or len(asked.candidates) > MOST_ASKED - (not is_whole):
            is_whole = False
            likeliest = list({step.squares: step for step in steps}.values())[: MOST_ASKED - 1]
            asked = question_about(first.number, likeliest)
            assert asked is not None, "they share the piece, or the square"
        if not is_whole:
            stayed = asked.from_square if asked.to_square is None else asked.to_square
            assert stayed is not None
            asked = structs.replace(asked, candidates=(*asked.candidates, stayed))
        self._question = asked
        return [*withdrawn, Reading(asked, at)]

    def _awaits_answer(self, first: Node[P]) -> bool:
        """Return True if a question is open that is still the right one.

        It is not where the likeliest way explains all that is seen by a step that it does not name.
        """
        question, best = self._question, self._candidates[0]
        if question is None or self._look.strain(best.occupants) > EXPLAINED:
            return question is not None
        return _is_about(question, first) and _names(question, first.step)


def _sideless(evidence: Likelihoods) -> Likelihoods:
    """Return what evidence says of whether something stands there, whoever's it is."""
    piece = max(evidence[1:])
    return evidence[0], piece, piece, piece


def _is_about(question: Question, node: Node[P]) -> bool:
    """Return True if a question asks which step this was."""
    return (question.number, question.is_ply) == (node.number, node.step.is_ply)


def _rested(question: Question, node: Node[P]) -> bool:
    """Return True if a ply follows where a question asks what the neutral piece did before it."""
    return node.step.is_ply and not question.is_ply and question.from_square is not None


def _is_rest(step: Step[P]) -> bool:
    """Return True if a step is that the neutral piece stayed where it was."""
    return step.from_square == step.to_square


def _names(question: Question, step: Step[P]) -> bool:
    """Return True if one of a question's candidates stands for a step."""
    return any(question.means(each, *step.squares) for each in question.candidates)


def _may_be(first: Node[P], other: Node[P]) -> bool:
    """Return True if one of two steps may have been the other: by piece, or by where it ended."""
    one, two = first.step, other.step
    return one.is_ply == two.is_ply and (
        one.from_square == two.from_square or one.to_square == two.to_square
    )

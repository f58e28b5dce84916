"""The camera reader: from evidence of whole boards to what has been played.

A camera sees every square at once, but seldom the hands in the act. So nothing is decided square by
square: every position that can follow legally is weighed against all squares together, several
positions are kept alive while the evidence is thin (a beam), and a step is told once all positions
within a margin of the best agree on it. What turns out wrong is taken back in words.

Nothing here knows a piece, a clock or a camera; the words are those of `readings`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Protocol

from hardware.ports import Evidence as Likelihoods
from hardware.ports import Observation
from rules import Square

from .questions import question_about
from .readable_game import P, Step
from .readings import (
    Answered,
    Asked,
    Belief,
    Evidence,
    Played,
    Reading,
    Recalled,
    TakenBack,
    Wandered,
)

# All in nats: 2.3 is ten to one.
MARGIN = 6.0  # 400 to 1: the best must be so much better than any rival that denies a step
STRAIN = (
    12.0  # from so much that the best leaves unexplained nothing is told: two squares all wrong
)
STEP = 4.5  # what a legal step costs: one of about ninety
UNDO = 10.0  # what taking a step back costs, 20,000 to 1: people do it, if not often
LOUDEST = 18.0  # one square says no more than this: errors of a camera are not independent
EXPLAINED = 3.0  # 20 to 1: a square that leaves no more unexplained is as it should be
LESSON = 8.0  # 3000 to 1: a square teaches if no rival that differs there is nearer to the best
HOPELESS = 40.0  # positions so much worse than the best are dropped: more than two squares can say

FADING = 0.5  # the share of a score that counts on with a new look, which mostly shows the same

NOT_AGREED = -1
"""In place of an occupant: good positions differ about it."""

BEAM = 24  # positions that are kept alive
TRIED = 14  # steps that are looked at closely, of those the changed squares speak for
TRUSTED = 8.0  # a look of which even the best leaves so much unexplained counts for half
RIVAL = 8.0  # a step is one of them although the changed squares speak so strongly against it
FURTHEST_ON = 4  # steps that may lie between two looks
DEEP = 8  # from so many of the best positions after a step it is looked on for another
FURTHEST_BACK = 3  # steps that hands may take back between two looks
RETHOUGHT = 10  # of the last steps each may have been another than was read
MISREAD = 14.0  # what that costs at most, a million to 1
DOUBTED = 4.0  # what it costs beside what the look that decided said against it, 50 to 1
REGRET = 8.0  # and no more is gained by it, where that look spoke for the other step
ASK_AFTER_S = 1.0  # seconds and looks later at a board that stays undecided the players are asked
MOST_ASKED = 3  # that nothing has happened is one of them
DENIED = 12.0  # a step that players say was not played is so much less likely to have been


class CameraGame(Protocol[P]):
    """A game as the camera reader sees it: who stands where, and what is legal.

    Positions are values: equal ones are the same, and none ever changes.
    """

    def occupants(self, position: P) -> Sequence[int]:
        """Return for every square what stands there, as `Occupant`."""
        ...

    def placement(self, position: P) -> Hashable:
        """Return which piece stands where and who is to move: what follows depends on no more."""
        ...

    def steps(self, position: P) -> Iterable[Step[P]]:
        """Return every legal step from a position."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Node(Generic[P]):
    """A step on the way to a position, and the way before it."""

    parent: Node[P] | None
    """The step before; None where this is the first."""
    step: Step[P]
    number: int
    """That of the ply it is, or that it follows."""
    at: float
    """When it was first seen, in seconds on the table clock."""
    look: BoardLook
    """The look in which it was."""


@dataclass(frozen=True, slots=True)
class Candidate(Generic[P]):
    """A position that may be the true one."""

    position: P
    node: Node[P] | None
    """The last step on the way to it; None where it is the first position."""
    next_number: int
    """That of the next ply."""
    prior: float
    """How likely the way to it is, in nats, whatever has been seen."""
    past: float
    """How well it explains the looks before the last one, in nats: 0 is all of them."""
    strain: float
    """What it leaves unexplained of the last look, likewise."""
    occupants: Sequence[int]
    """What stands on every square, as `Occupant`."""

    @property
    def path(self) -> list[Node[P]]:
        """All steps on the way, the first one first."""
        path = []
        node = self.node
        while node is not None:
            path.append(node)
            node = node.parent
        return path[::-1]

    @property
    def score(self) -> float:
        """How likely it is, beside others, in nats."""
        return self.prior + self.past - self.strain


class BoardLook:
    """One look at the board: what each occupant leaves unexplained of every square, in nats."""

    def __init__(self, squares: dict[Square, Likelihoods]) -> None:
        self._losses = {
            square: tuple(min(max(evidence) - each, LOUDEST) for each in evidence)
            for square, evidence in squares.items()
        }

    def loss(self, square: Square, occupant: int) -> float:
        """Return how much worse an occupant explains a square than the best one does."""
        losses = self._losses.get(square)
        return 0.0 if losses is None else losses[occupant]

    def strain(self, occupants: Sequence[int]) -> float:
        """Return what a whole board leaves unexplained."""
        return sum(losses[occupants[square]] for square, losses in self._losses.items())

    def gain(self, occupants: Sequence[int], others: Mapping[Square, int]) -> float:
        """Return how much better other occupants explain their squares than those of a board."""
        return sum(
            self.loss(square, occupants[square]) - self.loss(square, other)
            for square, other in others.items()
        )

    def unlike(self, occupants: Sequence[int]) -> frozenset[Square]:
        """Return the squares that show another occupant."""
        return frozenset(
            square
            for square, losses in self._losses.items()
            if losses[occupants[square]] > EXPLAINED
        )


class CameraReader(Generic[P]):
    """Reads looks at whole boards into plies.

    `position` is what the board should show at first, `number` that of the next ply. It is driven
    as the reader of switches is: observations in, readings out, `belief` at any moment.
    """

    due: float | None = None  # nothing becomes certain by waiting alone

    def __init__(self, game: CameraGame[P], position: P, number: int = 1) -> None:
        self.game = game
        self._start = Candidate(position, None, number, 0.0, 0.0, 0.0, game.occupants(position))
        self._candidates = [self._start]
        self._reported: list[Node[P]] = []
        self._evidence: dict[Square, Likelihoods] = {}
        self._look = BoardLook({})
        self._undecided_since: float | None = None
        self._question: Asked | None = None
        self._asks_ply = True
        self._denied: frozenset[tuple[Square, Square]] = frozenset()

    # ------------------------------------------------------------------ what goes in

    def observe(self, observation: Observation) -> list[Reading[P]]:
        """Take in what a sensor saw, and return what follows from it."""
        for square, evidence in observation.squares.items():
            if evidence is None:
                self._evidence.pop(square, None)
            else:
                self._evidence[square] = evidence
        self._look = BoardLook(self._evidence)
        self._candidates = self._weighed(observation.at)
        return self._conclude(observation.at)

    def tick(self, now: float) -> list[Reading[P]]:
        """Let time pass; only looks decide."""
        return []

    def answer(self, number: int, square: Square) -> list[Reading[P]]:
        """The players say which of its candidates a question meant; ValueError if it is none."""
        question = self._question
        if question is None or question.number != number or square not in question.candidates:
            raise ValueError(f"ply {number} was not asked about, or {square} is no candidate")
        if question.denies(square):
            return self._deny(question)
        index = len(self._reported)
        meant = [
            candidate
            for candidate in self._candidates
            if len(path := candidate.path) > index and question.means(square, path[index].step)
        ]
        if not meant:
            raise ValueError(f"what has been seen since ply {number} cannot follow from that")
        self._candidates = meant
        return self._conclude(question.at, answered=True)

    def _deny(self, question: Asked) -> list[Reading[P]]:
        """The players say that what was asked about has not happened."""
        index = len(self._reported)
        kept, denied = [], set(self._denied)
        for candidate in self._candidates:
            rest = candidate.path[index:]
            if rest and any(question.means(each, rest[0].step) for each in question.candidates):
                denied.add(rest[0].step.squares)
            else:
                kept.append(candidate)
        last = self._reported[-1] if self._reported else None
        number = self._start.next_number + sum(node.step.is_ply for node in self._reported)
        self._candidates = kept or [self._at(last, number)]
        self._denied, self._undecided_since = frozenset(denied), None
        return self._nothing_happened(question.at)

    # ------------------------------------------------------------------ what is believed

    @property
    def number(self) -> int:
        """The number of the next ply."""
        return self._start.next_number + sum(node.step.is_ply for node in self._reported)

    @property
    def makes_sense(self) -> bool:
        """Whether some position explains the last look."""
        return self._look.strain(self._candidates[0].occupants) < STRAIN

    @property
    def agreed(self) -> list[int]:
        """Return what stands on each square by all good positions alike, NOT_AGREED elsewhere."""
        least = self._candidates[0].score - MARGIN
        good = [candidate.occupants for candidate in self._candidates if candidate.score > least]
        return [each[0] if len(set(each)) == 1 else NOT_AGREED for each in zip(*good, strict=True)]

    @property
    def lesson(self) -> tuple[list[int], list[float]]:
        """Return what stands on each square, NOT_AGREED in doubt, and how sure that is, in nats.

        That is how much better the best position is than any that differs there, "nothing has
        happened" included; HOPELESS where none that is alive does.
        """
        best, *rest = self._candidates
        margins = [HOPELESS] * len(best.occupants)
        for rival in reversed(rest):
            behind = best.score - rival.score
            for square, occupant in enumerate(rival.occupants):
                if occupant != best.occupants[square]:
                    margins[square] = min(margins[square], behind)
        occupants = [
            occupant if margin >= LESSON else NOT_AGREED
            for occupant, margin in zip(best.occupants, margins, strict=True)
        ]
        return occupants, margins

    def occupants_at(self, at: float) -> Sequence[int]:
        """Return what stood on each square at a time, by the likeliest way."""
        position = self._start.position
        for node in self._candidates[0].path:
            if node.at > at:
                break
            position = node.step.after
        return self.game.occupants(position)

    @property
    def likeliest(self) -> list[tuple[Square, Square]]:
        """Return the steps of the likeliest way from the first position, told or not."""
        return [node.step.squares for node in self._candidates[0].path]

    @property
    def strangers(self) -> frozenset[Square]:
        """The squares that show something else than the likeliest position has there."""
        return self._look.unlike(self._candidates[0].occupants)

    @property
    def occupants(self) -> Sequence[int]:
        """What stands on every square, as far as it has been told."""
        return self.game.occupants(self._position)

    @property
    def belief(self) -> Belief[P]:
        """What the camera reader holds true now."""
        occupants = self.occupants
        unlike = self._look.unlike(occupants)
        missing = frozenset(s for s in unlike if occupants[s] and self._look.loss(s, 0) == 0)
        return Belief(
            self._position,
            self.number,
            tuple(sorted(missing)),
            missing,
            unlike - missing,
            self._question,
        )

    @property
    def _position(self) -> P:
        return self._reported[-1].step.after if self._reported else self._start.position

    # ------------------------------------------------------------------ weighing

    def _weighed(self, at: float) -> list[Candidate[P]]:
        """Return every position that may be there now, the best first.

        Steps are looked for from all positions that were alive, and further steps from the best of
        those found, until one explains the look. Of two ways to the same placement, no later look
        could tell which it was: what has been told stays, unless the other way is clearly better.
        """
        found: dict[Hashable, Candidate[P]] = {}

        def add(candidates: Iterable[Candidate[P]]) -> None:
            for each in candidates:
                placement = self.game.placement(each.position)
                known = found.get(placement)
                if known is None or self._standing(each) > self._standing(known):
                    found[placement] = each

        frontier = [self._seen_now(each, each, each.prior) for each in self._candidates]
        add(frontier)
        for _ in range(FURTHEST_ON):
            onward = [after for each in frontier for after in self._steps_on(each, at)]
            add(onward)
            frontier = sorted(onward, key=_unlikeliness)[:DEEP]
            likeliest = min(found.values(), key=_unlikeliness)
            if likeliest.strain <= EXPLAINED:
                break
        else:
            for each in self._candidates[:2]:
                add(self._rethought(each))
                add(self._steps_back(each))
        ranked = sorted(found.values(), key=_unlikeliness)
        last = self._reported[-1] if self._reported else None
        ranked = [each for rank, each in enumerate(ranked) if rank < BEAM or each.node is last]
        trust = 1 / (1 + ranked[0].strain / TRUSTED)
        ranked = sorted(
            (replace(each, strain=trust * each.strain) for each in ranked), key=_unlikeliness
        )
        least = ranked[0].score - HOPELESS
        return [each for each in ranked if each.score >= least or each.node is last]

    def _standing(self, candidate: Candidate[P]) -> float:
        """Return a candidate's score, and a margin more where it holds all that has been told."""
        holds = _shared(self._reported, candidate.path) == len(self._reported)
        return candidate.score + MARGIN * holds

    def _seen_now(
        self, candidate: Candidate[P], before: Candidate[P], prior: float
    ) -> Candidate[P]:
        """Return a candidate as the look fits it, `before` being that which it came from."""
        past, strain = FADING * (before.past - before.strain), self._look.strain(candidate.occupants)
        return replace(candidate, prior=prior, past=past, strain=strain)

    def _at(self, node: Node[P] | None, number: int) -> Candidate[P]:
        """Return the position at the end of a way, `number` being that of the next ply."""
        position = node.step.after if node else self._start.position
        return Candidate(position, node, number, 0.0, 0.0, 0.0, self.game.occupants(position))

    def _steps_on(self, candidate: Candidate[P], at: float) -> list[Candidate[P]]:
        """Return the positions one step on from one weighed by this look, the best first.

        Of steps that the changed squares speak against only such are left out as no later look
        could make likely: what nobody proposes is never told, but neither is it ever doubted.
        """
        loss, occupants = self._look.loss, candidate.occupants

        def gain(step: Step[P]) -> float:
            mover = occupants[step.from_square]
            return (
                loss(step.from_square, mover)
                - loss(step.from_square, 0)
                + loss(step.to_square, occupants[step.to_square])
                - loss(step.to_square, mover)
                - self._surprise(step)
            )

        gains = [
            (gain(step), index, step)
            for index, step in enumerate(self.game.steps(candidate.position))
        ]
        found = []
        for better, _, step in sorted(gains, reverse=True)[:TRIED]:
            if better <= -RIVAL:
                break
            number = candidate.next_number
            node = Node(candidate.node, step, number - (not step.is_ply), at, self._look)
            after = self._at(node, number + step.is_ply)
            prior = candidate.prior - STEP - self._surprise(step)
            strain = self._look.strain(after.occupants)
            found.append(replace(after, prior=prior, past=candidate.past, strain=strain))
        return found

    def _surprise(self, step: Step[P]) -> float:
        """Return how much rarer than others a step is, in nats."""
        return step.surprise + (DENIED if step.squares in self._denied else 0.0)

    def _steps_back(self, candidate: Candidate[P]) -> Iterator[Candidate[P]]:
        node, number = candidate.node, candidate.next_number
        for back in range(1, FURTHEST_BACK + 1):
            if node is None:
                return
            number -= node.step.is_ply
            node = node.parent
            yield self._seen_now(self._at(node, number), candidate, candidate.prior - back * UNDO)

    def _rethought(self, candidate: Candidate[P]) -> Iterator[Candidate[P]]:
        """Yield the ways on which one of the last steps was another, and all after it the same.

        Only such as explain better what the squares show now, and showed in the look in which that
        step was first seen: what has been learned since stands on the belief in it.
        """
        path, touched = candidate.path, set[Square]()
        for index in range(len(path) - 1, max(len(path) - 1 - RETHOUGHT, -1), -1):
            node, later = path[index], path[index + 1 :]
            before = node.parent.step.after if node.parent else self._start.position
            was, read = (self.game.occupants(each) for each in (before, node.step.after))
            for step in self.game.steps(before):
                if step.squares == node.step.squares or step.is_ply != node.step.is_ply:
                    continue
                meant = {square: was[square] for square in node.step.squares}
                meant |= {step.from_square: 0, step.to_square: was[step.from_square]}
                against = DOUBTED - node.look.gain(read, meant)
                misread = max(min(against, MISREAD), -REGRET)
                untouched = {each: meant[each] for each in meant if each not in touched}
                if self._look.gain(candidate.occupants, untouched) <= misread / 2:
                    continue
                way = self._retraced(replace(node, step=step), later)
                if way is not None:
                    prior = candidate.prior - misread - self._surprise(step)
                    yield self._seen_now(self._at(way, candidate.next_number), candidate, prior)
            touched.update(node.step.squares)

    def _retraced(self, node: Node[P], later: list[Node[P]]) -> Node[P] | None:
        """Return the way on from a step by later ones; None where they are not legal after it."""
        for each in later:
            steps = self.game.steps(node.step.after)
            step = next((step for step in steps if step.squares == each.step.squares), None)
            if step is None:
                return None
            node = replace(each, parent=node, step=step)
        return node

    # ------------------------------------------------------------------ concluding

    def _conclude(self, at: float, answered: bool = False) -> list[Reading[P]]:
        """Tell what all good candidates agree on, and take back what none of them holds."""
        best = self._candidates[0]
        rivals = [
            candidate for candidate in self._candidates if candidate.score > best.score - MARGIN
        ]
        paths = [candidate.path for candidate in rivals]
        if self._look.strain(best.occupants) > STRAIN and not answered:
            return []
        readings = self._taken_back(paths, at)
        for node in paths[0][len(self._reported) :]:
            doubters = [path for path in paths if not self._holds(path, node)]
            if doubters:
                return readings + self._ask([node] + [self._next(path) for path in doubters], at)
            readings += self._tell(node, at)
        if all(len(path) <= len(self._reported) for path in paths):
            self._undecided_since = None
            readings += self._nothing_happened(at)
        return readings

    def _next(self, path: list[Node[P]]) -> Node[P] | None:
        """Return the first step on a way that has not been told."""
        return next(iter(path[len(self._reported) :]), None)

    def _holds(self, path: list[Node[P]], node: Node[P]) -> bool:
        """Whether a way holds a step as well, be it in another order, among those not told yet."""
        rest = path[_shared(self._reported, path) :]
        return any(other.step.squares == node.step.squares for other in rest)

    def _tell(self, node: Node[P], at: float) -> list[Reading[P]]:
        question, step = self._question, node.step
        is_asked = question is not None and (question.number, self._asks_ply) == (
            node.number,
            step.is_ply,
        )
        before = [] if is_asked else self._nothing_happened(at)
        self._reported.append(node)
        self._question, self._denied, self._undecided_since = None, frozenset(), None
        if not step.is_ply:
            return [*before, Wandered(node.number, step, at)]
        if is_asked:
            return [Answered(node.number, step, at)]
        runner_up = self._candidates[1].score if len(self._candidates) > 1 else -HOPELESS
        margin = min(self._candidates[0].score - runner_up, HOPELESS)
        return [*before, Played(node.number, step, Evidence(None, node.at, (), margin), at)]

    def _nothing_happened(self, at: float) -> list[Reading[P]]:
        """Close an open question: what it asks about has not happened."""
        question, self._question = self._question, None
        if question is None:
            return []
        return [TakenBack(question.number, at) if self._asks_ply else Recalled(question.number, at)]

    def _taken_back(self, paths: list[list[Node[P]]], at: float) -> list[Reading[P]]:
        """Take back what was told and none of the good candidates holds."""
        kept = max(_shared(self._reported, path) for path in paths)
        readings: list[Reading[P]] = []
        for node in reversed(self._reported[kept:]):
            kind = TakenBack if node.step.is_ply else Recalled
            readings.append(kind(node.number, at))
        if readings:
            self._question = None
        del self._reported[kept:]
        return readings

    def _ask(self, nodes: list[Node[P] | None], at: float) -> list[Reading[P]]:
        """Ask which of these steps it was, once the board has been undecided for some looks.

        None stands for none of them. The first is the likeliest: where no one question tells all of
        them apart, it is asked whether that was played.
        """
        if self._undecided_since is None:
            self._undecided_since = at
        first = nodes[0]
        if self._question is not None or at < self._undecided_since + ASK_AFTER_S or first is None:
            return []
        steps = [node.step for node in nodes if node is not None]
        number, is_ply = first.number, first.step.is_ply
        asked = question_about(number, steps, at)
        if asked is None or len(asked.candidates) > MOST_ASKED - (None in nodes):
            asked = Asked(number, first.step.from_square, (first.step.to_square,), at)
        elif None not in nodes:
            return self._asked(asked, is_ply)
        stayed = asked.from_square if asked.to_square is None else asked.to_square
        assert stayed is not None
        return self._asked(replace(asked, candidates=(*asked.candidates, stayed)), is_ply)

    def _asked(self, question: Asked, is_ply: bool) -> list[Reading[P]]:
        self._question, self._asks_ply = question, is_ply
        return [question]


def _unlikeliness(candidate: Candidate[P]) -> float:
    return -candidate.score


def _shared(one_way: Sequence[Node[P]], other_way: Sequence[Node[P]]) -> int:
    """Return how many steps two ways have in common from the beginning."""
    shared = 0
    for one, other in zip(one_way, other_way, strict=False):
        if one.step.squares != other.step.squares:
            break
        shared += 1
    return shared

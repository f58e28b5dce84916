"""The positions that a camera's looks leave possible, and the likelihood of each.

`Weighing` follows a beam of candidates from look to look. Evidence of a square counts once, however
often it is seen. A candidate that has an empty square where the camera sees a piece pays for it in
the first look that shows the piece, and in later looks only as far as they say it louder. What has
been paid stays paid, though the square may look otherwise by then. If a step is found later than it
was made, its candidate gets back what its squares have cost meanwhile, as far as the latest look
still shows it.

`LookDecoder` is the way back, for when the beam has lost the game: which legal steps explain all
looks since what was certain. It asks less than the beam does, and forgets less. Each look says of
each position what it leaves unexplained, no square more than a little, and all looks count alike:
what one of them was taken for when it came has no part in it. A square on which stands what stood
there counts only as far as it says more than in the look before: what misleads a camera once does
so again. Of all ways to one position the likeliest is kept.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf, nextafter
from typing import Generic, NamedTuple

from hardware.ports import Evidence as Likelihoods
from rules import Occupant, Square

from .costs import PRICES
from .readings import CameraGame, P, Step

# All in nats: 2.3 is ten to one.
TELLING_MARGIN = 6.0  # 400 to 1: the best must be so much better than any rival that denies a step
STEP = 4.5  # what a legal step costs: one of about ninety
MOST_OF_A_SQUARE = 18.0  # one square says no more than this: errors of a camera are not independent
EXPLAINED = 3.0  # 20 to 1: a square that leaves no more unexplained is as it should be
LEAST_CHANCE = 1e-8  # of anything that hands may have had no time for
HOPELESS = 40.0  # positions so much worse than the best are dropped: more than two squares can say
TRUSTED = 8.0  # a look of which even the best leaves so much unexplained counts for half
RIVAL = 8.0  # steps are weighed as long as the squares they change speak no more against them
MISREAD = 14.0  # what it costs at most that a step was another than was read, a million to 1
DOUBTED = 4.0  # what it costs beside what the look that decided said against it, 50 to 1
REGRET = 8.0  # and no more is gained by it, where that look spoke for the other step
DENIED = 12.0  # a step that players say was not played is so much less likely to have been

BEAM, BEAM_IN_DOUBT = 24, 96  # positions that are kept alive; and as long as none explains a look
TRIED = 14  # steps that are looked at closely, of those the changed squares speak for
FURTHEST_ON = 4  # steps that may lie between two looks
DEEP = 8  # after so many of the best steps that a look may show it is looked on for another
FURTHEST_BACK = 3  # steps that hands may take back between two looks
RETHOUGHT = 10  # of the last steps each may have been another than was read


class BoardLook:
    """A look at the board: by square, the loss of each occupant against the best one, in nats."""

    def __init__(self, squares: dict[Square, Likelihoods]) -> None:
        self._losses = {
            square: tuple(min(max(evidence) - each, MOST_OF_A_SQUARE) for each in evidence)
            for square, evidence in squares.items()
        }

    @cached_property
    def likeliest(self) -> dict[Square, int]:
        """The likeliest occupant of each square."""
        return {square: losses.index(0.0) for square, losses in self._losses.items()}

    def loss(self, square: Square, occupant: int) -> float:
        """Return how much worse an occupant explains a square than the best one does."""
        losses = self._losses.get(square)
        return 0.0 if losses is None else losses[occupant]

    def strain(self, occupants: Sequence[int], but_worst: bool = False) -> float:
        """Return what a whole board leaves unexplained, its worst square left out if so wanted."""
        each = [losses[occupants[square]] for square, losses in self._losses.items()]
        return sum(each) - (max(each, default=0.0) if but_worst else 0.0)

    def gain(self, occupants: Sequence[int], others: Mapping[Square, int]) -> float:
        """Return how much better other occupants explain their squares than those of a board."""
        return sum(
            self.loss(square, occupants[square]) - self.loss(square, other)
            for square, other in others.items()
        )

    def gain_of_step(self, occupants: Sequence[int], start: Square, end: Square) -> float:
        """Return how much better a board explains its squares after a step than before it."""
        return self.gain(occupants, {start: 0, end: occupants[start]})

    def unlike(self, occupants: Sequence[int]) -> frozenset[Square]:
        """Return the squares that show another occupant."""
        return frozenset(square for square, nats in self.losses(occupants) if nats > EXPLAINED)

    def is_relit(self, occupants: Sequence[int]) -> bool:
        """Return True if more pieces seem to have changed to one side than can have been taken.

        Each that takes another leaves a square; a lamp that is switched changes colours alone.
        """
        unlike = [square for square in self.unlike(occupants) if occupants[square]]
        count = Counter(self.likeliest[square] for square in unlike)
        gone = count.pop(Occupant.EMPTY, 0)
        return 2 * max(count.values(), default=0) > count.total() + gone + 1

    def missing(self, occupants: Sequence[int]) -> float:
        """Return how much speaks against the piece that is missed most: its square looks empty."""
        missed = (nats for square, nats in self.losses(occupants) if not self.likeliest[square])
        return max(missed, default=0.0)

    def losses(self, occupants: Sequence[int]) -> Iterator[tuple[Square, float]]:
        """Yield the squares of a board that are not as they should be, and what is unexplained."""
        for square, losses in self._losses.items():
            if losses[occupants[square]] > 0:
                yield square, losses[occupants[square]]


@dataclass(frozen=True, slots=True, eq=False)
class Node(Generic[P]):
    """A step on the way to a position, and the way before it."""

    parent: Node[P] | None
    """The step before; None where this is the first."""
    step: Step[P]
    number: int
    """That of the ply it is, or that it follows."""
    at: float
    """Time at which it was found, in seconds on the table clock."""
    since: float
    """Time of the first look in which it may have shown: no step after it came before."""
    look: BoardLook


class Paid(NamedTuple):
    """The most that any look left unexplained of a square, and the time of the first that did."""

    nats: float
    since: float


class KeptLook(NamedTuple):
    """A look, and when it was taken, in seconds on the table clock."""

    at: float
    look: BoardLook
    trust: float = 1.0
    """The share for which it counts, once it has been weighed."""
    before: BoardLook = BoardLook({})


@dataclass(frozen=True, slots=True)
class Candidate(Generic[P]):
    """A position that may be the true one."""

    position: P
    node: Node[P] | None
    """The last step on the way to it; None where it is the first position."""
    next_number: int
    """That of the next ply."""
    occupants: Sequence[int]
    """The `Occupant` of every square."""
    score: float = 0.0
    """Its log-likelihood beside others, in nats: its steps and what they leave unexplained."""
    strain: float = 0.0
    """The part of the last look that it leaves unexplained, in nats."""
    fresh: float = 0.0
    """The part of that which is new with this look; it is in the score."""
    paid: Mapping[Square, Paid] = field(default_factory=dict)
    """The sums it has paid for squares that hold the same occupant since; they are in the score."""

    @property
    def debt(self) -> float:
        """The part of all looks that it leaves unexplained, in nats, its steps' price left out."""
        return -self.score - sum(STEP + node.step.surprise for node in self.path)

    @property
    def path(self) -> list[Node[P]]:
        """All steps on the way, the first one first."""
        path = []
        node = self.node
        while node is not None:
            path.append(node)
            node = node.parent
        return path[::-1]


class Weighing(Generic[P]):
    """Weighs by one look what may have happened since the one before.

    `reported` are the steps that have been told; `denied` are such as players say were not played,
    `earlier` the looks before; `open_at` counts the steps before each that is asked about.
    """

    def __init__(
        self,
        game: CameraGame[P],
        start: P,
        look: BoardLook,
        at: float,
        reported: Sequence[Node[P]],
        denied: frozenset[tuple[Square, Square]],
        earlier: Iterable[KeptLook],
        open_at: Sequence[int] = (),
    ) -> None:
        self._game, self._start, self._earlier = game, start, earlier
        self._open_at = open_at
        self._look, self._at, self._reported, self._denied = look, at, reported, denied
        self._last = reported[-1] if reported else None
        self._found: dict[Hashable, Candidate[P]] = {}
        self.trust = 1.0
        """For how much the look counts, once it is weighed."""

    def weighed(self, candidates: Iterable[Candidate[P]]) -> list[Candidate[P]]:
        """Return every position that may be there now, the best first.

        Steps are looked for from all positions that were alive. Where none explains the look, what
        was read before may have been wrong, or taken back; and further steps are looked for, from
        the best of those found. The position that has been told last always is
        among them: where others have gone astray it is begun with anew.
        """
        # Mostly one step lies between two looks, and each further kind of way multiplies what is
        # weighed: taking back, misreading and further steps are tried only while nothing explains
        # the look.
        alive = list(candidates)
        least = max(each.score for each in alive) - PRICES.TAKEN_BACK
        stays = [self._turned(each, each.node, each.next_number) for each in alive]
        self._add(stays)
        frontier = stays
        for further in range(FURTHEST_ON):
            reached = [after for each in frontier for after in self._steps_on(each)]
            best = min([*stays, *reached], key=_unlikeliness)
            if not further and best.strain > EXPLAINED:
                for each in stays[:2]:
                    reached += [*self._rethought(each), *self._steps_back(each)]
            elif not further and best.score < least:
                reached += self._steps_back(stays[0])  # an old rival explains the look, but badly
            self._add(reached)
            best = min(self._found.values(), key=_unlikeliness)
            if best.strain <= EXPLAINED:  # by a way that may be dearer than one with a step more
                reached = [each for each in reached if each.score + each.fresh - STEP > best.score]
            if not reached:
                break
            frontier = self._foremost(reached)
        return self._settled()

    def _foremost(self, reached: Iterable[Candidate[P]]) -> list[Candidate[P]]:
        """Return the positions from which it is looked on for a further step.

        Rivals from before this look all may go on by the same steps: they count as one.
        """
        best, foremost = dict[frozenset[tuple[Square, Square]], float](), list[Candidate[P]]()
        for each in sorted(reached, key=_unlikeliness):
            new = frozenset(node.step.squares for node in each.path if node.at == self._at)
            if each.score > best.setdefault(new, each.score) - TELLING_MARGIN:
                foremost.append(each)
            if len(best) > DEEP:
                break
        return foremost

    def _settled(self) -> list[Candidate[P]]:
        """Return what was found, the best first, with what this look shows as paid."""
        best = min(self._found.values(), key=_unlikeliness)
        # A look that even the best position explains badly shows a hand or a shadow; paid in full
        # it would be held against every true position for the rest of the game.
        trust = self.trust = 1 / (1 + best.strain / TRUSTED)
        ranked = sorted(
            (self._paying(each, trust) for each in self._found.values()), key=_unlikeliness
        )
        least = ranked[0].score - HOPELESS
        # The wider beam in doubt is for pictures with an arm in them, after which the true position
        # may come back from far behind.
        most = BEAM_IN_DOUBT if best.strain > TRUSTED else BEAM
        kept, answers = list[Candidate[P]](), set[object]()
        for rank, each in enumerate(ranked):
            # Evidence alone closes a question: the best way of each answer stays at any rank.
            answer = self._answer(each) if self._open_at else None
            is_wanted = rank < most or (bool(self._open_at) and answer not in answers)
            if (is_wanted and each.score >= least) or each.node is self._last:
                kept.append(each)
                answers.add(answer)
        return kept

    def _answer(self, candidate: Candidate[P]) -> object:
        """Return how a way answers all that is asked: its steps there, None where it has none."""
        path = candidate.path
        return tuple(path[at].step.squares if at < len(path) else None for at in self._open_at)

    def _add(self, candidates: Iterable[Candidate[P]]) -> None:
        """Take candidates in, of those who came to the same placement by the same steps the best.

        Another way to it stays a candidate: no later look could tell which it was, players can.
        """
        for each in candidates:
            path = each.path
            # Two orders of the same steps are one story, and no later look can tell which it was:
            # what has been told stands, unless the other is much likelier.
            steps = frozenset(Counter(node.step.squares for node in path).items())
            way = self._game.placement(each.position), steps
            known = self._found.get(way)
            if known is None or self._worth(each, path) > self._worth(known, known.path):
                self._found[way] = each

    def _worth(self, candidate: Candidate[P], path: Sequence[Node[P]]) -> float:
        """Return how likely a way is beside other orders of its steps, in nats."""
        steps, begun = ([node.step.squares for node in way] for way in (self._reported, path))
        is_told = steps == begun[: len(steps)]
        return candidate.score + TELLING_MARGIN * is_told

    def _turned(
        self,
        candidate: Candidate[P],
        node: Node[P] | None,
        number: int,
        price: float = 0.0,
        since: float = -inf,
        owed: Mapping[Square, Paid] | None = None,
    ) -> Candidate[P]:
        """Return a candidate of this look as if it stood at the end of another way, for a price.

        What it paid from `since` on for squares that change, and this look still shows, is given
        back; what is `owed` for them is paid.
        """
        after = candidate_at(self._game, self._start, node, number)
        before, now = candidate.occupants, after.occupants
        kept, changed = dict[Square, Paid](), dict[Square, Paid]()
        for square, paid in candidate.paid.items():
            if before[square] == now[square]:
                kept[square] = paid
            elif paid.since >= since:
                changed[square] = paid
        for square, paid in (owed or {}).items():
            kept[square] = paid
            price += paid.nats
        strain = self._look.strain(now)
        fresh = strain - self._shown_again(kept, now)
        score = candidate.score + candidate.fresh - fresh - price
        score += self._shown_again(changed, before)
        return replace(after, score=score, strain=strain, fresh=fresh, paid=kept)

    def _shown_again(self, paid: Mapping[Square, Paid], occupants: Sequence[int]) -> float:
        """Return how much of what has been paid for squares this look shows as well."""
        loss = self._look.loss
        return sum(min(each.nats, loss(square, occupants[square])) for square, each in paid.items())

    def _paying(self, candidate: Candidate[P], trust: float) -> Candidate[P]:
        """Return a candidate that has paid for this look, by the weight of the look."""
        paid = dict(candidate.paid)
        for square, loss in self._look.losses(candidate.occupants):
            before = paid.get(square, Paid(0.0, self._at))
            fresh = max(loss - before.nats, 0.0)
            paid[square] = Paid(before.nats + trust * fresh, before.since)
        score = candidate.score + (1 - trust) * candidate.fresh
        return replace(candidate, score=score, fresh=0.0, paid=paid)

    def _steps_on(self, candidate: Candidate[P]) -> list[Candidate[P]]:
        """Return the positions one step on from one weighed by this look.

        Of steps that the changed squares speak against only such are left out as no later look
        could make likely: what nobody proposes is never told, but neither is it ever doubted. No
        step is proposed between squares of which the look says nothing.
        """
        gain, occupants = self._look.gain_of_step, candidate.occupants
        steps = self._game.steps(candidate.position, self._movers(occupants))
        gains = [
            (gain(occupants, *step.squares) - self._surprise(step), index, step)
            for index, step in enumerate(steps)
            if not self._look.likeliest.keys().isdisjoint(step.squares)
        ]
        found = []
        for better, _, step in sorted(gains, reverse=True)[:TRIED]:
            if better <= -RIVAL:
                break
            # Turns come one after another: no step shows in a look before the one that came before
            # it did.
            earliest = candidate.node.since if candidate.node else -inf
            since = min(
                (
                    paid.since
                    for square in step.squares
                    if (paid := candidate.paid.get(square)) and paid.since >= earliest
                ),
                default=self._at,
            )
            number = candidate.next_number
            ply = number - (not step.is_ply)
            node = Node(candidate.node, step, ply, self._at, since, self._look)
            price = STEP + self._surprise(step) + self._haste(candidate.node, since)
            owed = self._owed(step, occupants[step.from_square], since)
            found.append(self._turned(candidate, node, number + step.is_ply, price, earliest, owed))
        return found

    def _haste(self, node: Node[P] | None, since: float) -> float:
        """Return how much rarer a step is for the little time that hands had for it, in nats.

        It has shown since then at the earliest, and was made after `node`. The first step that a
        look shows may have been under way in the look before; each further one takes hands time,
        though it is found by a later look.
        """
        further = 0
        while node is not None and node.since >= since:
            further, node = further + 1, node.parent
        if not further:
            return 0.0
        before = max((each.at for each in self._earlier if each.at < since), default=-inf)
        return haste(further, since - before) - haste(further - 1, since - before)

    def _movers(self, occupants: Sequence[int]) -> list[Square]:
        """Return where pieces stand of which some step could be likely enough, were it legal."""
        loss = self._look.loss
        strange = list(self._look.losses(occupants))
        comes = [
            max((nats - loss(square, who) for square, nats in strange), default=0.0)
            for who in range(len(Occupant))
        ]
        return [
            square
            for square in pieces_on(occupants)
            if loss(square, who := occupants[square]) - loss(square, 0) + max(comes[who], 0.0)
            > -RIVAL
        ]

    def _owed(self, step: Step[P], mover: int, since: float) -> dict[Square, Paid]:
        """Return what the end of a step owes for looks in which the mover was missed already."""
        missed = (
            each.at
            for each in self._earlier
            if each.at >= since and each.look.loss(step.from_square, mover) > EXPLAINED
        )
        return self._denied_by_looks({step.to_square: mover}, next(missed, inf))

    def _denied_by_looks(self, occupants: Mapping[Square, int], since: float) -> dict[Square, Paid]:
        """Return what occupants would have paid for the looks since then, but for this one."""
        owed = dict[Square, Paid]()
        for at, look, trust, _before in self._earlier:
            if at < since:
                continue
            for square, occupant in occupants.items():
                loss = look.loss(square, occupant)
                before = owed.get(square, Paid(0.0, at))
                if loss > before.nats:
                    owed[square] = Paid(before.nats + trust * (loss - before.nats), before.since)
        return owed

    def _surprise(self, step: Step[P]) -> float:
        """Return how much rarer than others a step is, in nats."""
        return step.surprise + (DENIED if step.squares in self._denied else 0.0)

    def _steps_back(self, candidate: Candidate[P]) -> Iterator[Candidate[P]]:
        """Yield the positions before the last steps, which hands may have taken back."""
        node, number, price = candidate.node, candidate.next_number, float(PRICES.TAKEN_BACK)
        for _ in range(FURTHEST_BACK):
            if node is None:
                return
            number -= node.step.is_ply
            node = node.parent
            yield self._turned(candidate, node, number, price)
            price += PRICES.TAKEN_BACK_TOO

    def _rethought(self, candidate: Candidate[P]) -> Iterator[Candidate[P]]:
        """Yield the ways on which one of the last steps was another, and all after it the same.

        Only such as explain better what the squares show now, and showed in the look in which that
        step was first seen: what has been learned since stands on the belief in it.
        """
        path, touched = candidate.path, set[Square]()
        for index in range(len(path) - 1, max(len(path) - 1 - RETHOUGHT, -1), -1):
            node, later = path[index], path[index + 1 :]
            before = node.parent.step.after if node.parent else self._start
            was, read = (self._game.occupants(each) for each in (before, node.step.after))
            for step in self._game.steps(before, pieces_on(was)):
                if step.squares == node.step.squares or step.is_ply != node.step.is_ply:
                    continue
                # The step is held against the look that decided for the other one; later looks were
                # learned from by then, and speak for what was believed.
                meant = {square: was[square] for square in node.step.squares}
                meant |= {step.from_square: 0, step.to_square: was[step.from_square]}
                against = DOUBTED - node.look.gain(read, meant)
                misread = max(min(against, MISREAD), -REGRET)
                untouched = {each: meant[each] for each in meant if each not in touched}
                if self._look.gain(candidate.occupants, untouched) <= misread / 2:
                    continue
                way = self._retraced(replace(node, step=step), later)
                if way is not None:
                    price = misread + self._surprise(step)
                    # How the squares of what was read look has been learned by belief in it; the
                    # others were seen as they were.
                    others = {s: untouched[s] for s in untouched if s not in node.step.squares}
                    owed = self._denied_by_looks(others, nextafter(node.at, inf))
                    yield self._turned(candidate, way, candidate.next_number, price, owed=owed)
            touched.update(node.step.squares)

    def _retraced(self, node: Node[P], later: list[Node[P]]) -> Node[P] | None:
        """Return the way on from a step by later ones; None where they are not legal after it."""
        for each in later:
            steps = self._game.steps(node.step.after, [each.step.from_square])
            step = next((step for step in steps if step.squares == each.step.squares), None)
            if step is None:
                return None
            node = replace(each, parent=node, step=step)
        return node


def haste(steps: int, seconds: float) -> float:
    """Return how rare it is that hands make so many steps, or more, in so many seconds, in nats.

    They come as by chance, one in `DEED_S` on the average: a Poisson process.
    """
    mean = seconds / PRICES.DEED_S
    if math.isinf(mean):
        return 0.0
    fewer = sum(mean**count / math.factorial(count) for count in range(steps))
    return -math.log(max(1.0 - math.exp(-mean) * fewer, LEAST_CHANCE))


def candidate_at(game: CameraGame[P], start: P, node: Node[P] | None, number: int) -> Candidate[P]:
    """Return the position at the end of a way from `start`, `number` being that of the next ply."""
    position = node.step.after if node else start
    return Candidate(position, node, number, game.occupants(position))


def pieces_on(occupants: Sequence[int]) -> list[Square]:
    """Return the squares on which something stands."""
    return [Square(square) for square, who in enumerate(occupants) if who]


def _unlikeliness(candidate: Candidate[P]) -> float:
    return -candidate.score


LOOKS = 300  # that are kept since the last certain position
WAYS_KEPT = 40  # positions that are followed from look to look
FOLLOWED = 8  # steps from each that are looked at closely
STEPS_BETWEEN = 2  # steps that may lie between two looks
A_SQUARE = 8.0  # one square of one look says no more against a position, in nats
AGAINST = -4.0  # a step is weighed whose squares say no more against it


@dataclass(frozen=True, slots=True)
class WayOfLooks(Generic[P]):
    """Steps that may have been played, and what goes against them, in nats."""

    position: P
    occupants: tuple[int, ...]
    stood: tuple[int, ...] = ()
    """The occupant of each square in the look before."""
    cost: float = 0.0
    steps: tuple[tuple[Step[P], KeptLook], ...] = ()
    """Each with the look in which it shows."""
    ahead: float = math.inf
    """By how much it is likelier than any other way to the same position, in nats."""

    @property
    def squares(self) -> tuple[tuple[Square, Square], ...]:
        """From where to where each step goes."""
        return tuple(step.squares for step, _ in self.steps)


class LookDecoder(Generic[P]):
    """Keeps looks, and finds out how they may have come about from a position."""

    def __init__(self, game: CameraGame[P]) -> None:
        self._game = game
        self._looks: deque[KeptLook] = deque(maxlen=LOOKS)
        self._origin: tuple[P, float] | None = None
        """The position from which ways are followed, and since when."""
        self._ways: list[WayOfLooks[P]] = []
        self._until = -math.inf
        """When the last look was taken that these ways explain."""

    def keep(self, kept: KeptLook) -> bool:
        """Take a look in; say whether it shows another board than the one before.

        One that shows the same tells nothing new, however often a live camera sees it.
        """
        before = self._looks[-1].look if self._looks else BoardLook({})
        if before.likeliest == kept.look.likeliest:
            return False
        self._looks.append(kept._replace(before=before))
        return True

    def ways_from(self, position: P, since: float) -> list[WayOfLooks[P]]:
        """Return how the looks since then may have come about from a position, likeliest first.

        Of ways that lead to the same position the likeliest stands for all.
        """
        if self._origin != (position, since):
            self._origin, self._until = (position, since), -math.inf
            self._ways = [WayOfLooks(position, tuple(self._game.occupants(position)))]
        for kept in self._looks:
            if kept.at >= since and kept.at > self._until:
                self._ways, self._until = _led_on(self._game, self._ways, kept), kept.at
        return self._ways


def _led_on(game: CameraGame[P], ways: list[WayOfLooks[P]], kept: KeptLook) -> list[WayOfLooks[P]]:
    """Return where ways may lead by one look more."""
    reached = found = _likeliest(game, kept, [replace(way, stood=way.occupants) for way in ways])
    for _ in range(STEPS_BETWEEN):
        reached = [after for way in reached for after in _steps_on(game, way, kept)]
        if not reached:
            break
        reached = _likeliest(game, kept, reached)
        found = _merged(game, [*found, *reached])
    return found


def _likeliest(
    game: CameraGame[P], kept: KeptLook, ways: Iterable[WayOfLooks[P]]
) -> list[WayOfLooks[P]]:
    """Return ways with what a look says against each, the best of those to one position."""
    paid = [replace(way, cost=way.cost + _against(kept, way)) for way in ways]
    return _merged(game, paid)


def _merged(game: CameraGame[P], ways: Iterable[WayOfLooks[P]]) -> list[WayOfLooks[P]]:
    best: dict[Hashable, WayOfLooks[P]] = {}
    for way in sorted(ways, key=lambda way: way.cost):
        first = best.setdefault(placement := game.placement(way.position), way)
        if first is not way:
            behind = way.cost - first.cost
            # The same steps by another look are no rival.
            behind += way.ahead if way.squares == first.squares else 0.0
            best[placement] = replace(first, ahead=min(first.ahead, behind))
    return list(best.values())[:WAYS_KEPT]


def _against(kept: KeptLook, way: WayOfLooks[P]) -> float:
    """Return what a look says against a way that the one before did not."""
    against = 0.0
    for square, nats in kept.look.losses(way.occupants):
        who = way.occupants[square]
        known = kept.before.loss(square, who) if way.stood[square] == who else 0.0
        # A camera's error lasts, so that only what is new of a square counts, and one square never
        # outweighs the rest.
        against += max(min(nats, A_SQUARE) - known, 0.0)
    return against


def _steps_on(game: CameraGame[P], way: WayOfLooks[P], kept: KeptLook) -> Iterator[WayOfLooks[P]]:
    """Yield a way with one step more that its squares speak for; its look is paid for anew."""
    loss, occupants = kept.look.loss, way.occupants
    movers = [
        square
        for square in pieces_on(occupants)
        if loss(square, occupants[square]) - loss(square, 0) > 2 * AGAINST
    ]
    gain = kept.look.gain_of_step
    gains = [
        (better, index, step)
        for index, step in enumerate(game.steps(way.position, movers))
        if (better := gain(occupants, *step.squares) - step.surprise) > AGAINST
    ]
    paid = _against(kept, way)
    for _, _, step in sorted(gains, reverse=True)[:FOLLOWED]:
        cost = way.cost - paid + STEP + step.surprise
        after = step.after
        steps = (*way.steps, (step, kept))
        occupants = tuple(game.occupants(after))
        yield replace(way, position=after, occupants=occupants, cost=cost, steps=steps)

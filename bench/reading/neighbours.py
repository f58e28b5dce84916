"""Two neighbours at a board of reeds, as a second author thinks that people play.

The people of `jetan_table.people` were written beside the reader of moves. These were written
by somebody who had seen neither, so that the reader is also judged by hands nobody taught it. Each
person is a coroutine that yields the time at which it goes on; whoever is due first goes on first.
Times are seconds, lengths millimetres.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count, pairwise
from math import dist, inf, log
from random import Random

from jetan_table.people.strokes import HandPose, Magnet, Push
from jetan_table.people.truth import JuggernautRow, PlyRow, ply_row
from jetan_table.people.world import MagnetWorld
from jetan_table.replay.recordings import microseconds
from rules import SQUARES, TELEPORT, Move, MoveKind, Position, Roll, Side, Square, format_square
from rules.game import destination
from rules.movement import Path, gaits, paths

from .fingers import CARRIES, POLL_S, SHOVES, TAKES, Aside, Doing, Fingers, Neighbour


@dataclass(slots=True)
class Deed:
    """When hands began a ply, and when its piece first came to rest."""

    tags: list[str]
    begun: float = inf
    landed: float = inf


@dataclass(slots=True)
class NeighbourPly:
    """One ply, or what the Juggernaut did: the truth's row, and what the scan is asked by."""

    row: PlyRow | JuggernautRow
    move: Move
    deed: Deed
    before: Position
    victim: Magnet | None = None
    candidates: list[Square] = field(default_factory=list)
    others: list[Square] = field(default_factory=list)
    undone_at: float | None = None


class Neighbours(Fingers):
    """A game of two neighbours, hand by hand."""

    def __init__(
        self, start: Position, rates: Mapping[str, float], world: MagnetWorld, rng: Random
    ) -> None:
        sides = {Magnet(square): piece.side for square, piece in start.pieces().items()}
        super().__init__(rates, sides, world, rng)
        self.position, self.outcome = start, start.outcome
        self.plies: list[NeighbourPly] = []
        self.juggernaut: list[NeighbourPly] = []
        self.settled = 0.0
        self._gaits = gaits(start.rules)
        self._people = [
            Neighbour(side, rng.lognormvariate(0, 0.15), rng.lognormvariate(0, 0.2))
            for side in Side
        ]
        self._due = rng.uniform(1.5, 5.0)
        self._current: NeighbourPly | None = None
        self._begun = False
        """Whether whoever is to move has begun to; not before `_due`."""
        self._game: list[NeighbourPly] = []
        """The plies since the Juggernaut moved that stand."""
        self._count = self._wanted = 0

    def play(self, plies: int) -> None:
        """Play until so many plies stand, or the game is over."""
        self._wanted, order = plies, count()
        agenda = [(0.0, next(order), self._sit(me)) for me in self._people]
        while agenda:
            self._now, _, doing = heappop(agenda)
            if (at := next(doing, None)) is not None:
                heappush(agenda, (max(at, self._now), next(order), doing))
        self.settled = self._now

    # A person

    @property
    def _is_over(self) -> bool:
        return self.outcome is not None or self._count >= self._wanted

    def _sit(self, me: Neighbour) -> Doing:
        while not self._is_over:
            if self.position.side is not me.side:
                yield from self._wait(me)
            elif self._now < self._due:
                yield min(self._due, self._later(POLL_S))
            else:
                yield from self._take_turn(me)
        standing = self._world.standing.items()
        for square in [at for at, one in standing if self._sides.get(one) is me.side]:
            yield from self._look(me, square)

    def _wait(self, me: Neighbour) -> Doing:
        """Wait for the other's ply, and perhaps do something meanwhile."""
        number = self.position.ply_number
        yield self._later((0.3, 3.0))
        if self.position.ply_number == number and not self._begun and self._due < inf:
            if self._happens("wrong-side"):
                yield from self._err(me, "wrong-side")
            elif self._happens("holds"):
                yield from self._hold_ready(me)
        is_restless = self._happens("restless")
        while self.position.ply_number == number and not self._is_over:
            yield self._later(POLL_S)
            if is_restless and self._current and self.position.side is not me.side:
                is_restless = False
                self._current.deed.tags.append("restless")
                yield from self._fiddle(me, self._rng.choice(("adjust", "fidget")))

    def _hold_ready(self, me: Neighbour) -> Doing:
        """Take the piece up that is to move next, while the other still thinks."""
        if (square := self._own(me)) is None:
            return
        magnet, begun = self._world.standing[square], self._now
        self._claimed.add(magnet)
        yield self._raise(me, magnet)
        until = self._later((1.0, 9.0))
        while self._now < until and (self.position.side is not me.side or self._due == inf):
            yield self._later(POLL_S)
        moves = self.position.moves_from(square) if self.position.side is me.side else ()
        if moves and self._due < inf and not self._is_over:
            self._begun = True
            yield min(self._due, self._later((0.2, 2.0)))
            yield from self._make(me, self._choose(moves), begun)
        else:
            yield from self._put_back(me, magnet, square)
            self._note("fidget", begun, [square])

    def _take_turn(self, me: Neighbour) -> Doing:
        self._begun, tags = True, []
        if self._happens("adjust"):
            yield from self._fiddle(me, "adjust")
        if self._happens("sleeve"):
            yield from self._sleeve(me)
        if self._happens("illegal"):
            yield from self._err(me, "illegal")
        if self._happens("rethink"):
            tags.append("rethink")
            yield from self._fiddle(me, "hesitation")
        yield from self._make(me, self._choose(self.position.moves()), None, tags)

    def _choose(self, moves: Collection[Move]) -> Move:
        """Choose as people do who like to take, to take back, and to go on."""
        last = self._game[-1].move.to_square if self._game else None
        ahead, weights = 1 - 2 * self.position.side, []
        for move in moves:
            weight = 1 + 0.25 * max(0, ahead * (move.to_square // 10 - move.from_square // 10))
            if move.kind is MoveKind.CAPTURE:
                weight *= self._rates["hunger"] * (3.0 if move.to_square == last else 1.0)
                weight *= 0.01 if self.position.play(move).ended else 1.0
            weights.append(weight if move.kind is not MoveKind.ESCAPE else 0.02)
        return self._rng.choices(list(moves), weights)[0]

    # A ply

    def _make(
        self, me: Neighbour, move: Move, lifted_at: float | None, tags: Iterable[str] = ()
    ) -> Doing:
        """Play a move; its piece is in the hand already where it was lifted before."""
        ply, standing = self._ply_of(move, tags), self._world.standing
        mover, self._current = standing[move.from_square], ply
        yield from self._clear(me, move.to_square)
        if lifted_at is None:
            yield from self._claim(mover)
        if move.kind is MoveKind.CAPTURE:
            ply.victim = standing[move.to_square]
            yield from self._claim(ply.victim)
        if lifted_at is None and self._now > self._least() + 1:
            yield self._later((0.1, 0.6))  # The hand reaches out, and the other sees it.
        ply.deed.begun = self._now if lifted_at is None else lifted_at
        del standing[move.from_square]
        if ply.victim is not None:
            yield from self._take(me, ply, mover, ply.victim)
        else:
            yield from self._bring(me, ply, mover)
        self._claimed.discard(mover)
        if self._happens("topple"):
            yield from self._topple(me, move.to_square, ply.deed.tags)
        if self._happens("nudge"):
            yield self._later((0.2, 0.9))
            if self._is_at_rest(mover, move.to_square):
                ply.deed.tags.append("nudge")
                yield from self._shift(me, mover, move.to_square, 1.0)
        if self.position.juggernaut is not None and self.outcome is None:
            yield from self._wander(me)
        yield from self._look(me, move.to_square, ply.deed.tags)
        if self._happens("regrets") and self._may_undo:
            yield from self._regret(me)
        for square in [at for at in self._strays if self._rng.random() < 0.4]:
            yield self._later((0.5, 3.0))
            yield from self._clear(me, square)

    def _ply_of(self, move: Move, tags: Iterable[str]) -> NeighbourPly:
        position = self.position
        victim = position.piece_at(move.to_square)
        row = ply_row(position, move, 0.0, 0.0, list(tags))
        ply = NeighbourPly(row, move, Deed(row.behaviours), position)
        for one in position.moves():
            if one.from_square == move.from_square and victim and one.kind is MoveKind.CAPTURE:
                ply.candidates.append(one.to_square)
            elif one.to_square == move.to_square and one != move:
                ply.others.append(one.from_square)
        if victim is not None:
            row.candidates = [format_square(square) for square in ply.candidates]
        return ply

    def _announce(self, ply: NeighbourPly, mover: Magnet, landed: float, stays: bool) -> None:
        """The hand goes down: everybody sees which ply it is, and the other may think of theirs."""
        row, begun = ply.row, ply.deed.begun
        assert isinstance(row, PlyRow)
        before = self._least()
        ply.deed.landed, row.t_lift_us = landed, microseconds(begun)
        if begun < before:
            row.overlap_us = microseconds(before - begun)
        if begun < before + 0.3:
            ply.deed.tags.append("pre-lift" if begun < before else "at-once")
        self._world.standing[ply.move.to_square] = mover
        self.plies.append(ply)
        self._game.append(ply)
        self._count += 1
        self.position = ply.before.play(ply.move)
        self.outcome = self.position.outcome
        self._begun, self._current = False, None
        if not stays or self.position.juggernaut is not None:
            self._due = inf
        elif self._happens("pre-lift"):
            self._due = landed - self._rng.uniform(0.02, 0.5)
        else:
            self._due = self._thought(landed)

    def _bring(self, me: Neighbour, ply: NeighbourPly, mover: Magnet) -> Doing:
        """Carry a piece to its square, which is empty."""
        carry = self._weighed(CARRIES)
        if self._world.poses[mover].z > 0:
            carry = "lifted"
        elif carry in ("slide", "hop") and (way := self._way(ply, mover)):
            ply.deed.tags.append(carry)
            lift, rests = (14.0, (0.05, 0.5)) if carry == "hop" else (0.0, (0.0, 0.03))
            for square in way[1:-1]:
                yield self._go(me, mover, self._spot(me, square, mover), lift)
                yield self._later(rests)
            yield self._land(me, ply, mover, self._spot(me, way[-1], mover), lift)
            return
        if self._maybe(ply, "two-lifted"):
            yield self._raise(me, mover)
            yield from self._fiddle(me, "fidget")
        if self._maybe(ply, "long-hold"):
            yield self._raise(me, mover)
            yield self._later((1.5, 6.0))
        if self._maybe(ply, "hover"):
            over = self._rng.choice(ply.before.moves_from(ply.move.from_square)).to_square
            spot = self._world.geometry.centres[over]
            yield self._go(me, mover, HandPose(*spot, self._rng.uniform(22.0, 45.0)), 40.0)
            yield self._later((0.3, 2.0))
        if self._happens("wrong-square"):
            yield from self._misplace(me, ply, mover)
        yield from self._put(me, ply, mover, low=carry == "low")

    def _put(self, me: Neighbour, ply: NeighbourPly, mover: Magnet, low: bool = False) -> Doing:
        """Put a piece down on its square, in the middle or less well."""
        to, geometry = ply.move.to_square, self._world.geometry
        end = self._spot(me, to, mover)
        line = self._around(geometry.centres[to], geometry.reach(to, 0.46), mover)
        if line and self._maybe(ply, "line"):
            end = line
        lift = self._rng.uniform(28, 62)
        if low and self._is_clear(self._world.poses[mover].spot, end.spot, mover):
            ply.deed.tags.append("low")
            lift = self._rng.uniform(7, 18)
        short = self._around(end.spot, 14.0, mover)
        if short and self._maybe(ply, "slip"):
            yield self._go(me, mover, short, lift)
            yield self._later((0.05, 0.35))
            lift = 0.0
        yield self._land(me, ply, mover, end, lift)

    def _land(
        self, me: Neighbour, ply: NeighbourPly, mover: Magnet, end: HandPose, lift: float
    ) -> float:
        """Begin a ply's last stroke; return when it ends."""
        landed = self._go(me, mover, end, lift, self._least() + 0.03)
        self._announce(ply, mover, landed, stays=True)
        return landed

    def _misplace(self, me: Neighbour, ply: NeighbourPly, mover: Magnet) -> Doing:
        """Put a piece on a wrong square first; what stands there for long is a ply of its own."""
        before, (start, to, _) = ply.before, ply.move
        around = before.rules.board.neighbours[to]
        near = [one for one in around if one is not None and self._is_empty(one) and one != start]
        if not near:
            return
        wrong = self._rng.choice(near)
        ply.deed.tags.append("wrong-square")
        landed = self._go(me, mover, self._spot(me, wrong, mover), 40.0, self._least() + 0.03)
        meant = [one for one in before.moves_from(start) if one.to_square == wrong]
        if not meant or before.play(meant[0]).outcome is not None or self._rng.random() < 0.4:
            yield landed
            yield self._later((0.3, 1.4))
            return
        first = self._ply_of(meant[0], ["wrong-square"])
        first.deed.begun = ply.deed.begun
        self._announce(first, mover, landed, stays=False)
        yield landed
        self._claimed.discard(mover)
        yield from self._look(me, wrong, first.deed.tags)
        yield self._later((2.2, 5.0))
        yield from self._claim(mover)
        self._unplay(first, "wrong-square")
        self._begun, self._current, ply.deed.begun = True, ply, self._now

    # Taking

    def _take(self, me: Neighbour, ply: NeighbourPly, mover: Magnet, victim: Magnet) -> Doing:
        how = self._weighed(TAKES + SHOVES)
        is_held = self._world.poses[mover].z > 0
        aside = self._aside(me, ply.move.to_square, mover, victim) if how in SHOVES else None
        if (how in SHOVES and aside is None) or (is_held and how == "victim-first"):
            how = "mover-first"
        ply.deed.tags.append(how)
        del self._world.standing[ply.move.to_square]
        (x, y), away = self._world.poses[victim].spot, self._now
        if aside is not None:
            yield from self._shove(me, ply, mover, victim, how, aside)
            away = self._remove(me, ply, victim)
        elif how == "take-swap":
            yield self._go(me, mover, HandPose(x + 11, y + 11, self._rng.uniform(26, 40)), 45.0)
            away = self._go(me, victim, HandPose(x - 10, y - 10, self._rng.uniform(24, 45)), 0.0)
            yield self._part_of(away)
        elif how in ("victim-first", "two-hands"):
            away = self._remove(me, ply, victim)
            yield away if how == "victim-first" else self._later((0.0, 0.3))
            yield self._later((0.05, 1.2) if how == "victim-first" else (0.0, 0.1))
        else:
            if not is_held:
                yield self._raise(me, mover)
            yield self._later((0.1, 1.5))
            hand = self._people[me.side.other] if how == "take-by-other" else me
            away = self._remove(hand, ply, victim)
            yield self._part_of(away)
        if aside is None:
            bring = self._bring if how == "victim-first" else self._put
            yield from bring(me, ply, mover)
        yield away
        if self._world.poses[victim].z > 0:
            yield self._later((0.1, 0.4) if how == "take-swap" else (0.5, 5.0))
            yield self._go(me, victim, self._off(me, victim), 30.0)
        self._claimed.discard(victim)

    def _shove(
        self, me: Neighbour, ply: NeighbourPly, mover: Magnet, victim: Magnet, how: str, way: Aside
    ) -> Doing:
        """Slide in where the victim stands, which makes way as it is pushed or tilted."""
        comes, end, toward = way
        yield self._go(me, mover, comes, 40.0)
        if how == "take-under":
            x, y = self._world.poses[victim].spot
            tilted = HandPose(x + 14 * toward[0], y + 14 * toward[1], 26.0, 0.5, 1.0)
            self._go(me, victim, tilted, 0.0)
            yield self._later((0.03, 0.12))
        stroke = self._stroke(me, mover, end, 0.0, max(self._least() + 0.03, self._now + 0.25))
        self._world.go(stroke)
        self._announce(ply, mover, stroke.ended, stays=True)
        if how == "take-push":
            stood, foot = self._world.poses[victim], self._world.geometry.foot
            self._world.go(Push(victim, stroke, stood, toward, self._now, foot))
        yield max(stroke.ended, self._world.free_at[victim])
        yield self._later((0.1, 2.5))

    def _remove(self, me: Neighbour, ply: NeighbourPly, victim: Magnet) -> float:
        """Begin to take a victim to the table, to a square of the rim, or into the fist."""
        near, next_ply = self.position.rules.board.neighbours, self._current or ply
        rim = [one for one in SQUARES if None in near[one] and self._is_empty(one)]
        rim = [one for one in rim if one not in ply.move and one != next_ply.move.to_square]
        end = self._off(me, victim)
        if rim and self._maybe(ply, "on-rim"):
            centres = self._world.geometry.centres
            square = min(rim, key=lambda one: dist(centres[one], end.spot))
            end = self._spot(me, square, victim)
            self._strays[square] = victim
        elif self._maybe(ply, "in-fist"):
            end = end._replace(z=self._rng.uniform(50, 90))
        return self._go(me, victim, end, self._rng.uniform(25, 60))

    # What else people do

    def _err(self, me: Neighbour, sort: str) -> Doing:
        """Play what the rules forbid, see it in the lamps, and undo it."""
        world, begun, waits = self._world, self._now, self._due
        if (square := self._own(me)) is None:
            return
        legal = {move.to_square for move in self.position.moves_from(square)}
        steps = self.position.rules.board.neighbours
        near = {far for one in steps[square] if one is not None for far in steps[one]} - legal
        ends = [one for one in near if one is not None and self._is_empty(one)]
        if not ends:
            return
        self._due, end, magnet = inf, self._rng.choice(sorted(ends)), world.standing.pop(square)
        self._claimed.add(magnet)
        yield self._go(me, magnet, self._spot(me, end, magnet), 40.0)
        world.standing[end] = magnet
        yield self._later((1.5, 4.5))
        world.standing[square] = world.standing.pop(end)
        yield from self._put_back(me, magnet, square)
        self._note(sort, begun, [square, end])
        self._due = max(waits, self._later((0.5, 3.0)))

    @property
    def _may_undo(self) -> bool:
        """Whether a ply stands, and the other has not begun theirs, nor has a piece astray."""
        return bool(self._game) and self._due < inf and not self._begun and not self._is_over

    def _regret(self, me: Neighbour) -> Doing:
        """Take plies back, the last one first."""
        standing, self._due = self._world.standing, inf
        yield self._later((0.5, 3.0))
        for _ in range(min(self._rng.choice((1, 1, 1, 2, 2, 3)), len(self._game))):
            ply = self._game[-1]
            start, end, _ = ply.move
            back = {start: standing[end]} | ({end: ply.victim} if ply.victim is not None else {})
            yield from self._clear(me, start)
            del standing[end]
            for square, magnet in back.items():
                yield from self._claim(magnet)
                self._strays = {at: one for at, one in self._strays.items() if one != magnet}
                standing[square] = magnet
                yield self._go(me, magnet, self._spot(me, square, magnet), 40.0)
                self._claimed.discard(magnet)
            self._unplay(ply, "takeback")
            self._due = inf
            for square in back:
                yield from self._look(me, square)
            yield self._later((0.3, 2.0))
        self._due = self._thought(self._now)

    def _unplay(self, ply: NeighbourPly, why: str) -> None:
        """The last ply stands no longer."""
        assert isinstance(ply.row, PlyRow)
        self._game.remove(ply)
        if why == "wrong-square":
            del self._world.standing[ply.move.to_square]
        self._count -= 1
        self.position, self.outcome = ply.before, None
        ply.row.takeback, ply.undone_at = why, self._now

    def _wander(self, me: Neighbour) -> Doing:
        """Throw the Juggernaut's die, and carry it where that says."""
        standing, position = self._world.standing, self.position
        here, there = position.juggernaut, None
        assert here is not None
        yield self._later((0.8, 4.0))
        while there is None:
            face, file, rank = (self._rng.randint(1, 10) for _ in range(3))
            roll = Roll(face, file, rank) if face == TELEPORT else Roll(face)
            there = destination(position, roll)
        killed = position.piece_at(there)
        row = JuggernautRow(
            after_ply=position.ply_number - 1,
            die=face,
            from_=format_square(here),
            to=format_square(there),
            killed=[killed.side.word, killed.kind.word] if killed else None,
            t_settled_us=0,
            behaviours=["juggernaut"],
            t_lift_us=0,
        )
        kind = MoveKind.CAPTURE if killed else MoveKind.MOVE
        ply = NeighbourPly(row, Move(here, there, kind), Deed(row.behaviours), position)
        self.juggernaut.append(ply)
        magnet, deed = standing[here], ply.deed
        if there == here:
            deed.begun = deed.landed = self._now
        else:
            yield from self._clear(me, there)
            yield from self._claim(magnet, *([standing[there]] if killed else []))
            deed.begun = self._now
            if killed:
                victim = standing.pop(there)
                yield self._go(me, victim, self._off(me, victim), 40.0)
                self._claimed.discard(victim)
            standing[there] = standing.pop(here)
            deed.landed = self._go(me, magnet, self._spot(me, there, magnet), 45.0)
            self._game.clear()
            self.position = position.move_juggernaut(there)
            self.outcome = self.position.outcome
        row.t_lift_us = microseconds(deed.begun)
        self._due = self._thought(deed.landed)
        yield deed.landed
        self._claimed.discard(magnet)
        yield from self._look(me, there)

    # What the game says

    def _way(self, ply: NeighbourPly, mover: Magnet) -> Path | None:
        """Return a path of the piece's own gait along which it can be slid, if there is one."""
        start, end, _ = ply.move
        piece, centres = ply.before.piece_at(start), self._world.geometry.centres
        assert piece is not None
        gait, topology = self._gaits[piece.kind], ply.before.rules.board
        found = [way for way in paths(topology, gait, piece.side, start) if way[-1] == end]
        for way in self._rng.sample(found, len(found)):
            legs = [(centres[one], centres[other]) for one, other in pairwise(way)]
            is_empty = all(self._is_empty(square) for square in way[1:])
            if is_empty and all(self._is_clear(*leg, mover) for leg in legs):
                return way
        return None

    def _least(self) -> float:
        """Return when the last thing landed; nothing lands before it."""
        return max(
            (rows[-1].deed.landed for rows in (self.plies, self.juggernaut) if rows), default=0.0
        )

    def _thought(self, since: float) -> float:
        """Return when the next one will have thought, who sees what is done at `since`."""
        if self._happens("at-once"):
            return since + self._rng.uniform(0.01, 0.28)
        thought = self._rng.lognormvariate(log(self._rates["thought"]), 0.8)
        return since + min(0.3 + thought, 40.0)

    def _maybe(self, ply: NeighbourPly, tag: str) -> bool:
        """Whether something happens in a ply, which is then tagged with it."""
        happens = self._happens(tag)
        ply.deed.tags += [tag] if happens else []
        return happens

"""What a hand does with the pieces of one ply, in each of the ways people do it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules import Move, Position, Square
from rules.movement import gaits, paths
from rules.topology import SQUARE_NAMES

from ..replay.recordings import microseconds
from .habits import Habits, Person
from .world import Magnet, MagnetWorld

Fact = int | str | bool | list[str] | Mapping[str, int | str | bool]


@dataclass(slots=True)
class HandPly:
    """A ply as the hands made it. Times are seconds on the table clock."""

    begun: float
    """When the first piece was touched."""
    landed: float
    """When the last switch changed."""
    tags: list[str]
    """Names of what happened, for the truth's `behaviours`."""
    facts: dict[str, Fact] = field(default_factory=dict)
    """Further keys of the ply's line in the truth."""
    victim: Magnet | None = None
    """What it took."""


@dataclass(frozen=True, slots=True)
class Slip:
    """A piece put down on a wrong square, and taken up again. Times are seconds."""

    square: Square
    legal: Move | None
    """The move that it would have been, where that was legal."""
    begun: float
    """When the piece was lifted."""
    down: float
    up: float
    was_ply: bool
    """Whether it was legal and stood long enough to be read as a ply, which is then taken back."""

    def row(self, ply: int) -> dict[str, object]:
        """Return its line among the incidents."""
        return {
            "type": "wrong-square",
            "ply": ply,
            "square": SQUARE_NAMES[self.square],
            "legal": self.legal is not None,
            "t_us": microseconds(self.down),
            "t_end_us": microseconds(self.up),
        }


class Hands:
    """One person's hands over the board. Every method returns when its last edge was."""

    def __init__(self, world: MagnetWorld, person: Person) -> None:
        self.world, self.person = world, person

    @property
    def _habits(self) -> Habits:
        return self.person.habits

    def lift_and_put(self, at: float, square: Square, lasts: float) -> float:
        """Take a piece up, hold it so long, and put it back."""
        self.world.put(at + lasts, square, self.world.lift(at, square))
        return at + lasts

    def carry(self, at: float, start: Square, end: Square) -> float:
        """Lift a piece and put it down elsewhere."""
        landed = at + self.person.takes(self._habits.air)
        self.world.put(landed, end, self.world.lift(at, start))
        return landed

    def slide(self, at: float, route: tuple[Square, ...]) -> float:
        """Push a piece along a route of empty squares, from its first to its last square."""
        person, habits = self.person, self._habits
        magnet = self.world.lift(at, route[0])
        left = last = at
        for square in route[1:]:
            overlaps = person.does(habits.slide_overlaps)
            arrived = left + person.takes(habits.slide_gap)
            if overlaps:
                arrived = max(at, left - person.takes(habits.slide_overlap))
            if square == route[-1]:
                self.world.put(arrived, square, magnet)
                last = max(left, arrived)
            else:
                left = arrived + person.takes(habits.slide_square)
                self.world.pass_over(arrived, square, True, magnet)
                self.world.pass_over(left, square, False, magnet)
        return last

    def land(self, at: float, move: Move, how: str, position: Position) -> HandPly:
        """Bring the piece to its empty square: by `slide` or `between`, else plainly."""
        start, end = move.from_square, move.to_square
        route = self._route(position, move) if how == "slide" else None
        if route:
            landed = self.slide(at, route)
            names = [SQUARE_NAMES[square] for square in route]
            return HandPly(at, landed, ["slide"], {"slide_path": names})
        landed = at + self.person.takes(self._habits.air)
        made = HandPly(at, landed, ["plain"])
        if how == "between":
            rests = self.person.takes(self._habits.between)
            landed += rests
            made = HandPly(at, landed, ["between"], {"between_us": microseconds(rests)})
        self.world.put(landed, end, self.world.lift(at, start))
        return made

    def take(self, at: float, move: Move, how: str, position: Position) -> HandPly:
        """Take a piece in one of the styles `capture-…`."""
        person, habits, world = self.person, self._habits, self.world
        start, end = move.from_square, move.to_square
        if how == "capture-victim-first":
            victim = world.lift(at, end)
            taken_up = at + person.takes(habits.to_attacker)
            landing = person.chooses(habits.victim_first_landings)
            made = self.land(taken_up, move, landing, position)
            tags = [how, *(tag for tag in made.tags if tag != "plain")]
            return HandPly(at, made.landed, tags, made.facts, victim)
        attacker = world.lift(at, start)
        reached = at + person.takes(habits.air)
        if how == "capture-no-gap" and person.does(habits.gapless):
            # The attacker comes before the victim goes, so that the switch never opens.
            world.pass_over(reached, end, True, attacker)
            victim = world.lift(reached, end)
            world.standing[end] = attacker
            return HandPly(at, reached, [how], {"gap_us": 0}, victim)
        gap = {"capture-swept": habits.swept, "capture-no-gap": habits.no_gap}
        landed = reached + person.takes(gap.get(how, habits.air))
        victim = world.lift(reached, end)
        world.put(landed, end, attacker)
        facts: dict[str, Fact] = {}
        if how in gap:
            facts["gap_us"] = microseconds(landed) - microseconds(reached)
        return HandPly(at, landed, [how], facts, victim)

    def slip(self, at: float, move: Move, position: Position) -> Slip | None:
        """Put the piece down beside the square it was meant for, then take it up again.

        Returns None where there is no such empty square.
        """
        person, habits = self.person, self._habits
        legal = {other.to_square: other for other in position.moves_from(move.from_square)}
        near = [
            square
            for square in position.rules.topology.neighbours[move.to_square]
            if square is not None and square not in self.world.standing
        ]
        wanted = person.does(habits.wrong_is_legal)
        squares = [square for square in near if (square in legal) == wanted] or near
        if not squares:
            return None
        wrong = person.rng.choice(squares)
        is_ply = not person.does(habits.slips)
        down = self.carry(at, move.from_square, wrong)
        up = down + person.within(habits.stands if is_ply else habits.slip)
        return Slip(wrong, legal.get(wrong), at, down, up, is_ply and wrong in legal)

    def correct(self, slip: Slip, move: Move) -> HandPly:
        """Bring the piece from the wrong square to the right one."""
        landed = self.carry(slip.up, slip.square, move.to_square)
        legality = "wrong-square-legal" if slip.legal else "wrong-square-illegal"
        facts: dict[str, Fact] = {
            "wrong_square": {
                "square": SQUARE_NAMES[slip.square],
                "legal": slip.legal is not None,
                "t_down_us": microseconds(slip.down),
                "t_up_us": microseconds(slip.up),
            }
        }
        tags = ["wrong-square", legality]
        if slip.was_ply:
            return HandPly(slip.up, landed, [*tags, "wrong-square-final"], facts)
        return HandPly(slip.begun, landed, tags, facts)

    def undo(self, at: float, move: Move, victim: Magnet | None) -> float:
        """Put a move's pieces back where they stood."""
        person, habits = self.person, self._habits
        if victim is None:
            return self.carry(at, move.to_square, move.from_square)
        attacker = self.world.lift(at, move.to_square)
        first = at + person.takes(habits.air)
        second = first + person.takes(habits.fetch)
        victim_first = person.does(habits.victim_back_first)
        self.world.put(second if victim_first else first, move.from_square, attacker)
        self.world.put(first if victim_first else second, move.to_square, victim)
        return second

    def _route(self, position: Position, move: Move) -> tuple[Square, ...] | None:
        """Choose a path of the piece over empty squares; None where there is none."""
        start, end = move.from_square, move.to_square
        piece = position.piece_at(start)
        if piece is None:  # the Juggernaut is pushed to the next square
            beside = end in position.rules.topology.neighbours[start]
            return (start, end) if beside else None
        gait = gaits(position.rules)[piece.kind]
        routes = [
            path
            for path in paths(position.rules.topology, gait, piece.side, start)
            if path[-1] == end and not any(square in self.world.standing for square in path[1:])
        ]
        return self.person.rng.choice(routes) if routes else None

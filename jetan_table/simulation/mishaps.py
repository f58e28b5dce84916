"""What people do at the table besides their ply: adjusting, hesitating, trying, knocking over."""

from __future__ import annotations

from dataclasses import dataclass

from rules import SQUARES, Move, MoveKind, Position, Square
from rules.topology import SQUARE_NAMES

from ..replay.recordings import microseconds
from .habits import Person
from .hands import Hands
from .world import Magnet, MagnetWorld

UP_AGAIN = (0.3, 0.97)
"""When the other fallen pieces stand again, as a share of the time until the last one does."""

IncidentRow = dict[str, object]
"""A line of the truth's `incidents`."""


@dataclass(frozen=True, slots=True)
class Mishap:
    """An incident that is over."""

    begun: float
    """In seconds on the table clock, as is `ended`."""
    ended: float
    row: IncidentRow


def _mishap(
    kind: str, begun: float, ended: float, squares: list[Square], **facts: object
) -> Mishap:
    names = [SQUARE_NAMES[square] for square in squares]
    times = {"t_us": microseconds(begun), "t_end_us": microseconds(ended)}
    return Mishap(begun, ended, {"type": kind, **times, "squares": names, **facts})


def adjust(at: float, hands: Hands, position: Position) -> Mishap | None:
    """J'adoube: lift one to three own pieces and put each back."""
    person, habits = hands.person, hands.person.habits
    own = _own(hands.world, position)
    squares = person.rng.sample(own, min(len(own), int(person.chooses(habits.jadoube_pieces))))
    ended = at
    for index, square in enumerate(squares):
        begun = ended + (person.takes(habits.pause) if index else 0)
        ended = hands.lift_and_put(begun, square, person.takes(habits.air))
    return _mishap("jadoube", at, ended, squares) if squares else None


def hesitate(at: float, hands: Hands, position: Position) -> Mishap | None:
    """Lift one own piece, think with it in hand, and put it back."""
    own = _own(hands.world, position)
    if not own:
        return None
    square = hands.person.rng.choice(own)
    ended = hands.lift_and_put(at, square, hands.person.takes(hands.person.habits.hesitates))
    return _mishap("hesitation", at, ended, [square])


def try_illegal(at: float, hands: Hands, position: Position) -> Mishap | None:
    """Make an illegal move, let it stand, and undo it, a victim put back too."""
    person, habits, world = hands.person, hands.person.habits, hands.world
    move = _illegal(person, position, world, person.does(habits.illegal_takes))
    if move is None:
        return None
    victim = None
    if move.kind is MoveKind.CAPTURE:
        taken = hands.take(at, move, "capture-victim-first", position)
        made, victim = taken.landed, taken.victim
    else:
        made = hands.carry(at, move.from_square, move.to_square)
    ended = hands.undo(made + person.takes(habits.illegal_stands), move, victim)
    start, end = move.from_square, move.to_square
    return _mishap(
        "illegal",
        at,
        ended,
        [start, end],
        victim=victim is not None,
        t_made_us=microseconds(made),
        **{"from": SQUARE_NAMES[start], "to": SQUARE_NAMES[end]},
    )


def knock(
    at: float, person: Person, world: MagnetWorld, position: Position, spared: Square | None = None
) -> Mishap | None:
    """A sleeve knocks over up to three neighbouring pieces; some roll over an empty square.

    `spared` is the square of the piece that has just landed.
    """
    habits, rng = person.habits, person.rng
    fallen = _neighbouring(person, world, position, spared)
    if not fallen:
        return None
    lasts = person.takes(habits.knock_lasts)
    magnets: list[Magnet] = []
    falls: list[float] = []
    for index, square in enumerate(fallen):
        falls.append(at + (person.takes(habits.knock_falls) if index else 0))
        magnets.append(world.lift(falls[-1], square))
    rolls: dict[str, str] = {}
    free = set(SQUARES) - set(world.standing) - set(fallen)
    for square, fell, magnet in zip(fallen, falls, magnets, strict=True):
        beside = sorted(free.intersection(position.rules.topology.neighbours[square]))
        if beside and person.does(habits.rolls):
            over = rng.choice(beside)
            free.remove(over)
            rolls[SQUARE_NAMES[square]] = SQUARE_NAMES[over]
            reached = fell + person.takes(habits.roll_after)
            world.pass_over(reached, over, True, magnet)
            world.pass_over(reached + person.takes(habits.roll_lasts), over, False, magnet)
    for index, (square, magnet) in enumerate(zip(fallen, magnets, strict=True)):
        share = rng.uniform(*UP_AGAIN) if index else 1.0
        world.put(max(falls[index] + habits.pace, at + share * lasts), square, magnet)
    return _mishap("knock", at, max(falls[-1] + habits.pace, at + lasts), fallen, rolls=rolls)


def _neighbouring(
    person: Person, world: MagnetWorld, position: Position, spared: Square | None
) -> list[Square]:
    """Choose one to three standing pieces beside each other."""
    standing = sorted(set(world.standing) - {spared})
    if not standing:
        return []
    first = person.rng.choice(standing)
    beside = set(position.rules.topology.neighbours[first])
    near = [square for square in standing if square in beside and square != first]
    return [first, *person.rng.sample(near, min(len(near), person.rng.randint(0, 2)))]


def _own(world: MagnetWorld, position: Position) -> list[Square]:
    """Return the squares of the side to move."""
    own = []
    for square in sorted(world.standing):
        piece = position.piece_at(square)
        if piece is not None and piece.side is position.side:
            own.append(square)
    return own


def _illegal(person: Person, position: Position, world: MagnetWorld, taking: bool) -> Move | None:
    """Choose a move of an own piece that is not legal, if a few tries find one."""
    own = _own(world, position)
    for _ in range(30):
        start, end = person.rng.choice(own), person.rng.choice(SQUARES)
        foe = position.piece_at(end)
        fits = (
            foe is not None and foe.side is not position.side
            if taking
            else end not in world.standing
        )
        if fits and all(move.to_square != end for move in position.moves_from(start)):
            return Move(start, end, MoveKind.CAPTURE if taking else MoveKind.MOVE)
    return None

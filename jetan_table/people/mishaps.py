"""What happens at a simulated table besides plies: each returns when it is over, and where it was.

Nothing here changes who stands on which square.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from math import cos, dist, pi, sin

from rules import SQUARES, Move, MoveKind, Position, Square
from rules.movement import gaits, paths

from .hands import Hands
from .strokes import HandPose, Magnet, Stroke

SHIFTS_MM = 2.5
"""How far a bump shifts each piece, each way: a deviation."""

BUMP_S = (0.02, 0.08)
"""How long a bump lasts."""

LYING_MM = 8.0
"""How high the magnet of a piece lies that has fallen over."""


@dataclass(frozen=True, slots=True)
class Mishap:
    """An incident: when it ends, and the squares it was about."""

    ended: float
    squares: Sequence[Square]


class IllegalKind(Enum):
    """How an illegal ply is wrong."""

    FOREIGN = "foreign"
    FAR = "far"
    THROUGH = "through"
    OWN = "own"
    TAKES = "takes"


def bump(at: float, hands: Hands, position: Position) -> Mishap:
    """Somebody knocks against the table: all that stands is shifted, and dark lamps are mended."""
    rng, world = hands.player.rng, hands.world
    ended = at + rng.uniform(*BUMP_S)
    free = [at_ for at_, magnet in world.standing.items() if world.free_at.get(magnet, 0.0) <= at]
    for square in sorted(free):
        magnet = world.standing[square]
        pose = world.poses[magnet]
        end = pose._replace(x=pose.x + rng.gauss(0, SHIFTS_MM), y=pose.y + rng.gauss(0, SHIFTS_MM))
        world.go(Stroke(magnet, at, ended - at, pose, end))
    for square in sorted(free):
        if not world.is_lit(square):
            begun = ended + hands.player.rests(hands.player.manners.lamp)
            ended = hands.nudge(begun, square, world.standing[square])
    return Mishap(ended, ())


def fidget(at: float, hands: Hands, position: Position) -> Mishap | None:
    """Play with a piece: tip it, lift it a little, turn it, several times."""
    square = _own(hands, position)
    if square is None:
        return None
    player, rng, world = hands.player, hands.player.rng, hands.world
    magnet = world.standing[square]
    home = world.poses[magnet]
    for _ in range(rng.randint(1, 5)):
        leans = rng.choice((0.0, rng.uniform(0.1, 0.6)))
        end = HandPose(
            home.x + rng.gauss(0, 4),
            home.y + rng.gauss(0, 4),
            rng.choice((0.0, rng.uniform(1.0, 14.0))),
            leans,
            rng.uniform(0, 2 * pi),
        )
        stroke = Stroke(magnet, at, player.moves(0.3, 0.5), world.poses[magnet], end, tremor=0.4)
        at = world.go(stroke) + player.moves(0.15, 0.8)
    at = hands.carry(at, magnet, world.place(square, 0.06), "slide", player.moves(0.25)).ended
    return Mishap(hands.settle(at, square, magnet, []), [square])


def adjust(at: float, hands: Hands, position: Position) -> Mishap | None:
    """J'adoube: put one to four own pieces right, lifted or pushed."""
    rng = hands.player.rng
    own = _all_own(hands, position)
    squares = rng.sample(own, min(len(own), rng.choice((1, 1, 1, 2, 2, 3, 4))))
    for square in squares:
        magnet = hands.world.standing[square]
        how = rng.choice(("plain", "low", "slide"))
        at = hands.put(at + hands.player.moves(0.3, 0.5), square, magnet, how, [])
    return Mishap(at, squares) if squares else None


def put_again(at: float, hands: Hands, position: Position) -> Mishap | None:
    """Take a piece up, think, and put it back where it was."""
    square = _own(hands, position)
    if square is None:
        return None
    magnet = hands.world.standing[square]
    at = hands.lift(at, magnet)
    at = hands.hold(at, magnet, max(0.15, hands.player.pauses()))
    return Mishap(hands.put(at, square, magnet, "low", []), [square])


def sleeve(at: float, hands: Hands, position: Position) -> Mishap | None:
    """A sleeve goes over a rank: its pieces lean, are shifted, and are put right afterwards."""
    player, rng, world = hands.player, hands.player.rng, hands.world
    rank = rng.randrange(10)
    files = range(*sorted(rng.sample(range(11), 2)))
    squares = [square for file in files if (square := Square(10 * rank + file)) in world.standing]
    if not squares:
        return None
    ended = at
    for square in squares:
        magnet = world.standing[square]
        pose = world.poses[magnet]
        begun = at = at + player.moves(0.12, 0.4)
        end = HandPose(pose.x + rng.gauss(0, 7), pose.y + rng.gauss(0, 7))
        leans = rng.uniform(0.1, 0.7)
        lasts = player.moves(0.35, 0.3)
        ended = max(ended, world.go(Stroke(magnet, begun, lasts, pose, end, sway=leans)))
    for square in squares:
        if not world.is_lit(square) or player.does(0.3):
            begun = ended + player.moves(0.5, 0.5)
            ended = hands.nudge(begun, square, world.standing[square])
    return Mishap(ended, squares)


def topple(
    at: float, hands: Hands, position: Position, spared: Square | None = None
) -> Mishap | None:
    """One to three neighbouring pieces fall over, and are set up again one by one.

    The piece on the square that is `spared` stands on.
    """
    player, rng, world = hands.player, hands.player.rng, hands.world
    free = sorted(
        square
        for square, magnet in world.standing.items()
        if square != spared and world.free_at.get(magnet, 0.0) <= at
    )
    if not free:
        return None
    first = rng.choice(free)
    centres = world.geometry.centres
    near = sorted(free, key=lambda other: dist(centres[other], centres[first]))
    fallen = near[: rng.choice((1, 1, 2, 2, 3))]
    way = rng.uniform(0, 2 * pi)
    lie = at
    for square in fallen:
        lie = max(lie, _fall(at, hands, world.standing[square], way + rng.gauss(0, 0.5)))
        at += player.moves(0.1, 0.5)
    up = lie + player.rests(player.manners.lies)
    for square in rng.sample(fallen, len(fallen)):
        up = hands.put(up, square, world.standing[square], "low", [])
        up += player.moves(0.4, 0.6)
    return Mishap(up, fallen)


def _fall(at: float, hands: Hands, magnet: Magnet, way: float) -> float:
    """Let one piece fall, and perhaps roll on; return when it lies."""
    rng, world = hands.player.rng, hands.world
    pose = world.poses[magnet]
    length = rng.uniform(14.0, 30.0)
    lying = HandPose(pose.x + length * cos(way), pose.y + length * sin(way), LYING_MM, pi / 2, way)
    at = world.go(Stroke(magnet, at, rng.uniform(0.12, 0.3), pose, lying))
    if rng.random() < 0.4:
        rolls = rng.uniform(15.0, 60.0) * rng.choice((-1, 1))
        x, y = lying.x - rolls * sin(way), lying.y + rolls * cos(way)
        if world.is_way_free([lying.spot, (x, y)], (magnet,)):
            end = lying._replace(x=x, y=y)
            at = world.go(Stroke(magnet, at, rng.uniform(0.3, 0.9), lying, end))
    return at


def try_illegal(at: float, hands: Hands, position: Position) -> Mishap | None:
    """Make an illegal ply of some kind, let it stand, and undo it."""
    move = illegal_move(hands, position)
    if move is None:
        return None
    player = hands.player
    if move.kind is MoveKind.CAPTURE:
        deed = hands.take(at, move, position, player.chooses(player.manners.takes))
    else:
        deed = hands.land(at, move, position)
    back = deed.landed + player.rests(player.manners.stands)
    back = max(back, hands.world.free_at[hands.world.standing[move.to_square]])
    ended = hands.undo(back, move, deed.victim)
    return Mishap(ended, [move.from_square, move.to_square])


def illegal_move(hands: Hands, position: Position) -> Move | None:
    """Choose an illegal ply, if a few tries find one."""
    rng = hands.player.rng
    standing = hands.world.standing
    kind = rng.choice(list(IllegalKind))
    own = _all_own(hands, position)
    foreign = [square for square in sorted(standing) if square not in own]
    for _ in range(30):
        starts = foreign if kind is IllegalKind.FOREIGN else own
        if not starts:
            return None
        start = rng.choice(starts)
        end = rng.choice(_ends(position, start, kind))
        legal = any(move.to_square == end for move in position.moves_from(start))
        is_foe = end in foreign and position.piece_at(end) is not None
        fits = {
            IllegalKind.OWN: end in own,
            IllegalKind.TAKES: is_foe,
        }.get(kind, end not in standing)
        if end != start and fits and not legal:
            return Move(start, end, MoveKind.CAPTURE if end in standing else MoveKind.MOVE)
    return None


def _ends(position: Position, start: Square, kind: IllegalKind) -> Sequence[Square]:
    """Return squares among which an illegal ply of a kind may end."""
    piece = position.piece_at(start)
    if kind is IllegalKind.THROUGH and piece is not None:
        gait = gaits(position.rules)[piece.kind]
        walks = paths(position.rules.board, gait, piece.side, start)
        return sorted({path[-1] for path in walks}) or SQUARES
    if kind is IllegalKind.FOREIGN:
        return [near for near in position.rules.board.neighbours[start] if near is not None]
    return SQUARES


def _all_own(hands: Hands, position: Position) -> list[Square]:
    """Return the squares of the side to move."""
    own = []
    for square in sorted(hands.world.standing):
        piece = position.piece_at(square)
        if piece is not None and piece.side is position.side:
            own.append(square)
    return own


def _own(hands: Hands, position: Position) -> Square | None:
    own = _all_own(hands, position)
    return hands.player.rng.choice(own) if own else None

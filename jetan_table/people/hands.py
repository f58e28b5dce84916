"""Movements of hands with magnets, as strokes through space: plies, and mishaps besides plies.

`Hands` make plies chosen by `choose_move`. The mishaps below them, such as `bump` or `topple`, each
return their end and their squares; none changes the position.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import cos, dist, hypot, pi, sin, sqrt
from random import Random
from typing import TypeAlias

from hardware.build import Spot
from rules import SQUARES, Kind, Move, MoveKind, Position, Square
from rules.movement import gaits, paths

from .manners import Manners, PlayerManner
from .strokes import HandPose, Magnet, Push, Stroke
from .world import MagnetWorld

LIFTS_MM = {"plain": (22.0, 60.0), "low": (8.0, 22.0), "counting": (8.0, 20.0)}
"""Height of a lift by the way of carrying; a `slide` has none."""

IN_HAND_MM = (28.0, 55.0)
TAP_S = 0.12
SET_DOWN_S = 0.2
"""Time from a hand above a square down to the square."""

SPRINGS_MM = 4.0
"""Mean distance that a piece springs from the one that knocks it aside."""

OUT_OF_PLAY_MM = (90.0, 160.0)

EXITS = {"victim-lifted": "plain", "victim-low": "low", "victim-slid": "slide"}
"""The way of carrying for each way in which a captured piece leaves the board."""


@dataclass(slots=True)
class HandDeed:
    """A ply as hands made it: `begun` at the first touch, `landed` when the mover rests.

    From `free_at` on no hand moves any of its pieces. `victim` is the captured piece.
    """

    begun: float
    landed: float
    free_at: float
    tags: list[str] = field(default_factory=list)
    victim: Magnet | None = None


class Hands:
    """One player's hands. Every method schedules strokes and returns the time of their end."""

    def __init__(self, world: MagnetWorld, player: PlayerManner) -> None:
        self.world, self.player = world, player

    def carry(
        self, at: float, magnet: Magnet, end: HandPose, how: str, lasts: float | None = None
    ) -> Stroke:
        """Carry a piece in one stroke, `plain`, `low` or by a `slide`."""
        player, rng = self.player, self.player.rng
        start = self.world.poses[magnet]
        way = dist(start.spot, end.spot)
        if lasts is None:
            lasts = max(0.07, player.moves(0.25 + 0.19 * sqrt(way / 100)))
        lift = rng.uniform(*LIFTS_MM[how]) if how in LIFTS_MM else 0.0
        # A held piece is up already, so it has no climb, and its way begins at once.
        held = start.z > 0
        stroke = Stroke(
            magnet,
            max(at, self.world.free_at.get(magnet, 0.0)),
            lasts,
            start,
            end,
            lift=lift if not held else 0.0,
            rise=0.0 if held or not lift else rng.uniform(0.22, 0.38),
            fall=0.0 if not lift else rng.uniform(0.22, 0.4),
            arc=rng.gauss(0, 0.07) * way,
            sway=rng.gauss(0, 0.15) if lift else 0.0,
            tremor=abs(rng.gauss(0, 0.25)),
            phase=rng.uniform(0, 2 * pi),
        )
        self.world.go(stroke)
        return stroke

    def lift(self, at: float, magnet: Magnet, over: Spot | None = None) -> float:
        """Take a piece up and hold it, over a spot if one is given."""
        player, rng = self.player, self.player.rng
        start = self.world.poses[magnet]
        x, y = over or (start.x + rng.gauss(0, 6), start.y + rng.gauss(0, 6))
        height = max(start.z, rng.uniform(*IN_HAND_MM))
        lasts = player.moves(0.2 + 0.15 * sqrt(dist(start.spot, (x, y)) / 100))
        end = HandPose(x, y, height)
        rise = 0.5 if over else 1.0
        stroke = Stroke(magnet, at, lasts, start, end, lift=height, rise=rise, sway=0.1)
        return self.world.go(stroke)

    def hold(self, at: float, magnet: Magnet, lasts: float) -> float:
        """Keep a piece in the hand, which trembles."""
        pose = self.world.poses[magnet]
        rng = self.player.rng
        phase = rng.uniform(0, 2 * pi)
        return self.world.go(
            Stroke(magnet, at, lasts, pose, pose, tremor=rng.uniform(0.2, 0.9), phase=phase)
        )

    def put(self, at: float, square: Square, magnet: Magnet, how: str, tags: list[str]) -> float:
        """Carry a piece to a square, and correct it there if the lamps are wrong."""
        return self.settle(self._reach(at, square, magnet, how, tags).ended, square, magnet, tags)

    def _reach(
        self,
        at: float,
        square: Square,
        magnet: Magnet,
        how: str,
        tags: list[str],
        lasts: float | None = None,
    ) -> Stroke:
        """Carry a piece to a square, now and then to its edge only."""
        manners = self.player.manners
        end = self.world.place(square, manners.off_centre)
        if self.player.does(manners.edge):
            end = self.world.edge_of(square)
            tags.append("edge")
        self.world.standing[square] = magnet
        return self.carry(at, magnet, end, how, lasts)

    def settle(self, at: float, square: Square, magnet: Magnet, tags: list[str]) -> float:
        """Look at the lamps of a landing, and correct the piece if they are wrong."""
        world, player, manners = self.world, self.player, self.player.manners
        done = at
        if not world.is_lit(square):
            tags.append("between")
            done = self.nudge(at + player.rests(manners.lamp), square, magnet)
        elif world.is_lit_beside(square):
            tags.append("double")
            if player.does(manners.mends_double):
                done = self.nudge(at + player.rests(manners.lamp), square, magnet)
        elif player.does(manners.nudge):
            tags.append("nudge")
            begun = at + player.moves(0.35)
            moved = world.place(square, 0.5 * manners.off_centre)
            done = self.carry(begun, magnet, moved, "slide", player.moves(0.25)).ended
            if not world.is_lit(square):
                done = self.nudge(done, square, magnet)
        return done

    def nudge(self, at: float, square: Square, magnet: Magnet) -> float:
        """Push a piece to the middle of its square."""
        end = self.world.place(square, 0.04)
        return self.carry(at, magnet, end, "slide", self.player.moves(0.28)).ended

    # Moves

    def land(self, at: float, move: Move, position: Position, how: str | None = None) -> HandDeed:
        """Bring a piece to a square that is empty, or is being emptied."""
        player, world = self.player, self.world
        magnet = world.standing.pop(move.from_square)
        how = how or player.chooses(player.manners.carries)
        deed = HandDeed(at, at, at, [how])
        route = self._route(position, move, magnet) if how in ("slide", "counting") else None
        # Where others stand in the way of a slide, people lift the piece over them.
        if how in ("slide", "counting") and not route:
            deed.tags = [how := "low"]
        if route:
            at = self._walk(at, magnet, route[1:-1], how)
        elif player.does(player.manners.hover):
            deed.tags.append("hover")
            at = self.lift(at, magnet, self._before(move, player.rng.uniform(0.0, 60.0)))
            at = self.hold(at, magnet, player.pauses())
        deed.landed = deed.free_at = self.put(at, move.to_square, magnet, how, deed.tags)
        return deed

    def _walk(self, at: float, magnet: Magnet, route: tuple[Square, ...], how: str) -> float:
        """Go along the squares of a path: sliding on, or tapping each of them."""
        for square in route:
            spot = self.world.place(square, 0.08)
            if how == "counting":
                at = self.carry(at, magnet, spot, "counting").ended
                at += self.player.moves(TAP_S, 0.5)
            else:
                at = self.carry(at, magnet, spot, "slide", self.player.moves(0.22)).ended
        return at

    def _route(self, position: Position, move: Move, magnet: Magnet) -> tuple[Square, ...] | None:
        """Return a path along which the piece can be slid; None if others block all of them."""
        piece = position.piece_at(move.from_square)
        if piece is None:  # the Juggernaut
            routes: list[tuple[Square, ...]] = [(move.from_square, move.to_square)]
        else:
            gait = gaits(position.rules)[piece.kind]
            topology = position.rules.board
            routes = [
                path
                for path in paths(topology, gait, piece.side, move.from_square)
                if path[-1] == move.to_square
            ]
        victim = self.world.standing.get(move.to_square, magnet)
        centres = self.world.geometry.centres
        start = self.world.poses[magnet].spot
        self.player.rng.shuffle(routes)
        for path in routes:
            spots = [start, *(centres[square] for square in path[1:])]
            if self.world.is_way_free(spots, (magnet, victim)):
                return path
        return None

    # Captures

    def take(self, at: float, move: Move, position: Position, how: str) -> HandDeed:
        """Capture a piece in one of the styles `capture-…`."""
        victim = self.world.standing.pop(move.to_square)
        styles = {
            "capture-victim-first": self._victim_first,
            "capture-attacker-first": self._attacker_first,
            "capture-both-hands": self._both_hands,
            "capture-one-hand": self._one_hand,
            "capture-swept": self._swept,
            "capture-beside": self._beside,
        }
        deed = styles[how](at, move, victim, position)
        deed.victim = victim
        deed.tags.insert(0, how)
        return deed

    def leave(self, at: float, magnet: Magnet, tags: list[str]) -> Stroke:
        """Take a piece off the board; return its last stroke."""
        player, world = self.player, self.world
        how = player.chooses(player.manners.exits)
        here = world.poses[magnet]
        beyond = player.rng.uniform(*OUT_OF_PLAY_MM)
        ways = world.geometry.ways_out(here.spot, beyond)
        end = ways[0] if player.does(0.7) else ways[1]
        if how == "victim-slid":
            free = [way for way in ways if world.is_way_free([here.spot, way], (magnet,))]
            if not free or here.z > 0:
                how = "victim-low"
            else:
                end = free[0]
        tags.extend(tag for tag in [how] if tag != "victim-lifted")
        return self.carry(at, magnet, HandPose(*end), EXITS[how])

    def _victim_first(self, at: float, move: Move, victim: Magnet, position: Position) -> HandDeed:
        player = self.player
        tags: list[str] = []
        gone = self.leave(at, victim, tags)
        # Half of the time the mover starts while the victim is still on its way out.
        lifted = at + 0.4 * gone.lasts
        begun = (gone.ended if player.does(0.5) else lifted) + player.pauses()
        deed = self.land(begun, move, position)
        return HandDeed(at, deed.landed, max(deed.free_at, gone.ended), [*tags, *deed.tags])

    def _attacker_first(
        self, at: float, move: Move, victim: Magnet, position: Position
    ) -> HandDeed:
        player, world = self.player, self.world
        mover = world.standing.pop(move.from_square)
        tags: list[str] = []
        held = self.lift(at, mover, self._before(move, 60.0))
        held = self.hold(held, mover, player.pauses())
        gone = self.leave(held, victim, tags)
        held = max(held, held + 0.45 * gone.lasts) + player.moves(0.1, 0.5)
        if player.does(0.4):
            held = max(held, gone.ended)
        landed = self.put(held, move.to_square, mover, "low", tags)
        return HandDeed(at, landed, max(landed, gone.ended), tags)

    def _both_hands(self, at: float, move: Move, victim: Magnet, position: Position) -> HandDeed:
        player = self.player
        tags: list[str] = []
        early = player.rng.gauss(0, 0.12)
        gone = self.leave(at + max(0.0, early), victim, tags)
        mover = self.world.standing.pop(move.from_square)
        how = "plain" if player.does(0.5) else "low"
        begun = at + max(0.0, -early)
        # The hands do not collide: this one comes down once the other is up.
        late = gone.begun + 0.3 * gone.lasts
        held = self.lift(begun, mover, self._before(move, 40.0))
        down = player.moves(SET_DOWN_S)
        landed = self._reach(max(held, late), move.to_square, mover, how, tags, down).ended
        landed = self.settle(landed, move.to_square, mover, tags)
        return HandDeed(at, landed, max(landed, gone.ended), [*tags, how])

    def _one_hand(self, at: float, move: Move, victim: Magnet, position: Position) -> HandDeed:
        player, world, rng = self.player, self.world, self.player.rng
        mover = world.standing.pop(move.from_square)
        tags: list[str] = []
        held = self.lift(at, mover, self._before(move, rng.uniform(20.0, 32.0)))
        if player.does(player.manners.ponders):
            held = self.hold(held, mover, player.ponders())
        grasped = held + player.moves(0.12, 0.4)
        x, y = world.poses[victim].spot
        aside = (x + rng.gauss(0, 12), y + rng.gauss(0, 12))
        up = self.lift(grasped, victim, aside)
        begun, down = up + player.moves(0.03, 0.5), player.moves(SET_DOWN_S)
        landed = self._reach(begun, move.to_square, mover, "low", tags, down).ended
        gone = self.leave(landed + player.moves(0.08, 0.5), victim, tags)
        landed = self.settle(landed, move.to_square, mover, tags)
        return HandDeed(at, landed, max(landed, gone.ended), tags)

    def _swept(self, at: float, move: Move, victim: Magnet, position: Position) -> HandDeed:
        """Knock the victim aside with the mover, and sweep it off later."""
        player, world = self.player, self.world
        mover = world.standing.pop(move.from_square)
        tags: list[str] = []
        here, there = world.poses[mover], world.poses[victim]
        way = (there.x - here.x, there.y - here.y)
        length = hypot(*way) or 1.0
        toward = (way[0] / length, way[1] / length, 0.0)
        aside = world.beside(move.to_square, toward)
        away = (aside.x - there.x, aside.y - there.y)
        length = hypot(*away) or 1.0
        wide = world.geometry.foot
        before = self._before(move, 1.6 * wide)
        how = "slide" if world.is_way_free([here.spot, before], (mover, victim)) else "low"
        at_foot = self.carry(at, mover, HandPose(*before), how).ended
        shove = self._reach(at_foot, move.to_square, mover, "slide", tags)
        unit = (away[0] / length, away[1] / length)
        # A piece that is knocked springs ahead a little, so the feet do not touch all the way; but
        # it cannot start farther from the mover than it stands.
        springs = player.rng.expovariate(1 / SPRINGS_MM)
        foot = min(wide + springs, 0.95 * dist(before, there.spot))
        world.go(Push(victim, shove, there, unit, shove.begun, foot))
        gone = self.leave(shove.ended + player.moves(0.3, 0.7), victim, tags)
        landed = self.settle(shove.ended, move.to_square, mover, tags)
        return HandDeed(at, landed, max(landed, gone.ended), [*tags, how])

    def _beside(self, at: float, move: Move, victim: Magnet, position: Position) -> HandDeed:
        """Set the victim beside its square, and clear it away some seconds later."""
        player, world = self.player, self.world
        place = world.beside(move.to_square)
        how = "slide" if player.does(0.5) else "low"
        aside = self.carry(at, victim, place, how)
        begun = aside.begun + player.rng.uniform(0.0, 1.0) * aside.lasts
        deed = self.land(begun, move, position)
        later: list[str] = []
        gone = self.leave(deed.landed + player.rests(player.manners.left_beside), victim, later)
        return HandDeed(at, deed.landed, gone.ended, [*later, *deed.tags])

    def _before(self, move: Move, distance: float) -> Spot:
        """Return a spot at a distance from the victim, on the mover's side."""
        world = self.world
        start = world.geometry.centres[move.from_square]
        x, y = world.geometry.centres[move.to_square]
        length = dist(start, (x, y)) or 1.0
        distance = min(distance, 0.8 * length)
        return x + (start[0] - x) / length * distance, y + (start[1] - y) / length * distance

    # Undoing

    def undo(self, at: float, move: Move, victim: Magnet | None) -> float:
        """Put a move's pieces back; return the time when the last one stands."""
        player, world = self.player, self.world
        mover = world.standing.pop(move.to_square)
        # Either piece may come back first. A mover that makes way for the victim has to wait in the
        # hand, and both wait for a victim that is still on its way off the board.
        how = "plain" if player.does(0.6) else "low"
        if victim is not None and player.does(player.manners.victim_back_first):
            aside = self.lift(at, mover)
            begun = max(aside, world.free_at.get(victim, 0.0))
            back = self.put(begun, move.to_square, victim, "plain", [])
            return self.put(back + player.moves(0.3, 0.5), move.from_square, mover, how, [])
        back = self.put(at, move.from_square, mover, how, [])
        if victim is None:
            return back
        begun = max(back + player.moves(0.5, 0.5), world.free_at.get(victim, 0.0))
        return self.put(begun, move.to_square, victim, "plain", [])


SHIFTS_MM = 2.5
"""Standard deviation of each piece's shift by a bump, each way."""

BUMP_S = (0.02, 0.08)
"""Shortest and longest bump."""

LYING_MM = 8.0
"""Height of the magnet of a piece that has fallen over."""


ILLEGAL_PLIES = ("foreign", "far", "through", "own", "takes")
"""Kinds of illegal plies: of the other side's piece, too far, through others, onto an own one, and
a capture that the piece cannot make."""


@dataclass(frozen=True, slots=True)
class Mishap:
    """An incident: its end in seconds, and its squares."""

    ended: float
    squares: Sequence[Square]


def bump(at: float, hands: Hands, position: Position) -> Mishap:
    """Knock against the table: all pieces shift, and those with dark lamps are corrected."""
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
    """J'adoube: correct one to four own pieces, lifted or pushed."""
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
    """Sweep a sleeve over a rank: its pieces lean, shift, and are corrected afterwards."""
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
    """Knock over one to three neighbouring pieces, and set them up again one by one.

    The piece on the `spared` square keeps standing.
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
    """Let one piece fall, and perhaps roll on; return the time when it lies still."""
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
    """Return an illegal ply; None if a few tries find none."""
    rng = hands.player.rng
    standing = hands.world.standing
    kind = rng.choice(ILLEGAL_PLIES)
    own = _all_own(hands, position)
    foreign = [square for square in sorted(standing) if square not in own]
    for _ in range(30):
        starts = foreign if kind == "foreign" else own
        if not starts:
            return None
        start = rng.choice(starts)
        end = rng.choice(_ends(position, start, kind))
        legal = any(move.to_square == end for move in position.moves_from(start))
        is_foe = end in foreign and position.piece_at(end) is not None
        wanted = {"own": end in own, "takes": is_foe}
        fits = wanted.get(kind, end not in standing)
        if end != start and fits and not legal:
            return Move(start, end, MoveKind.CAPTURE if end in standing else MoveKind.MOVE)
    return None


def _ends(position: Position, start: Square, kind: str) -> Sequence[Square]:
    """Return possible ends of an illegal ply of a kind."""
    piece = position.piece_at(start)
    if kind == "through" and piece is not None:
        gait = gaits(position.rules)[piece.kind]
        walks = paths(position.rules.board, gait, piece.side, start)
        return sorted({path[-1] for path in walks}) or SQUARES
    if kind == "foreign":
        return [near for near in position.rules.board.neighbours[start] if near is not None]
    return SQUARES


def _all_own(hands: Hands, position: Position) -> list[Square]:
    """Return the squares of the side to move."""
    standing = ((square, position.piece_at(square)) for square in sorted(hands.world.standing))
    return [square for square, piece in standing if piece and piece.side is position.side]


def _own(hands: Hands, position: Position) -> Square | None:
    own = _all_own(hands, position)
    return hands.player.rng.choice(own) if own else None


Happening: TypeAlias = Callable[[float, Hands, Position], Mishap | None]

MISHAPS: tuple[tuple[str, str, Happening], ...] = (
    ("bump", "bump", bump),
    ("knock", "topple", topple),
    ("sleeve", "sleeve", sleeve),
    ("fidget", "fidget", fidget),
    ("jadoube", "adjust", adjust),
    ("hesitation", "put_again", put_again),
    ("illegal", "illegal", try_illegal),
)
"""Mishaps before a ply: tag, name of its share in `Manners`, and function."""


EARLY_PLIES = 100
"""Plies up to which players mostly leave a piece alone whose capture ends the game."""


def choose_move(position: Position, shares: Manners, rng: Random) -> Move:
    """Return a legal move: by habit an escape, the end of the game, a capture, or another."""
    kinds: dict[str, list[Move]] = {"escape": [], "end": [], "capture": [], "move": []}
    for move in position.moves():
        victim = position.piece_at(move.to_square)
        royal = victim is not None and victim.kind in (Kind.CHIEF, Kind.PRINCESS)
        kinds["end" if royal else move.kind.value].append(move)
    ends = shares.end_early if position.ply_number < EARLY_PLIES else shares.end_late
    wanted = {"escape": shares.escape, "end": ends, "capture": shares.capture}
    for name, share in wanted.items():
        if kinds[name] and rng.random() < share:
            return rng.choice(kinds[name])
    rest = kinds["move"] or kinds["capture"] or kinds["escape"] or kinds["end"]
    return rng.choice(rest)

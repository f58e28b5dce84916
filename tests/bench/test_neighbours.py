"""Two neighbours play legal games with hands that could be real."""

from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from itertools import combinations, pairwise
from math import dist, hypot
from random import Random
from typing import Any, NamedTuple

import pytest

from bench.reading.company import COMPANIES
from bench.reading.neighbours import Neighbours
from jetan_table.people.generate import world_of
from jetan_table.people.geometry import TableGeometry
from jetan_table.people.manners import PROFILES
from jetan_table.people.reed_bank import ReedBank
from jetan_table.people.reeds import MAKES
from jetan_table.people.strokes import HandPose, Magnet, MagnetPath
from jetan_table.people.world import MagnetWorld
from rules import Position, parse_rules, squares_of

FLAT, DISK = "appendix,thoat=jumps", "ninth-ray-clockwise,thoat=jumps"
TABLES = (FLAT, DISK, f"{FLAT},juggernaut=e5", f"{DISK},juggernaut=e6")
GAMES = [
    (kind, TABLES[(number + seed) % len(TABLES)], seed)
    for number, kind in enumerate(COMPANIES)
    for seed in range(2)
]
GAMES.append(("family", FLAT, 41))  # someone regrets while the other has a piece astray
PLIES = 40


@dataclass(frozen=True)
class PlayedGame:
    start: Position
    world: MagnetWorld
    bank: ReedBank
    game: Neighbours
    ways: list[MagnetPath]


class Stand(NamedTuple):
    """A magnet stands somewhere for a time."""

    begins: float
    ends: float
    pose: HandPose
    magnet: Magnet


@cache
def played(kind: str, rules: str, seed: int) -> PlayedGame:
    rng, start = Random(f"{kind} {rules} {seed}"), Position.start(parse_rules(rules))
    make = MAKES["disk" if start.rules.topology.columns_around else "upright"]
    world = world_of(PROFILES["careful"], start, rng, make)
    bank = ReedBank(world.geometry.centres, world.switches, rng)
    for magnet, pose in world.starts.items():
        bank.stand(magnet, pose, world.discs[magnet])
    game = Neighbours(start, COMPANIES[kind], world, rng)
    game.play(PLIES)
    return PlayedGame(start, world, bank, game, world.take_paths())


@pytest.mark.parametrize(("kind", "rules", "seed"), GAMES)
def test_the_plies_that_stand_are_a_legal_game(kind: str, rules: str, seed: int) -> None:
    one = played(kind, rules, seed)
    events = [(ply.deed.landed, "play", ply) for ply in one.game.plies]
    events += [(ply.undone_at, "undo", ply) for ply in one.game.plies if ply.undone_at is not None]
    events += [(ply.deed.landed, "wander", ply) for ply in one.game.juggernaut]
    position, standing = one.start, []
    for _, what, ply in sorted(events, key=lambda event: event[0]):
        if what == "play":
            assert ply.move in position.moves()
            assert ply.before == position
            standing.append(ply)
            position = position.play(ply.move)
        elif what == "undo":
            assert standing.pop() is ply
            position = ply.before
        else:
            assert ply.move.from_square == position.juggernaut
            if ply.move.to_square != position.juggernaut:
                position = position.move_juggernaut(ply.move.to_square)
    assert position == one.game.position
    assert one.game.outcome == position.outcome
    assert len(standing) == PLIES or position.outcome is not None


@pytest.mark.parametrize(("kind", "rules", "seed"), GAMES)
def test_the_board_shows_the_final_position(kind: str, rules: str, seed: int) -> None:
    one = played(kind, rules, seed)
    position, standing, centres = one.game.position, one.world.standing, one.world.geometry.centres
    assert sorted(standing) == list(squares_of(position.occupied))
    for square, magnet in standing.items():
        piece = one.start.piece_at(square_of(magnet))
        assert position.piece_at(square) == piece
        pose = one.world.poses[magnet]
        assert (pose.z, pose.lean) == (0.0, 0.0)
        assert min(centres, key=lambda centre: dist(centre, pose.spot)) == centres[square]


def square_of(magnet: Magnet) -> Any:
    """Return the square a magnet stood on at the start, which is its number."""
    return int(magnet)


def least_apart(geometry: TableGeometry, pose: HandPose) -> float:
    """How near two pieces may stand: innermost on a disk nobody models that feet push feet."""
    is_innermost = geometry.is_round and hypot(*pose.spot) < 2.2 * geometry.side
    return geometry.foot * (0.8 if is_innermost else 1.0)


@pytest.mark.parametrize(("kind", "rules", "seed"), GAMES)
def test_a_magnet_is_in_one_stroke_at_a_time_and_feet_keep_apart(
    kind: str, rules: str, seed: int
) -> None:
    one = played(kind, rules, seed)
    by_magnet: dict[Magnet, list[MagnetPath]] = defaultdict(list)
    for way in one.ways:
        by_magnet[way.magnet].append(way)
    stands: list[Stand] = []
    for magnet, start in one.world.starts.items():
        ways = sorted(by_magnet[magnet], key=lambda way: way.begun)
        assert all(before.ended <= after.begun for before, after in pairwise(ways))
        assert all(dist(way.at(way.ended).spot, way.end.spot) < 0.01 for way in ways)
        begins = [0.0, *(way.ended for way in ways)]
        ends = [*(way.begun for way in ways), one.game.settled]
        poses = [start, *(way.end for way in ways)]
        rests = zip(begins, ends, poses, strict=True)
        stands += [Stand(b, e, pose, magnet) for b, e, pose in rests if pose.z == 0]
    for way in one.ways:
        assert sum(other.begun <= way.begun < other.ended for other in one.ways) <= 4
    for first, second in combinations(stands, 2):
        since, until = max(first.begins, second.begins), min(first.ends, second.ends)
        if first.magnet != second.magnet and 0 < since < until:  # others set the table up
            apart = dist(first.pose.spot, second.pose.spot)
            assert apart > least_apart(one.world.geometry, first.pose) - 0.1

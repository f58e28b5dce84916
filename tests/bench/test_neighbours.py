"""Two neighbours play legal games with hands that could be real."""

from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from itertools import combinations, pairwise
from math import dist, hypot
from random import Random
from typing import NamedTuple

import msgspec
import pytest

from bench.reading.fingers import COMPANIES, SHOVES, TAKES
from bench.reading.neighbours import Neighbours
from jetan_table.people.manners import PROFILES
from jetan_table.people.reeds import MAKES, ReedBank
from jetan_table.people.strokes import HandPose, Magnet, MagnetPath
from jetan_table.people.world import MagnetWorld, TableGeometry, world_of
from rules import SQUARES, Position, Square, parse_rules, squares_of
from tools.recordings import Scan, ScanRecord, tell_from_scan

FLAT, DISK = "appendix,thoat=jumps", "ninth-ray-clockwise,thoat=jumps"
TABLES = (FLAT, DISK, f"{FLAT},juggernaut=e5", f"{DISK},juggernaut=e6")
GAMES = [
    (kind, TABLES[(number + seed) % len(TABLES)], seed)
    for number, kind in enumerate(COMPANIES)
    for seed in range(3)
]
GAMES.append(("family", FLAT, 41))  # someone regrets while the other has a piece astray
PLIES = 40

TAGS = {
    *TAKES,
    *SHOVES,
    *("low", "slide", "hop", "two-lifted", "long-hold", "hover", "slip", "line", "nudge", "late"),
    *("rethink", "wrong-square", "restless", "pre-lift", "at-once", "on-rim", "in-fist", "topple"),
}
SORTS = {"adjust", "fidget", "hesitation", "illegal", "wrong-side", "sleeve", "stray", "topple"}


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
    make = MAKES["disk" if start.rules.board.columns_around else "upright"]
    world = world_of(PROFILES["careful"], start, rng, make)
    bank = ReedBank(world.geometry.centres, world.switches, rng)
    for magnet, pose in world.starts.items():
        bank.stand(magnet, pose, world.discs[magnet])
    game = Neighbours(start, COMPANIES[kind], world, rng)
    game.play(PLIES)
    return PlayedGame(start, world, bank, game, world.take_paths())


@pytest.mark.parametrize(("kind", "rules", "seed"), GAMES)
def test_neighbours_play_a_legal_game_with_hands_that_could_be_real(
    kind: str, rules: str, seed: int
) -> None:
    one = played(kind, rules, seed)
    assert one.game.plies
    check_plies(one)
    check_board(one)
    check_strokes(one)


def check_plies(one: PlayedGame) -> None:
    """The plies that stand are a legal game."""
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


def check_board(one: PlayedGame) -> None:
    """The board shows the final position."""
    position, standing, centres = one.game.position, one.world.standing, one.world.geometry.centres
    assert sorted(standing) == list(squares_of(position.occupied))
    for square, magnet in standing.items():
        piece = one.start.piece_at(Square(magnet))  # where it stood at the start is its number
        assert position.piece_at(square) == piece
        pose = one.world.poses[magnet]
        assert (pose.z, pose.lean) == (0.0, 0.0)
        assert min(centres, key=lambda centre: dist(centre, pose.spot)) == centres[square]


def least_apart(geometry: TableGeometry, pose: HandPose) -> float:
    """How near two pieces may stand: innermost on a disk nobody models that feet push feet."""
    is_innermost = geometry.is_round and hypot(*pose.spot) < 2.2 * geometry.side
    return geometry.foot * (0.8 if is_innermost else 1.0)


def check_strokes(one: PlayedGame) -> None:
    """A magnet is in one stroke at a time, and feet keep apart."""
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


@pytest.mark.parametrize(("kind", "rules", "seed"), GAMES[::5])
def test_a_landing_closes_its_reed_in_the_end_or_is_tagged(
    kind: str, rules: str, seed: int
) -> None:
    one = played.__wrapped__(kind, rules, seed)
    closed = tuple(map(one.bank.is_closed, SQUARES))
    for way in one.ways:
        one.bank.await_path(way)
    ends = one.game.settled + 5.0
    one.bank.run(ends)
    scan = ScanRecord(closed, Scan(150.0).changes(one.bank.edges, closed, ends), ends)
    tell_from_scan(one.game.plies, one.game.juggernaut, scan)
    for ply in one.game.plies:
        landed = scan.is_closed(ply.move.to_square, ply.deed.landed + 0.03)
        assert landed or "unseen-landing" in ply.row.behaviours
    at_rest = [ply.row.t_settled_us for ply in one.game.plies]
    assert at_rest == sorted(at_rest)
    for square in one.world.standing:
        assert scan.is_closed(square, ends)


def test_the_same_seed_plays_the_same_game() -> None:
    first, again = (played.__wrapped__(*GAMES[0]) for _ in range(2))
    assert first.ways == again.ways
    rows = [[msgspec.json.encode(ply.row) for ply in one.game.plies] for one in (first, again)]
    assert rows[0] == rows[1]


def test_everything_that_is_claimed_of_them_happens() -> None:
    games = [played(*game).game for game in GAMES]
    tags = {tag for game in games for ply in game.plies for tag in ply.deed.tags}
    assert tags >= TAGS
    assert {line["type"] for game in games for line in game.incidents} == SORTS
    undone = [ply.row for game in games for ply in game.plies if ply.undone_at is not None]
    assert {getattr(row, "takeback", None) for row in undone} == {"takeback", "wrong-square"}

"""Magnets, reeds and the scan against numbers reckoned by hand."""

from collections.abc import Sequence
from dataclasses import replace
from math import cos, dist, hypot, pi, sin, sqrt
from random import Random

import pytest

from hardware.build import A_PER_TURN, MOMENT, POTENTIAL, Reed, drive, lying, moment_of, upright
from hardware.ports import FaultKind
from jetan_table.people.reeds import (
    BOUNCE_S,
    CROSSED,
    DISK,
    DROPS_S,
    MAKES,
    Disc,
    Make,
    PlacedReed,
    ReedBank,
    Switch,
    hardly,
)
from jetan_table.people.strokes import HandPose, Magnet, Push, Stroke
from jetan_table.people.world import geometry_of
from rules import SQUARES, Square, Topology, grid, ninth_ray
from tools.recordings import Scan

ONE, TWO = Magnet(1), Magnet(2)
DISC = Disc(moment_of(10, 2))
LYING = lying((8.0, 0.0), (1.0, 0.0), 8.0)
"""As the drilled template has it, 8 mm under the magnets."""
UPRIGHT = upright(4.0)
AWAY = HandPose(0.0, 0.0, 200.0)
Edges = list[tuple[float, bool]]


def switch(reed: Reed, turns: float = 15.0, release: float = 0.6) -> Switch:
    return (PlacedReed(reed, turns * A_PER_TURN, release * turns * A_PER_TURN),)


def under(switch_: Switch, *discs: Disc, at: Sequence[HandPose] = (AWAY,)) -> ReedBank:
    """A bank of one switch at the middle of the table, and magnets over it."""
    bank = ReedBank([(0.0, 0.0)], [switch_], Random(1))
    for magnet, (disc, pose) in enumerate(zip(discs or (DISC,), at, strict=True), start=1):
        bank.stand(Magnet(magnet), pose, disc)
    return bank


def crossings(bank: ReedBank, square: int = 0) -> Edges:
    """The edges of a switch without their bounce."""
    found: Edges = []
    for at, closes in bank.edges[square]:
        if not found or at - found[-1][0] > 0.001:
            found.append((at, closes))
    return found


def swept(reed: Reed, way: Sequence[float], disc: Disc = DISC, y: float = 0.0) -> Edges:
    """Where along x a magnet that passes at `y` closes a reed, and where it opens it."""
    start, end = (HandPose(x, y) for x in way)
    bank = under(switch(reed), disc, at=[start])
    stroke = Stroke(ONE, 0.0, 2.0, start, end)
    bank.await_path(stroke)
    bank.run(2.5)
    return [(stroke.at(at).x, closes) for at, closes in crossings(bank)]


def bounds(reed: Reed, ways: int, turns: float = 15.0, moment: float = DISC.moment) -> list[float]:
    """How far from the middle a piece may stand and close a reed, in so many directions."""
    operate = turns * A_PER_TURN
    found = []
    for way in range(ways):
        x, y = cos(2 * pi * way / ways), sin(2 * pi * way / ways)
        off = (n / 10 for n in range(600, 0, -1))
        closing = (r for r in off if abs(drive(reed, (r * x, r * y, 0.0), moment)) >= operate)
        found.append(next(closing))
    return found


# What a reed feels


def test_a_lying_reed_feels_what_the_integral_along_its_blades_gives() -> None:
    """On a line d below an upright dipole the potential is -m d / (4 pi (x^2 + y^2 + d^2)^1.5).

    Its integral over x is that of `primitive`. Above the middle of the square, 8 mm from the gap:
    x / (d^2 sqrt(x^2 + d^2)) is -0.003790 at -2, 0.011049 at 8 and 0.014278 at 18 mm, so a piece of
    0.15 A m^2 does 11937 * 8 / 10 * (0.014838 - 0.003230) = 110.85 A.
    """

    def primitive(x: float, y: float) -> float:
        return x / ((y * y + 64) * sqrt(x * x + y * y + 64))

    def exact(x: float, y: float) -> float:
        near, gap, far = (primitive(end - x, y) for end in (-2.0, 8.0, 18.0))
        return DISC.moment * POTENTIAL * 8 / 10 * ((far - gap) - (gap - near))

    assert DISC.moment == pytest.approx(0.15)
    assert exact(0, 0) == pytest.approx(-110.85, abs=0.01)
    for x, y in ((0, 0), (-13, 0), (29, 0), (0, 13), (10, 10), (20, 5), (45, 0), (0, 45)):
        assert drive(LYING, (x, y, 0), DISC.moment) == pytest.approx(exact(x, y), rel=0.02)


def test_a_standing_reed_feels_what_the_integral_along_its_blades_gives() -> None:
    """That of z / (r^2 + z^2)^1.5 is -1 / sqrt(r^2 + z^2), from 4 over 14 to 24 mm below."""
    for r in (5.0, 11.0, 20.0, 25.0, 45.0):
        top, gap, foot = (1 / hypot(r, depth) for depth in (4, 14, 24))
        exact = DISC.moment * POTENTIAL / 10 * ((top - gap) - (gap - foot))
        assert drive(UPRIGHT, (r, 0, 0), DISC.moment) == pytest.approx(-exact, rel=0.02)


def test_ampere_turns_are_those_of_an_even_induction_along_a_reed() -> None:
    # 0.11 mT / (4 pi 1e-7) = 87.54 A/m, over the 10 mm from blade to blade.
    assert pytest.approx(0.8754, abs=1e-4) == A_PER_TURN
    assert moment_of(10, 2.5) == pytest.approx(MOMENT, rel=0.02)


def test_a_lying_reed_has_two_lobes_and_a_dead_stripe_at_its_gap() -> None:
    """By a reckoning of its own: 13.5 mm, 29.5 mm, 12.8 mm; the stripe is 2 to 7 mm wide."""
    along = [(x, closes) for x, closes in swept(LYING, (-45.0, 45.0))]
    assert [closes for _, closes in along] == [True, False, True, False]
    assert along[0][0] == pytest.approx(-13.5, abs=0.5)
    assert [x for x, _ in along[1:3]] == pytest.approx([8.0, 8.5], abs=1.0)
    assert max(bounds(LYING, 2)) == pytest.approx(29.5, abs=0.5)
    assert bounds(LYING, 4)[1] == pytest.approx(12.8, abs=0.5)
    operate = 15 * A_PER_TURN
    for aside, wide in ((0.0, 0.9), (7.0, 2.7), (10.0, 6.1)):
        dark = [x for x in range(200) if abs(drive(LYING, (x / 10, aside, 0), 0.15)) < operate]
        assert len(dark) / 10 == pytest.approx(wide, abs=0.3)
        assert sum(dark) / 10 / len(dark) == pytest.approx(8.0, abs=0.1)


def test_a_standing_reed_has_one_lobe_and_a_weak_ring_of_the_other_sign() -> None:
    for turns in (10.0, 15.0):
        near = bounds(UPRIGHT, 8, turns)
        assert min(near) == pytest.approx(max(near))
        assert 11.0 <= near[0] <= 15.0
        ring = [drive(UPRIGHT, (r, 0, 0), DISC.moment) for r in range(20, 60)]
        assert drive(UPRIGHT, (0, 0, 0), DISC.moment) < 0 < min(ring)
        assert max(ring) < 0.25 * turns * A_PER_TURN


def seen_share(make: Make, turns: float) -> float:
    """The share of places within 11 mm of the middle at which a piece closes a switch."""
    spots = [(x, y) for x in range(-11, 12) for y in range(-11, 12) if hypot(x, y) <= 11]
    operate = turns * A_PER_TURN

    def closes(x: float, y: float) -> bool:
        return any(abs(drive(reed, (x, y, 0), make.moment)) >= operate for reed in make.reeds)

    return sum(closes(*spot) for spot in spots) / len(spots)


def test_one_reed_leaves_more_dark_the_nearer_the_middle_its_gap_is() -> None:
    assert seen_share(CROSSED, CROSSED.turns[1]) >= 0.99
    assert seen_share(DISK, DISK.turns[1]) < 0.7  # 11 mm are far on the disk
    assert 0.85 < seen_share(MAKES["lying"], MAKES["lying"].turns[1]) < 0.96
    assert seen_share(MAKES["careless"], MAKES["careless"].turns[1]) < 0.85


@pytest.mark.parametrize("way", [1, -1])
def test_two_magnets_add_up_by_their_sign(way: int) -> None:
    poses = [HandPose(-20.0, 0.0), HandPose(20.0, 5.0)]
    one, other = (drive(LYING, (pose.x, pose.y, 0.0), DISC.moment) for pose in poses)
    assert one < -1
    assert other > 1
    felt = abs(one + way * other)
    discs = DISC, Disc(way * DISC.moment)
    for more, is_closed in ((-0.1, True), (0.1, False)):
        needs = switch(LYING, (felt + more) / A_PER_TURN)
        assert under(needs, *discs, at=poses).is_closed(Square(0)) is is_closed


# What a switch does over time


def test_an_off_centre_magnet_is_felt_where_it_is_and_a_flipped_one_alike() -> None:
    straight = [x for x, _ in swept(LYING, (-45.0, 45.0))]
    shifted = swept(LYING, (-45.0, 45.0), DISC._replace(x=1.5, y=0.0))
    assert [x for x, _ in shifted] == pytest.approx([x - 1.5 for x in straight], abs=0.2)
    flipped = swept(LYING, (-45.0, 45.0), Disc(-DISC.moment))
    assert [x for x, _ in flipped] == pytest.approx(straight, abs=1e-6)


def test_a_reed_opens_later_than_it_closes() -> None:
    """Across it, 12.7 mm off, it closes; at 0.6 of that pull it opens.

    Of the integral above, 15.05 mm aside (y^2 + 64 = 290.5) the ends give -0.000401, 0.001463 and
    0.002498: 9549 * (0.001864 - 0.001035) = 7.9 A, which is 0.6 of 13.13.
    """
    away, there = HandPose(0.0, -40.0), HandPose(0.0, 40.0)
    bank = under(switch(LYING), at=[away])
    stroke = Stroke(ONE, 0.0, 2.0, away, there)
    bank.await_path(stroke)
    bank.run(3.0)
    (closed_at, closes), (opened_at, opens) = crossings(bank)
    assert (closes, opens) == (True, False)
    assert stroke.at(closed_at).y == pytest.approx(-12.7, abs=0.1)
    assert stroke.at(opened_at).y == pytest.approx(15.05, abs=0.1)


def test_a_reed_stays_closed_through_the_first_part_of_a_lift() -> None:
    """21.8 mm over it the ends give -0.000192, 0.000725 and 0.001340.

    That is 11937 * 2.18 * (0.000917 - 0.000615) = 7.86 A, and 13.8 mm over the board.
    """
    home = HandPose(0.0, 0.0)
    bank = under(switch(LYING), at=[home])
    stroke = Stroke(ONE, 0.0, 0.5, home, home._replace(z=60.0), lift=60.0, rise=1.0)
    bank.await_path(stroke)
    bank.run(1.0)
    ((opened_at, closes),) = crossings(bank)
    assert not closes
    assert stroke.at(opened_at).z == pytest.approx(13.8, abs=0.2)


def test_a_reed_bounces_for_half_a_millisecond_and_only_after_it_has_closed() -> None:
    far = HandPose(0.0, -60.0)
    middle = HandPose(0.0, 0.0)
    bank = under(switch(LYING), at=[far])
    bank.await_path(Stroke(ONE, 0.0, 0.4, far, middle))
    bank.await_path(Stroke(ONE, 1.0, 0.4, middle, far))
    bank.run(2.0)
    landing = [at for at, _ in bank.edges[0] if at < 1.0]
    assert 3 <= len(landing) <= 9
    assert landing[-1] - landing[0] <= BOUNCE_S[1] <= 0.0006
    assert [closes for _, closes in bank.edges[0]] == [
        n % 2 == 0 for n in range(len(bank.edges[0]))
    ]
    assert [closes for at, closes in bank.edges[0] if at > 1.0] == [False]
    assert not bank.is_closed(Square(0))


def test_a_worn_switch_drops_out_for_moments_and_only_while_it_is_closed() -> None:
    home = HandPose(0.0, 0.0)
    bank = under(switch(LYING), at=[home])
    bank.wear(0.0, Square(0))
    bank.await_path(Stroke(ONE, 200.0, 0.5, home, home._replace(z=90.0), lift=90.0, rise=1.0))
    bank.run(400.0)
    edges = bank.edges[0]
    assert [closes for _, closes in edges] == [n % 2 == 1 for n in range(len(edges))]
    drops = list(zip(edges[0:-1:2], edges[1::2], strict=True))
    assert 20 <= len(drops) <= 65  # 0.2 a second
    assert all(DROPS_S[0] <= closed - opened <= DROPS_S[1] for (opened, _), (closed, _) in drops)
    assert (DROPS_S[0], DROPS_S[1]) == (0.005, 0.05)
    assert max(at for at, _ in edges) < 201
    mended = under(switch(LYING), at=[home])
    mended.wear(0.0, Square(0))
    mended.fail(1e-6, Square(0), None)
    mended.run(400.0)
    assert mended.edges == [[]]


@pytest.mark.parametrize(("fault", "is_closed"), [(FaultKind.STUCK, True), (FaultKind.DEAD, False)])
def test_a_failed_switch_follows_nothing_until_it_is_mended(
    fault: FaultKind, is_closed: bool
) -> None:
    home, up = HandPose(0.0, 0.0), HandPose(0.0, 0.0, 90.0)
    bank = under(switch(LYING), at=[home if is_closed else up])
    bank.fail(1.0, Square(0), fault)
    bank.await_path(
        Stroke(ONE, 2.0, 0.2, home, up) if is_closed else Stroke(ONE, 2.0, 0.2, up, home)
    )
    bank.run(3.0)
    assert bank.is_closed(Square(0)) is is_closed
    assert bank.edges == [[]]
    bank.fail(4.0, Square(0), None)
    bank.run(5.0)
    assert bank.is_closed(Square(0)) is not is_closed
    assert bank.edges[0][0] == (4.0, not is_closed)


def test_a_switch_that_fails_away_from_its_piece_shows_it_at_once() -> None:
    bank = under(switch(LYING), at=[HandPose(0.0, 0.0)])
    bank.fail(1.0, Square(0), FaultKind.DEAD)
    bank.run(2.0)
    assert bank.edges == [[(1.0, False)]]


def test_of_two_reeds_in_parallel_the_switch_is_closed_while_one_is() -> None:
    """Over the stripe of the first the second one holds it."""
    crossed = (*switch(LYING), *switch(lying((0.0, 8.0), (0.0, 1.0), 9.5)))
    far, over, beyond = HandPose(-45.0, 3.0), HandPose(8.0, 3.0), HandPose(60.0, 3.0)
    assert not under(switch(LYING), at=[over]).is_closed(Square(0))
    assert under(crossed, at=[over]).is_closed(Square(0))
    bank = under(crossed, at=[far])
    bank.await_path(Stroke(ONE, 0.0, 2.0, far, beyond))
    bank.run(2.5)
    assert [closes for _, closes in crossings(bank)] == [True, False]


# Makes


def test_a_board_is_drawn_within_its_make() -> None:
    rng = Random(3)
    drawn = [one for switch in CROSSED.switches(rng, [0.0] * 400) for one in switch]
    turns = [one.operate / A_PER_TURN for one in drawn]
    usual = [least for least in turns if 15 <= least <= 20]
    assert 0.95 < len(usual) / len(turns) < 1.0
    assert {round(odd, 6) for odd in turns if not 15 <= odd <= 20} == {11.25, 26.0}
    assert all(0.45 <= one.release / one.operate <= 0.8 for one in drawn)
    (weak,) = hardly((drawn[0],), rng)
    assert 1.9 <= weak.operate / drawn[0].operate <= 2.3
    assert weak.release == pytest.approx(0.85 * weak.operate)
    flipped = [MAKES["careless"].disc(rng).moment < 0 for _ in range(400)]
    assert 0.2 < sum(flipped) / 400 < 0.4


def test_a_disks_inner_rings_have_reeds_of_their_own_class() -> None:
    steady = replace(DISK, weak=0.0, strong=0.0)
    switches = steady.switches(Random(5), [0.0] * 100)
    for square in SQUARES:
        needed = [one.operate / A_PER_TURN for one in switches[square]]
        least, most = (15, 20) if 30 <= square < 70 else (10, 15)
        assert all(least <= turns <= most for turns in needed), square


def test_on_a_disk_reeds_lie_along_their_own_files() -> None:
    across = MAKES["lying"].switches(Random(1), [pi / 2])[0][0]
    probes = [(p.x, p.y, p.z) for p in across.reed]
    expected = [(p.x, p.y, p.z) for p in lying((0.0, 8.0), (0.0, 1.0), 8.0)]
    for probe, place in zip(probes, expected, strict=True):
        assert probe == pytest.approx(place, abs=1e-9)


# Hands, scan and board


def test_a_pushed_piece_keeps_its_distance_and_never_jumps() -> None:
    by = Stroke(ONE, 0.0, 0.5, HandPose(-40.0, 0.0), HandPose(0.0, 0.0))
    push = Push(TWO, by, HandPose(0.0, 0.0), (0.6, 0.8), 0.0, 24.0)
    before = push.at(0.0)
    assert before == HandPose(0.0, 0.0)
    for step in range(1, 501):
        pose = push.at(step / 1000)
        assert dist(pose.spot, by.at(step / 1000).spot) >= 23.99
        assert dist(pose.spot, before.spot) < 1.0
        before = pose
    assert push.end.spot == pytest.approx((0.6 * 24, 0.8 * 24))


def test_rows_are_sampled_in_turn() -> None:
    """100 scans a second: row 3 is looked at 3 ms after row 0, and again 10 ms later."""
    scan = Scan(100.0)
    edges: list[Edges] = [[] for _ in range(100)]
    for reed in (0, 9, 35, 99):
        edges[reed] = [(0.0101, True), (0.0309, False)]
    edges[50] = [(0.0151, True), (0.0249, False)]
    edges[51] = [(0.0149, True), (0.0151, False)]
    edges[52] = [(0.0149, True), (0.0152, False), (0.0153, True)]
    sampled = [
        (round(change.at * 1e6), change.switch, change.closed)
        for change in scan.changes(edges, [False] * 100, 1.0)
    ]
    assert sampled == [
        (13000, 35, True),
        (15000, 51, True),
        (15000, 52, True),
        (19000, 99, True),
        (20000, 0, True),
        (20000, 9, True),
        (25000, 51, False),
        (33000, 35, False),
        (39000, 99, False),
        (40000, 0, False),
        (40000, 9, False),
    ]


@pytest.mark.parametrize("topology", [grid(), ninth_ray("clockwise")])
def test_squares_have_room_for_a_piece_on_both_boards(topology: Topology) -> None:
    geometry = geometry_of(topology)
    assert min(geometry.pitches) > geometry.foot
    assert all(geometry.is_on_board(spot) for spot in geometry.centres)
    for spot in geometry.centres:
        assert not any(map(geometry.is_on_board, geometry.ways_out(spot, 90.0)))
        nearest = geometry.ways_out(spot, 90.0)[0]
        assert min(dist(nearest, centre) for centre in geometry.centres) > 90.0

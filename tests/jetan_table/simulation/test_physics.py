"""Magnets, reeds and the scan against numbers reckoned by hand."""

from math import dist, sqrt
from random import Random

import pytest

from jetan_table.simulation.geometry import geometry_of
from jetan_table.simulation.magnetism import (
    DEPTH_MM,
    MOMENT,
    ReedSpec,
    Vector,
    dipole,
    modulus,
    spec_of,
    standing_induction,
)
from jetan_table.simulation.reed_bank import ReedBank, Shock
from jetan_table.simulation.scan import Scan
from jetan_table.simulation.strokes import HandPose, Push, Stroke, smooth
from jetan_table.simulation.world import Magnet
from rules.topology import Topology, grid, ninth_ray

UPRIGHT: Vector = (0.0, 0.0, 0.2)
ONE = Magnet(1)
TWO = Magnet(2)


def bank_of(spec: ReedSpec, *spots: tuple[float, float]) -> ReedBank:
    return ReedBank(spots, [spec] * len(spots), Random(1))


def crossings(bank: ReedBank, reed: int = 0) -> list[tuple[float, bool]]:
    """The edges of a reed without its bounce."""
    found: list[tuple[float, bool]] = []
    for at, closes in bank.edges[reed]:
        if not found or at - found[-1][0] > 0.004:
            found.append((at, closes))
    return found


def test_the_induction_on_the_axis_is_twice_that_on_the_equator() -> None:
    # 10 mm away: 1e-7 T m/A * 0.2 A m^2 / (0.01 m)^3 = 0.02 T = 20 mT on the equator, 40 on the
    # axis; there along the moment, here against it.
    assert dipole(UPRIGHT, (0.0, 0.0, 10.0)) == pytest.approx((0.0, 0.0, 40.0))
    assert dipole(UPRIGHT, (0.0, 0.0, -10.0)) == pytest.approx((0.0, 0.0, 40.0))
    assert dipole(UPRIGHT, (10.0, 0.0, 0.0)) == pytest.approx((0.0, 0.0, -20.0))
    assert dipole(UPRIGHT, (0.0, 20.0, 0.0)) == pytest.approx((0.0, 0.0, -2.5))


def test_the_induction_aslant_has_both_parts() -> None:
    # r = (3, 0, 4) mm, |r| = 5: mu0/4pi m / r^3 = 1e5 * 0.2 / 125 = 160 mT. m . r / (m r) = 0.8, so
    # B = 160 * (3 * 0.8 * (0.6, 0, 0.8) - (0, 0, 1)) = 160 * (1.44, 0, 0.92).
    assert dipole(UPRIGHT, (3.0, 0.0, 4.0)) == pytest.approx((230.4, 0.0, 147.2))
    assert modulus(dipole(UPRIGHT, (3.0, 0.0, 4.0))) == pytest.approx(160 * sqrt(1 + 3 * 0.64))


def test_two_magnets_add_up_as_vectors() -> None:
    # A reed 5 mm under the middle between two upright magnets 40 mm apart. Of each: r^2 = 425,
    # r^3 = 8761.6, 20000 / r^3 = 2.28268 mT; m . r / (m r) squared = 25 / 425. What lies sideways
    # cancels; upright 2.28268 * (3 * 25 / 425 - 1) = -1.87985, twice = -3.7597.
    bank = bank_of(spec_of(18.0, 0.6), (0.0, 0.0))
    bank.stand(ONE, HandPose(-20.0, 0.0))
    bank.stand(TWO, HandPose(20.0, 0.0))
    assert bank.induction(0) == pytest.approx(3.7597, abs=1e-4)
    # The second one upside down: the upright parts cancel, and sideways twice
    # 2.28268 * 3 * sqrt(25 / 425) * sqrt(400 / 425) = 1.6113, so 3.2226.
    other = bank_of(spec_of(18.0, 0.6), (0.0, 0.0))
    other.stand(ONE, HandPose(-20.0, 0.0))
    other.stand(TWO, HandPose(20.0, 0.0, lean=3.14159265359))
    assert other.induction(0) == pytest.approx(3.2226, abs=1e-4)


def test_a_standing_piece_closes_a_reed_from_its_radius_on() -> None:
    # 18 mm sideways, 5 mm down: r^2 = 349, r^3 = 6519.8; 20000 / 6519.8 = 3.06757 mT, times
    # sqrt(1 + 3 * 25 / 349) = 1.10221: 3.3811 mT.
    assert standing_induction(18.0) == pytest.approx(3.3811, abs=1e-3)
    assert spec_of(18.0, 0.5) == pytest.approx((3.3811, 1.69056), abs=1e-3)


def test_a_reed_closes_and_opens_at_its_radii() -> None:
    # It closes at 18 mm. It opens at half of 3.3811 mT: 1e5 * 0.2 / r^3 * sqrt(1 + 75 / r^2) =
    # 1.69056 at r^2 = 548.1 (r^3 = 12832, 1.5586 * 1.0662 = 1.662) ... 541.5 (12601, 1.5872 *
    # 1.0670 = 1.6936), so r = 23.29, and 22.74 mm sideways.
    bank = bank_of(spec_of(18.0, 0.5), (0.0, 0.0))
    bank.stand(ONE, HandPose(-60.0, 0.0))
    stroke = Stroke(ONE, 0.0, 1.0, HandPose(-60.0, 0.0), HandPose(60.0, 0.0))
    bank.await_path(stroke)
    bank.run(2.0)
    (closed_at, closes), (opened_at, opens) = crossings(bank)
    assert (closes, opens) == (True, False)
    assert stroke.at(closed_at).x == pytest.approx(-18.0, abs=0.1)
    assert stroke.at(opened_at).x == pytest.approx(22.74, abs=0.1)


@pytest.mark.parametrize(
    ("release", "height"),
    # On the axis B = 2 * 20000 / z^3 mT. 3.3811 mT * 0.8 = 2.7049: z^3 = 14788, z = 24.55, of which
    # 5 mm lie under the board: 19.5. Half: z^3 = 23661, z = 28.71: 23.7.
    [(0.8, 19.55), (0.5, 23.71)],
)
def test_a_reed_stays_closed_through_the_first_part_of_a_lift(
    release: float, height: float
) -> None:
    bank = bank_of(spec_of(18.0, release), (0.0, 0.0))
    bank.stand(ONE, HandPose(0.0, 0.0))
    stroke = Stroke(
        ONE, 0.0, 0.5, HandPose(0.0, 0.0), HandPose(0.0, 0.0, 60.0), lift=60.0, rise=1.0
    )
    bank.await_path(stroke)
    bank.run(1.0)
    [(opened_at, _)] = crossings(bank)
    assert stroke.at(opened_at).z == pytest.approx(height, abs=0.3)


def test_neighbours_weaken_a_piece_so_that_a_lift_shows_earlier() -> None:
    """Among others a reed opens after 15 to 20 mm: their magnets point against it there."""
    centres = geometry_of(grid()).centres
    bank = ReedBank(centres, [spec_of(18.0, 0.65)] * 100, Random(1))
    for square in [*range(20), *range(80, 100)]:
        bank.stand(Magnet(square), HandPose(*centres[square]))
    home = HandPose(*centres[4])
    bank.await_path(Stroke(Magnet(4), 0.0, 0.5, home, home._replace(z=50.0), lift=50.0, rise=1.0))
    bank.run(1.0)
    [(opened_at, _)] = crossings(bank, 4)
    lifted = 50.0 * smooth(opened_at / 0.5)
    assert 15.0 < lifted < 20.0


def test_a_reed_bounces_only_after_it_has_closed() -> None:
    bank = bank_of(spec_of(18.0, 0.5), (0.0, 0.0))
    bank.stand(ONE, HandPose(-60.0, 0.0))
    bank.await_path(Stroke(ONE, 0.0, 0.4, HandPose(-60.0, 0.0), HandPose(0.0, 0.0)))
    bank.await_path(Stroke(ONE, 1.0, 0.4, HandPose(0.0, 0.0), HandPose(60.0, 0.0)))
    bank.run(2.0)
    edges = bank.edges[0]
    landing = [at for at, _ in edges if at < 1.0]
    assert len(landing) > 2
    assert landing[-1] - landing[0] <= 0.003
    assert [closes for at, closes in edges if at > 1.0] == [False]
    assert bank.closed == [False]


def test_a_pushed_piece_keeps_its_distance_and_never_jumps() -> None:
    by = Stroke(ONE, 0.0, 0.5, HandPose(-40.0, 0.0), HandPose(0.0, 0.0))
    push = Push(TWO, by, HandPose(0.0, 0.0), (0.6, 0.8), 0.0)
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
    edges: list[list[tuple[float, bool]]] = [[] for _ in range(100)]
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
    assert min(geometry.pitches) > 30.0
    assert all(geometry.is_on_board(spot) for spot in geometry.centres)
    for spot in geometry.centres:
        assert not any(map(geometry.is_on_board, geometry.ways_out(spot, 90.0)))
        nearest = geometry.ways_out(spot, 90.0)[0]
        assert min(dist(nearest, centre) for centre in geometry.centres) > 90.0


def test_a_bump_makes_reeds_chatter_and_changes_none_for_good() -> None:
    rng = Random(4)
    centres = geometry_of(grid()).centres
    bank = ReedBank(centres, [spec_of(18.0, 0.65)] * 100, rng)
    for square in range(20):
        x, y = centres[square]
        bank.stand(Magnet(square), HandPose(x + rng.gauss(0, 5), y + rng.gauss(0, 5)))
    before = list(bank.closed)
    bank.await_shock(Shock(0.5, 3.0, 0.03))
    bank.run(1.5)
    shaken = [edges for edges in bank.edges if edges]
    assert len(shaken) > 5
    assert all(0.5 <= at < 0.8 for edges in shaken for at, _ in edges)
    assert bank.closed == before
    assert standing_induction(0.0) == pytest.approx(2 * 1e5 * MOMENT / DEPTH_MM**3)

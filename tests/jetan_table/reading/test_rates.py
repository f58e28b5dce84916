"""What is counted of switches, and when one is dead rather than unlucky."""

from hardware.switches import FaultKind, SwitchCounts
from jetan_table.reading.costs import PRICES
from jetan_table.reading.jetan_game import JetanGame, Standing
from jetan_table.reading.scene import Rates, Suspicions, Trace
from jetan_table.reading.switch_reader import SwitchReader
from rules import Position, Square, mask_of, parse_square
from tests.jetan_table.reading.hand import RULES, Table

D4 = parse_square("d4")
DEAD, STUCK = (D4, FaultKind.DEAD), (D4, FaultKind.STUCK)


def known(**counts: int) -> Rates:
    return Rates({D4: SwitchCounts(**counts)})


def pieces_until_dead(rates: Rates) -> int:
    return next(unseen for unseen in range(20) if rates.is_dead(D4, unseen))


def test_a_switch_that_often_misses_is_doubted_sooner_and_called_dead_later() -> None:
    poor, new, sound = known(placed=41, missed=3), Rates(), known(placed=200)
    assert poor.shift(DEAD) < new.shift(DEAD) == 0.0 < sound.shift(DEAD)
    assert pieces_until_dead(sound) < pieces_until_dead(new) < pieces_until_dead(poor)
    assert pieces_until_dead(new) > 1


def test_pieces_missed_in_a_row_tell_a_dead_switch_also_on_another_evening() -> None:
    rates = Rates()
    for _ in range(2):
        rates.put_down(D4, is_shown=False)
    assert not rates.is_dead(D4, 0)
    assert Rates(rates.counts).is_dead(D4, 1)
    rates.followed(D4)
    assert not rates.is_dead(D4, 1)
    assert rates.counts[D4] == SwitchCounts(placed=2, missed=2)


def test_what_stands_unseen_is_counted_once_as_long_as_it_does() -> None:
    rates = Rates()
    for dark in (1 << D4, 1 << D4, 0, 1 << D4):
        rates.count_dark(dark)
    assert rates.counts[D4].missed == 2


def test_what_is_supposed_to_stand_unseen_is_not_counted_again_once_it_is_certain() -> None:
    rates = Rates()
    rates.put_down(D4, is_shown=False)
    rates.count_dark(0, supposed=1 << D4)
    rates.count_dark(1 << D4, supposed=1 << D4)
    assert rates.counts[D4].missed == 1


def test_ghosts_are_counted_by_the_time_a_square_is_empty() -> None:
    rates = Rates()
    empty, shown = mask_of((D4, Square(0))), mask_of((D4,))
    for at, closed in ((100.0, 0), (160.0, shown), (220.0, shown), (280.0, 0), (3700.0, shown)):
        rates.count_ghosts(empty, closed, (), at)
    assert (rates.counts[D4].ghosts, rates.counts[D4].empty_s) == (2, 3600.0)
    assert rates.counts[Square(0)].ghosts == 0
    assert rates.shift(STUCK) < 0.0 < rates.shift((Square(0), FaultKind.STUCK))


def test_settled_plies_are_counted() -> None:
    rates = Rates()
    start = Standing(Position.start(RULES))
    table = Table(SwitchReader(JetanGame(), start, rates=rates))
    table.hands("1-d2 1.5+d3 3-d9 3.5+d8 5-c2 5.5+c3 7-c9 7.5+c8 9-e2 9.5+e3")
    shown = {square: (one.placed, one.missed) for square, one in rates.counts.items() if one.placed}
    left_behind = map(parse_square, ("d3", "d8", "c3"))
    assert shown == dict.fromkeys(left_behind, (1, 0))
    assert 0.0 < rates.counts[D4].empty_s < 9.5


def test_a_piece_that_stands_unseen_is_counted_and_hinders_nothing() -> None:
    rates = Rates()
    start = Standing(Position.start(RULES))
    table = Table(SwitchReader(JetanGame(), start, rates=rates))
    table.hands("1-h9 4-e2 4.6+e3 10-f9 10.5+f8 12-f2 12.5+f3")
    h9 = parse_square("h9")
    belief = table.reader.belief
    assert belief.unseen == {h9}
    assert not belief.missing
    assert not belief.faults
    table.hands("14-g9 14.5+g8 16-g2 16.5+g3")
    assert (rates.counts[h9].missed, rates.counts[h9].row) == (1, 1)
    table.hands("20+h9")
    assert table.reader.belief.unseen == frozenset()
    assert (rates.counts[h9].missed, rates.counts[h9].row) == (1, 0)


def held(*changes: tuple[float, str, bool]) -> float:
    """Return for how long d4 may be held closed, with d5 and e4 beside, after some changes."""
    beside = mask_of(map(parse_square, ("d5", "e4", "c4")))
    standing = mask_of(map(parse_square, ("d4", "d5", "e4")))
    suspicions, trace = Suspicions(), Trace(standing, standing)
    suspicions.suppose([STUCK], lambda _: beside, standing, 0.0)
    for at, name, occupied in changes:
        trace.add(parse_square(name), occupied, at)
        suspicions.see(parse_square(name), occupied, trace)
    return suspicions.held_until(STUCK, trace.level) / PRICES.HELD_CLOSED_S


def test_a_switch_has_stuck_once_each_piece_beside_it_was_away() -> None:
    away_d5 = ((1.0, "d5", False), (2.0, "d5", True))
    away_e4 = ((3.0, "e4", False), (4.0, "e4", True))
    assert held() == 2
    assert held(*away_d5) == 2  # e4 held it meanwhile, and d5 may have held it since
    assert held(away_d5[0], *away_e4) == 0
    assert held((1.0, "d5", False), (1.02, "d5", True), (3.0, "e4", False)) == 1  # d5 only blinked
    assert held((1.0, "c4", True), *away_d5, *away_e4) == 3

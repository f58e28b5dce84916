"""What bears on what is to be explained.

The pace of the hands; what is counted of switches, and when one is dead rather than unlucky; until
when so many squares were occupied at once. A shock opens and closes many switches at once: what it
did is told from what hands did. Whose a piece is, told by a sensor that sees it, settles what
switches cannot.
"""

import math

import pytest

from hardware.ports import Evidence, FaultKind, Observation, SwitchCounts
from jetan_table.reading.costs import PRICES
from jetan_table.reading.readings import JetanGame, Standing
from jetan_table.reading.scene import (
    SURE_MOVES,
    UNSURE,
    Census,
    Colours,
    Rates,
    Suspicions,
    Tempo,
    Trace,
    forget_shock,
    shakes_until,
)
from jetan_table.reading.switch_reader import SwitchReader
from rules import Occupant, Position, Square, mask_of, parse_move, parse_position, parse_square
from tests.jetan_table.reading.hand import FACING, RULES, Table, line


def test_hands_that_have_not_moved_yet_may_be_slow() -> None:
    assert Tempo().pace == 1.0
    assert Tempo().slowest == pytest.approx(1.0 + UNSURE)


@pytest.mark.parametrize("slower", [0.6, 1.0, 1.5])
def test_hands_that_have_shown_their_pace_are_no_slower(slower: float) -> None:
    tempo = Tempo()
    for _ in range(SURE_MOVES):
        tempo.learn(PRICES.AIR_S * slower)
    assert tempo.slowest == pytest.approx(max(tempo.pace, 1.0))
    assert (tempo.pace > 1.0) is (slower > 1.0)


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


def beside(square: Square) -> int:
    return JetanGame().beside(Standing(Position.start(RULES)), square)


def test_what_a_shock_did_to_many_switches_is_forgotten_and_a_lift_is_not() -> None:
    squares = [parse_square(name) for name in ("a1", "b1", "c1")]
    trace = Trace(mask_of(squares), mask_of(squares))
    for at, square in enumerate(squares):
        trace.add(square, False, 1.0 + at / 100)
    for at, square in enumerate(squares[1:]):
        trace.add(square, True, 1.1 + at / 100)
    assert not forget_shock(Trace(0, 0), beside, 1.2)
    trace.add(squares[0], True, 1.15)
    trace.add(squares[0], False, 1.2)
    assert forget_shock(trace, beside, 1.2)
    assert trace.changes == {squares[0]: [1.2]}


@pytest.mark.parametrize("hands_s", [(1.0, 2.4), (2.8, 3.0)])
def test_a_hand_just_before_a_shock_or_just_after_it_is_no_part_of_it(
    hands_s: tuple[float, float],
) -> None:
    """A victim is taken, and a piece put in its place; ten squares shake, from 2.55 to 2.57."""
    squares = [Square(square) for square in range(10)]
    knock = [(at + 0.001 * square, square) for at in (2.55, 2.56) for square in squares]
    changes = sorted([*knock, *((at, squares[0]) for at in hands_s)])
    trace = Trace(mask_of(squares), mask_of(squares))
    for at, square in changes:
        trace.add(square, not trace.level >> square & 1, at)
        forget_shock(trace, beside, at)
    assert trace.changes == {squares[0]: list(hands_s)}


@pytest.mark.parametrize(
    ("names", "apart_s", "is_shock"),
    [("a1 c1", 0.04, False), ("a1 c1", 0.002, True), ("a1 b1", 0.002, False)],
)
def test_two_switches_at_once_are_a_shock_only_if_no_hand_is_as_quick(
    names: str, apart_s: float, is_shock: bool
) -> None:
    """Nor if they are next to each other: a piece is slid over both where one is taken."""
    squares = [parse_square(name) for name in names.split()]
    trace = Trace(mask_of(squares), mask_of(squares))
    for at, (square, is_occupied) in enumerate((s, o) for o in (False, True) for s in squares):
        trace.add(square, is_occupied, 1.0 + at * apart_s)
    assert forget_shock(trace, beside, 1.2) is is_shock


def test_nothing_is_concluded_while_the_table_shakes() -> None:
    trace = Trace((1 << 40) - 1, (1 << 40) - 1)
    for square in range(6):
        trace.add(square, False, 1.0 + square / 1000)
    assert shakes_until(trace) < 1.0  # so many two hands may touch
    trace.add(6, False, 1.01)
    assert 1.01 < shakes_until(trace) < 1.2


def seen(occupant: int, doubt: float = 18.0) -> Evidence:
    empty, black, orange, neutral = (0.0 if each == occupant else -doubt for each in Occupant)
    return empty, black, orange, neutral


def picture(position: Position, covered: str = "") -> dict[Square, Evidence | None]:
    """What a camera shows of a whole position, but for squares that are covered."""
    squares = JetanGame().occupants(Standing(position))
    found: dict[Square, Evidence | None] = {
        Square(square): seen(occupant) for square, occupant in enumerate(squares)
    }
    found.update(dict.fromkeys(map(parse_square, covered.split())))
    return found


def played(*texts: str) -> list[Position]:
    """The positions of a game from FACING, one after another."""
    positions = [parse_position(FACING, RULES)]
    for text in texts:
        positions.append(positions[-1].play(parse_move(text, positions[-1])))
    return positions


class Onlooker:
    """A camera at rest, and a hand at the switches, before one reader."""

    def __init__(self, *texts: str) -> None:
        self.positions = played(*texts)
        self.hand = Table(SwitchReader(JetanGame(), Standing(self.positions[0])))
        self.look(0.0, 0)

    def look(self, at: float, index: int, covered: str = "") -> list[str]:
        """Let the camera see the position of that index."""
        news = self.hand.wait(at)
        evidence = picture(self.positions[index], covered)
        news += self.hand.reader.observe(Observation(at, evidence))
        news += self.hand.wait(at + 1.0)
        return [line(reading) for reading in news]


def test_a_camera_alone_shows_moves_and_captures() -> None:
    camera = Onlooker("d2d3", "b9b8", "e5e8")
    lines = [camera.look(2.0 * index, index) for index in (1, 2, 3)]
    assert lines == [["1 d2-d3"], ["2 b9-b8"], ["3 e5-e8"]]


def test_plies_between_two_looks_are_told_in_turn() -> None:
    camera = Onlooker("d2d3", "b9b8", "e5e8")
    assert camera.look(2.0, 2) == ["1 d2-d3", "2 b9-b8"]
    assert camera.look(4.0, 3) == ["3 e5-e8"]


def test_a_take_back_is_seen() -> None:
    camera = Onlooker("e5e8")
    assert camera.look(2.0, 1) == ["1 e5-e8"]
    assert camera.look(4.0, 0) == ["back 1"]


def test_a_covered_square_says_nothing() -> None:
    camera = Onlooker("d2d3")
    assert camera.look(2.0, 1, covered="d2 d3") == []
    assert camera.look(3.0, 1) == ["1 d2-d3"]


def test_colour_settles_what_a_swept_piece_took() -> None:
    camera = Onlooker("e5h5")
    assert camera.hand.hands("1.0-e5", until=2.0) == []  # e8 or h5: no switch has shown it
    assert camera.look(2.5, 1) == ["1 e5-h5"]


def test_colour_corrects_which_of_two_victims_was_taken() -> None:
    """Both were empty while the hand was there, and the switches took the longer for it."""
    camera = Onlooker("e5h5")
    script = "1.0-e5 1.436-e8 1.506+e8 1.510-h5 1.516+h5"
    assert camera.hand.hands(script, until=3.0) == ["1 e5-e8"]
    lines = camera.look(3.5, 1) + [line(reading) for reading in camera.hand.wait(6.0)]
    assert lines == ["back 1", "1 e5-h5"]


def test_one_piece_taken_for_the_other_sides_stops_no_game() -> None:
    camera = Onlooker("d2d3", "b9b8")
    wrong = {parse_square("c9"): seen(Occupant.BLACK)}
    for index, expected in ((1, "1 d2-d3"), (2, "2 b9-b8")):
        after = picture(camera.positions[index]) | wrong
        news = camera.hand.reader.observe(Observation(2.0 * index, after))
        news += camera.hand.wait(2.0 * index + 1)
        assert [line(reading) for reading in news] == [expected]


def test_a_switch_says_nothing_of_colours() -> None:
    colours = Colours()
    reed = (-6.2, 0.0, 0.0, 0.0)
    assert not colours.take(Square(0), reed, 0.0)
    assert not colours
    assert not colours.take(Square(0), seen(Occupant.BLACK), 1.0)
    assert not colours.take(Square(0), reed, 2.0)  # a hand hides it: whose it is stays known
    assert colours.take(Square(0), seen(Occupant.ORANGE), 3.0)


def test_a_piece_that_left_and_another_that_came_are_no_change_unseen() -> None:
    colours = Colours()
    for at, occupant in enumerate((Occupant.BLACK, Occupant.EMPTY, Occupant.ORANGE)):
        assert not colours.take(Square(0), seen(occupant), float(at))


def census(script: str, base: int, now: float = 10.0, ignored: int = 0) -> Census:
    """Return the census of `TIME-SQUARE` and `TIME+SQUARE`, squares as bits, from `base` on."""
    trace = Trace(base, base)
    for word in script.split():
        sign = "+" if "+" in word else "-"
        at, square = word.split(sign)
        trace.add(int(square), sign == "+", float(at))
    return Census(trace, ignored, overlap_s=0.05, now=now)


def test_what_stands_now_stands_until_now() -> None:
    assert census("", base=0b111).last_with(3) == 10.0
    assert census("", base=0b111).last_with(4) == -math.inf


def test_all_stood_until_the_first_of_those_that_are_gone_was_lifted() -> None:
    counted = census("2.0-0 3.0-1 4.0+0", base=0b111)
    assert (counted.last_with(3), counted.last_with(2), counted.last_with(1)) == (2.0, 10.0, 10.0)


def test_what_has_just_come_counts_at_once() -> None:
    assert census("2.0+5", base=0b1, now=2.0).last_with(2) == 2.0


def test_neighbours_that_overlap_as_a_piece_slides_are_one_piece() -> None:
    assert census("2.0+5 2.03-0", base=0b1).last_with(2) == -math.inf
    assert census("2.0+5 2.03-0", base=0b1, now=2.03).last_with(2) == -math.inf
    assert census("2.0+5 2.3-0", base=0b1).last_with(2) == 2.3


def test_what_a_piece_passes_or_holds_beside_its_own_for_a_moment_is_none() -> None:
    came_down = "1.8-0 2.0+5 2.05+6"
    assert census(f"{came_down} 2.3-6", base=0b11).last_with(3) == -math.inf
    assert census(f"{came_down} 2.6-6", base=0b11).last_with(3) == 2.6


def test_failed_switches_are_not_counted() -> None:
    assert census("2.0-0", base=0b111, ignored=0b100).last_with(2) == 2.0

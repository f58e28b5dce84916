"""What magnets, reeds and hands do, and no table of times has: thought, shocks, walks, pushes."""

import pytest

from hardware.ports import Observation
from jetan_table.reading import search
from jetan_table.reading.cost import weigh
from jetan_table.reading.pruning import AT_ONCE
from jetan_table.reading.search import A_WEIGHING
from jetan_table.reading.shock import forget_shock, shakes_until
from jetan_table.reading.trace import Trace
from rules import Square, mask_of, parse_square
from tests.jetan_table.reading.hand import EVIDENCE, FACING, facing, table

ONE_VICTIM = FACING.replace("4p5", "10")
REPLY = "10.0-a9 10.5+a8"


@pytest.mark.parametrize("pause_s", [0.5, 2.0, 4.0, 6.0])
def test_people_think_in_the_middle_of_a_capture(pause_s: float) -> None:
    after = f"1.0-e5 {1 + pause_s}-h5 {2 + pause_s}+h5"
    assert facing().hands(after) == ["1 e5-h5"]
    before = f"1.0-h5 {1 + pause_s}-e5 {1.5 + pause_s}+h5"
    assert facing().hands(before) == ["1 e5-h5"]


def test_who_holds_a_piece_for_longer_may_have_taken_unseen_and_another_is_adjusted() -> None:
    assert facing().hands("1.0-e5 9.0-h5 9.9+h5", until=14.0) == ["1? h5 e8"]


def test_two_hands_may_take_and_then_think() -> None:
    """Both pieces leave in one instant, as if they had been knocked over, and one comes down."""
    hand = facing()
    assert hand.hands("1.0-e5 1.03-h5 2.9+h5", until=5.0) == ["1 e5-h5"]
    assert hand.hands("6.0+e5", until=9.0) == ["back 1"]  # they had been


def test_what_is_slid_away_after_long_thought_was_not_adjusted() -> None:
    slid = "9.0-h5 9.02+i5 9.2-i5"
    assert facing().hands(f"1.0-e5 {slid} 9.9+h5", until=12.0) == ["1 e5-h5"]


def test_a_shock_in_the_middle_of_a_capture_is_no_evidence() -> None:
    shaken = "1.400-e8 1.401-a2 1.402-b2 1.403+c5 1.410+e8 1.411+a2 1.412+b2 1.415-c5"
    assert facing().hands(f"1.0-e5 1.2-h5 {shaken} 1.9+h5") == ["1 e5-h5"]


def test_what_a_shock_did_to_many_switches_is_forgotten_and_a_lift_is_not() -> None:
    squares = [parse_square(name) for name in ("a1", "b1", "c1")]
    trace = Trace(mask_of(squares), mask_of(squares))
    for at, square in enumerate(squares):
        trace.add(square, False, 1.0 + at / 100)
    for at, square in enumerate(squares[1:]):
        trace.add(square, True, 1.1 + at / 100)
    assert not forget_shock(Trace(0, 0), 1.2)
    trace.add(squares[0], True, 1.15)
    trace.add(squares[0], False, 1.2)
    assert forget_shock(trace, 1.2)
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
        forget_shock(trace, at)
    assert trace.changes == {squares[0]: list(hands_s)}


@pytest.mark.parametrize(("apart_s", "is_shock"), [(0.04, False), (0.002, True)])
def test_two_switches_at_once_are_a_shock_only_if_no_hand_is_as_quick(
    apart_s: float, is_shock: bool
) -> None:
    squares = [parse_square(name) for name in ("a1", "b1")]
    trace = Trace(mask_of(squares), mask_of(squares))
    for at, (square, is_occupied) in enumerate((s, o) for o in (False, True) for s in squares):
        trace.add(square, is_occupied, 1.0 + at * apart_s)
    assert forget_shock(trace, 1.2) is is_shock


def test_a_square_that_a_piece_has_passed_may_be_held_by_it_where_it_comes_to_rest() -> None:
    hand = facing()
    slid = "1.0-f1 1.02+f2 1.2-f2 1.21+f3 1.6+f4"
    assert hand.hands(slid, until=3.0)[-1:] == ["1 f1-f4"]
    assert hand.hands("3.0-a9 3.3+a8", until=5.0) == ["2 a9-a8"]


def test_nobody_reaches_for_a_piece_that_is_not_there_yet() -> None:
    """The reply only touched e8 at first, or the Dwar came there to be taken: that is asked."""
    hand = table(ONE_VICTIM)
    lines = hand.hands("1.0-e5 4.0-d9 4.15+e8 4.34-e8 5.6+e8", until=9.0)
    assert lines == ["1? h5 e8", "2 d9-e8"]


def test_a_victim_that_lies_beside_its_square_speaks_for_the_capture() -> None:
    lines = facing().hands("1.0-h5 1.3+i5 1.5-e5 1.9+h5 3.0-a9 3.5+a8 6.0-i5", until=8.0)
    assert lines == ["1 e5-h5", "2 a9-a8"]


def test_a_victim_that_is_pushed_away_unseen_may_be_slid_over_other_squares() -> None:
    walked = "1.0-e5 1.02+f5 1.3-f5 1.32+g5 1.6-g5"
    pushed = "1.9+i5 2.1-i5 2.15+j5 2.4-j5"
    assert table(ONE_VICTIM).hands(f"{walked} {pushed} {REPLY}") == ["1 e5-h5", "2 a9-a8"]


def test_a_piece_that_is_walked_has_not_arrived_before_its_last_square() -> None:
    """It rests on e6, where it may end by another way, for longer than pieces that slide."""
    lines = facing().hands("1.0-e5 1.02+e6 1.4-e6 1.42+f6 1.8-f6 1.82+f7")
    assert lines == ["1 e5-f7"]


def test_a_way_that_was_seen_tells_which_piece_was_rather_taken_unseen() -> None:
    """Nine times in ten it was that one: it is asked about, and named first."""
    walked = "1.0-e5 1.02+f5 1.3-f5 1.32+g5 1.6-g5"
    assert facing().hands(f"{walked} 3.0-a9 3.5+a8", until=6.0) == ["1? h5 e8", "2 a9-a8"]


def test_a_piece_put_back_for_a_square_of_another_reach_is_no_capture_to_ask_about() -> None:
    """Somebody takes a piece of their own, against the rules."""
    hand = facing()
    assert hand.hands("1.0-c2 1.5-e5 2.0+c2", until=60.0) == []


def test_a_call_does_a_bounded_part_of_the_work_and_the_next_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    weighed = 0

    def counted(*args: object) -> object:
        nonlocal weighed
        weighed += 1
        return weigh(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(search, "weigh", counted)
    hand, most, calls = table(), 0, 0
    names = [f"{file}{rank}" for rank in (1, 2, 9, 10) for file in "abcdefg"]
    for order, is_occupied in ((names, False), (names[::-1], True)):
        for number, name in enumerate(order):
            weighed, at = 0, 1.0 + 2 * is_occupied + number / 1000
            hand.reader.observe(
                Observation(at, {parse_square(name): EVIDENCE.evidence(is_occupied)})
            )
            most, calls = max(most, weighed), calls + 1
            while hand.reader.due is not None and hand.reader.due <= at:
                weighed = 0
                hand.reader.tick(at)
                most, calls = max(most, weighed), calls + 1
    assert 0 < most <= AT_ONCE // A_WEIGHING + 1
    assert calls >= 2 * len(names)


def test_a_piece_dragged_slowly_is_on_two_squares_at_once() -> None:
    assert table().hands("1.00+d3 1.12-d2", until=4.0) == ["1 d2-d3"]


def test_a_victim_slid_off_over_other_squares_is_no_third_piece() -> None:
    slid = "1.14+i5 1.20-i5 1.22+j5 1.26-j5"
    assert facing().hands(f"1.0-e5 1.1-h5 {slid} 1.5+h5") == ["1 e5-h5"]


def test_nothing_is_concluded_while_the_table_shakes() -> None:
    trace = Trace((1 << 40) - 1, (1 << 40) - 1)
    for square in range(6):
        trace.add(square, False, 1.0 + square / 1000)
    assert shakes_until(trace) < 1.0  # so many two hands may touch
    trace.add(6, False, 1.01)
    assert 1.01 < shakes_until(trace) < 1.2


def test_what_came_down_after_the_reply_was_lifted_is_waited_for() -> None:
    """The Dwar may have taken unseen, and the Panthan slipped on a square open to both."""
    assert facing().hands("1.0-e5 8.0-h5 8.15+g6", until=9.1) == []


def test_a_switch_that_the_magnets_beside_it_held_has_not_stuck() -> None:
    """The Panthan of i2 went to h3, and its switch opens only when that of h2 is lifted."""
    hand = table()
    play = "1.0+h3 5.0-a9 5.5+a8 9.0-a2 9.5+a3"
    lines = hand.hands(f"{play} 14.0-b9 14.5+b8", until=25.0)
    assert lines[0] == "1? f1 g2 h2 i2 j2"
    lines += hand.hands("30.0-h2 30.01-i2 30.5+g3 34.0-c9 34.5+c8", until=60.0)
    assert lines[1:] == ["2 a9-a8", "3 a2-a3", "4 b9-b8", "1! h3", "5 h2-g3", "6 c9-c8"]


@pytest.mark.parametrize("victims", [FACING, ONE_VICTIM])
def test_a_piece_that_takes_may_leave_its_switch_held(victims: str) -> None:
    """The switch of e5 opens as the piece beside it is lifted."""
    hand = table(victims.replace("4D2p2", "3PD2p2"))
    took = hand.hands("1.0-h5 1.3+i5 1.6+h5 4.0-a9 4.4+a8 9.0-i5 12.0-d5 12.02-e5", until=12.4)
    assert took == ["1 e5-h5", "2 a9-a8"]
    assert hand.hands("12.5+d6 15.0-b9 15.5+b8", until=30.0) == ["3 d5-d6", "4 b9-b8"]


def test_what_was_off_again_at_once_has_not_arrived() -> None:
    """The Dwar slides to h5 over g5 and h4, and what it takes is put down on i5 meanwhile."""
    hand = facing()
    assert hand.hands("1.00-e5 1.05-h5 1.06+g5 1.12+i5 1.20-g5", until=1.25) == []
    assert hand.hands("1.26+h4 1.46-h4 1.51+h5", until=3.0) == ["1 e5-h5"]


def test_a_capture_by_a_piece_dragged_over_the_edge_stands_as_the_reply_is_slid() -> None:
    """The Panthan has come to d3, by the switches, a moment before it has left d2."""
    hand = table(FACING.replace("10/PPPP6", "3p6/PPPP6"))
    assert hand.hands("1.0-d3 2.0000+d3 2.0004-d2", until=2.5) == ["1 d2-d3"]
    assert hand.hands("2.6-a9 2.7+b8 2.9-b8 2.95+a8", until=5.0) == ["2 a9-a8"]


def test_the_reply_that_is_lifted_with_attacker_and_victim_was_not_knocked_over() -> None:
    lines = facing().hands("1.0-e5 1.02-a9 1.04-h5 1.15+h5 1.25+a8", until=2.2)
    assert lines == ["1 e5-h5", "2 a9-a8"]


def test_what_stood_at_home_has_not_taken_what_was_gone_before() -> None:
    """The gap of a capture that was taken back is none of the next, which leaves no gap."""
    hand = table(FACING.replace("4p5", "4p2d2"))
    lines = hand.hands("1.0-e5 5.0-h5 6.5-h8 6.6+h5", until=8.0)
    lines += hand.hands("9.0-h5 9.2+h8 9.8+h5 13.0-h8 16.0-a2 16.5+a3", until=18.0)
    assert lines == ["1 e5-h5", "2 h8-h5", "3 a2-a3"]


def test_quick_players_are_asked_though_no_second_is_quiet() -> None:
    hand = facing()
    lines = hand.hands("1.0-e5 1.6-a9 1.8+a8 2.4-a2 2.55+a3 3.2-b9", until=3.3)
    assert lines == ["1? h5 e8", "2 a9-a8", "3 a2-a3"]

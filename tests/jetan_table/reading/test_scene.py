"""Until when so many squares were occupied at once."""

import math

from jetan_table.reading.scene import Census, Trace


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

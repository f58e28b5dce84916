"""A piece that has come down: shown at once, and told once it has rested."""

from jetan_table.light.lamps import Cue, cues
from rules import Square, parse_square
from tests.jetan_table.hands import hands_at, plies


def squares(*names: str) -> tuple[Square, ...]:
    return tuple(map(parse_square, names))


def test_what_has_come_down_is_shown_before_it_is_told() -> None:
    hands = hands_at()
    hands.lift("d2")
    assert hands.session.view.legal
    hands.put("d3")
    assert hands.session.view.lifted == squares("d2")
    hands.wait(0.2)
    view = hands.session.view
    assert (view.seen, view.lifted, view.legal, view.captures) == (
        squares("d2", "d3"),
        (),
        frozenset(),
        frozenset(),
    )
    assert cues(view) == dict.fromkeys(squares("d2", "d3"), Cue.SEEN)
    assert plies(hands) == ()
    hands.wait()
    assert plies(hands) == ("Pd2-d3",)
    assert hands.session.view.seen == ()


def test_what_goes_on_after_a_rest_is_in_the_hand_again() -> None:
    hands = hands_at()
    hands.lift("d2")
    hands.put("d3")
    hands.wait(0.2)
    hands.lift("d3", after_s=0.02)
    view = hands.session.view
    assert (view.seen, view.lifted) == ((), squares("d2"))
    assert view.legal
    hands.put("c3")
    hands.wait()
    assert plies(hands) == ("Pd2-c3",)


def test_what_is_put_back_has_not_been_put_down_elsewhere() -> None:
    hands = hands_at()
    hands.lift("d2")
    hands.put("d2")
    hands.wait(0.2)
    assert hands.session.view.away == ()
    assert plies(hands) == ()

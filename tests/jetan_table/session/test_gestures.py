"""Gestures: each is made by hands and nothing else; no ply is read from them.

A touch answers a question, whatever the switches that it is about do.
"""

from random import Random
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jetan_table.game.commands import CommandRefused
from jetan_table.game.events import Entry, Fault
from jetan_table.game.record import Record
from jetan_table.light.lamps import Cue, cues
from jetan_table.session.gestures import (
    DONE_S,
    FILL_STEPS,
    Deed,
    Gesture,
    bar,
    men_at_start,
    sign_of,
)
from jetan_table.session.session import Session
from jetan_table.session.umpire import wanted_by
from jetan_table.session.view import Phase
from rules import (
    PRESETS,
    SQUARES,
    Kind,
    Position,
    Side,
    Square,
    format_position,
    format_square,
    letters,
    parse_position,
    parse_rules,
    parse_square,
)
from tests.jetan_table.hands import Hands, hands_at, header


def test_a_touch_answers_though_another_candidate_holds_closed() -> None:
    hands = Hands(Session(Record.begin(header())))
    hands.wait(2.0)
    hands.lift("d2")
    hands.fail("e3", True)
    hands.put("d3")
    hands.wait()
    asked = hands.session.record
    assert asked.question is not None
    hands.lift("d3")
    hands.put("d3")
    assert hands.session.record.question is None
    assert hands.session.record.moves == ("Pd2-d3",)


APPENDIX = parse_rules("appendix")
START = Position.start(APPENDIX)
SIGNS = {Deed.RESIGN: "", Deed.DRAW: "C", Deed.TAKE_BACK: "Q", Deed.PAUSE: "CQ"}
"""What of the other side is lifted with one's own pair."""


def names(*wanted: str) -> tuple[Square, ...]:
    return tuple(sorted(map(parse_square, wanted)))


def some_position(rng: Random, rules: str, plies: int) -> Position:
    """A position of a game that goes on, reached by chance."""
    position = Position.start(parse_rules(rules))
    for _ in range(plies):
        moves = position.moves()
        after = position.play(rng.choice(moves)) if moves else position
        if after.outcome is not None:
            break
        position = after
    return position


def squares_for(position: Position, deed: Deed, side: Side, rng: Random) -> list[Square]:
    """The squares of a sign, in the order in which hands come to them."""
    wanted = [(side, "C"), (side, "Q"), *((side.other, letter) for letter in SIGNS[deed])]
    chosen: list[Square] = []
    for of, letter in wanted:
        at = [s for s, piece in position.pieces().items() if piece == (of, Kind(letter))]
        others = [
            s
            for s, piece in position.pieces().items()
            if piece.side is of and piece.kind is not Kind.PRINCESS
        ]
        chosen.append(at[0] if at else rng.choice(others))
    rng.shuffle(chosen)
    return chosen


def lift_all(hands: Hands, squares: list[Square]) -> None:
    for square in squares:
        hands.lift(format_square(square))
        hands.at += 0.5


def is_led_back(hands: Hands) -> bool:
    view = hands.session.view
    return view.phase is Phase.SETTING_UP and view.leading.repair is not None


@given(
    st.integers(0, 10_000),
    st.sampled_from(sorted(PRESETS)),
    st.sampled_from(sorted(SIGNS, key=lambda deed: deed.value)),
    st.sampled_from(list(Side)),
)
def test_each_sign_is_told_at_any_position_of_any_preset_and_no_ply(
    seed: int, preset: str, deed: Deed, side: Side
) -> None:
    rng = Random(seed)
    position = some_position(rng, preset, rng.randrange(60))
    hands = Hands(Session(Record.begin(header(position.rules, format_position(position)))))
    squares = squares_for(position, deed, side, rng)
    lift_all(hands, squares)
    hands.wait(DONE_S + 0.5)
    assert hands.session.gestures.take_made() == Gesture(
        deed, None if deed is Deed.PAUSE else side, tuple(sorted(squares))
    )
    assert hands.session.gestures.take_made() is None
    assert is_led_back(hands)
    for square in squares:
        hands.put(format_square(square))
    hands.wait(15.0)
    assert hands.news == []
    assert not is_led_back(hands)
    move = rng.choice([m for m in position.moves() if m.kind.value != "capture"] or [None])
    if move is not None:
        hands.move(format_square(move.from_square), format_square(move.to_square))
        assert len(hands.session.record.moves) == 1


@given(st.integers(0, 10_000), st.sampled_from(sorted(PRESETS)))
def test_no_half_ply_of_any_position_is_a_sign(seed: int, preset: str) -> None:
    rng = Random(seed)
    position = some_position(rng, preset, rng.randrange(60))
    for move in position.moves():
        for lifted in ({move.from_square}, {move.to_square}, {move.from_square, move.to_square}):
            assert sign_of(position, [s for s in lifted if position.piece_at(s)]) is None


def test_a_side_without_a_chief_takes_any_other_piece() -> None:
    position = parse_position("10/10/3q6/10/3c6/10/4P5/10/10/2Q3W3 b - - 0 30", APPENDIX)
    assert sign_of(position, names("c1", "e4")) == Gesture(
        Deed.RESIGN, Side.BLACK, names("c1", "e4")
    )
    assert sign_of(position, names("c1", "e4", "g1")) is None
    assert sign_of(position, names("d8", "d6")) == Gesture(
        Deed.RESIGN, Side.ORANGE, names("d8", "d6")
    )


@pytest.mark.parametrize(
    "lifted", ["e1", "f1", "e1 d1", "e1 f1 d1", "e1 f10", "e10 f1", "e1 d2 f1"]
)
def test_other_pieces_in_the_air_are_no_sign(lifted: str) -> None:
    assert sign_of(START, names(*lifted.split())) is None


def test_the_juggernaut_is_part_of_no_sign() -> None:
    position = Position.start(parse_rules("appendix,juggernaut=e5"))
    assert sign_of(position, names("e1", "f1", "e5")) is None


def test_the_light_fills_up_and_the_hands_are_not_led_meanwhile() -> None:
    hands = hands_at()
    lift_all(hands, list(names("e1", "f1")))
    steps = []
    for _ in range(33):
        hands.wait(0.1)
        view = hands.session.view
        steps.append(view.gesture.step if view.gesture else 0)
        lit = {square for square, cue in cues(view).items() if cue is Cue.GESTURE}
        assert lit == (view.gesture.lit if view.gesture else set())
        assert view.leading.repair is None
    assert sorted(steps) == steps
    assert set(steps) >= set(range(1, FILL_STEPS + 1))


def test_a_bar_runs_from_the_rim_over_half_a_file() -> None:
    assert [format_square(s) for s in bar(parse_square("e3"))] == ["e1", "e2", "e3", "e4", "e5"]
    assert [format_square(s) for s in bar(parse_square("b7"))] == ["b10", "b9", "b8", "b7", "b6"]
    shown = Gesture(Deed.RESIGN, Side.BLACK, names("e3", "f1"), step=2)
    assert shown.lit == frozenset(names("e1", "e2", "e3", "f1", "f2"))


def far_position() -> Position:
    return some_position(Random(5), "appendix", 12)


def tidy_up(hands: Hands, position: Position) -> None:
    """Set all men up as at the start of a game, one after another."""
    start = men_at_start(position.rules)
    standing = set(letters(position))
    for square in sorted(standing - start):
        hands.lift(format_square(square))
    for square in sorted(start - standing):
        hands.put(format_square(square))


def test_setting_up_for_another_game_is_a_gesture() -> None:
    position = far_position()
    hands = hands_at(format_position(position))
    tidy_up(hands, position)
    hands.wait(DONE_S - 1.0)
    filling = hands.session.view.gesture
    assert filling is not None
    assert filling.lit < men_at_start(position.rules)
    hands.lift("a1")
    hands.wait(DONE_S + 1.0)
    assert hands.session.gestures.take_made() is None
    hands.put("a1")
    hands.wait(DONE_S + 1.0)
    gesture = hands.session.gestures.take_made()
    assert gesture is not None
    assert gesture.deed is Deed.NEW_GAME


def test_men_set_up_askew_may_close_a_second_switch() -> None:
    position = far_position()
    hands = hands_at(format_position(position))
    tidy_up(hands, position)
    hands.put("e3")
    hands.wait(DONE_S + 1.0)
    gesture = hands.session.gestures.take_made()
    assert gesture is not None
    assert gesture.deed is Deed.NEW_GAME


def test_a_failed_switch_under_another_piece_does_not_matter() -> None:
    failed = Record.begin(header()).after(Entry(1.0, Fault("a1", "dead")))
    hands = Hands(Session(failed))
    hands.fail("a1", False)
    lift_all(hands, list(names("e1", "f1")))
    hands.wait(9.0)
    assert hands.session.gestures.take_made() is not None


@pytest.mark.parametrize("kind", ["stuck", "dead"])
def test_a_failed_switch_that_may_hide_part_of_a_sign_makes_it_none(
    kind: Literal["stuck", "dead"],
) -> None:
    chief = squares_for(START, Deed.DRAW, Side.BLACK, Random(1))
    (hidden,) = set(chief) - set(squares_for(START, Deed.RESIGN, Side.BLACK, Random(1)))
    failed = Record.begin(header()).after(Entry(1.0, Fault(format_square(hidden), kind)))
    hands = Hands(Session(failed))
    for square in chief:
        if square != hidden:
            hands.lift(format_square(square))
            hands.wait(0.5)
    hands.wait(DONE_S + 1.0)
    made = hands.session.gestures.take_made()
    assert made is not None
    with pytest.raises(CommandRefused, match=format_square(hidden)):
        wanted_by(made, hands.session.record, None, hands.at)


def test_every_square_has_a_bar() -> None:
    assert all(square in bar(square) for square in SQUARES)

"""The clocks: what each kind of time control makes of plies, pauses, presses and take-backs."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jetan_table.game.agreements import (
    Clocks,
    TimeControl,
    TimeExtra,
    Times,
    format_seconds,
    parse_time_control,
    side_of,
)
from rules import Side

KINDS = ["10", "10+5", "10d5", "10b5", "hourglass 10", "10+5 buttons"]


def clocks_of(text: str) -> Clocks:
    control = parse_time_control(text)
    assert control is not None
    return Clocks.agreed(control, 0.0)


def played(text: str, *made_at: float) -> Clocks:
    """The clocks after plies 1, 2, ... made at these times."""
    clocks = clocks_of(text)
    for number, at in enumerate(made_at, 1):
        clocks = clocks.made(number, at)
    return clocks


def test_the_first_ply_starts_the_clock_and_costs_nothing() -> None:
    clocks = played("10", 100.0)
    assert clocks.running is Side.ORANGE
    assert clocks.left == Times(600, 600)
    assert clocks.until(130.0).left == Times(600, 570)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("10", (593, 580)),
        ("10+5", (598, 585)),
        ("10d5", (598, 585)),
        ("10b5", (598, 585)),
        ("hourglass 10", (613, 587)),
    ],
)
def test_what_twenty_seconds_and_then_seven_cost(text: str, left: Times) -> None:
    assert played(text, 0.0, 20.0, 27.0).left == left


def test_within_the_delay_nothing_is_used_and_nothing_gained() -> None:
    assert played("10d5", 0.0, 3.0, 6.0).left == Times(600, 600)
    assert played("10b5", 0.0, 3.0, 6.0).left == Times(600, 600)
    assert played("10d5", 0.0).until(4.0).left == Times(600, 600)
    assert played("10b5", 0.0).until(4.0).left == Times(600, 596)


@pytest.mark.parametrize(
    ("text", "at"), [("10", 600.0), ("10+5", 600.0), ("10d5", 605.0), ("hourglass 10", 600.0)]
)
def test_a_flag_falls_when_the_time_has_run(text: str, at: float) -> None:
    clocks = played(text, 0.0)
    assert clocks.flag_at == at
    later = clocks.until(3.0)
    assert later.flag_at == at
    assert later.until(at).left.orange == 0


def test_while_it_stands_no_time_runs_and_no_flag_falls() -> None:
    clocks = played("10", 0.0).stopped("table", 10.0).stopped("people", 20.0)
    assert clocks.flag_at is None
    clocks = clocks.released("table", 1000.0)
    assert clocks.until(2000.0).left.orange == 590
    clocks = clocks.released("people", 3000.0)
    assert clocks.until(3001.0).left.orange == 589


def test_buttons_start_the_clock_and_end_each_turn() -> None:
    clocks = clocks_of("10+5 buttons").made(1, 50.0)
    assert clocks.running is None
    clocks = clocks.pressed(100.0, Side.ORANGE)
    assert clocks.running is Side.ORANGE
    clocks = clocks.made(2, 110.0)
    assert clocks.until(113.0).left == Times(600, 587)
    clocks = clocks.pressed(113.0, Side.BLACK)
    assert clocks.left == Times(600, 592)
    assert clocks.running is Side.BLACK
    assert clocks.turns[-1].shown == 592
    assert clocks.turns[-1].thought_s == 13


def test_a_press_before_the_ply_is_told_waits_for_it() -> None:
    clocks = clocks_of("10 buttons").pressed(0.0, Side.BLACK)
    clocks = clocks.pressed(10.0, Side.BLACK)
    assert clocks.running is Side.BLACK
    assert clocks.made(1, 11.0).running is Side.ORANGE


def test_who_replies_without_a_press_ends_the_turn_before() -> None:
    clocks = clocks_of("10 buttons").pressed(0.0, Side.BLACK).made(1, 10.0).made(2, 30.0)
    assert clocks.left == Times(570, 600)
    assert clocks.running is Side.ORANGE
    assert clocks.pressed(31.0, Side.BLACK).left == Times(570, 599)


def test_a_take_back_by_hands_gives_back_what_has_run_since() -> None:
    clocks = played("10+5", 0.0, 20.0, 50.0).until(60.0)
    assert clocks.left == Times(575, 575)
    back = clocks.taken_back(3, 60.0, gives_all=False)
    assert back.left == Times(570, 585)
    assert back.running is Side.BLACK
    again = back.made(3, 61.0)
    assert again.left == Times(574, 585)
    assert again.turns[-1].thought_s == 31


def test_a_take_back_in_words_gives_back_the_thought_too() -> None:
    clocks = played("10+5", 0.0, 20.0, 50.0).taken_back(3, 60.0, gives_all=True)
    assert clocks.left == Times(600, 585)
    assert clocks.thought_s == 0
    assert clocks.taken_back(2, 61.0, gives_all=True).left == Times(600, 600)


def test_taking_back_the_first_ply_unstarts_the_clock() -> None:
    clocks = played("10", 5.0).taken_back(1, 30.0, gives_all=True)
    assert clocks.running is None
    assert clocks.until(90.0).left == Times(600, 600)


def test_clocks_are_set_and_the_turn_goes_on() -> None:
    clocks = played("10", 0.0).until(10.0).shown(Times(300, 200), 20.0)
    assert clocks.until(25.0).left == Times(300, 195)
    again = clocks.made(2, 30.0).taken_back(2, 30.0, gives_all=True)
    assert again.left == Times(300, 220)
    assert again.taken_back(1, 40.0, gives_all=True).left == Times(300, 220)


def test_after_a_power_cut_the_time_between_has_not_run() -> None:
    clocks = played("10", 0.0).until(15.0).skipped(50_000.0).stopped("people", 50_000.0)
    assert clocks.until(60_000.0).left == Times(600, 585)
    earlier = played("10", 1000.0).until(1015.0).skipped(3.0)  # a Pi's time may start anew
    assert earlier.until(5.0).left == Times(600, 583)


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (3723, "1:02:03"),
        (598, "9:58"),
        (59.2, "1:00"),
        (9.95, "0:10"),
        (9.8, "0:09.8"),
        (0.02, "0:00.1"),
        (-3, "0:00"),
    ],
)
def test_times_are_shown_as_clocks_do(seconds: float, shown: str) -> None:
    assert format_seconds(seconds) == shown


# What happens in a game, by chance: seconds, then a ply, a take-back, a pause, a press, a cut.
HAPPENS = st.lists(
    st.tuples(
        st.floats(0, 40),
        st.sampled_from(["ply", "ply", "ply", "hands", "words", "table", "people", "press", "cut"]),
    ),
    max_size=40,
)


def happen(clocks: Clocks, what: str, at: float) -> Clocks:
    number = len(clocks.turns) + 1
    match what:
        case "ply":
            return clocks.made(number, at)
        case "hands" | "words" if clocks.turns:
            return clocks.taken_back(number - 1, at, gives_all=what == "words")
        case "table" | "people":
            stop = clocks.stopped if what not in clocks.stops else clocks.released
            return stop("table" if what == "table" else "people", at)
        case "press":
            return clocks.pressed(at, side_of(number))
        case "cut":
            return clocks.until(at).skipped(at - 1e6).skipped(at)
    return clocks.until(at)


def cost(control: TimeControl, thought_s: float) -> float:
    """What a finished turn costs its player."""
    if control.extra is TimeExtra.DELAY:
        return max(0.0, thought_s - control.extra_s)
    if control.extra is TimeExtra.BRONSTEIN:
        return thought_s - min(control.extra_s, thought_s)
    if control.extra is TimeExtra.INCREMENT:
        return thought_s - control.extra_s
    return thought_s


def assert_kept(clocks: Clocks) -> None:
    """No time is gained or lost: what is left is what there was, without what turns cost."""
    control = clocks.control
    left = dict.fromkeys(Side, control.main_s)
    open_turn = clocks.turns[-1] if clocks.is_made else None
    for turn in clocks.turns:
        if turn.was_running and turn is not open_turn:
            side, used = side_of(turn.number), cost(control, turn.thought_s)
            left[side] -= used
            if control.extra is TimeExtra.HOURGLASS:
                left[side.other] += used
    if clocks.running is not None:
        free = control.extra_s if control.extra is TimeExtra.DELAY else 0.0
        used = max(0.0, clocks.thought_s - free)
        left[clocks.running] -= used
        if control.extra is TimeExtra.HOURGLASS:
            left[clocks.running.other] += used
    assert clocks.left == pytest.approx((left[Side.BLACK], left[Side.ORANGE]), abs=1e-6)


@given(st.sampled_from(KINDS), HAPPENS)
def test_no_time_is_ever_gained_or_lost(text: str, happens: list[tuple[float, str]]) -> None:
    clocks, at = clocks_of(text), 0.0
    for seconds, what in happens:
        at += seconds
        clocks = happen(clocks, what, at)
        assert clocks.at == at
        assert_kept(clocks)


@given(st.sampled_from(KINDS), HAPPENS, st.lists(st.floats(0, 1600), max_size=10))
def test_looking_at_the_clock_changes_nothing(
    text: str, happens: list[tuple[float, str]], looks: list[float]
) -> None:
    """A clock looked at in between shows in the end what an unseen one does."""
    watched, unwatched, at = clocks_of(text), clocks_of(text), 0.0
    for seconds, what in happens:
        for look in sorted(looks):
            if at < look < at + seconds:
                watched = watched.until(look)
        at += seconds
        watched, unwatched = happen(watched, what, at), happen(unwatched, what, at)
        assert watched.left == pytest.approx(unwatched.left, abs=1e-6)
        assert loose(watched) == loose(unwatched)


def loose(clocks: Clocks) -> Clocks:
    """The clocks without what may differ in the last digits."""
    return replace(clocks, left=Times(0, 0), began=Times(0, 0), thought_s=0.0, turns=())

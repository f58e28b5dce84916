"""What players agree on: which plies a touch leaves, and their time, written both ways."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jetan_table.game.agreements import (
    CONDUCTS,
    BadTimeControl,
    TimeControl,
    TimeExtra,
    format_tag,
    format_time_control,
    owed,
    parse_seconds,
    parse_tag,
    parse_time_control,
)
from rules import format_move, parse_position, parse_rules, parse_square

TENTHS = st.integers(10, 864_000).map(lambda tenths: tenths / 10)
EXTRA = st.integers(1, 36_000).map(lambda tenths: tenths / 10)
CONTROLS = st.one_of(
    st.none(),
    st.builds(TimeControl, TENTHS, by_buttons=st.booleans()),
    st.builds(
        TimeControl,
        TENTHS,
        st.sampled_from([TimeExtra.INCREMENT, TimeExtra.DELAY, TimeExtra.BRONSTEIN]),
        EXTRA,
        st.booleans(),
    ),
    st.builds(TimeControl, TENTHS, st.just(TimeExtra.HOURGLASS), by_buttons=st.booleans()),
)


@pytest.mark.parametrize(
    ("text", "control", "tag"),
    [
        ("none", None, "-"),
        ("10", TimeControl(600), "600"),
        ("10+5", TimeControl(600, TimeExtra.INCREMENT, 5), "600+5"),
        ("10d5", TimeControl(600, TimeExtra.DELAY, 5), "600d5"),
        ("10b2.5", TimeControl(600, TimeExtra.BRONSTEIN, 2.5), "600b2.5"),
        ("hourglass 3", TimeControl(180, TimeExtra.HOURGLASS), "*180"),
        ("1:30+2", TimeControl(90, TimeExtra.INCREMENT, 2), "90+2"),
        ("90", TimeControl(5400), "5400"),
        ("10+5 buttons", TimeControl(600, TimeExtra.INCREMENT, 5, True), "600+5"),
    ],
)
def test_what_people_write_is_read_and_written(
    text: str, control: TimeControl | None, tag: str
) -> None:
    assert parse_time_control(text) == control
    assert format_time_control(control) == text
    assert format_tag(control) == tag


@pytest.mark.parametrize(
    ("text", "seconds"), [("1:30:00", 5400), ("0.5", 30), ("10 + 5", 600), ("10+0", 600)]
)
def test_other_ways_to_write_one(text: str, seconds: float) -> None:
    control = parse_time_control(text)
    assert control is not None
    assert control.main_s == seconds


@pytest.mark.parametrize(
    "text",
    ["", "ten", "0", "0.001", "10x5", "25:00:00", "10+9999", "1:75", "hourglass 3+2", "-5", "٧"],
)
def test_what_tells_no_time_is_refused_with_examples(text: str) -> None:
    with pytest.raises(BadTimeControl, match=r"10 \(minutes\), 10\+5.*hourglass 3"):
        parse_time_control(text)


@given(CONTROLS)
def test_both_texts_go_both_ways(control: TimeControl | None) -> None:
    assert parse_time_control(format_time_control(control)) == control
    read = parse_tag(format_tag(control))
    assert (control and format_tag(control)) == (read and format_tag(read))


@pytest.mark.parametrize("tag", ["-", "?", "40/9000", "0", "*60+5", "٦٠"])
def test_a_tag_that_tells_no_clock_kept_here_is_none(tag: str) -> None:
    assert parse_tag(tag) is None


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("0:12:30", 750), ("12:30", 750), ("9.5", 9.5), ("0:00:09.8", 9.8), ("0:00", 0)],
)
def test_what_a_clock_shows_is_read(text: str, seconds: float) -> None:
    assert parse_seconds(text) == seconds


@pytest.mark.parametrize(
    "text", ["nan", "inf", "1e400", "-5", "0:-5", "+5", "٧", "", "1::2", "1:2:3:4", "9" * 400]
)
def test_what_no_clock_shows_is_refused_with_examples(text: str) -> None:
    with pytest.raises(BadTimeControl, match=r"0:12:30, 12:30 or 9\.5"):
        parse_seconds(text)


RULES = parse_rules("appendix")
# A black Dwar on d5 may take on d8 or e7, a black Panthan on a2 may move, its Chief is hemmed in.
POSITION = parse_position("5c4/10/3p6/4p5/10/3D6/10/10/P9/5QC3 b - - 0 30", RULES)


@pytest.mark.parametrize(
    ("touched", "moves"),
    [
        ("", set()),
        ("a2", {"Pa2"}),  # an own piece must move,
        ("d8", {"Dd5xd8"}),  # an enemy be taken
        ("d5 e7", {"Dd5xe7"}),
        ("e7 d5", {"Dd5xe7"}),
        ("f10 a2", {"Pa2"}),  # of several the first counts that can move, or be taken
        ("d5 a2", {"Dd5"}),
        ("d8 e7", {"Dd5xd8"}),
        ("f10", set()),
    ],
)
def test_what_is_owed_after_a_touch(touched: str, moves: set[str]) -> None:
    owing = owed(POSITION, tuple(map(parse_square, touched.split())))
    texts = [format_move(move, POSITION) for move in owing]
    assert {text[: len(next(iter(moves), text))] for text in texts} == moves


@pytest.mark.parametrize(
    ("name", "is_touch_move", "allows_hints", "needs_arbiter"),
    [
        ("friendly", False, True, False),
        ("strict", True, True, False),
        ("tournament", True, False, True),
    ],
)
def test_what_each_conduct_allows(
    name: str, is_touch_move: bool, allows_hints: bool, needs_arbiter: bool
) -> None:
    conduct = next(each for each in CONDUCTS.values() if each.name == name)
    assert conduct.is_touch_move is is_touch_move
    assert conduct.allows_hints is allows_hints
    assert conduct.needs_arbiter is needs_arbiter

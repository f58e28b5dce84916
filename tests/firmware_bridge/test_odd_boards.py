"""Boards that announce, or tell, what this program does not know: refused in words, no end."""

from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from firmware_bridge import BoardSettings, SerialBoard
from firmware_bridge.messages import (
    MESSAGES,
    REPORTS,
    RESETS,
    SENSORS,
    Bounces,
    Done,
    Doubted,
    Greet,
    Hello,
    Message,
    Probed,
    Snapshot,
    SwitchEvent,
    pack,
    parts_of,
    unpack,
)
from firmware_bridge.mirror import SwitchLevel
from hardware.ports import Switch
from jetan_table.languages import translation
from rules import SQUARES, value_in_words
from tests.firmware_bridge.peer import Peer, lost, unharmed

SWITCH_OF = tuple(Switch(square) for square in SQUARES)
KNOWN = Hello(1, 0, 7, RESETS["power"], 10, 10, SENSORS["reed"], 100, 1, 1, 64, 1)
EDGES = {"B": 0xFF, "H": 0xFFFF, "I": 0xFFFFFFFF}
SIZES = st.sampled_from([0, 1, 12, 13, 14, 25, 26, 99, 100, 101, 255, 300])
NEAR = st.integers(0, 4)
"""Small numbers, for they are the ones that mean something."""


def part(code: str) -> st.SearchStrategy[int | bytes]:
    if code == "rest":
        return st.builds(lambda fill, size: bytes([fill]) * size, NEAR | st.just(0xFF), SIZES)
    return NEAR | st.integers(0, EDGES[code])


def any_of(kind: type[Message]) -> st.SearchStrategy[Message]:
    """Any message of a kind: every value that its layout can carry."""
    return st.builds(kind, *(part(code) for _, code in parts_of(kind)))


def changed(name: str, code: str) -> st.SearchStrategy[Message]:
    """Hellos of the board that we know, but for one thing it says of itself."""
    return st.builds(lambda value: replace(KNOWN, **{name: value}), part(code))


MESSAGES_OF_ANY_KIND = st.lists(
    st.one_of(
        st.sampled_from(parts_of(Hello)).flatmap(lambda named: changed(*named)),
        st.builds(lambda rest: Snapshot(KNOWN.boot, 0, 0, rest), part("rest")),
        st.sampled_from(MESSAGES).flatmap(any_of),
        st.sampled_from(REPORTS).flatmap(any_of),
    ),
    max_size=12,
)


@settings(max_examples=25, deadline=None)
@given(MESSAGES_OF_ANY_KIND, st.booleans())
@example([replace(KNOWN, sensor=2), Snapshot(KNOWN.boot, 0, 0, bytes(25))], False)
@example([KNOWN, Bounces(b"\1" * 101)], False)
def test_whatever_a_board_says_the_table_goes_on_and_takes_a_good_one(
    messages: list[Message], hears: bool
) -> None:
    peer = Peer()
    peer.harm_to_board = unharmed if hears else lost
    board = SerialBoard(peer, BoardSettings(), SWITCH_OF)
    board.poll(0.0)
    for message in messages:
        peer.say(message)
        peer.now += 0.1
        board.show([(0, 0, 0)] * 100)
        for observation in board.poll(peer.now):
            assert set(observation.squares) <= set(SQUARES)
        assert set(board.bouncing) <= set(SQUARES)
        german = translation("de")
        assert all(
            each is None or each.in_words(german).found for each in (board.trouble, *board.notes)
        )
        assert all(value_in_words(german, line) for line in board.statistics())
    peer.say(replace(KNOWN, boot=9), Snapshot(9, 0, 0, bytes(13)))
    board.poll(peer.now)
    assert board.trouble is None


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"sensor": 2}, "are of a kind (2) that this program does not know"),
        ({"sensor": 255}, "are of a kind (255) that this program does not know"),
        ({"rows": 12}, "has 120 switches and 100 lamps"),
        ({"lamps": 0}, "has 100 switches and 0 lamps"),
        ({"major": 2}, "the board speaks 2.0, this program 1.0: reflash it"),
    ],
)
def test_a_board_that_is_not_known_is_refused_with_the_mend(
    change: dict[str, int], named: str
) -> None:
    peer = Peer()
    peer.harm_to_board = lost
    board = SerialBoard(peer, BoardSettings(), SWITCH_OF)
    board.poll(0.0)
    peer.say(replace(KNOWN, **change), Snapshot(7, 0, 0, bytes(13)))
    assert board.poll(0.1) == []
    assert named in str(board.trouble)
    assert "flash" in str(board.trouble)
    board.show([(1, 2, 3)] * 100)
    assert {type(message) for _at, is_sent, message in board.link.lately if is_sent} == {Greet}


def test_a_hello_that_a_later_version_has_made_longer_is_still_understood() -> None:
    """Otherwise the board would be taken for one at another rate."""
    assert unpack(Hello.CODE, pack(replace(KNOWN, major=2)) + b"more") == replace(KNOWN, major=2)


@pytest.mark.parametrize(
    ("report", "named"),
    [
        (SwitchEvent(0, 0, 100, 1), "a switch 100"),
        (SwitchEvent(0, 0, 4, 3), "a level 3"),
        (SwitchEvent(0, 0, 4, 2), "a level 2"),
        (Snapshot(1, 0, 0, bytes(12)), "12 bytes cannot hold 100 levels"),
        (Bounces(bytes(101)), "the bounces of 101 switches"),
        (Doubted(0, b"\1" * 14), "a switch 104"),
        (Probed(1 << 10, 0), "a column 10"),
        (Done(1, 4, 0), "an answer 4"),
    ],
)
def test_what_nobody_knows_is_said_and_changes_nothing(report: Message, named: str) -> None:
    peer = Peer()
    board = SerialBoard(peer, BoardSettings(), SWITCH_OF)
    board.poll(0.0)
    board.poll(0.01)
    assert board.trouble is None
    peer.say(report)
    assert board.poll(0.02) == []
    assert board.link.bad_packets == 1
    (note,) = board.notes
    assert named in note.found
    assert "flash" in note.found
    peer.set(5, SwitchLevel.NORTH)
    ((square, _),) = board.poll(0.025)[0].squares.items()
    assert square == 5
    peer.start_anew(RESETS["power"])
    board.poll(0.03)
    assert not board.notes


def test_a_board_that_refuses_its_settings_is_named() -> None:
    peer = Peer()
    peer.takes_settings = False
    board = SerialBoard(peer, BoardSettings(), SWITCH_OF)
    board.poll(0.0)
    board.poll(0.01)
    board.poll(0.02)
    assert "refuses 6 ms and 2000 mA" in board.notes[0].found
    peer.takes_settings = True
    board.poll(1.0)
    board.poll(1.1)
    assert not board.notes

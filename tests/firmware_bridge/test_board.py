"""The driver: what it tells of a board, whatever the cable does."""

from collections.abc import Sequence
from math import exp, isclose
from random import Random

import pytest

from firmware_bridge import BoardSettings, SerialBoard
from firmware_bridge.errors import BUSY, NOT_FOUND, UNPLUGGED
from firmware_bridge.messages import (
    REPORTS,
    RESETS,
    SENSORS,
    Bounces,
    Counts,
    Doubted,
    Hello,
    Probed,
    ShowPalette,
    SwitchEvent,
    has_rest,
    layout_of,
    unpack,
)
from firmware_bridge.mirror import SwitchLevel
from hardware.ports import BadWiring, Observation, Switch, presence
from jetan_table.languages import translation
from rules import SQUARES, Occupant, Sentence, Square, Translate, english
from tests.firmware_bridge.peer import DARK, Peer, lost, unharmed

SWITCH_OF = tuple(Switch(square) for square in SQUARES)


def make(peer: Peer, switch_of: Sequence[Switch] = SWITCH_OF) -> SerialBoard:
    return SerialBoard(peer, BoardSettings(), switch_of)


def poll(board: SerialBoard, peer: Peer, until: float) -> list[Observation]:
    """Poll every 10 ms up to a time; return what was observed."""
    observations: list[Observation] = []
    while peer.now < until:
        peer.run_until(peer.now + 0.01)
        observations += board.poll(peer.now)
    return observations


def started(peer: Peer) -> SerialBoard:
    board = make(peer)
    (first,) = poll(board, peer, 0.3)
    assert len(first.squares) == 100
    return board


@pytest.fixture
def peer() -> Peer:
    return Peer()


@pytest.fixture
def board(peer: Peer) -> SerialBoard:
    return started(peer)


def found(board: SerialBoard, translate: Translate = english) -> str:
    """Return why a board cannot be trusted, in one language."""
    assert board.trouble is not None
    assert board.trouble.id == "cable"
    return board.trouble.in_words(translate).found


def changes_in(observations: Sequence[Observation]) -> list[tuple[Square, bool]]:
    return [
        (square, presence(evidence) > 0)
        for observation in observations
        for square, evidence in observation.squares.items()
        if evidence is not None
    ]


def test_squares_may_be_wired_in_any_order() -> None:
    peer = Peer()
    board = make(peer, tuple(reversed(SWITCH_OF)))
    poll(board, peer, 0.3)
    peer.set(0, SwitchLevel.NORTH)
    assert changes_in(poll(board, peer, 0.4)) == [(Square(99), True)]


def test_two_squares_on_one_switch_are_refused() -> None:
    with pytest.raises(BadWiring, match="a switch of its own"):
        make(Peer(), (*SWITCH_OF[:99], Switch(0)))


def test_a_lost_event_is_repeated_in_order(peer: Peer, board: SerialBoard) -> None:
    peer.harm_to_host = lost
    peer.set(1, SwitchLevel.NORTH)
    peer.harm_to_host = unharmed
    peer.set(2, SwitchLevel.NORTH)
    assert changes_in(poll(board, peer, 0.4)) == [(Square(1), True), (Square(2), True)]
    assert board.link.follower.healed == 0


def test_the_last_event_lost_is_noticed_by_the_heartbeat(peer: Peer, board: SerialBoard) -> None:
    peer.harm_to_host = lost
    peer.set(1, SwitchLevel.NORTH)
    peer.harm_to_host = unharmed
    assert changes_in(poll(board, peer, 0.45)) == []
    assert changes_in(poll(board, peer, 0.6)) == [(Square(1), True)]
    assert board.link.follower.repeats == 1


def test_what_is_under_way_has_not_been_told_and_is_asked_for(
    peer: Peer, board: SerialBoard
) -> None:
    peer.harm_to_host = lost
    peer.set(1, SwitchLevel.NORTH)
    peer.harm_to_host = unharmed
    moment = peer.now
    observations: list[Observation] = []
    while not board.catch_up(moment) and peer.now < moment + 0.2:
        observations += poll(board, peer, peer.now + 0.01)
    assert changes_in(observations) == [(Square(1), True)]
    assert board.catch_up(moment)
    assert not board.catch_up(peer.now + 1.0)


def test_a_board_that_answers_nothing_has_not_told(peer: Peer, board: SerialBoard) -> None:
    peer.unplug()
    moment = peer.now
    poll(board, peer, moment + 0.4)
    assert not board.catch_up(moment)


def test_events_kept_no_more_are_healed_by_a_snapshot() -> None:
    peer = Peer(kept=4)
    board = started(peer)
    peer.unplug()
    for switch in range(10):
        peer.set(switch, SwitchLevel.NORTH)
    peer.plug()
    assert changes_in(poll(board, peer, 1.0)) == [(Square(square), True) for square in range(10)]


def test_no_repetition_is_asked_for_ever(peer: Peer, board: SerialBoard) -> None:
    peer.harm_to_board = lost
    peer.say(SwitchEvent(5, 0, 1, 1))
    poll(board, peer, 1.5)
    assert board.link.follower.repeats == 3
    assert board.trouble is None


def test_numbers_turn_over() -> None:
    peer = Peer(past=65_500)
    board, rng, wanted = started(peer), Random(1), []
    for _ in range(100):
        switch = rng.randrange(100)
        level = SwitchLevel.OPEN if peer.levels[switch] else SwitchLevel.NORTH
        peer.set(switch, level)
        wanted.append((Square(switch), level is SwitchLevel.NORTH))
    assert changes_in(board.poll(peer.now)) == wanted
    poll(board, peer, peer.now + 1.0)
    assert board.link.follower.repeats == 0


def test_lamps_that_take_colours_in_another_order_are_sent_them_so() -> None:
    peer = Peer()
    board = SerialBoard(peer, BoardSettings(colours="rgb"), SWITCH_OF)
    poll(board, peer, 0.3)
    board.show(((1, 2, 3),) * 100)
    poll(board, peer, 0.6)
    (shown,) = peer.shown
    assert isinstance(shown, ShowPalette)
    assert shown.rest[:3] == bytes((2, 1, 3))  # the firmware swaps red and green again


def test_a_board_whose_table_is_gone_makes_its_lamps_dark(peer: Peer, board: SerialBoard) -> None:
    board.show(((9, 0, 0),) * 100)
    poll(board, peer, 10.0)
    assert DARK not in peer.shown  # the table goes on speaking
    peer.run_until(peer.now + 2.0)
    assert DARK not in peer.shown
    peer.run_until(peer.now + 2.0)
    assert peer.shown[-1] == DARK


def test_another_minor_version_is_taken(peer: Peer, board: SerialBoard) -> None:
    peer.say(Hello(1, 9, 1, 1, 10, 10, 0, 100, 1, 1, 64, 1))
    poll(board, peer, 0.5)
    assert board.trouble is None


def test_a_hall_board_tells_poles_apart() -> None:
    peer = Peer(sensor=SENSORS["hall"])
    peer.levels[7] = SwitchLevel.SOUTH
    board = make(peer)
    (first,) = poll(board, peer, 0.3)
    orange, empty = first.squares[Square(7)], first.squares[Square(8)]
    assert orange is not None
    assert empty is not None
    assert max(Occupant, key=lambda occupant: orange[occupant]) is Occupant.ORANGE
    assert presence(orange) > 0 > presence(empty)
    peer.set(8, SwitchLevel.NORTH)
    (second,) = poll(board, peer, 0.4)
    black = second.squares[Square(8)]
    assert black is not None
    assert isclose(exp(black[Occupant.BLACK] - black[Occupant.NEUTRAL]), 2, rel_tol=0.01)


def test_a_silent_board_is_named_and_forgiven(peer: Peer, board: SerialBoard) -> None:
    peer.harm_to_host = lost
    poll(board, peer, 4.0)
    assert found(board) == "board silent for 4 s: check the cable"
    peer.set(3, SwitchLevel.NORTH)
    peer.harm_to_host = unharmed
    assert changes_in(poll(board, peer, 5.0)) == [(Square(3), True)]
    assert board.trouble is None


@pytest.mark.parametrize("trouble", [NOT_FOUND, UNPLUGGED, BUSY])
def test_why_there_is_no_port_is_said(trouble: Sentence) -> None:
    board = make(Peer())
    board.link.closed(trouble, "/dev/ttyACM0")
    assert found(board) == trouble.format(port="/dev/ttyACM0")
    assert ":" in found(board)


def test_a_start_anew_whose_hello_is_lost_shows_in_the_next_snapshot(
    peer: Peer, board: SerialBoard
) -> None:
    peer.set(1, SwitchLevel.NORTH)
    peer.harm_to_host = lost
    peer.start_anew(RESETS["brown-out"])
    peer.levels[2] = SwitchLevel.NORTH
    peer.harm_to_host = unharmed
    assert changes_in(poll(board, peer, 1.5)) == [(Square(1), True), (Square(2), True)]
    assert board.link.restarts == 1
    assert "supply" in str(board.notes)


@pytest.mark.parametrize(("reset", "is_weak"), [(0b0100, True), (0b0101, False), (0b0001, False)])
def test_a_brown_out_while_the_supply_rises_is_none(
    peer: Peer, board: SerialBoard, reset: int, is_weak: bool
) -> None:
    peer.start_anew(reset)
    board.poll(peer.now)
    assert ("supply" in str(board.notes)) == is_weak


def test_a_board_speaks_german() -> None:
    peer = Peer()
    board = SerialBoard(peer, BoardSettings(), SWITCH_OF)
    poll(board, peer, 0.3)
    peer.say(Doubted(0, b"\x0f" + bytes(12)))
    peer.unplug()
    board.poll(peer.now)
    german = translation("de")
    assert found(board, german) == "das Brett wurde von peer abgezogen: wieder einstecken"
    assert board.notes[0].in_words(german).found.startswith("4 Schalter sind unglaubwürdig")


def test_what_was_counted_is_told(peer: Peer, board: SerialBoard) -> None:
    assert board.statistics()[0] == "the board on peer speaks 1.0; it has started anew 0 times"
    peer.say(Counts(60, 9, 1500, 0, 0, 2, 0), Bounces(bytes((0, 7, *bytes(97), 9))))
    board.poll(peer.now)
    *_, chip, bounces = board.statistics()
    assert "up for 60 s; its longest gap between scans was 1.5 ms; 0 bytes lost, 2 pack" in chip
    assert bounces == "switches that bounce most: j10 (9), b1 (7)"


def test_notes_come_and_go(peer: Peer, board: SerialBoard) -> None:
    peer.say(Doubted(0, b"\x0f" + bytes(12)), Probed(0b1000, 3))
    board.poll(peer.now)
    assert {note.id: note.found for note in board.notes} == {
        "part-doubted": "4 switches cannot be believed: lift one of the pieces there (no diodes)",
        "part-low-columns": "columns 3 touch ground: check their wires",
    }
    peer.say(Doubted(0, bytes(13)), Probed(0, 3))
    board.poll(peer.now)
    assert not board.notes


@pytest.mark.parametrize("kilobytes", [500, pytest.param(10_000, marks=pytest.mark.soak("line"))])
def test_random_messages_that_come_whole_are_forgiven_within_a_heartbeat(
    peer: Peer, board: SerialBoard, kilobytes: int
) -> None:
    """What the check sum lets pass may still be anything: known messages of random bytes."""
    rng, sent = Random(5), 0
    while sent < kilobytes * 1000:
        for _ in range(100):
            kind = rng.choice(REPORTS)
            size = rng.randrange(120) if has_rest(kind) else 0
            payload = rng.randbytes(layout_of(kind).size + size)
            peer.say(unpack(kind.CODE, payload))
            sent += len(payload)
        poll(board, peer, peer.now + 0.05)
    peer.start_anew(RESETS["power"])
    poll(board, peer, peer.now + 0.6)
    assert board.trouble is None
    assert board.link.follower.levels is not None
    assert list(board.link.follower.levels) == peer.levels


def test_random_bytes_from_the_board_are_forgiven_within_a_heartbeat(
    peer: Peer, board: SerialBoard
) -> None:
    rng = Random(2)
    for _ in range(100):
        peer.harm_to_host = lambda data: rng.randbytes(1000)
        peer.set(rng.randrange(100), SwitchLevel.NORTH)
        peer.harm_to_host = unharmed
        poll(board, peer, peer.now + 0.6)
        assert board.trouble is None
        levels = board.link.follower.levels
        assert levels is not None
        assert list(levels) == peer.levels

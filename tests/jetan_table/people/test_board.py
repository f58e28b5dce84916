"""The simulated board: magnets over reeds under the real scan, as a table sees them."""

from collections.abc import Callable, Iterable
from random import Random

import pytest

from hardware.ports import Change, FaultKind, Switch, presence
from hardware.reeds import Debounce
from jetan_table.light.lamps import OFF, Lamp
from jetan_table.people.board import SimulatedBoard, TrueWiring, steady_board
from jetan_table.people.manners import PROFILES
from jetan_table.people.world import world_of
from rules import SQUARES, Position, Square, parse_rules, parse_square, squares_of
from tools.simulated_game import SimulatedGame

STEP = 0.01
A1, B1, F6 = map(parse_square, ("a1", "b1", "f6"))
RED = (255, 0, 0)


def watch(board: SimulatedBoard, begins: float, ends: float) -> list[tuple[Square, bool]]:
    """Poll a board as a table does, and return what changed for it, in order."""
    flips: list[tuple[Square, bool]] = []
    for now in (begins + n * STEP for n in range(int((ends - begins) / STEP) + 1)):
        for observation in board.poll(now):
            for square, evidence in observation.squares.items():
                assert evidence is not None
                flips.append((square, presence(evidence) > 0))
    return flips


def occupied(flips: Iterable[tuple[Square, bool]]) -> set[Square]:
    return {square for square, is_occupied in dict(flips).items() if is_occupied}


def heard(board: SimulatedBoard, ends: float, step: float = STEP) -> list[Change]:
    """What the listener gets until a time; its changes are in order, and of the time it names."""
    changes: list[Change] = []
    until = -1.0

    def listen(new: Iterable[Change], now: float) -> None:
        nonlocal until
        for change in new:
            assert until < change.at <= now
            assert not changes or changes[-1].at <= change.at
            changes.append(change)
        until = now

    board.listener = listen
    for n in range(int(ends / step) + 1):
        board.play(n * step)
    return changes


@pytest.mark.parametrize("people", ["club-night", "juggernaut-disk"])
def test_the_table_sees_what_simulated_players_did(people: str) -> None:
    profile, rng = PROFILES[people], Random(3)
    start = Position.start(parse_rules(profile.rules))
    world = world_of(profile, start, rng)
    board = SimulatedBoard(world, rng, begins=0.0)
    game = SimulatedGame(start, profile.manners, world, rng)
    game.play(4)
    flips = watch(board, 0.0, max([game.settled, *world.free_at.values()]) + 1)
    assert len(flips) > 100
    assert occupied(flips) == {square for square in SQUARES if board.bank.is_closed(square)}
    assert set(squares_of(game.position.occupied)) <= occupied(flips)


def test_pieces_are_lifted_and_put_down_where_they_are_told_to_be() -> None:
    board = steady_board([A1, B1], Random(1), begins=0.0)
    lifted = board.lift(1.0, A1)
    assert board.lift(1.0, A1) is None
    board.put(2.0, F6)
    board.put(2.0, F6)  # nothing is put where something stands
    board.put(3.0, A1, board.new_piece())
    assert watch(board, 0.0, 4.0)[100:] == [(A1, False), (F6, True), (A1, True)]
    assert board.world.standing[F6] == lifted
    assert len(set(board.world.standing.values())) == 3


def test_pieces_that_are_held_are_put_down_last_one_first() -> None:
    board = steady_board([A1, B1], Random(1), begins=0.0)
    first, last = board.lift(1.0, A1), board.lift(2.0, B1)
    board.put(3.0, F6)
    board.put(4.0, B1)
    assert (board.world.standing[F6], board.world.standing[B1]) == (last, first)


@pytest.mark.parametrize("fault", FaultKind)
def test_a_switch_can_fail_and_be_mended(fault: FaultKind) -> None:
    sticks = fault is FaultKind.STUCK
    board = steady_board([F6], Random(1), begins=0.0)
    board.fail(1.0, F6, fault)
    board.lift(2.0, F6)
    board.put(3.0, F6)
    board.lift(4.0, F6)
    board.fail(6.0, F6, None)
    assert watch(board, 0.0, 5.0)[100:] == ([] if sticks else [(F6, False)])
    assert watch(board, 5.0, 7.0) == ([(F6, False)] if sticks else [])


def test_switches_may_be_broken_and_worn_from_the_start() -> None:
    wiring = TrueWiring(faults={A1: FaultKind.STUCK, B1: FaultKind.DEAD}, worn=[F6])
    board = steady_board([B1, F6], Random(1), begins=0.0, wiring=wiring)
    flips = watch(board, 0.0, 40.0)
    assert occupied(flips) == {A1, F6}
    dropped = [square for square, is_occupied in flips[100:] if not is_occupied]
    assert set(dropped) <= {B1, F6}
    assert 3 <= dropped.count(F6) <= 20  # 0.2 a second


def test_a_worn_switch_loses_its_piece_for_moments_and_a_sound_one_does_not() -> None:
    def drops(worn: bool) -> int:
        board = steady_board([A1], Random(1), begins=1.7e9)
        if worn:
            board.wear(1.7e9, A1)
        return len(watch(board, 1.7e9, 1.7e9 + 60)[100:]) // 2

    assert drops(worn=True) > 3
    assert drops(worn=False) == 0


def test_squares_and_lamps_are_what_they_are_wired_to() -> None:
    back = tuple(reversed(range(100)))
    wiring = TrueWiring(tuple(map(Switch, back)), tuple(map(Lamp, back)))
    board = steady_board([A1], Random(1), begins=0.0, wiring=wiring)
    assert [number for number, closed in enumerate(board.closed) if closed] == [99]
    assert occupied(watch(board, 0.0, 0.5)) == {Square(99)}
    board.lift(1.0, A1)
    assert watch(board, 0.5, 1.5) == [(Square(99), False)]
    assert board.lit() is None
    board.show([RED if lamp == 1 else OFF for lamp in range(100)])
    assert board.lit() == 98
    board.close()
    assert board.lit() is None


@pytest.mark.parametrize("step", [0.0001, 0.01, 0.7])
def test_a_listener_gets_every_edge_in_order_with_its_bounce_whenever_it_looks(step: float) -> None:
    board = steady_board([A1], Random(1), begins=0.0)
    board.lift(0.1, A1)
    board.put(0.3, F6)
    changes = heard(board, 1.4, step)
    assert [change.closed for change in changes] == [False, *[True, False] * 4, True][
        : len(changes)
    ]
    assert len(changes) >= 4
    assert changes[0].at == pytest.approx(0.103, abs=0.004)
    switches = [Switch(A1), *[Switch(F6)] * (len(changes) - 1)]
    assert [change.switch for change in changes] == switches
    assert changes[-1].at - changes[1].at <= 0.0006
    debounce = Debounce([square == A1 for square in SQUARES])
    settled = [change for one in changes for change in debounce.feed(one)]
    assert [(change.switch, change.closed) for change in settled] == [
        (Switch(A1), False),
        (Switch(F6), True),
    ]


def test_edges_do_not_depend_on_how_often_somebody_looks() -> None:
    def edges(step: float) -> list[Change]:
        board = steady_board([A1, B1], Random(1), begins=0.0)
        board.lift(0.1, A1)
        board.put(0.3, F6)
        board.lift(0.35, B1)
        return heard(board, 0.7, step)

    assert [change.switch for change in edges(0.01)] == [change.switch for change in edges(0.35)]


def test_it_says_when_something_is_due() -> None:
    board = steady_board([A1], Random(1), begins=100.0)
    dues = [board.due]
    board.lift(105.0, A1)
    dues.append(board.due)  # though nobody has looked since
    for now in (100.0, 105.004, 106.0):
        board.play(now)
        dues.append(board.due)
    assert dues == [None, 105.0, 105.0, pytest.approx(105.004), None]  # meanwhile it was moving


def test_what_has_dropped_out_is_due_to_close_again() -> None:
    board = steady_board([A1], Random(1), begins=100.0)
    board.wear(100.0, A1)
    board.play(100.0)
    shown = []
    for _ in range(2):
        due = board.due or 0.0
        board.play(due)
        shown.append((due, board.closed[A1]))
    (opens, while_out), (closes, again) = shown
    assert (while_out, again) == (False, True)
    assert opens < closes <= opens + 0.05


@pytest.mark.parametrize("touch", [SimulatedBoard.play, SimulatedBoard.poll])
def test_its_time_begins_at_the_first_look(
    touch: Callable[[SimulatedBoard, float], object],
) -> None:
    board = steady_board([A1], Random(1))
    assert board.shift == 0.0
    touch(board, 1.7e9)
    assert board.shift == 1.7e9
    board.lift(1.7e9 + 1, A1)
    flips = watch(board, 1.7e9 + 0.5, 1.7e9 + 2)
    assert [flip for flip in flips if flip[0] == A1][-1] == (A1, False)


def test_whoever_begins_to_look_anew_is_told_everything() -> None:
    board = steady_board([A1], Random(1), begins=0.0)
    assert len(watch(board, 0.0, 0.2)) == 100
    assert watch(board, 0.2, 0.4) == []
    board.restart()
    assert occupied(watch(board, 0.4, 0.6)) == {A1}

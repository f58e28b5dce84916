"""The live board: simulated players over the real scan, as a table would see them."""

from collections.abc import Callable
from random import Random

import pytest
from jetan_table.simulation.presets import PRESETS

from hardware.ports import presence
from hardware.simulated_contacts import FaultKind, Wear
from jetan_table.simulation.board import SimulatedBoard, play_on
from jetan_table.simulation.game import SimulatedGame
from jetan_table.simulation.world import MagnetTouch
from rules import SQUARES, Position, Square, parse_rules

STEP = 0.01


def sat_down(preset: str, seed: int, begins: float = 0.0) -> tuple[SimulatedGame, SimulatedBoard]:
    start = Position.start(parse_rules(PRESETS[preset].rules))
    occupied = [square for square in SQUARES if start.occupied >> square & 1]
    board = SimulatedBoard(occupied, Random(seed))
    return SimulatedGame(start, PRESETS[preset].habits, seed, begins), board


def watch(board: SimulatedBoard, until: float, step: Callable[[float], None]) -> set[Square]:
    """Poll the sensor as a table does, and return what it believes occupied in the end."""
    sensor, believed = board.sensor(), set[Square]()
    for now in (n * STEP for n in range(int(until / STEP))):
        step(now)
        for observation in sensor.poll(now):
            for square, evidence in observation.squares.items():
                assert evidence is not None
                (believed.add if presence(evidence) > 0 else believed.discard)(square)
    return believed


def test_the_table_sees_what_simulated_players_did() -> None:
    game, board = sat_down("05", seed=3)

    def step(now: float) -> None:
        if now < 30:
            play_on(game, board, now)
        else:
            board.advance(now)

    believed = watch(board, 60.0, step)
    assert len(game.rows) > 5
    assert game.settled < 59
    assert believed == {s for s in SQUARES if game.position.occupied >> s & 1}


def test_with_a_juggernaut_the_players_wait_for_the_roll() -> None:
    game, board = sat_down("08", seed=1)
    for now in range(60):
        play_on(game, board, float(now))
    assert (len(game.rows), game.awaits_roll) == (1, True)
    game.move_juggernaut(1, Square(54), rolled_at=60.0)
    assert game.juggernaut_rows[0].t_lift_us > 60_000_000
    play_on(game, board, 90.0)
    assert game.position.juggernaut == 54
    assert len(game.rows) == 2


def test_after_a_roll_that_moves_nothing_no_hand_reaches_into_the_past() -> None:
    game, _ = sat_down("08", seed=1)
    game.play_ply()
    stands = game.position.juggernaut
    assert stands is not None
    game.world.take_touches()
    game.move_juggernaut(9, stands, rolled_at=500.0)
    game.play_ply()
    assert min(touch.at for touch in game.world.take_touches()) > 500


def test_players_who_sit_down_later_touch_nothing_before() -> None:
    game, _ = sat_down("03", seed=1, begins=1000.0)
    game.play_ply()
    assert min(touch.at for touch in game.world.take_touches()) > 1000


@pytest.mark.parametrize(("fault", "is_closed"), [(FaultKind.DEAD, False), (FaultKind.STUCK, True)])
def test_a_square_can_be_touched_and_its_switch_can_fail(fault: FaultKind, is_closed: bool) -> None:
    board = SimulatedBoard([Square(0)], Random(1), Wear(bounce_share=0))
    board.lift(1.0, Square(0))
    board.put(2.0, Square(55))
    board.fail(3.0, Square(55), fault)
    board.lift(4.0, Square(55))
    board.put(5.0, Square(55))
    board.put(6.0, Square(7))
    believed = watch(board, 8.0, board.advance)
    assert believed == {Square(7)} | ({Square(55)} if is_closed else set())


def flickers(board: SimulatedBoard, square: Square, begins: float) -> int:
    """Count how often a square is seen to open in three minutes."""
    sensor, opened = board.sensor(), 0
    for now in (begins + n * STEP for n in range(int(180 / STEP))):
        board.advance(now)
        for observation in sensor.poll(now):
            evidence = observation.squares.get(square)
            opened += evidence is not None and presence(evidence) < 0
    return opened


@pytest.mark.ci
def test_a_weak_switch_flickers_under_its_piece_and_a_sound_one_does_not() -> None:
    begins = 1.7e9
    weak = SimulatedBoard([Square(0)], Random(1), begins=begins)
    weak.weaken(Square(0))
    assert flickers(weak, Square(0), begins) > 10
    sound = SimulatedBoard([Square(0)], Random(1), begins=begins)
    assert flickers(sound, Square(0), begins) == 0


@pytest.mark.ci
def test_a_weak_magnet_flickers_wherever_it_stands_and_leaves_nothing_behind() -> None:
    board = SimulatedBoard([Square(0)], Random(1), weak_magnet=Square(0))
    assert flickers(board, Square(0), 0.0) > 10
    board.touch(MagnetTouch(181.0, Square(0), near=False, weak=True))
    board.touch(MagnetTouch(182.0, Square(5), near=True, weak=True))
    board.touch(MagnetTouch(183.0, Square(0), near=True, weak=False))
    board.advance(190.0)
    assert flickers(board, Square(0), 190.0) == 0
    assert flickers(board, Square(5), 400.0) > 10

"""Milliseconds of each stage on one core, on a painted board of 1280 by 720."""

import resource
import subprocess
import sys
import time
from collections.abc import Callable

import cv2
import numpy as np

from hardware.ports import Observation
from jetan_table.reading.camera_reader import CameraReader
from jetan_table.reading.jetan_game import JetanGame, Standing
from rules import SQUARES, Position, grid, parse_move, parse_rules
from vision.arrays import Picture
from vision.camera import BoardCamera
from vision.eye import observation_of
from vision.finder import BoardFinder
from vision.geometry import layout_of, pose_of
from vision.markers import Markers
from vision.painted import Stage, corner_markers
from vision.sources import Frame, decoded
from vision.witness import LongCutter, SquareWitness

ROUNDS = 40
SLOW_ROUNDS = 8


def measure_speed() -> dict[str, float | int]:
    """Return the best time of each stage, and the memory of a process that follows a game."""
    cv2.setNumThreads(1)
    layout = layout_of(grid())
    scene = Stage(layout, 65.0)
    before = Position.start(parse_rules("appendix"))
    after = before.play(parse_move("d2d3", before))
    cards = corner_markers(layout)
    pictures = [
        scene.paint([int(p.occupant_at(s)) for s in SQUARES], seed, markers=cards)
        for seed, p in enumerate((before, after))
    ]
    jpeg = cv2.imencode(".jpg", pictures[1])[1].tobytes()
    markers = Markers("DICT_4X4_50", {n: quad - 5 for n, quad in cards.items()}, 5.0)
    by_markers, by_lines = BoardFinder(layout, markers), BoardFinder(layout)
    camera = BoardCamera(by_markers, False, True)
    occupants = [int(before.occupant_at(square)) for square in SQUARES]
    camera.begin(Frame("0", 0.0, pictures[0]), occupants)
    frame = Frame("1", 1.0, pictures[1])
    sight = camera.look(frame)

    def follow() -> None:
        reader = CameraReader(JetanGame(), Standing(before), 1)
        reader.observe(Observation(1.0, observation_of(sight).squares))

    return {
        "decode_ms": best(lambda: decoded("1", 1.0, jpeg), ROUNDS),
        "tracked_frame_ms": best(lambda: camera.look(frame), ROUNDS),
        "tracked_and_decoded_ms": best(lambda: camera.look(decoded("1", 1.0, jpeg)), ROUNDS),
        "tracked_oblique_ms": oblique_ms(),
        "network_ms": network_ms(scene, pictures[0], occupants),
        "lesson_ms": best(lambda: camera.learn(sight, occupants), ROUNDS),
        "follower_ms": best(follow, ROUNDS),
        "locate_by_markers_ms": best(
            lambda: BoardFinder(layout, markers).find(pictures[0]), SLOW_ROUNDS
        ),
        "locate_by_lines_ms": best(lambda: by_lines.find(pictures[0]), SLOW_ROUNDS),
        "memory_mb": memory_mb(),
    }


def network_ms(scene: Stage, picture: Picture, occupants: list[int]) -> float:
    """Return the time in which the network says what stands on each of a hundred squares."""
    pose = pose_of(scene.view, np.full(2, scene.layout.size / 2))
    cutter = LongCutter(scene.view, scene.layout, pose)
    witness = SquareWitness(scene.layout, cutter.cut(picture), np.array(occupants))
    return best(lambda: witness.likelihoods(cutter.cut(picture)), ROUNDS)


def oblique_ms() -> float:
    """Return the time of a frame seen from 45 degrees, in which a piece has just moved."""
    scene = Stage(layout_of(grid()), 45.0)
    before = [1] * 20 + [0] * 60 + [2] * 20
    after = [*before]
    after[13], after[23] = after[23], after[13]
    camera = BoardCamera(BoardFinder(scene.layout), False, True)
    camera.begin(Frame("0", 0.0, scene.paint(before, 0)), before)
    frame = Frame("1", 1.0, scene.paint(after, 1))
    return best(lambda: camera.look(frame), ROUNDS)


def best(work: Callable[[], object], rounds: int) -> float:
    """Return the milliseconds of the quickest of several rounds."""
    times = []
    for _ in range(rounds):
        begun = time.perf_counter()
        work()
        times.append(time.perf_counter() - begun)
    return round(1000 * min(times), 3)


FOLLOWS = """
from bench.vision.speed import watched_memory_mb
print(watched_memory_mb())
"""


def memory_mb() -> float:
    """Return the most memory that a process of its own takes to watch a game."""
    done = subprocess.run(
        [sys.executable, "-c", FOLLOWS], check=True, capture_output=True, text=True
    )
    return float(done.stdout)


def watched_memory_mb() -> float:
    """Watch some frames, and return the most memory this process has taken."""
    layout = layout_of(grid())
    scene = Stage(layout, 65.0)
    occupants = [1] * 20 + [0] * 60 + [2] * 20
    camera = BoardCamera(BoardFinder(layout), False, True)
    camera.begin(Frame("0", 0.0, scene.paint(occupants, 0)), occupants)
    for number in range(1, 6):
        sight = camera.look(Frame(str(number), float(number), scene.paint(occupants, number)))
        camera.learn(sight, occupants)
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)

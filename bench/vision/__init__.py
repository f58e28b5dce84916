"""How quick and how right the camera is, on painted pictures or on your own photographs.

Without more words the milliseconds of each stage for a frame of 1280 by 720 on one core, the best
of many, and the memory. With `--sequences DIR` the plies and squares of rendered or photographed
Jetan (a folder for each sequence, with pictures and `truth.json`), with `--chess DIR` those of
photographed chess: `positions.csv` beside the pictures of a game, `labels.json` beside single ones.
With `--injected DIR` a wrong move is put in the place of each move of such sequences, and it is
counted how many are taken back. What is asked is answered by the truth, where that is among the
answers, as `--answered` says, too; after `--sequences DIR` or `--chess DIR`, `--unanswered` leaves
questions open, and then `--spoilt NAME` makes the pictures worse.

With `--live FPS --rest S DIR` such sequences are shown to a table as a camera would show them, FPS
pictures a second, with hands that rest for S seconds in each picture that has one; `--pumping` lets
exposure and white balance pump. Nobody answers there unless `--answered` says so.
"""

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import click
import cv2
import numpy as np

from bench._figures import print_figures
from hardware.ports import Observation
from jetan_table.reading.camera_beam import candidate_at, pieces_on
from jetan_table.reading.camera_reader import CameraReader
from jetan_table.reading.readings import JetanGame, Standing
from jetan_table.replay.watching import Follower
from rules import SQUARES, Position, grid, parse_move, parse_rules
from vision.camera import BoardCamera
from vision.eye import observation_of
from vision.finder import BoardFinder
from vision.geometry import Picture, layout_of, pose_of
from vision.markers import Markers
from vision.painted import Stage, corner_markers
from vision.sources import Frame, decoded
from vision.witness import SquareWitness, long_cutter

from .ledger import Figures, Game, Ledger, Pair
from .sequences import SPOILT, game_of, measure_sequences

ROUNDS = 40
SLOW_ROUNDS = 8

LOOKS = 3
"""So many settled looks after a wrong move it should be taken back."""

LIVELY = {"--pumping", "--answered"}


def main(json: bool, arguments: Sequence[str] = ()) -> None:
    """Measure, and print a line for each figure, or one JSON object."""
    figures = _measure(list(arguments))
    if not figures:
        raise click.UsageError(
            f"{' '.join(arguments)}: no game with its truth lies there, which is a truth.json, or "
            "positions.csv of chess, beside the pictures"
        )
    print_figures(figures, json)


def _measure(arguments: list[str]) -> dict[str, float | int]:
    # What only some of these stand on is imported by them: `memory_mb` counts all that is.
    match arguments:
        case []:
            return measure_speed()
        case ["--live", fps, "--rest", rest, folder, *more] if LIVELY.issuperset(more):
            from .live import LiveShow, measure_live

            show = LiveShow(_number(fps), _number(rest), "--pumping" in more, "--answered" in more)
            return measure_live(_folder(folder), show)
        case ["--injected", folder] | ["--injected", folder, "--answered"]:
            return measure_injections(_folder(folder))
        case ["--sequences" | "--chess" as option, folder, *rest]:
            measure = measure_sequences
            if option == "--chess":
                from .chess_photos import measure_chess as measure
            answered = rest[:1] != ["--unanswered"]
            if rest[:1] in (["--answered"], ["--unanswered"]):
                rest = rest[1:]
            match rest:
                case []:
                    return measure(_folder(folder), answered, None)
                case ["--spoilt", name] if name in SPOILT:
                    return measure(_folder(folder), answered, SPOILT[name])
    raise click.UsageError(
        "jetan bench vision takes nothing, --injected DIR, --live FPS --rest S DIR and perhaps "
        "--pumping and --answered, or --sequences DIR or --chess DIR, then "
        f"--answered or --unanswered, then --spoilt and one of {', '.join(SPOILT)}"
    )


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if number <= 0:
        raise click.UsageError(f"{text}: must be a number above 0")
    return number


def _folder(name: str) -> Path:
    folder = Path(name)
    if not folder.is_dir():
        raise click.UsageError(f"{folder}: no such folder")
    return folder


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
    cut_long = long_cutter(scene.view, scene.layout, pose)
    witness = SquareWitness(scene.layout, cut_long(picture), np.array(occupants))
    return best(lambda: witness.judge(cut_long(picture)), ROUNDS)


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
from bench.vision import watched_memory_mb
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


def measure_injections(folder: Path) -> Figures:
    """Return for every game in a folder and those below it how often wrong moves are taken back.

    One is put in the place of each move when it has been told rightly.
    """
    games = {
        truth.parent.name: game_of(truth.parent, json.loads(truth.read_text()))
        for truth in sorted(folder.rglob("truth.json"))
    }
    for positions in sorted(folder.rglob("positions.csv")):
        from .chess_photos import game_of as photographed_game

        games[positions.parent.name] = photographed_game(positions)
    figures: Figures = {}
    for name, game in games.items():
        back = injections(game, name)
        figures[f"{name}/wrong moves put in"] = len(back)
        figures[f"{name}/taken back within {LOOKS} looks"] = sum(back.values())
    return figures


def injections(game: Game, seed: str) -> dict[int, bool]:
    """Return for each move, by its number, whether the truth was the likeliest again in time.

    Where more than one is told in one look, the last of them is taken.
    """
    ledger, back = Ledger(game.true), dict[int, bool]()
    for index, frame in enumerate(game.frames[: -LOOKS - 1]):
        before = len(ledger.record)
        ledger.follow(game.follower, frame, game.shown[index], answered=True)
        count = len(ledger.record)
        true = [each.squares for each in game.true[:count]]
        if count <= before or not game.follower.reader.likeliest == ledger.record == true:
            continue
        misled = deepcopy(game.follower)
        if mislead(misled, frame, Random(f"{seed} {count}")):
            back[count] = _comes_back(misled, game.frames[index + 1 :], true)
    return back


def mislead(follower: Follower[Any], frame: Frame, chance: Random) -> bool:
    """Let another legal step stand for the last one, and teach how its board looks.

    False where there is none.
    """
    reader = follower.reader
    best, node = reader._candidates[0], reader._reported[-1]
    before = node.parent.step.after if node.parent else reader._start.position
    others = [
        step
        for step in reader.game.steps(before, pieces_on(reader.game.occupants(before)))
        if step.squares != node.step.squares and step.is_ply == node.step.is_ply
    ]
    if not others:
        return False
    wrong = replace(node, step=chance.choice(others))
    believed = candidate_at(reader.game, reader._start.position, wrong, best.next_number)
    reader._candidates = [replace(believed, score=best.score)]
    reader._reported[-1] = wrong
    follower.eye.look(frame)
    follower.eye.believe(reader.believed, frame.at)
    return True


def _comes_back(
    follower: Follower[Any], frames: Sequence[Frame], true: Sequence[Pair | None]
) -> bool:
    """Return whether the likeliest way holds the true steps again after a few settled looks."""
    looks = 0
    for frame in frames:
        looks += follower.see(frame).sight.seen is not None
        if follower.reader.likeliest[: len(true)] == true:
            return True
        if looks == LOOKS:
            break
    return False

"""How a follower comes back from a wrong move that is put into what it believes."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from random import Random

from jetan_table.reading.camera_beam import candidate_at, men_on
from jetan_table.replay.watching import Watcher
from rules import parse_square
from vision.sources import Folder, Frame

from .ledger import Figures, Ledger, Pair
from .sequences import begun

LOOKS = 3
"""So many settled looks after a wrong move it should be taken back."""


def measure_injections(folder: Path) -> Figures:
    """Return for every sequence in a folder how often wrong moves are taken back in time.

    One is put in the place of each move that was told rightly.
    """
    figures: Figures = {}
    for truth in sorted(folder.glob("*/truth.json")):
        back = injections(truth.parent, every=1)
        figures[f"{truth.parent.name}/wrong moves put in"] = len(back)
        figures[f"{truth.parent.name}/taken back within {LOOKS} looks"] = sum(back)
    return figures


def injections(folder: Path, every: int) -> list[bool]:
    """Return for one in `every` moves each whether the truth was the likeliest again in time."""
    truth = json.loads((folder / "truth.json").read_text())
    watcher = Watcher(*begun(folder, truth))
    frames, shown = list(Folder(folder).frames()), list[int]()
    true: list[Pair] = []
    ledger, chance, back = Ledger(true), Random(folder.name), list[bool]()
    for described in truth["frames"]:
        move = described["move"]
        if move is not None:
            true.append((parse_square(move["from"]), parse_square(move["to"])))
        shown.append(len(true))
    for index, frame in enumerate(frames[: -LOOKS - 1]):
        count = shown[index]
        ledger.follow(watcher, frame, count, answered=True)
        if index == 0 or count in shown[:index] or count % every:
            continue
        if not watcher.reader.likeliest == ledger.record == true[:count]:
            continue
        misled = deepcopy(watcher)
        if mislead(misled, frame, chance):
            back.append(_comes_back(misled, frames[index + 1 :], true[:count]))
    return back


def mislead(watcher: Watcher, frame: Frame, chance: Random) -> bool:
    """Let another legal step stand for the last one, and teach how its board looks.

    False where there is none.
    """
    reader = watcher.reader
    best, node = reader._candidates[0], reader._reported[-1]
    before = node.parent.step.after if node.parent else reader._start.position
    others = [
        step
        for step in reader.game.steps(before, men_on(reader.game.occupants(before)))
        if step.squares != node.step.squares and step.is_ply == node.step.is_ply
    ]
    if not others:
        return False
    wrong = replace(node, step=chance.choice(others))
    believed = candidate_at(reader.game, reader._start.position, wrong, best.next_number)
    reader._candidates = [replace(believed, score=best.score)]
    reader._reported[-1] = wrong
    sight = watcher._camera.look(frame)
    if sight.seen is not None:
        watcher._camera.learn(sight, *reader.lesson)
    return True


def _comes_back(watcher: Watcher, frames: list[Frame], true: list[Pair]) -> bool:
    """Return whether the likeliest way holds the true steps again after a few settled looks."""
    looks = 0
    for frame in frames:
        looks += watcher.see(frame).sight.seen is not None
        if watcher.reader.likeliest[: len(true)] == true:
            return True
        if looks == LOOKS:
            break
    return False

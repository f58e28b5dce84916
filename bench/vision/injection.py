"""How a follower comes back from a wrong move that is put into what it believes."""

import json
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from jetan_table.reading.camera_beam import candidate_at, pieces_on
from jetan_table.replay.watching import Follower
from vision.sources import Frame

from .ledger import Figures, Game, Ledger, Pair
from .sequences import game_of

LOOKS = 3
"""So many settled looks after a wrong move it should be taken back."""


def measure_injections(folder: Path) -> Figures:
    """Return for every game in a folder and those below it how often wrong moves are taken back.

    One is put in the place of each move when it has been told rightly.
    """
    figures: Figures = {}
    for truth in sorted(folder.rglob("truth.json")):
        game = game_of(truth.parent, json.loads(truth.read_text()))
        figures |= _measure_injections(truth.parent.name, game)
    for positions in sorted(folder.rglob("positions.csv")):
        figures |= _measure_injections(positions.parent.name, _photographed(positions))
    return figures


def _photographed(positions: Path) -> Game:
    """Return a game of chess; only this stands on python-chess."""
    from .chess_photos import game_of

    return game_of(positions)


def _measure_injections(name: str, game: Game) -> Figures:
    back = injections(game, name)
    return {
        f"{name}/wrong moves put in": len(back),
        f"{name}/taken back within {LOOKS} looks": sum(back.values()),
    }


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

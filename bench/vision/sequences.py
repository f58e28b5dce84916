"""Sequences of Jetan with their truth: plies, squares, corners."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from jetan_table.reading.readings import Answered, Played, TakenBack, Wandered
from jetan_table.replay.watching import Watched, Watcher
from rules import SQUARES, Kind, Occupant, Piece, Position, Side, format_square, parse_square
from rules.ruleset import parse_rules
from vision.board_finder import BoardFinder
from vision.camera import BoardCamera, Clarity
from vision.layout import layout_of
from vision.markers import read_markers
from vision.sources import Folder

KINDS = {kind.word: kind for kind in Kind}
DISKS = {"clockwise": "ninth-ray-clockwise", "counterclockwise": "ninth-ray-counterclockwise"}
Figures = dict[str, float | int]


@dataclass
class Count:
    """What was right and wrong in one sequence."""

    right: int = 0
    wrong: int = 0
    taken_back: int = 0
    worst_corner: float = 0.0
    squares: int = 0
    misread: Counter[str] = field(default_factory=Counter)


def measure_sequences(folder: Path) -> Figures:
    """Return the figures of every sequence in a folder."""
    figures: Figures = {}
    for truth in sorted(folder.glob("*/truth.json")):
        figures |= _measure(truth.parent, json.loads(truth.read_text()))
    return figures


def _measure(folder: Path, truth: dict[str, Any]) -> Figures:
    start = _position(truth)
    markers = read_markers(folder / "truth.json") if truth["fiducials"] else None
    layout = layout_of(start.rules.topology)
    camera = BoardCamera(BoardFinder(layout, markers), start.juggernaut is not None, True)
    watcher = Watcher(camera, start)
    count = Count()
    frames = {frame["file"]: frame for frame in truth["frames"]}
    for watched in watcher.watch(Folder(folder)):
        frame = frames[watched.sight.frame.name]
        _count_plies(count, watched, frame["move"])
        _count_corners(count, watched, truth["views"][frame["view"]])
        if frame["settled"]:
            _count_squares(count, watched, frame["position"], layout.colours)
    name = folder.name
    wanted = sum(frame["move"] is not None for frame in truth["frames"])
    kinds = {f"{name}/misread {kind}": number for kind, number in sorted(count.misread.items())}
    return {
        f"{name}/plies": wanted,
        f"{name}/right": count.right,
        f"{name}/wrong": count.wrong,
        f"{name}/taken back": count.taken_back,
        f"{name}/worst corner, squares": round(count.worst_corner, 3),
        f"{name}/squares misread, %": round(100 * sum(count.misread.values()) / count.squares, 3),
        **kinds,
    }


def _position(truth: dict[str, Any]) -> Position:
    board = "appendix" if truth["board"] == "grid" else DISKS[truth["circle"]["ninth_ray_bias"]]
    rules = parse_rules(f"{board},thoat=jumps")
    pieces, juggernaut = {}, None
    for name, word in truth["frames"][0]["position"].items():
        if word == "juggernaut":
            juggernaut = parse_square(name)
            rules = rules.changed({"juggernaut": "random-empty"})
            continue
        side, kind = word.split()
        pieces[parse_square(name)] = Piece(Side[side.upper()], KINDS[kind])
    first = Side[truth["to_move_first"].upper()]
    return Position.of(rules, pieces, first, juggernaut=juggernaut)


def _count_plies(count: Count, watched: Watched, move: dict[str, str] | None) -> None:
    """A ply is right in the frame in which it is first at rest, and wrong in any other."""
    for reading in watched.readings:
        match reading:
            case Played(step=step) | Answered(step=step) | Wandered(step=step):
                squares = tuple(map(format_square, step.squares))
                is_right = move is not None and squares == (move["from"], move["to"])
                count.right += is_right
                count.wrong += not is_right
            case TakenBack():
                count.taken_back += 1


def _count_corners(count: Count, watched: Watched, view: dict[str, Any]) -> None:
    place = watched.sight.place
    if place is None:
        return
    true = np.array(list(view["board_corners_px"].values()))
    away = np.hypot(*(place.view.project(place.layout.corners) - true).T)
    unit = place.view.square_px(place.layout.corners)
    count.worst_corner = max(count.worst_corner, float((away / unit).max()))


def _count_squares(
    count: Count, watched: Watched, position: dict[str, str], colours: tuple[int, ...]
) -> None:
    """Count squares whose likeliest occupant, by themselves, is another than stands there."""
    count.squares += len(SQUARES)
    evidence = watched.sight.seen
    if evidence is None or watched.sight.clarity is not Clarity.SETTLED:
        count.misread["not read"] += len(SQUARES)
        return
    for square, occupant in zip(SQUARES, evidence.likelihoods.argmax(axis=1).tolist(), strict=True):
        word = position.get(format_square(square), "empty")
        true = {"empty": 0, "juggernaut": 3}.get(word, 1 + word.startswith("orange"))
        if occupant != true:
            shade = ("dark", "light")[colours[square]]
            count.misread[f"{word} on {shade} as {Occupant(occupant).name.lower()}"] += 1

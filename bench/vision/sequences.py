"""Sequences of Jetan with their truth: plies, squares, corners; and pictures made worse."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from jetan_table.reading.readings import Standing
from jetan_table.replay.watching import Follower, follower_of_jetan
from rules import (
    SQUARES,
    Kind,
    Occupant,
    Piece,
    Position,
    Side,
    format_square,
    parse_rules,
    parse_square,
)
from vision.camera import BoardCamera, Clarity, Sight
from vision.errors import BoardNotFound
from vision.finder import BoardFinder
from vision.geometry import Floats, Picture, layout_of
from vision.markers import Markers, read_markers
from vision.sources import Frame, pictures_in

from .ledger import Done, Figures, Game, Ledger

Spoil = Callable[[Picture, int], Picture]
"""Makes a picture worse; the number is the picture's, for what changes from one to the next."""

KINDS = {kind.word: kind for kind in Kind}


def measure_sequences(folder: Path, answered: bool, spoil: Spoil | None) -> Figures:
    """Return the figures of every sequence in a folder, its pictures made worse by `spoil`."""
    figures: Figures = {}
    for truth in sorted(folder.glob("*/truth.json")):
        figures |= _measure(truth.parent, json.loads(truth.read_text()), answered, spoil)
    return figures


def _measure(folder: Path, truth: dict[str, Any], answered: bool, spoil: Spoil | None) -> Figures:
    game, misread = game_of(folder, truth), Counter[str]()
    colours = first_position(truth).rules.board.colours
    ledger, worst_corner, squares = Ledger(game.true), 0.0, 0
    for number, (frame, whole) in enumerate(zip(truth["frames"], game.frames, strict=True)):
        taken = spoilt(whole, number, spoil)
        try:
            sight = ledger.follow(game.follower, taken, game.shown[number], answered).sight
        except BoardNotFound:
            sight = Sight(taken, Clarity.LOST)
        worst_corner = max(worst_corner, _farthest_corner(sight, truth["views"][frame["view"]]))
        if frame["settled"]:
            squares += len(SQUARES)
            misread.update(_misread(sight, frame["position"], colours))
    name = folder.name
    return {
        **ledger.figures(name),
        f"{name}/worst corner, squares": round(worst_corner, 3),
        f"{name}/squares misread, %": round(100 * misread.total() / squares, 3),
        **{f"{name}/misread {kind}": times for kind, times in sorted(misread.items())},
    }


def _farthest_corner(sight: Sight, view: dict[str, Any]) -> float:
    """Return how far the worst of the board's corners is from where it is, in squares."""
    place = sight.place
    if place is None:
        return 0.0
    true = np.array(list(view["board_corners_px"].values()))
    away = np.hypot(*(place.view.project(place.layout.corners) - true).T)
    return float((away / place.view.square_px(place.layout.corners)).max())


def _misread(sight: Sight, position: dict[str, str], colours: tuple[int, ...]) -> Iterator[str]:
    """Yield squares whose likeliest occupant, by themselves, is another than stands there."""
    evidence = sight.seen
    if evidence is None or sight.clarity is not Clarity.SETTLED:
        yield from ["not read"] * len(SQUARES)
        return
    for square, occupant in zip(SQUARES, evidence.likelihoods.argmax(axis=1).tolist(), strict=True):
        word = position.get(format_square(square), "empty")
        true = {"empty": 0, "juggernaut": 3}.get(word, 1 + word.startswith("orange"))
        if occupant != true:
            shade = ("dark", "light")[colours[square]]
            yield f"{word} on {shade} as {Occupant(occupant).name.lower()}"


def game_of(folder: Path, truth: dict[str, Any]) -> Game:
    """Return the sequence in a folder, and a watcher that has seen nothing of it yet."""
    shown, true = shown_and_true(truth)
    return Game(_watcher(folder, truth), list(pictures_in(folder).frames()), shown, true)


def shown_and_true(truth: Mapping[str, Any]) -> tuple[list[int], list[Done]]:
    """Return for each picture how many steps have been played by then, and the steps.

    A step that hands take back later counts for nothing: its move says that it does not stand.
    """
    shown, true = [], list[Done]()
    for frame in truth["frames"]:
        move = frame["move"]
        if move is not None and move.get("stands", True):
            squares = parse_square(move["from"]), parse_square(move["to"])
            true.append(Done(squares, move.get("kind") != "juggernaut"))
        shown.append(len(true))
    return shown, true


def corners_and_markers(
    folder: Path, truth: Mapping[str, Any]
) -> tuple[Floats | None, Markers | None]:
    """Return by what the board of a sequence is found; nothing where its lines tell.

    A disk without markers is found by corners, as people would drag them, and so is what says so.
    """
    markers = read_markers(folder / "truth.json") if truth["fiducials"] else None
    corners = None
    if truth.get("by_corners") or (truth["board"] != "grid" and markers is None):
        corners = np.array(list(truth["views"][0]["board_corners_px"].values()))
    return corners, markers


def _watcher(folder: Path, truth: dict[str, Any]) -> Follower[Standing]:
    """Return a watcher of a sequence from its first position."""
    start = first_position(truth)
    corners, markers = corners_and_markers(folder, truth)
    finder = BoardFinder(layout_of(start.rules.board), markers, corners)
    return follower_of_jetan(BoardCamera(finder, start.juggernaut is not None, True), start)


def first_position(truth: Mapping[str, Any]) -> Position:
    """Return what the first picture of a sequence shows."""
    is_flat = truth["board"] == "grid"
    board = "appendix" if is_flat else f"ninth-ray-{truth['circle']['ninth_ray_bias']}"
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


def in_words(position: Position) -> dict[str, str]:
    """Return what stands where, as the truth of a sequence has it: `black panthan`, by square."""
    words = {
        format_square(square): f"{piece.side.word} {piece.kind.word}"
        for square, piece in position.pieces().items()
    }
    if position.juggernaut is not None:
        words[format_square(position.juggernaut)] = "juggernaut"
    return words


def spoilt(frame: Frame, number: int, spoil: Spoil | None) -> Frame:
    """Return a frame with its picture made worse, where it has one and it is to be."""
    if spoil is None or frame.picture is None:
        return frame
    return replace(frame, picture=spoil(frame.picture, number))


def _noisy(sigma: float) -> Spoil:
    def spoil(picture: Picture, number: int) -> Picture:
        noise = np.random.default_rng(number).normal(0.0, sigma, picture.shape)
        noisy: Picture = np.clip(picture + noise, 0, 255).astype(np.uint8)
        return noisy

    return spoil


def _tinted(channels: tuple[float, float, float], drift: float) -> Spoil:
    """Multiply blue, green and red, and the light by up to `drift` more or less."""

    def spoil(picture: Picture, number: int) -> Picture:
        light = 1 + drift * np.sin(number / 3)
        tinted: Picture = np.clip(picture * (light * np.array(channels)), 0, 255).astype(np.uint8)
        return tinted

    return spoil


def _blurred(picture: Picture, number: int) -> Picture:
    blurred: Picture = cv2.blur(picture, (5, 5))
    return blurred


def _compressed(picture: Picture, number: int) -> Picture:
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 30])
    compressed = cv2.imdecode(data, cv2.IMREAD_COLOR)
    assert compressed is not None
    return np.asarray(compressed, np.uint8)


def _halved(picture: Picture, number: int) -> Picture:
    halved: Picture = cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    return halved


SPOILT: dict[str, Spoil] = {
    "sigma8": _noisy(8.0),
    "sigma16": _noisy(16.0),
    "jpeg30": _compressed,
    "blur5": _blurred,
    "drift25": _tinted((1.0, 1.0, 1.0), 0.25),
    "warm": _tinted((0.75, 1.0, 1.15), 0.0),
    "half": _halved,
}
"""Every way by its name. Noise in grey levels, blur in pixels, drift in hundredths; `warm` is a
white balance that is off."""

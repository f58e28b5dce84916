"""Evenings at a table with a camera, painted: hands come and go, and do not only play.

Each kind of evening adds one habit of people or rooms to play by hands: what they are is told by
`KINDS`. Pictures are of any look with flat or medium pieces, seen from 45 to 85 degrees, without
the Juggernaut. The truth of a picture says for how many seconds it lasts, and a ply that is taken
back later does not stand.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np

from bench.vision.sequences import in_words
from jetan_table.reading.readings import occupants_of as occupants_on
from rules import Position, Square, format_square
from vision.geometry import Floats, Indices, Picture

from .looks import Ground, LightLook, Look, Make, look_of, pieces_of
from .painter import (
    SIZE,
    Eye,
    Hand,
    Standing,
    eye_of,
    hand_of,
    paint,
    painted_board,
    put,
    set_up,
    shade,
)
from .pictures import first_of, moved, occupants_of, truth_of
from .samples import developed, layout_for

Chance = np.random.Generator
Ply = tuple[Square, Square]

REACHES_S = 0.5
"""For so long a hand is over the board for a ply, or for a push."""


def evening_look(number: int, chance: Chance) -> Look:
    """Return a look of an evening: turned pieces of medium height, discs, or cards."""
    look = look_of(chance)
    while look.board.ground is Ground.CHESS:
        look = look_of(chance)
    width = int(chance.integers(640, SIZE[0] + 1))
    elevation = chance.uniform(45, 85)
    camera = replace(look.camera, elevation=elevation, width=width, is_cut_out=False, is_grey=False)
    make = (Make.TURNED, Make.DISC, Make.CUT)[number % 3]
    pieces = pieces_of(chance, look.board, False, make, chance.uniform(0.5, 1.3))
    return replace(look, camera=camera, pieces=pieces, has_neutral=False)


@dataclass
class Evening:
    """A table at which somebody plays, and its pictures so far."""

    look: Look
    into: Path
    chance: Chance
    shadow: int | None = None
    """The seed of a shadow that has fallen on the board."""
    guest: Hand | None = None
    """A hand that rests over the board."""
    frames: list[dict[str, object]] = field(default_factory=list)
    views: list[Floats] = field(default_factory=list)
    last: Picture | None = None

    def __post_init__(self) -> None:
        self.layout = layout_for(self.look.board.ground)
        self.eye = eye_of(self.look.camera, self.layout, self.chance)
        self.board = painted_board(self.look, self.layout, self.chance)
        self.position = first_of(self.look, self.layout, self.chance)
        occupants = occupants_of(self.position, self.layout)
        self.standing = set_up(self.look, occupants, self.chance)
        self.hands = [hand_of(self.look, self.layout, self.chance) for _ in range(2)]
        self.played = 0
        self.show(2.5)

    # ------------------------------------------------------------------ pictures

    def show(self, lasts_s: float, hand: Hand | None = None, covered: bool = False) -> None:
        """Take a picture that lasts for so long."""
        hand = hand or self.guest
        if covered:
            assert self.last is not None
            noise = self.chance.normal(30, 3, self.last.shape)
            picture = np.clip(noise, 0, 255).astype(np.uint8)
        else:
            raw = paint(self.look, self.layout, self.eye, self.standing.values(), self.board, hand)
            if self.shadow is not None:
                shade(raw, np.random.default_rng(self.shadow))
            picture, there = developed(
                raw, self.look.camera, self.eye.view, self.layout, self.chance, not self.frames
            )
            corners = there.project(self.layout.corners)
            if not self.views or not np.allclose(corners, self.views[-1]):
                self.views.append(corners)
        name = f"{len(self.frames):03}.jpg"
        cv2.imwrite(str(self.into / name), picture, [cv2.IMWRITE_JPEG_QUALITY, 95])
        self.last = picture
        self.frames.append(
            {
                "file": name,
                "view": len(self.views) - 1,
                "settled": hand is None and not covered,
                "lasts_s": round(lasts_s, 2),
                "move": None,
                "position": in_words(self.position),
            }
        )

    def over(self, square: int) -> Hand:
        """Return the hand of who is to move, with its tip over a square."""
        hand = self.hands[int(self.position.side)]
        to = np.array([*self.layout.centres[square], 0.4])
        return replace(hand, joints=hand.joints + (to - hand.joints[0]))

    # ------------------------------------------------------------------ what hands do

    def drawn(self, count: int) -> list[Ply]:
        """Return legal plies by chance, such that no other way leads to what the board shows."""
        while True:
            position, plies = self.position, list[Ply]()
            for _ in range(count):
                start, end, position = moved(position, 0, self.chance)
                plies.append((start, end))
            if count == 1 or len(list(ways_to(self.position, position, count))) == 1:
                return plies

    def play(self, ply: Ply, rests_s: float, stands: bool = True, covered: bool = False) -> None:
        """Let a hand play a ply, and the board rest for so long after it."""
        start, end = ply
        hand = self.over(end)
        if not covered and self.chance.random() < 0.5:
            self.show(REACHES_S / 2, self.over(start))
        self._put(start, end)
        self.position = after(self.position, ply)
        self.played += stands
        self.show(4.0 if covered else REACHES_S, hand, covered)
        move = {"from": format_square(start), "to": format_square(end), "kind": "move"}
        self.frames[-1]["move"] = move if stands else {**move, "stands": False}
        if rests_s:
            self.show(rests_s)

    def calmly(self, plies: int = 1) -> None:
        """Play so many plies as people do who think about each."""
        for _ in range(plies):
            (ply,) = self.drawn(1)
            self.play(ply, self.chance.uniform(1.2, 3.0))

    def push(self) -> None:
        """Push some pieces about within their squares."""
        squares = self.chance.choice(list(self.standing), int(self.chance.integers(1, 5)), False)
        self.show(REACHES_S, self.over(int(squares[0])))
        for square in map(int, squares):
            piece = self.standing[square]
            self.standing[square] = put(self.look, square, piece.who, piece.kind, self.chance)
        self.show(self.chance.uniform(1.0, 2.5))

    def try_out(self, plies: int) -> None:
        """Play some plies, take them back by hand, and play another in their place."""
        tried, before = self.drawn(plies), list[tuple[Position, dict[int, Standing]]]()
        for ply in tried:
            before.append((self.position, dict(self.standing)))
            self.play(ply, self.chance.uniform(1.5, 3.0), stands=False)
        for (start, end), (position, standing) in zip(tried[::-1], before[::-1], strict=True):
            if self.chance.random() < 0.5:
                self.show(REACHES_S / 2, self.over(end))
            piece = standing[start]
            standing[start] = put(self.look, start, piece.who, piece.kind, self.chance)
            self.position, self.standing = position, standing
            self.show(REACHES_S, self.over(start))
        if self.chance.random() < 0.5:
            self.show(self.chance.uniform(0.4, 2.5))
        while (ply := self.drawn(1)[0]) == tried[0]:
            pass
        self.play(ply, self.chance.uniform(1.2, 3.0))

    def _put(self, start: Square, end: Square) -> None:
        piece = self.standing.pop(start)
        self.standing[end] = put(self.look, end, piece.who, piece.kind, self.chance)


def after(position: Position, ply: Ply) -> Position:
    """Return the position after the move of a piece from one square to another."""
    moves = (each for each in position.moves() if (each.from_square, each.to_square) == ply)
    return position.play(next(moves))


def ways_to(position: Position, end: Position, most: int) -> Iterator[int]:
    """Yield the number of plies of every way of at most so many to a board that looks like `end`.

    A camera sees whose piece stands on a square, and not which.
    """
    differing = np.sum(_occupants(position) != _occupants(end))
    if not differing:
        yield 0
    if differing > 2 * most or not most or position.outcome is not None:
        return
    for move in position.moves():
        for plies in ways_to(position.play(move), end, most - 1):
            yield 1 + plies


def _occupants(position: Position) -> Indices:
    return np.array(occupants_on(position))


# ------------------------------------------------------------------ kinds


def _nudges(evening: Evening) -> None:
    """Pieces are pushed within their squares, every other ply."""
    evening.calmly()
    if evening.played % 2:
        evening.push()


def _blitz(evening: Evening) -> None:
    """Two or three plies in a few moments, then one or two with thought."""
    *quick, last = evening.drawn(2 + int(evening.chance.integers(2)))
    for ply in quick:
        evening.play(ply, evening.chance.uniform(0.1, 0.5))
    evening.play(last, evening.chance.uniform(1.2, 3.0))
    evening.calmly(1 + int(evening.chance.integers(2)))


def _taken_back(evening: Evening) -> None:
    """One ply, or two, are taken back by hand and played otherwise, twice in twelve plies."""
    evening.calmly(5)
    evening.try_out(1 + (evening.played // 6) % 2)


def _resting_hand(evening: Evening) -> None:
    """A hand rests over the board for some seconds, and once somebody plays meanwhile."""
    evening.calmly(4)
    evening.guest = evening.over(int(evening.chance.integers(len(evening.layout.colours))))
    evening.show(evening.chance.uniform(3.0, 9.0))
    if evening.played % 10 < 5:
        evening.calmly()
    evening.guest = None
    evening.show(1.5)


def _shadow(evening: Evening) -> None:
    """An arm's shadow falls on the board, stays for some plies, and goes."""
    evening.calmly(4)
    evening.shadow = int(evening.chance.integers(2**31))
    evening.show(2.0)
    evening.calmly(4)
    evening.shadow = None
    evening.show(2.0)


def _cover(evening: Evening) -> None:
    """Something covers the camera while three plies are played."""
    evening.calmly(7)
    for ply in evening.drawn(3):
        evening.play(ply, 0.0, covered=True)
    evening.show(2.5)


def _bump(evening: Evening) -> None:
    """Camera or board shifts by up to a square, and turns a little."""
    evening.calmly(6)
    evening.eye = _bumped(evening.eye, evening.layout.corners, evening.chance)
    evening.show(2.5)


def _lamp(evening: Evening) -> None:
    """A lamp is switched on or off, or is moved."""
    evening.calmly(5)
    evening.look = replace(evening.look, light=_relit(evening.look.light, evening.chance))
    evening.show(2.5)


KINDS: dict[str, Callable[[Evening], None]] = {
    "nudges": _nudges,
    "blitz": _blitz,
    "taken-back": _taken_back,
    "resting-hand": _resting_hand,
    "shadow": _shadow,
    "cover": _cover,
    "bump": _bump,
    "lamp": _lamp,
}


def _bumped(eye: Eye, corners: Floats, chance: Chance) -> Eye:
    """Return a camera that still sees all of the board."""
    square = eye.view.square_px(corners).mean()
    middle = eye.project(np.array([*corners.mean(axis=0), 0.0]))
    while True:
        turn = np.radians(chance.normal(0, 0.7))
        cos, sin = np.cos(turn), np.sin(turn)
        way = chance.uniform(0, 2 * np.pi)
        shift = chance.uniform(0.05, 1.0) * square * np.array([np.cos(way), np.sin(way)])
        turned = np.array([[cos, -sin], [sin, cos]])
        aside = middle + shift - turned @ middle
        matrix = np.array([[*turned[0], aside[0]], [*turned[1], aside[1]], [0, 0, 1]])
        bumped = replace(eye, matrix=matrix @ eye.matrix)
        pixels = bumped.view.project(corners)
        if (pixels > 0.2 * square).all() and (pixels < np.array(SIZE) - 0.2 * square).all():
            return bumped


def _relit(light: LightLook, chance: Chance) -> LightLook:
    """Return light of another strength, tint, or direction."""
    stronger = np.exp(chance.uniform(-0.7, 0.7))
    tint = np.exp(chance.normal(0, 0.12, 3))
    up, turn = np.radians(chance.uniform(30, 80)), chance.uniform(0, 2 * np.pi)
    towards = np.array([np.cos(up) * np.cos(turn), np.cos(up) * np.sin(turn), np.sin(up)])
    moved_lamp = light.towards.copy()
    if chance.random() < 0.5:
        moved_lamp[0] = towards
    return replace(light, towards=moved_lamp, colours=light.colours * stronger * tint)


def paint_evening(into: Path, word: int, number: int, kind: str, moves: int) -> dict[str, object]:
    """Paint an evening of some kind and so many plies, or a few more; return its truth."""
    chance = np.random.default_rng((word, number, list(KINDS).index(kind)))
    evening = Evening(evening_look(number, chance), into, chance)
    while evening.played < moves:
        KINDS[kind](evening)
    evening.calmly(2)  # which may show what was open
    return truth_of(f"{kind} {number}", evening.look, evening.views, evening.frames)

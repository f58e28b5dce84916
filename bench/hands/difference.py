#!/usr/bin/env python3
"""A camera's reader in seventy lines, as simple board cameras have it; it speaks the protocol.

It waits until two pictures in a row are alike, compares with the picture after the ply before, and
plays the legal move whose two squares have changed most.
"""

import sys

import cv2
import numpy as np
from numpy.typing import NDArray

QUIET = 0.04
"""Least difference of pictures in a row that move, as a share of their mean brightness."""
CHANGED = 0.15
"""Least difference of a square that has changed, likewise."""
PART = 0.3
"""Half the side of what is looked at of a square, as a share of the way to the next."""

Gray = NDArray[np.float32]


class Reader:
    """What it knows: where squares are, the picture after the last ply, and what was played."""

    def __init__(self, places: list[str]) -> None:
        self.at = {
            name: (float(x), float(y))
            for name, x, y in zip(places[::3], places[1::3], places[2::3], strict=True)
        }
        spots = np.array(list(self.at.values()))
        apart = np.hypot(*(spots[:, None] - spots).transpose(2, 0, 1))
        self.half = max(int(PART * apart[apart > 0].min()), 2)
        self.reference: Gray | None = None
        self.before: Gray | None = None
        self.plies: list[str] = []
        self.legal = ask(self.plies)

    def look(self, path: str) -> str:
        """Return the line of what was played, empty for nothing."""
        picture = cv2.imread(path, cv2.IMREAD_GRAYSCALE)
        if picture is None:
            return ""
        now = cv2.blur(picture.astype(np.float32) / picture.mean(), (5, 5))
        before, self.before = self.before, now
        if before is None or np.abs(now - before).mean() > QUIET:
            return ""
        if self.reference is None:
            self.reference = now
            return ""
        change = np.abs(now - self.reference)
        found, least = "", CHANGED
        for move in sorted(self.legal):
            both = min(self.of_square(change, name) for name in ends(move))
            if both > least:
                found, least = move, both
        if not found:
            return ""
        self.plies.append(found)
        self.reference, self.legal = now, ask(self.plies)
        return " ".join(("ply", str(len(self.plies)), *ends(found)))

    def of_square(self, change: Gray, name: str) -> float:
        """Return how much a square's middle has changed."""
        x, y = map(round, self.at[name])
        half = self.half
        return float(change[max(y - half, 0) : y + half, max(x - half, 0) : x + half].mean())


def ends(move: str) -> list[str]:
    """Return the two squares of a move, as `e5xf6`."""
    return move.replace("x", "-").split("-")


def ask(plies: list[str]) -> list[str]:
    """Ask what may be played after some plies."""
    print("after", *plies, flush=True)
    sys.stdin.readline()  # what stands
    return sys.stdin.readline().split()[1:]


def main() -> None:
    """Answer every line until there are no more."""
    reader: Reader | None = None
    for line in iter(sys.stdin.readline, ""):
        word, _, rest = line.rstrip("\n").partition(" ")
        if word == "squares":
            reader = Reader(rest.split())
        elif word == "look" and reader is not None:
            news = reader.look(rest.partition(" ")[2])
            if news:
                print(news)
        print(".", flush=True)


if __name__ == "__main__":
    main()

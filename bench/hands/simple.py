#!/usr/bin/env python3
"""A reader in seventy lines, as an example of the protocol: it stands on nothing but Python.

Like most boards' firmware it waits until the board has been quiet, and plays the legal move after
which just those squares would be occupied. Where several would, it asks.
"""

import sys
from collections.abc import Iterable, Iterator

QUIET_S = 0.4


class Reader:
    """What it knows: which squares are occupied, and what was played."""

    def __init__(self) -> None:
        self.occupied: set[str] = set()
        self.plies: list[str] = []
        self.changed_at: float | None = None
        self.stands, self.legal = ask(self.plies)

    def at(self, now: float, changes: Iterable[str]) -> Iterator[str]:
        """Take changes in, and yield what was played once nothing changes."""
        for change in changes:
            (self.occupied.add if change[0] == "+" else self.occupied.discard)(change[1:])
            self.changed_at = now
        if self.changed_at is None or now < self.changed_at + QUIET_S:
            return
        self.changed_at = None
        if self.occupied == self.stands:
            return
        gone = self.stands - self.occupied
        found = []
        for move in sorted(self.legal):
            start, end = move.replace("x", "-").split("-")
            if start in gone and ask([*self.plies, move])[0] == self.occupied:
                found.append((start, end, move))
        if not found:
            return
        number, (start, end, move) = len(self.plies) + 1, found[0]
        yield (
            f"ply {number} {start} {end}"
            if len(found) == 1
            else " ".join(
                [f"ask {number} {start}", *(each[1] for each in found if each[0] == start)]
            )
        )
        self.plies.append(move)  # after a question it goes on with the first answer
        self.stands, self.legal = ask(self.plies)


def ask(plies: list[str]) -> tuple[set[str], set[str]]:
    """Ask what stands after some plies, and what may be played then."""
    print("after", *plies, flush=True)
    stands, legal = (sys.stdin.readline().split()[1:] for _line in range(2))
    return set(stands), set(legal)


def main() -> None:
    """Answer every line until there are no more."""
    reader: Reader | None = None
    for line in iter(sys.stdin.readline, ""):
        word, *rest = line.split()
        if word == "hands":
            reader = Reader()
        elif word == "at" and reader is not None:
            for news in reader.at(float(rest[0]), rest[1:]):
                print(news)
        print(".", flush=True)


if __name__ == "__main__":
    main()

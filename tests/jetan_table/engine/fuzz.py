"""Games in C by random rules, and by those that have a net, from positions that no game leads to.

`python -m tests.jetan_table.engine.fuzz SEED COUNT` searches so many positions at least, under the
sanitizers of addresses and of undefined behaviour, whose library stands before all others
(`LD_PRELOAD`); the first complaint ends it.
"""

import os
import sys
from collections.abc import Iterator
from random import Random
from typing import Final

from bench.opponent.in_c import Seat, played_in_c
from jetan_table.engine.evaluation import NETS, fitted_weights
from jetan_table.engine.library import FLAGS
from rules import parse_rules
from tests.jetan_table.engine.alike import scattered
from tests.jetan_table.engine.test_random_games import mixed_rules

SANITIZERS: Final = ("-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
READINGS: Final = ("", "", *(path.stem for path in sorted(NETS.glob("*.net"))))
"""Those with a net, and nothing where rules are mixed at random."""

GAMES_A_LAW: Final = 400
MOST_PLIES: Final = 120
NODES: Final = (1, 20, 60, 200)
HALVES: Final = (2, 300, 20_000)


def games(seed: int) -> Iterator[int]:
    """Yield, for one game after another, how many positions were searched in it."""
    chance = Random(seed)
    while True:
        rules = (
            parse_rules(reading) if (reading := chance.choice(READINGS)) else mixed_rules(chance)
        )
        rules = rules.changed({"ending": "capture"})  # as the search plays all rules
        for _ in range(GAMES_A_LAW):
            seats = [
                Seat(
                    fitted_weights(),
                    chance.choice(NODES),
                    contempt=chance.choice((0, 150)),
                    half=chance.choice(HALVES),
                    flags=(*FLAGS, *SANITIZERS),
                )
                for _ in range(2)
            ]
            yield len(played_in_c(scattered(rules, chance), seats, (), MOST_PLIES)[0])


def main(seed: str, count: str) -> None:
    """Print how many positions were searched, in how many games."""
    os.environ.pop("LD_PRELOAD", None)  # the compiler is not what is watched, and slow under it
    searched = played = 0
    for plies in games(int(seed)):
        searched, played = searched + plies, played + 1
        if searched >= int(count):
            break
    print(f"{searched} positions of {played} games searched")


if __name__ == "__main__":
    main(*sys.argv[1:])

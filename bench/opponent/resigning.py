"""Whether the opponent gives up, offers and agrees sensibly: what became of the game thereafter.

`python -m bench.opponent.resigning [GAMES]` lets it play against itself under two readings. Each
side notes when it would have resigned, or offered a draw that the other would have taken; the game
goes on nevertheless, and its end tells whether that was right.
"""

import sys
from collections import Counter
from random import Random

from bench.opponent.strength import Thinker
from jetan_table.engine.evaluation import fitted_weights
from jetan_table.engine.levels import FULL, LEVELS
from jetan_table.extras.opponent.match import MOST_PLIES, random_opening
from jetan_table.extras.opponent.seat import EndingPolicy
from jetan_table.game.commands import OfferDraw, Resign
from rules import Side, parse_rules

GAMES = 20
NODES = 1000


def play(rules: str, seed: int) -> Counter[str]:
    """Play a game out; return what would have been done first, and how that compares."""
    thinker = Thinker(FULL, LEVELS[FULL], NODES, fitted_weights())
    game = random_opening(parse_rules(rules), Random(seed))
    policies = {side: EndingPolicy() for side in Side}
    resigned, agreed = None, False
    while game.outcome is None and len(game.plies) < MOST_PLIES:
        side, plies = game.position.side, len(game.plies)
        thought = thinker.think(game)
        says = policies[side].consider(thought.score, thought.win_in, plies)
        if not agreed and resigned is None and says is Resign:
            resigned = side
        if not agreed and resigned is None and says is OfferDraw:
            agreed = policies[side.other].agrees(plies)
        game = game.play(thought.move)
    winner = game.outcome.winner if game.outcome else None
    if resigned is not None:
        end = "lost" if winner is resigned.other else "won" if winner is resigned else "drawn"
        return Counter({f"resigned, then {end}": 1})
    if agreed:
        return Counter({f"agreed, then {'drawn' if winner is None else 'decided'}": 1})
    return Counter({"played on": 1})


def main(games: int = GAMES) -> None:
    """Print a line for each reading."""
    for rules in ("cazaux", "appendix"):
        counts = sum((play(rules, seed) for seed in range(games)), Counter[str]())
        print(rules, dict(counts), flush=True)


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))

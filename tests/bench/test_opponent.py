"""What the measurements of the opponent stand on: proofs, and plain players."""

from random import Random

import pytest

from bench.opponent.puzzles import Puzzle, draws_at_once, read_puzzles
from bench.opponent.selfplay import Seat, quick_game
from bench.opponent.strength import Thinker
from jetan_table.engine.levels import FULL, LEVELS
from jetan_table.engine.proof import has_won, wins_in
from jetan_table.engine.weights import Weights
from jetan_table.extras.opponent.match import play_game, random_opening
from rules import Position, Side, parse_rules

PUZZLES = read_puzzles()[::3]


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: f"{puzzle.rules} {puzzle.forced}")
def test_a_puzzle_is_proved_and_nothing_shorter_is(puzzle: Puzzle) -> None:
    position, plies = puzzle.position, int(puzzle.forced[-1])
    assert not wins_in(position, plies - 2)
    if puzzle.forced == "draw 1":
        assert draws_at_once(position)
    else:
        assert wins_in(position, plies)


def test_what_is_proved_holds_against_every_reply() -> None:
    found = set()
    for puzzle in PUZZLES:
        if puzzle.forced == "win 3":
            position = puzzle.position
            won = {m for m in position.moves() if is_won(position.play(m), position.side)}
            proved = {m for m in position.moves() if has_won(position.play(m), 2)}
            assert proved
            assert proved <= won
            found.add(puzzle.rules)
    assert len(found) > 2


def is_won(after: Position, side: Side) -> bool:
    """Whether `side` takes something that wins after whatever is replied."""
    if after.outcome is not None:
        return after.outcome.winner is side
    replies = [after.play(reply) for reply in after.moves()]
    return all(
        reply.outcome is None
        and any(
            then.outcome is not None and then.outcome.winner is side
            for then in (reply.play(move) for move in reply.moves() if reply.piece_at(move[1]))
        )
        for reply in replies
    )


WEIGHTS = Weights(-32.7, 16.4, 2.1, 16.9, 4.1, 1.4, 5.1, 25.0, 18.7, 92.8, 16.5)


@pytest.mark.needs("cc")
@pytest.mark.parametrize("rules", ["cazaux", "zillions"])
def test_games_in_c_are_those_the_table_plays(rules: str) -> None:
    chance = Random(rules)
    opening, nodes = random_opening(parse_rules(rules), chance), (300, 700)
    thinkers = [Thinker(FULL, LEVELS[FULL], n, WEIGHTS) for n in nodes]
    game = play_game(opening, (thinkers[0], thinkers[1]), chance)
    quick = quick_game(opening, [Seat(WEIGHTS, n) for n in nodes])
    assert quick.moves == tuple(ply.move for ply in game.plies[len(opening.plies) :])
    assert quick.winner == (game.outcome.winner if game.outcome else None)

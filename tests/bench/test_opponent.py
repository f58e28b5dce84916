"""What the measurements of the opponent stand on: proofs, and plain players."""

import sys
from pathlib import Path
from random import Random

import pytest

from bench.opponent.in_c import CompiledPlain, Seat, quick_game, quick_match
from bench.opponent.puzzles import Puzzle, draws_at_once, read_puzzles
from bench.opponent.strength import PLAIN_DEPTH, Other, Pairing, Thinker, play
from jetan_table.engine.evaluation import Weights
from jetan_table.engine.levels import FULL, LEVELS
from jetan_table.engine.positions import has_won, wins_in
from jetan_table.extras.opponent.match import Tally, play_game, play_match, random_opening
from rules import Game, Position, Side, parse_move, parse_position, parse_rules
from rules.text import parse_games

PUZZLES = read_puzzles()[::5]
OPEN = parse_position("q9/10/10/D9/10/10/10/10/10/9Q b - - 0 1", parse_rules("appendix"))


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


@pytest.mark.needs("cc")
def test_the_plain_player_takes_a_princess_and_plays_legal_moves() -> None:
    player = CompiledPlain("plain", PLAIN_DEPTH)
    assert player.play(Game.begin(OPEN)) == "Da7xa10"
    game = Game.begin(Position.start(parse_rules("appendix,escape=none")))
    for _ in range(3):
        game = game.play(parse_move(player.play(game), game.position))
    assert len(game.plies) == 3


def test_another_engine_is_asked_by_its_command() -> None:
    other = Other(f"{sys.executable} -m jetan_table engine", nodes=500)
    assert other.play(Game.begin(OPEN)) == "Da7xa10"


def test_a_match_is_the_same_in_pieces_and_by_several_processes(tmp_path: Path) -> None:
    pairing = Pairing("1/2", "cazaux", (CompiledPlain("one", 1), CompiledPlain("two", 2)))
    whole = play(pairing, 4)
    assert play(pairing, 2, folder=tmp_path).games == 2
    assert play(pairing, 4, folder=tmp_path, jobs=2) == whole
    (kept,) = tmp_path.iterdir()
    assert len(parse_games(kept.read_text())) == 4


WEIGHTS = Weights(-32.7, 16.4, 2.1, 16.9, 4.1, 1.4, 5.1, 25.0, 18.7, 92.8, 16.5)


@pytest.mark.needs("cc")
@pytest.mark.parametrize("rules", ["appendix", "retired-chief"])
def test_games_in_c_are_those_the_table_plays(rules: str) -> None:
    chance = Random(rules)
    opening, nodes = random_opening(parse_rules(rules), chance), (300, 700)
    thinkers = [Thinker(FULL, LEVELS[FULL], n, WEIGHTS) for n in nodes]
    game = play_game(opening, (thinkers[0], thinkers[1]), chance)
    quick = quick_game(opening, [Seat(WEIGHTS, n) for n in nodes])
    assert quick.moves == tuple(ply.move for ply in game.plies[len(opening.plies) :])
    assert quick.winner == (game.outcome.winner if game.outcome else None)


@pytest.mark.needs("cc")
def test_a_match_in_c_counts_as_one_in_python() -> None:
    rules, nodes = parse_rules("cazaux"), (100, 300)
    one, two = (Thinker(FULL, LEVELS[FULL], n, WEIGHTS) for n in nodes)
    tally = quick_match((Seat(WEIGHTS, nodes[0]), Seat(WEIGHTS, nodes[1])), rules, 4, seed=1)
    assert tally == Tally.of(play_match((one, two), rules, range(4), 1))

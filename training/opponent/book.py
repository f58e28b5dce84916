"""Makes the opening book of `jetan_table/engine/book.txt`, and measures what it is worth.

`python -m training.opponent.book` grows a tree of the first plies of each reading: the moves that a
search thinks best, or nearly so. From each end of it the search plays games against itself, and a
move stays in the book where those that went through it did about as well for who played it as the
best of its position. Everything is bounded by positions, so the same book is made again anywhere.
`--match N` plays N games from the start instead, of one who has the book against one who has not.
"""

import os
from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from typing import Final

import click

from bench.opponent.in_c import Seat, quick_game
from jetan_table.engine.evaluation import fitted_weights
from jetan_table.engine.levels import BOOK_FILE, BOOK_PLIES, CONTEMPT, book_move
from jetan_table.engine.library import quick_library
from jetan_table.engine.search import Limits, Search, Thought
from jetan_table.extras.opponent.commands import result_line
from jetan_table.extras.opponent.match import MatchGame, Tally
from rules import Game, Move, Position, Side, format_square, parse_rules

READINGS: Final = ("appendix", "cazaux")
WIDTHS: Final = (4, 4, 3, 2, 2, 2)
"""How many moves of a position are tried at most, by ply."""

NEARLY: Final = 25
"""Moves whose scores are so much below the best are tried, too."""

NODES: Final = 20_000
"""What a search for those moves may meet."""

GAMES: Final = 2
"""From each end of the tree."""

GAME_NODES: Final = 500
"""A move, and one more for each game from the same end, so that no two are alike."""

GIVEN: Final = 0.1
"""A move may have brought so much less of the points than the best of its position."""

MATCH_NODES: Final = 5000


def think(game: Game, nodes: int, among: list[Move] | None = None, taste: int = 0) -> Thought:
    """Return the last thought of a search in C."""
    return Search(
        game.position,
        fitted_weights(),
        lambda: 0.0,
        Limits(nodes=nodes),
        earlier=game.positions[:-1],
        allowed=among,
        taste=taste,
        library=quick_library(os.environ),
        contempt=CONTEMPT,
    ).think()


def best_moves(game: Game, most: int) -> list[Move]:
    """Return the moves that seem best, the best first."""
    left = list(game.position.moves())
    found: list[Move] = []
    scores: list[int] = []
    while left and len(found) < most:
        thought = think(game, NODES, left)
        scores.append(thought.score)
        if scores[0] - scores[-1] > NEARLY:
            break
        found.append(thought.move)
        left.remove(thought.move)
    return found


def grown(game: Game) -> Iterator[Game]:
    """Yield the games at the ends of the tree; none that is over."""
    ply = len(game.plies)
    if ply == BOOK_PLIES:
        yield game
        return
    for move in best_moves(game, WIDTHS[ply]):
        after = game.play(move)
        if after.outcome is None:
            yield from grown(after)


def points_of(end: Game) -> float:
    """Return Black's points of the games from an end, on average."""
    total = 0.0
    for number in range(GAMES):
        seat = Seat(fitted_weights(), GAME_NODES + number)
        winner = quick_game(end, (seat, seat)).winner
        total += 0.5 if winner is None else float(winner is Side.BLACK)
    return total / GAMES


def lines_of(reading: str) -> Iterator[str]:
    """Yield the lines of a reading's book."""
    ends = [*grown(Game.begin(Position.start(parse_rules(reading))))]
    points: dict[tuple[Move, ...], list[float]] = defaultdict(list)
    lines = [tuple(ply.move for ply in end.plies) for end in ends]
    for end, line in zip(ends, lines, strict=True):
        black = points_of(end)
        for ply in range(1, BOOK_PLIES + 1):
            points[line[:ply]].append(black if ply % 2 else 1 - black)
    mean = {line: sum(of) / len(of) for line, of in points.items()}
    best: dict[tuple[Move, ...], float] = defaultdict(float)
    for line, share in mean.items():
        best[line[:-1]] = max(best[line[:-1]], share)
    for line in lines:
        heads = (line[:ply] for ply in range(1, BOOK_PLIES + 1))
        if all(mean[head] >= best[head[:-1]] - GIVEN for head in heads):
            yield " ".join(format_square(start) + format_square(to) for start, to, _ in line)


def match_game(reading: str, number: int) -> MatchGame:
    """Play a game from the start, of the book against none; who has it begins every other one."""
    pair, black = divmod(number, 2)
    game = Game.begin(Position.start(parse_rules(reading)))
    while len(game.plies) < BOOK_PLIES and game.outcome is None:
        has_book = len(game.plies) % 2 == black
        move = book_move(game.position, f"{pair}") if has_book else None
        game = game.play(move or think(game, MATCH_NODES, taste=1 + pair).move)
    seat = Seat(fitted_weights(), MATCH_NODES)
    for move in quick_game(game, (seat, seat)).moves if game.outcome is None else ():
        game = game.play(move)
    return MatchGame.numbered(game, number)


@click.command()
@click.option(
    "--match", type=click.IntRange(2), help="Play so many games instead, by each reading."
)
def main(match: int | None) -> None:
    """Write the book anew, or measure it."""
    for reading in READINGS if match else ():
        tally = Tally.of(map(partial(match_game, reading), range(match or 0)))
        print(f"{reading:16} {result_line(tally)}")
    if match is None:
        lines = [f"{reading} | {line}" for reading in READINGS for line in lines_of(reading)]
        made_by = (
            f"# Made by python -m training.opponent.book: {GAMES} games of {GAME_NODES} positions a"
        )
        BOOK_FILE.write_text("\n".join([f"{made_by} move from each end of a tree", *lines, ""]))
        print(f"{len(lines)} lines")


if __name__ == "__main__":
    main()

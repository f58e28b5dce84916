"""What each published reading is like as a game: the full player against itself, many times.

`jetan bench atlas --games 1000` plays on until so many games of each reading are in its file in
`--out`, one a line, and may be broken off at any time. It writes what they say, of equally many of
each, to `docs/atlas.json`, and from that the page `docs/atlas.md` with its pictures.

Each game has an opening of its own, quiet plies at random, drawn anew where the player holds it for
as good as won. Positions bound the player and seeds the chance: the same games come again anywhere.
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import reduce
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any, Final

import click
import msgspec
import numpy as np
from numpy.typing import NDArray

from bench._figures import print_figures
from bench.opponent import library
from bench.opponent.in_c import Seat, quick_game
from bench.opponent.strength import Thinker
from docs.atlas_page import BROKEN_OFF, KINDS, Atlas, Interval, Reading, recommended, write_page
from jetan_table.engine.evaluation import fitted_weights
from jetan_table.engine.levels import FULL, LEVELS
from jetan_table.extras.opponent.match import (
    CONFIDENT,
    MOST_PLIES,
    OPENING_PLIES,
    play_game,
    random_opening,
)
from jetan_table.files import find_checkout
from rules import (
    DEFAULT_PRESET,
    PRESETS,
    Game,
    IllegalMove,
    MoveKind,
    Position,
    Side,
    format_move,
    parse_move,
    parse_rules,
)

NODES: Final = 4000
UNEVEN: Final = 250
"""An opening by which one side should win three games for one lost is not played."""

SAMPLE: Final = 10
"""Plies from one look at the pieces to the next."""

OWN_MOVES: Final = 4
"""So many moves of Black's own choice are his opening."""

RESAMPLED: Final = 200
RIDGE: Final = 0.05
Array = NDArray[Any]


class AtlasGame(msgspec.Struct, frozen=True):
    """What is kept of a game."""

    points: float
    """Black's, who moves first: 1, 0 or a half."""
    ending: str
    plies: int
    escaped: bool
    """Whether a Princess did."""
    opening: tuple[str, ...]
    """Black's first moves of his own choice."""
    pieces: tuple[tuple[int, ...], ...]
    """How many more of each kind Black has, every so many plies, where nothing is being taken."""


def main(json: bool, arguments: Sequence[str] = ()) -> None:
    """Play what is missing, write the summary and the page, and print what is recommended."""
    atlas_command.main([*arguments, *(["--json"] if json else [])], standalone_mode=False)


@click.command()
@click.option("--games", type=click.IntRange(1), default=1000, help="Of each reading.")
@click.option("--nodes", type=click.IntRange(100), default=NODES, help="Positions a move.")
@click.option("--seed", type=int, default=1)
@click.option("--reading", "names", multiple=True, default=PRESETS, type=click.Choice([*PRESETS]))
@click.option("--out", type=click.Path(path_type=Path), default=Path("dist/atlas"))
@click.option("--docs", type=click.Path(path_type=Path), help="Where the summary and page go.")
@click.option("--json", is_flag=True)
def atlas_command(
    games: int,
    nodes: int,
    seed: int,
    names: tuple[str, ...],
    out: Path,
    docs: Path | None,
    json: bool,
) -> None:
    """Play on, a game of each reading in turn, until there are so many; then sum up."""
    is_whole = set(names) == set(PRESETS)
    if not is_whole and (docs is None or DEFAULT_PRESET not in names):
        raise click.UsageError(
            f"--reading: some alone need {DEFAULT_PRESET} among them, to compare with, and --docs, "
            "so that the page of all readings stays as it is"
        )
    out.mkdir(parents=True, exist_ok=True)
    files = {name: out / f"{name}-{nodes}-{seed}.jsonl" for name in names}
    kept = {name: read_games(file) for name, file in files.items()}
    for number in range(games):
        for name, file in files.items():
            if len(kept[name]) == number:
                kept[name].append(played(name, number, nodes, seed))
                with file.open("ab") as lines:
                    lines.write(msgspec.json.encode(kept[name][-1]) + b"\n")
    counted = {name: played[:games] for name, played in kept.items()}
    worth = worth_of(list(chain.from_iterable(counted.values())))
    readings = {name: summed_up(played) for name, played in counted.items()}
    atlas = Atlas(games, nodes, seed, worth, readings)
    write_page(atlas, docs or find_checkout() / "docs")
    decided = {name: reading.decided[0] for name, reading in readings.items()}
    print_figures({"games": games, "recommended": recommended(atlas), **decided}, json)


def read_games(file: Path) -> list[AtlasGame]:
    """Return the whole lines of a file, and cut off what was torn."""
    text = file.read_bytes() if file.exists() else b""
    whole = text[: text.rfind(b"\n") + 1]
    if whole != text:
        file.write_bytes(whole)
    return [msgspec.json.decode(line, type=AtlasGame) for line in whole.splitlines()]


def full_player(nodes: int) -> Thinker:
    """Return the table's strongest player, within so many positions a move."""
    library()  # in C from the first move on
    return Thinker(FULL, LEVELS[FULL], nodes, fitted_weights())


def played(reading: str, number: int, nodes: int, seed: int) -> AtlasGame:
    """Return the game of that number; none depends on those before."""
    chance = Random(f"{seed} {reading} {number}")
    rules = parse_rules(reading)
    player = full_player(nodes)
    opening = random_opening(rules, chance)
    while abs(player.think(opening).score) >= UNEVEN:
        opening = random_opening(rules, chance)
    if rules["duel"] != "off":
        return kept_of(play_game(opening, (player, player), chance))
    return kept_of(played_on(opening, nodes))


def played_on(opening: Game, nodes: int) -> Game:
    """Return a game without chance, played on in C.

    That knows no mate; but who may not leave a Princess to be taken plays as one who loses by it.
    Where he would rather, as the move before a draw, the player thinks again with what is legal.
    """
    seat, game = Seat(fitted_weights(), nodes), opening
    while game.outcome is None and len(game.plies) < MOST_PLIES:
        for move in quick_game(ended_by_capture(game), (seat, seat)).moves:
            try:
                game = game.play(move)
            except IllegalMove:
                game = game.play(parse_move(full_player(nodes).play(game), game.position))
                break
            if game.outcome is not None:
                break
    return game


def ended_by_capture(game: Game) -> Game:
    """Return the same plies under rules that end by capture."""
    rules = game.position.rules.changed({"ending": "capture"})
    return reduce(Game.play, (ply.move for ply in game.plies), Game.begin(Position.start(rules)))


def kept_of(game: Game) -> AtlasGame:
    """Return what is kept of a game."""
    outcome, moves = game.outcome, [ply.move for ply in game.plies]
    winner = outcome and outcome.winner
    own = range(OPENING_PLIES, min(OPENING_PLIES + 2 * OWN_MOVES, len(moves)), 2)
    quiet = [
        at
        for at in range(OPENING_PLIES, len(moves), SAMPLE)
        if MoveKind.CAPTURE not in (moves[at].kind, moves[at - 1].kind)
    ]
    return AtlasGame(
        0.5 if winner is None else float(winner is Side.BLACK),
        outcome.termination.value if outcome else BROKEN_OFF,
        len(moves),
        any(move.kind is MoveKind.ESCAPE for move in moves),
        tuple(format_move(moves[at], game.positions[at]) for at in own),
        tuple(more_of_each(game.positions[at]) for at in quiet),
    )


def more_of_each(position: Position) -> tuple[int, ...]:
    """Return how many more of each kind Black has."""
    counts = Counter((piece.kind, piece.side) for piece in position.pieces().values())
    return tuple(counts[kind, Side.BLACK] - counts[kind, Side.ORANGE] for kind in KINDS)


def summed_up(games: Sequence[AtlasGame]) -> Reading:
    """Return what the games of a reading say."""
    points = np.array([game.points for game in games])
    wins = Counter(game.ending for game in games if game.points != 0.5)
    draws = Counter(game.ending for game in games if game.points == 0.5)
    low, median, high = np.percentile([game.plies for game in games], (25, 50, 75)).round()
    first = Counter(move for game in games for move in set(game.opening))
    openings = {}
    for move, count in sorted(first.items(), key=lambda item: (-item[1], item[0]))[:3]:
        own = np.array([game.points for game in games if move in game.opening])
        openings[move] = (*wilson(count, len(games)), round(float(own.mean()), 3))
    spread = resampled(len(games), lambda drawn: points[drawn].mean(keepdims=True))
    return Reading(
        points=interval(points.mean(), spread[:, 0]),
        decided=wilson(wins.total(), len(games)),
        plies=(int(median), int(low), int(high)),
        escaped=wilson(sum(game.escaped for game in games), len(games)),
        wins=dict(wins.most_common()),
        draws=dict(draws.most_common()),
        worth=worth_of(games),
        openings=openings,
    )


def wilson(count: int, of: int) -> Interval:
    """Return a share, and between what the true one lies, by Wilson."""
    share, z2 = count / of, CONFIDENT**2
    middle, wide = share + z2 / (2 * of), share * (1 - share) / of + z2 / (4 * of * of)
    ends = (middle + sign * CONFIDENT * math.sqrt(wide) for sign in (-1, 1))
    low, high = (round(end / (1 + z2 / of), 3) for end in ends)
    return round(share, 3), low, high


def resampled(count: int, figure: Callable[[Array], Array]) -> Array:
    """Return a figure's values where the games are drawn again from themselves (bootstrap)."""
    chance = np.random.default_rng(count)
    return np.array([figure(chance.integers(count, size=count)) for _ in range(RESAMPLED)])


def interval(value: float, values: Array) -> Interval:
    """Return a figure, and between what 95 % of its resampled values lie."""
    low, high = np.percentile(values, (2.5, 97.5))
    return round(float(value), 3), round(float(low), 3), round(float(high), 3)


def worth_of(games: Sequence[AtlasGame]) -> dict[str, Interval]:
    """Return what one more of each kind adds to the points of an even game, by a logistic fit."""
    looks = [np.array(game.pieces, float).reshape(-1, len(KINDS)) for game in games]
    points = np.array([game.points for game in games])

    def worth(drawn: Array) -> Array:
        lengths = np.array([len(looks[at]) for at in drawn])
        weights = np.repeat(1 / np.maximum(lengths, 1), lengths)
        more = np.concatenate([looks[at] for at in drawn])
        return 1 / (1 + np.exp(-fit(more, np.repeat(points[drawn], lengths), weights))) - 0.5

    best, spread = worth(np.arange(len(games))), resampled(len(games), worth)
    uneven = np.abs(np.concatenate(looks)).sum(axis=0)
    found = {kind.word: interval(best[at], spread[:, at]) for at, kind in enumerate(KINDS)}
    return {kind.word: found[kind.word] for at, kind in enumerate(KINDS) if uneven[at] > 0}


def fit(more: Array, points: Array, weights: Array) -> Array:
    """Return what one more of each column adds to the logarithm of the odds (logistic).

    `more`: a row for each look, `points`: 1, 0 or a half, `weights`: how much each look counts.
    """
    columns = np.column_stack([more, np.ones(len(more))])
    found = np.zeros(columns.shape[1])
    for _ in range(12):
        chance = 1 / (1 + np.exp(-columns @ found))
        slope = columns.T @ (weights * (points - chance)) - RIDGE * found
        bend = (columns * (weights * chance * (1 - chance))[:, None]).T @ columns
        found += np.linalg.solve(bend + RIDGE * np.eye(len(found)), slope)
    return found[:-1]

"""What each published reading is like as a game: the full player against itself, many times.

`jetan bench atlas --games 1000` plays on until so many games of each reading are in its file in
`--out`, one a line, and may be broken off at any time. It writes what they say, of equally many of
each, to `docs/atlas.json`, and from that the page `docs/atlas.md` with its pictures.

The games of the atlas: the full player against itself, and what is kept of each game.

Each has an opening of its own, quiet plies at random, drawn anew where the player holds it for as
good as won. Positions bound the player and seeds the chance: the same games come again anywhere.

What the games of the atlas say: shares, lengths, what a piece is worth, and what to play.

The page of the atlas and its pictures, made from the summary alone.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from itertools import accumulate, chain
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
from jetan_table.engine.levels import FULL, LEVELS
from jetan_table.engine.weights import fitted_weights
from jetan_table.extras.opponent.match import (
    CONFIDENT,
    MOST_PLIES,
    OPENING_PLIES,
    play_game,
    random_opening,
)
from jetan_table.files import find_checkout
from jetan_table.page.board_svg import BLUE, INK, ORANGE
from rules import IllegalMove, Kind, MoveKind, Position, Side, format_move, parse_move, parse_rules
from rules.game import Game
from rules.presets import DEFAULT_PRESET, PRESETS

UNEVEN: Final = 250
"""An opening by which one side should win three games for one lost is not played."""

KINDS: Final = tuple(kind for kind in Kind if kind is not Kind.PRINCESS)
SAMPLE: Final = 10
"""Plies from one look at the pieces to the next."""

OWN_MOVES: Final = 4
"""So many moves of Black's own choice are his opening."""

BROKEN_OFF: Final = "broken off"


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


RESAMPLED: Final = 200
RIDGE: Final = 0.05
MOST_POINTS: Final = 0.55

RULE: Final = (
    "The rule: play the reading that decides most of its games, among those that need neither "
    f"another board nor dice, give no side surely more than {round(100 * MOST_POINTS)} % of the "
    "points, and have half of their games over no later than the book's Appendix has; but keep to "
    "the Appendix where the games do not tell that another decides more."
)

Array = NDArray[Any]
Interval = tuple[float, float, float]
"""A figure, and between what it lies with 95 %."""


class Reading(msgspec.Struct, frozen=True):
    """What the games of a reading say."""

    points: Interval
    decided: Interval
    plies: tuple[int, int, int]
    """The median, and between what half of the games lie."""
    escaped: Interval
    wins: dict[str, int]
    draws: dict[str, int]
    worth: dict[str, Interval]
    """Of each kind: the share of the points that one more adds to an even game. A kind is left out
    of which both sides always have as many."""
    openings: dict[str, tuple[float, float, float, float]]
    """Black's commonest own moves: in how many games, and his points in those."""


class Atlas(msgspec.Struct, frozen=True):
    """What all games say, and how they were made."""

    games: int
    """Of each reading."""
    nodes: int
    seed: int
    worth: dict[str, Interval]
    """Of each kind, by the games of all readings."""
    readings: dict[str, Reading]


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


def recommended(atlas: Atlas) -> str:
    """Return the reading to play, by the rule that `RULE` tells.

    The book's Appendix stays where the games do not tell it from the most decisive one.
    """
    readings, longest = atlas.readings, atlas.readings[DEFAULT_PRESET].plies[0]
    fit_for_home = [
        name
        for name, reading in readings.items()
        if is_plain(name) and is_fair(reading) and reading.plies[0] <= longest
    ]
    best = max(fit_for_home, key=lambda name: readings[name].decided[0], default=DEFAULT_PRESET)
    is_told = readings[best].decided[1] > readings[DEFAULT_PRESET].decided[2]
    return best if is_told else DEFAULT_PRESET


def is_plain(name: str) -> bool:
    """Whether a reading needs neither another board nor dice."""
    rules = parse_rules(name)
    return not rules.topology.columns_around and rules["duel"] == "off"


def is_fair(reading: Reading) -> bool:
    """Whether neither side surely has more than its share."""
    _, low, high = reading.points
    return low <= MOST_POINTS and high >= 1 - MOST_POINTS


BEGIN, END = "<!-- atlas -->\n", "<!-- end of atlas -->"
ALL: Final = "all together"
ROW, LABEL, WIDE, HEAD = 20, 200, 640, 44
FILLS: Final = {
    "Black won": INK,
    "drawn": "#8fa6b5",
    "broken off, a draw": "#e3e7ea",
    "Orange won": ORANGE,
}
"""They are told apart by lightness alone."""

LEAST, MOST = -0.2, 0.5
Row = tuple[str, Reading]


def write_page(atlas: Atlas, docs: Path) -> None:
    """Write the summary, the pictures, and the page's part between its marks."""
    (docs / "atlas").mkdir(exist_ok=True)
    text = msgspec.json.format(msgspec.json.encode(atlas), indent=1)
    (docs / "atlas.json").write_bytes(text + b"\n")
    for name, picture in pictures(atlas).items():
        (docs / "atlas" / name).write_text(picture)
    page = docs / "atlas.md"
    page.write_text(with_figures(page.read_text(), atlas))


def with_figures(page: str, atlas: Atlas) -> str:
    """Return the page with its part between the marks written anew."""
    before, _, rest = page.partition(BEGIN)
    return before + BEGIN + "\n".join(figures(atlas)) + "\n" + END + rest.partition(END)[2]


def pictures(atlas: Atlas) -> dict[str, str]:
    """Return every picture's text by its file's name."""
    return {
        "endings.svg": endings(in_order(atlas), atlas.games),
        "worth.svg": worths({ALL: atlas.worth, **{name: r.worth for name, r in in_order(atlas)}}),
    }


def in_order(atlas: Atlas) -> list[Row]:
    """Return the readings, the most decisive first."""
    return sorted(atlas.readings.items(), key=lambda row: (-row[1].decided[0], row[0]))


def figures(atlas: Atlas) -> Iterator[str]:
    """Yield the page's part that is made of figures."""
    rows = in_order(atlas)
    yield from answer(atlas)
    yield "\n## How games end\n"
    yield "![How the games of each reading ended](atlas/endings.svg)\n"
    ends = "decided", "Black's points", "moves", "a Princess escaped", "won by", "drawn by"
    yield from table(ends, ((name, ending_of(reading)) for name, reading in rows))
    yield "\n## What a piece is worth\n"
    yield "![What one more of each piece adds, in each reading](atlas/worth.svg)\n"
    worths = ((ALL, atlas.worth), *((name, reading.worth) for name, reading in rows))
    shown = ((n, [percent(w[k.word]) if k.word in w else "" for k in KINDS]) for n, w in worths)
    yield from table([kind.word.capitalize() for kind in KINDS], shown)
    yield "\n## What Black likes to open with\n"
    first = ("commonest", "next", "then")
    yield from table(first, ((name, openings_of(reading)) for name, reading in rows))
    yield ""


def answer(atlas: Atlas) -> Iterator[str]:
    """Yield which reading to play, and why."""
    name = recommended(atlas)
    best, book = atlas.readings[name], atlas.readings[DEFAULT_PRESET]
    beside = "" if name == DEFAULT_PRESET else f"; by the Appendix, {percent(book.decided)}"
    yield f"**Play `{name}`** ({PRESETS[name].source})."
    yield f"{percent(best.decided)} of its games were decided{beside}."
    yield f"Black, who moves first, got {percent(best.points)} of the points. Half of the games"
    yield f"were over within {best.plies[0] // 2} moves of each side.\n\n{RULE}\n"
    yield f"These are {atlas.games} games of each of {len(atlas.readings)} readings, with"
    yield f"{atlas.nodes:,} positions a move (seed {atlas.seed}). In brackets stands between what a"
    yield "figure lies with 95 %."


def table(heads: Iterable[str], rows: Iterable[tuple[str, Iterable[str]]]) -> Iterator[str]:
    """Yield a table with a row for each reading."""
    titles = ["reading", *heads]
    yield f"| {' | '.join(titles)} |"
    yield "|---" * len(titles) + "|"
    for name, shown in rows:
        yield f"| {name if name == ALL else f'`{name}`'} | {' | '.join(shown)} |"


def percent(figure: Sequence[float]) -> str:
    """Return a share and its interval in words."""
    value, low, high = (round(100 * part) for part in figure)
    return f"{value} % ({low} to {high})"


def ending_of(reading: Reading) -> Iterator[str]:
    """Yield how the games of a reading ended."""
    middle, low, high = (plies // 2 for plies in reading.plies)
    yield from (percent(reading.decided), percent(reading.points), f"{middle} ({low} to {high})")
    yield percent(reading.escaped)
    for counts in (reading.wins, reading.draws):
        yield ", ".join(f"{ending} {count}" for ending, count in counts.items())


def openings_of(reading: Reading) -> Iterator[str]:
    """Yield Black's commonest moves, and what they brought."""
    for move, (*share, points) in reading.openings.items():
        yield f"{move} in {percent(share)}, brought {round(100 * points)} %"


def drawn(title: str, names: list[str], inside: Iterable[str]) -> str:
    """Return a picture with a row for each name."""
    width, height = LABEL + WIDE + 20, HEAD + ROW * len(names) + 8
    labels = (
        f'<text x="{LABEL - 8}" y="{HEAD + ROW * at + 14}" text-anchor="end">{name}</text>'
        for at, name in enumerate(names)
    )
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"',
        f' font-family="DejaVu Sans, Arial, sans-serif" font-size="11" fill="{INK}">',
        f'<title>{title}</title><rect width="100%" height="100%" fill="#ffffff"/>',
        f'<text x="{LABEL}" y="16" font-size="12">{title}</text>',
    )
    return "\n".join((*head, *labels, *inside, "</svg>\n"))


def endings(rows: list[Row], games: int) -> str:
    """Draw how games ended, as bars of a hundred per cent."""
    lines = []
    for at, (word, fill) in enumerate(FILLS.items()):
        x = LABEL + 140 * at
        lines.append(f'<rect x="{x}" y="25" width="12" height="12" fill="{fill}"/>')
        lines.append(f'<text x="{x + 17}" y="35">{word}</text>')
    for at, (_, reading) in enumerate(rows):
        broken, undecided = reading.draws.get(BROKEN_OFF, 0) / games, 1 - reading.decided[0]
        black = reading.points[0] - undecided / 2
        shares = (black, undecided - broken, broken, 1 - undecided - black)
        starts = accumulate(shares, initial=0.0)
        for fill, share, start in zip(FILLS.values(), shares, starts, strict=False):
            place = f'x="{LABEL + start * WIDE:.1f}" y="{HEAD + ROW * at + 2}"'
            size = f'width="{abs(share) * WIDE:.1f}" height="{ROW - 4}"'
            lines.append(f'<rect {place} {size} fill="{fill}" stroke="#ffffff"/>')
    return drawn("How games ended", [name for name, _ in rows], lines)


def worths(rows: dict[str, dict[str, Interval]]) -> str:
    """Draw what one more of each piece adds, a column for each, as a point and its span."""
    wide, lines = WIDE / len(KINDS), []
    for column, kind in enumerate(KINDS):
        zero = LABEL + column * wide - LEAST * wide
        lines.append(f'<text x="{zero}" y="{HEAD - 6}">{kind.word.capitalize()}</text>')
        lines.append(f'<path d="M{zero} {HEAD}v{ROW * len(rows)}" stroke="#8d857b"/>')
        for at, worth in enumerate(rows.values()):
            if kind.word in worth:
                y, parts = HEAD + ROW * at + 10, worth[kind.word]
                x, low, high = (zero + min(max(p, LEAST), MOST) * wide for p in parts)
                span = f'<path d="M{low:.1f} {y}H{high:.1f}" stroke="{BLUE}" stroke-width="3"/>'
                lines += [span, f'<circle cx="{x:.1f}" cy="{y}" r="4"/>']
    title = "What one more of a piece adds to an even game; the grey line is nothing"
    return drawn(title, list(rows), lines)


NODES: Final = 4000


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

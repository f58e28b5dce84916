"""The page of the atlas and its pictures, made of the summary alone: `python -m docs.atlas_page`.

`jetan bench atlas` plays the games, and writes the summary, `docs/atlas.json`. The same figures
as a sheet are `docs/atlas.csv`.
"""

import csv
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from itertools import accumulate, chain, islice
from pathlib import Path
from typing import Final

import msgspec

from jetan_table.page.pages import BLUE, INK, ORANGE
from rules import DEFAULT_PRESET, PRESETS, Kind, parse_rules

KINDS: Final = tuple(kind for kind in Kind if kind is not Kind.PRINCESS)
BROKEN_OFF: Final = "broken off"
BY_ANOTHER: Final = "chief taken by another piece"
WINS: Final = {
    "won: Princess taken": "princess taken",
    "won: Chief by Chief": "chief taken by chief",
    "won: Chief by another": BY_ANOTHER,
}
DRAWS: Final = {
    "drawn: Chief by another": BY_ANOTHER,
    "drawn: few pieces": "few pieces",
    "drawn: broken off": BROKEN_OFF,
}
"""Endings that have a column of their own, by its title."""
MOST_POINTS: Final = 0.55

RULE: Final = (
    "The rule: of the readings that need neither another board nor dice, that surely give no side "
    f"more than {round(100 * MOST_POINTS)} % of the points, and whose median game is no longer "
    "than the Appendix's, play the one that decides most of its games. Keep to the Appendix unless "
    "the games show that another decides more."
)

Interval = tuple[float, float, float]
"""A figure and its 95 % interval."""

ALL: Final = "all together"
ROW, LABEL, WIDE, HEAD = 20, 200, 640, 44
FILLS: Final = {
    "Black won": INK,
    "drawn": "#8fa6b5",
    "broken off, a draw": "#e3e7ea",
    "Orange won": ORANGE,
}
"""Lightness alone tells them apart."""

LEAST, MOST = -0.2, 0.5


class Reading(msgspec.Struct, frozen=True):
    """The results of a reading's games."""

    points: Interval
    decided: Interval
    plies: tuple[int, int, int]
    """The median, and the quartiles."""
    escaped: Interval
    wins: dict[str, int]
    draws: dict[str, int]
    worth: dict[str, Interval]
    """The share of the points that one more of a kind adds to an even game; kinds of which both
    sides always have the same number are left out."""
    openings: dict[str, tuple[float, float, float, float]]
    """Black's commonest moves: their share of the games, its interval, and his points in them."""


Row = tuple[str, Reading]


class Atlas(msgspec.Struct, frozen=True):
    """The results of all games, and how they were played."""

    games: int
    """Games of each reading."""
    nodes: int
    seed: int
    worth: dict[str, Interval]
    """Of each kind, by the games of all readings."""
    readings: dict[str, Reading]


def recommended(atlas: Atlas) -> str:
    """Return the reading to play, by the rule in `RULE`.

    The Appendix stays unless the games show that another reading decides more.
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
    """Return True if a reading needs neither another board nor dice."""
    rules = parse_rules(name)
    return not rules.board.columns_around and rules["duel"] == "off"


def is_fair(reading: Reading) -> bool:
    """Return True unless one side surely has more than its share."""
    _, low, high = reading.points
    return low <= MOST_POINTS and high >= 1 - MOST_POINTS


BEGIN, END = "<!-- atlas -->\n", "<!-- end of atlas -->"


def write_page(atlas: Atlas, docs: Path) -> None:
    """Write the summary, the pictures, and the page's part between its marks."""
    (docs / "atlas").mkdir(exist_ok=True)
    text = msgspec.json.format(msgspec.json.encode(atlas), indent=1)
    (docs / "atlas.json").write_bytes(text + b"\n")
    (docs / "atlas.csv").write_text(sheet(atlas), newline="")
    for name, picture in pictures(atlas).items():
        (docs / "atlas" / name).write_text(picture)
    page = docs / "atlas.md"
    page.write_text(with_figures(page.read_text(), atlas))


def sheet(atlas: Atlas) -> str:
    """Return the figures as CSV, a row for each reading; atlas.md describes the columns."""
    text, kinds = StringIO(), [kind.word for kind in KINDS]
    wins = sorted({each for reading in atlas.readings.values() for each in reading.wins})
    draws = sorted({each for reading in atlas.readings.values() for each in reading.draws})
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(
        [
            *("reading", "games", *span("decided"), *span("black_points")),
            *("plies_median", "plies_lower", "plies_upper", *span("escaped")),
            *(f"won: {each}" for each in wins),
            *(f"drawn: {each}" for each in draws),
            *(name for kind in kinds for name in span(f"worth_{kind}")),
        ]
    )
    for name, reading in atlas.readings.items():
        worths = (reading.worth.get(kind, ("", "", "")) for kind in kinds)
        writer.writerow(
            [
                *(name, atlas.games, *reading.decided, *reading.points),
                *(*reading.plies, *reading.escaped),
                *(reading.wins.get(each, 0) for each in wins),
                *(reading.draws.get(each, 0) for each in draws),
                *chain.from_iterable(worths),
            ]
        )
    return text.getvalue()


def span(name: str) -> tuple[str, str, str]:
    """Return the columns of a figure and its interval."""
    return name, f"{name}_low", f"{name}_high"


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
    """Yield the generated part of the page."""
    rows = in_order(atlas)
    yield from answer(atlas)
    yield "\n## How games end\n"
    yield "![How the games of each reading ended](atlas/endings.svg)\n"
    yield "In per cent of the games; moves are the median.\n"
    ends = ("decided", "Black's points", "moves", "escapes", *WINS, "won: otherwise", *DRAWS)
    ended = ((name, ending_of(reading, atlas.games)) for name, reading in rows)
    yield from table((*ends, "drawn: otherwise"), ended)
    yield "\n## What a piece is worth\n"
    yield "![What one more of each piece adds, in each reading](atlas/worth.svg)\n"
    best = recommended(atlas)
    worths = ((ALL, atlas.worth), (best, atlas.readings[best].worth))
    shown = ((n, [percent(w[k.word]) if k.word in w else "" for k in KINDS]) for n, w in worths)
    yield from table([kind.word.capitalize() for kind in KINDS], shown)
    yield "\n## What Black likes to open with\n"
    yield "In brackets: the share of the games, and Black's points in them.\n"
    yield from table(("commonest move",), ((name, openings_of(reading)) for name, reading in rows))
    yield ""


def answer(atlas: Atlas) -> Iterator[str]:
    """Yield which reading to play, and why."""
    name = recommended(atlas)
    best, book = atlas.readings[name], atlas.readings[DEFAULT_PRESET]
    beside = "" if name == DEFAULT_PRESET else f", the Appendix {percent(book.decided)}"
    yield f"**Play `{name}`** ({PRESETS[name].source})."
    yield f"It decided {percent(best.decided)} of its games{beside}."
    yield f"Black, who moves first, got {percent(best.points)} of the points. The median game took"
    yield f"{best.plies[0] // 2} moves of each side. Brackets are 95 % intervals.\n\n{RULE}\n"
    yield f"These are {atlas.games} games of each of {len(atlas.readings)} readings, with"
    yield f"{atlas.nodes:,} positions a move (seed {atlas.seed})."


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


def ending_of(reading: Reading, games: int) -> Iterator[str]:
    """Yield how the games of a reading ended."""
    yield from (percent(reading.decided), f"{100 * reading.points[0]:.0f}")
    yield from (f"{reading.plies[0] // 2}", f"{100 * reading.escaped[0]:.0f}")
    for counts, columns in ((reading.wins, WINS), (reading.draws, DRAWS)):
        named = [counts.get(ending, 0) for ending in columns.values()]
        for count in (*named, sum(counts.values()) - sum(named)):
            yield f"{100 * count / games:.0f}"


def openings_of(reading: Reading) -> Iterator[str]:
    """Yield Black's commonest moves, and what they brought."""
    for move, (share, _, _, points) in islice(reading.openings.items(), 1):
        yield f"{move} ({100 * share:.0f} %, {100 * points:.0f} %)"


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


if __name__ == "__main__":
    DOCS = Path(__file__).parent
    write_page(msgspec.json.decode((DOCS / "atlas.json").read_bytes(), type=Atlas), DOCS)

"""The results of HANDS as a page: its tables, a plot, and the same as data."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final
from xml.sax.saxutils import escape

from docs.lamps_page import between

BEGIN, END = "<!-- results -->", "<!-- end of results -->"
GAMES: Final = {
    "jetan": "Jetan on switches",
    "chess": "Chess on switches",
    "camera": "Jetan before a camera",
}
COLOURS: Final = {"right": "#2b6cb0", "asked": "#e0b23a", "wrong": "#b8342b", "never": "#b9bec6"}
"""Unlike each other in lightness, too; and the words stand beside the bars."""
WIDE, HIGH, LEFT, TOP, BAR = 640, 24, 130, 40, 16


def write(docs: Path, results: dict[str, Any], game: str = "") -> None:
    """Write the page's tables, the plot and the data into `docs`.

    With a `game` only its results are new; those of the others stay as they are there.
    """
    page, data = docs / "hands.md", docs / "hands.json"
    kept = json.loads(data.read_text(encoding="utf-8"))
    for part in ("kinds", "all"):
        others = {name: each for name, each in kept[part].items() if not name.startswith(game)}
        results[part] = dict(sorted((others | results[part]).items()))
    page.write_text(between(page, BEGIN, lines(results), END), encoding="utf-8")
    data.write_text(f"{json.dumps(results, indent=1)}\n", encoding="utf-8")
    (docs / "pictures" / "hands.svg").write_text(plot(results), encoding="utf-8")


def lines(results: Mapping[str, Any]) -> Iterator[str]:
    """Yield a table of each game, and what was right of each kind of it."""
    for game, rows in results["all"].items():
        yield from ("", f"**{GAMES[game]}**, in per cent of plies:", "")
        yield "| reader | plies | right | asked | wrong | never | untrue | median s | 99 % s |"
        yield "|---|---|---|---|---|---|---|---|---|"
        for name, row in rows.items():
            yield f"| `{name}` | {' | '.join(row)} |"
        yield from ("", "Right, by kind of game, in per cent:", "")
        yield f"| games | {' | '.join(f'`{name}`' for name in rows)} |"
        yield f"|---|{'---|' * len(rows)}"
        for kind, figures in results["kinds"].items():
            if kind.startswith(game):
                right = (f"{figures[name]['right']:.1f}" for name in rows)
                yield f"| {kind} | {' | '.join(right)} |"
    yield ""


def plot(results: Mapping[str, Any]) -> str:
    """Return a bar for each reader at each game, as SVG."""
    bars, y = list[str](), TOP
    for game, rows in results["all"].items():
        bars.append(f'<text x="8" y="{y + 12}" font-weight="bold">{GAMES[game]}</text>')
        y += HIGH
        for name, row in rows.items():
            bars.append(f'<text x="8" y="{y + 12}">{escape(name)}</text>')
            x = float(LEFT)
            for (word, colour), share in zip(COLOURS.items(), map(float, row[1:5]), strict=True):
                wide = (WIDE - LEFT - 20) * share / 100
                bars.append(
                    f'<rect x="{x:.1f}" y="{y}" width="{wide:.1f}" height="{BAR}" fill="{colour}">'
                    f"<title>{escape(name)}: {share} % {word}</title></rect>"
                )
                if wide > 60:
                    ink = "#ffffff" if word in ("right", "wrong") else "#1a1a1a"
                    bars.append(
                        f'<text x="{x + 5:.1f}" y="{y + 12}" fill="{ink}">{share} % {word}</text>'
                    )
                x += wide
            y += HIGH
    legend = [
        f'<rect x="{LEFT + 110 * at}" y="12" width="12" height="12" fill="{colour}"/>'
        f'<text x="{LEFT + 110 * at + 18}" y="22">{word}</text>'
        for at, (word, colour) in enumerate(COLOURS.items())
    ]
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {y + 8}">',
            '<g font-family="sans-serif" font-size="12" fill="#1a1a1a">',
            "<title>How often each reader was right, asked, was wrong, or never told a ply</title>",
            f'<rect width="{WIDE}" height="{y + 8}" fill="#ffffff"/>',
            *legend,
            *bars,
            "</g></svg>\n",
        )
    )

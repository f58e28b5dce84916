"""Draws what the lamps show, and writes what is told of it: `python -m docs.lamps_page`.

Every picture is made from the program's own scenes, cues and palettes, so that it cannot drift from
play; each lamp keeps its rhythm, unless whoever looks has asked for less motion. The scenes in
`docs/lamps.md`, the meanings in `docs/playing.md` and the names that the page has for these are
copies, too.
"""

from argparse import ArgumentParser
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from jetan_table.game.terms import BOARD_OF
from jetan_table.light.figures import arrow, figure
from jetan_table.light.lamps import MEANINGS, PALETTES, Cue, cues, turns_of
from jetan_table.page.pages import PIECES_IN_CSS, Drawing, Figure
from jetan_table.page.state import cue_name
from jetan_table.session.view import View
from jetan_table.table.loop import FIGURE_COLOUR
from rules import JUGGERNAUT_LETTER, PIECES, Rules, Square

from .lamp_scenes import BOARDS, SCENES

DOCS: Final = Path(__file__).parent
PAGE: Final = DOCS / "lamps.md"
PLAYING: Final = DOCS / "playing.md"
NAMES: Final = DOCS.parent / "jetan_table" / "page" / "static" / "names.js"
FOLDER: Final = DOCS / "lamps"
DARK_FILLS: Final = ("#26221f", "#5d3a1b")
FACE: Final = 7
BIAS_WORDS: Final = "Which way a disk's centre is crossed, as its game begins."
UNIT: Final = 26.0
BOARD: Final = round(10.9 * UNIT)
TITLE: Final = 20


def main() -> None:
    """Write every picture, and the table into the page."""
    ArgumentParser(description=__doc__).parse_args()
    FOLDER.mkdir(exist_ok=True)
    for name, text in pictures().items():
        (FOLDER / name).write_text(text)
    for path, text in texts().items():
        path.write_text(text)


def pictures() -> dict[str, str]:
    """Return every picture's text by its file's name."""
    drawn = {}
    for board, rules in BOARDS.items():
        for name, look in SCENES.items():
            drawn[f"{name}-{board}.svg"] = picture_of(told(name), look(rules))
        drawn[f"figure-{board}.svg"] = picture_of_figure(
            f"The die shows {FACE}", rules, figure(FACE, rules)
        )
    for way, board_option in BOARD_OF.items():
        rules = BOARDS["disk"].changed({"board": board_option})
        drawn[f"bias-{way}.svg"] = picture_of_figure(f"The bias: {way}", rules, arrow(way))
    return drawn


def picture_of_figure(title: str, rules: Rules, squares: Collection[Square]) -> str:
    """Draw what the lamps draw of themselves, whatever stands on them."""
    return picture(title, rules, {}, dict.fromkeys(sorted(squares), 'class="figure"'), "")


def told(name: str) -> str:
    """Return what a scene shows, in words."""
    return (SCENES[name].__doc__ or "").strip()


def picture_of(title: str, view: View) -> str:
    """Draw the lamps of a view."""
    meanings = cues(view)
    turns = turns_of(meanings)
    lamps = {square: lamp(meanings[square], turns[square]) for square in sorted(meanings)}
    style = "\n".join(rhythm_in_css(cue) for cue in sorted(set(meanings.values())))
    return picture(title, view.position.rules, view.standing, lamps, style)


def picture(
    title: str,
    rules: Rules,
    standing: Mapping[Square, str],
    lamps: Mapping[Square, str],
    style: str,
) -> str:
    """Draw a board once for each palette, with the attributes of its `lamps`."""
    board = Drawing(
        Figure(
            title,
            rules.board,
            {s: PIECES[letter] for s, letter in sorted(standing.items()) if letter in PIECES},
            juggernaut=next((s for s in standing if standing[s] == JUGGERNAUT_LETTER), None),
            fills=DARK_FILLS,
            window=(-0.5, -0.5, 10.7, 10.7),
            unit=UNIT,
        )
    )
    lit = [f'<path d="{board.outline(square)}" {look}/>' for square, look in lamps.items()]
    width, height = len(PALETTES) * BOARD, BOARD + TITLE
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"',
        ' text-anchor="middle" font-family="DejaVu Sans, Arial, sans-serif">',
        f"<title>{title}</title>",
        "<style>",
        PIECES_IN_CSS.strip(),
        *colours_in_css(),
        *([f"@media (prefers-reduced-motion: no-preference) {{\n{style}\n}}"] if style else []),
        "</style>",
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        '<defs><g id="board">',
        board.rim(),
        *board.squares(),
        *([] if rules.board.columns_around else board.names()),
        '</g><g id="pieces">',
        *board.things(),
        "</g></defs>",
        *(line for place, name in enumerate(PALETTES) for line in placed(place, name, lit)),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def placed(place: int, palette: str, lit: list[str]) -> Iterator[str]:
    """Yield one palette's board, and its name above."""
    x = place * BOARD
    yield f'<text x="{x + BOARD / 2:.0f}" y="{TITLE - 5}" font-size="13">{palette}</text>'
    yield f'<g class="{palette}" transform="translate({x + 0.5 * UNIT:.0f} {BOARD + TITLE - 14})">'
    yield from ('<use href="#board"/>', *lit, '<use href="#pieces"/>', "</g>")


def lamp(cue: Cue, turn: float) -> str:
    """Return the attributes of a lamp; its class is its cue, whose turn may come later."""
    rhythm = MEANINGS[cue].rhythm
    delay = f' style="animation-delay:{turn * rhythm.period_s - rhythm.period_s:.2f}s"'
    return f'class="{cue.name.lower()}"{delay if rhythm.alternates else ""}'


def colours_in_css() -> Iterator[str]:
    """Yield the colour of every cue in every palette, at its brightest."""
    for name in PALETTES:
        for cue, meaning in MEANINGS.items():
            brightest = max(meaning.rhythm.levels)
            colour = f"fill:rgb{meaning.colour(name)};opacity:{brightest}".replace(" ", "")
            yield f".{name} .{cue.name.lower()}{{{colour}}}"
    yield f".figure{{fill:rgb{FIGURE_COLOUR}}}".replace(" ", "")


def rhythm_in_css(cue: Cue) -> str:
    """Return the rhythm of a cue, as an animation."""
    rhythm, name = MEANINGS[cue].rhythm, cue.name.lower()
    frames = "".join(
        f"{100 * index / len(rhythm.levels):g}%{{opacity:{level:g}}}"
        for index, level in enumerate(rhythm.levels)
    )
    timing = f"{rhythm.period_s:g}s step-end infinite"
    return f"@keyframes {name}{{{frames}}}\n.{name}{{animation:{name} {timing}}}"


def texts() -> dict[Path, str]:
    """Return the text of each file that has a copy of what the program tells, written anew."""
    return {
        PAGE: between(PAGE, "<!-- scenes -->", scene_rows(), "<!-- end of scenes -->"),
        PLAYING: between(PLAYING, "<!-- meanings -->", meaning_rows(), "<!-- end of meanings -->"),
        NAMES: between(NAMES, "export const CUES = {", named_cues(), "};"),
    }


def between(path: Path, begin: str, lines: Iterable[str], end: str) -> str:
    """Return a file's text with other lines between two marks."""
    before, _, rest = path.read_text().partition(begin + "\n")
    return "\n".join([before + begin, *lines, end]) + rest.partition(end)[2]


def meaning_rows() -> Iterator[str]:
    """Yield the table of what lamps mean, the most urgent meaning first."""
    yield from ("| meaning | rhythm | standard colour | mark |", "|---|---|---|---|")
    for each in MEANINGS.values():
        yield f"| {each.explained} | {each.rhythm.name} | {each.hue.name} | `{each.mark}` |"


def named_cues() -> Iterator[str]:
    """Yield what the page calls each meaning, in its own language."""
    for cue, meaning in MEANINGS.items():
        name = cue_name(cue)
        key = name if name.isalpha() else f'"{name}"'
        yield f'  {key}: _("{meaning.name}"),'


def scene_rows() -> Iterator[str]:
    """Yield each scene: what it shows, and its pictures."""
    for name in (*SCENES, "figure"):
        words = told(name) if name in SCENES else "What the table's own die shows: here a 7."
        yield f"### {words.rstrip('.')}\n"
        for board in BOARDS:
            yield f"![On the {board}](lamps/{name}-{board}.svg)"
        yield ""
    yield f"### {BIAS_WORDS.rstrip('.')}\n"
    for way in BOARD_OF:
        yield f"![{way.capitalize()}](lamps/bias-{way}.svg)"
    yield ""


if __name__ == "__main__":
    main()

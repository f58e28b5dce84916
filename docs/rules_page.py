"""Draws the figures of the rules pages and writes their tables: `python -m docs.rules_page`.

Everything drawn or listed is asked of `rules/`, so that the pages cannot drift from play.
"""

from argparse import ArgumentParser
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Final

from jetan_table.page.pages import Figure, SquareMark, draw
from rules import (
    DEFAULT_PRESET,
    OPTIONS,
    PIECES,
    PRESETS,
    Kind,
    MoveKind,
    Piece,
    Position,
    Side,
    Square,
    grid,
    parse_rules,
    parse_square,
    squares_of,
)
from rules.movement import gaits, paths
from rules.options import Option

DOCS: Final = Path(__file__).parent
PAGES: Final = ("rules.md", "regeln.md")
APPENDIX: Final = parse_rules(DEFAULT_PRESET)
AROUND_E5: Final = (0.5, 0.5, 7.7, 7.7)
WHOLE_DISK: Final = (-0.2, -0.2, 10.4, 10.4)
HUB: Final = (2.9, 2.9, 4.2, 4.2)
WAYS_SHOWN: Final = {
    Kind.PANTHAN: "e5 e6",
    Kind.THOAT: "e5 e6 f7",
    Kind.WARRIOR: "e5 e6 f6",
    Kind.PADWAR: "e5 f6 g5",
    Kind.DWAR: "e5 e6 e7 f7",
    Kind.FLIER: "e5 f6 g7 h6",
    Kind.CHIEF: "e5 e6 f7 g7",
    Kind.PRINCESS: "e5 e6 f7 g7",
}
"""A path of each kind from e5, drawn as an arrow."""
FAMILIES: Final = {
    "stride": "steps of that kind: all, or one to all",
    "value": "what a piece of that kind counts; the defaults in this order",
}


def main() -> None:
    """Write every figure, and the tables into the pages."""
    ArgumentParser(description=__doc__).parse_args()
    for name, text in figures().items():
        (DOCS / "figures" / name).write_text(text)
    for name in PAGES:
        page = DOCS / name
        page.write_text(with_tables(page.read_text()))


def figures() -> dict[str, str]:
    """Return every figure's text by its file's name."""
    drawn = {
        "start-appendix": start("appendix"),
        "start-manator": start("manator"),
        "start-ninth-ray": start("ninth-ray-clockwise"),
        **{f"move-{kind.word}": open_board(kind) for kind in Kind},
        "blocked-dwar": blocked(Kind.DWAR),
        "blocked-flier": blocked(Kind.FLIER),
        "princess": princess(),
        "juggernaut": juggernaut(),
        **{f"crossing-{bias}": crossing(bias) for bias in ("clockwise", "counterclockwise")},
    }
    return {f"{name}.svg": draw(figure) for name, figure in drawn.items()}


def squares_named(names: str) -> tuple[Square, ...]:
    """Return the squares of names such as `e5 e6`."""
    return tuple(parse_square(name) for name in names.split())


def men(names: str) -> dict[Square, Piece]:
    """Return the pieces of words such as `De5 pe6`: a letter and a square."""
    return {parse_square(word[1:]): PIECES[word[0]] for word in names.split()}


def start(preset: str) -> Figure:
    """Draw the set-up of a preset; on the disk all of it, with the squares' names."""
    rules = parse_rules(preset)
    board = rules.board
    if not board.columns_around:
        return Figure(f"Start position, {preset}", board, rules.start_pieces())
    title = "Start position on the Ninth-Ray disk"
    return Figure(title, board, rules.start_pieces(), window=WHOLE_DISK, unit=64)


def open_board(kind: Kind) -> Figure:
    """Draw where a black piece on e5 may go on an empty board, and one path it may take."""
    e5 = parse_square("e5")
    ends = {path[-1] for path in paths(grid(), gaits(APPENDIX)[kind], Side.BLACK, e5)}
    return Figure(
        f"Where a {APPENDIX.word(kind)} on e5 may go",
        grid(),
        {e5: Piece(Side.BLACK, kind)},
        dict.fromkeys(sorted(ends), SquareMark.GOES),
        arrows=(squares_named(WAYS_SHOWN[kind]),),
        window=AROUND_E5,
        unit=38,
    )


def blocked(kind: Kind) -> Figure:
    """Draw where a piece on e5 may go among others, and what they keep it from."""
    e5 = parse_square("e5")
    around = men("Pe6 Pd5 pf5 pd4 pf6 Pd6 pg4")
    position = Position.of(APPENDIX, {e5: Piece(Side.BLACK, kind), **around}, Side.BLACK)
    goes = {
        move.to_square: SquareMark.TAKES if move.kind is MoveKind.CAPTURE else SquareMark.GOES
        for move in position.moves_from(e5)
    }
    ends = {path[-1] for path in paths(grid(), gaits(APPENDIX)[kind], Side.BLACK, e5)}
    stopped = dict.fromkeys(sorted(ends - goes.keys() - around.keys()), SquareMark.STOPPED)
    return Figure(
        f"A {APPENDIX.word(kind)} on e5 among other pieces",
        grid(),
        position.pieces(),
        goes | stopped,
        window=AROUND_E5,
        unit=38,
    )


def princess() -> Figure:
    """Draw a Princess in danger: threatened squares, her steps and her escape."""
    placed = men("Qe2 Pe3 Pd3 Ad2 df4 fb7 wd6 qi10 tg4")
    position = Position.of(APPENDIX, placed, Side.BLACK)
    marks = {
        move.to_square: SquareMark.ESCAPE if move.kind is MoveKind.ESCAPE else SquareMark.GOES
        for move in position.moves_from(parse_square("e2"))
    }
    threatened = frozenset(squares_of(position.threats()))
    return Figure("The Princess, her dangers and her escape", grid(), placed, marks, threatened)


def juggernaut() -> Figure:
    """Draw what each face of the Juggernaut's die means."""
    e5 = parse_square("e5")
    around = grid().neighbours[e5]
    labels = {there: str(face) for face, there in enumerate(around, 1) if there is not None}
    title = "The Juggernaut's steps by the die"
    return Figure(title, grid(), labels={e5: "*", **labels}, window=(2.5, 2.5, 3.7, 3.7), unit=48)


def crossing(bias: str) -> Figure:
    """Draw the middle of the disk with the five ways of a black Panthan on a5."""
    rules = parse_rules(f"ninth-ray-{bias}")
    a5 = parse_square("a5")
    ways = paths(rules.board, gaits(rules)[Kind.PANTHAN], Side.BLACK, a5)
    return Figure(
        f"A Panthan on a5 and the centre, {bias}",
        rules.board,
        {a5: PIECES["P"]},
        arrows=tuple(sorted(ways)),
        turn=bias,
        window=HUB,
        unit=110,
    )


def with_tables(page: str) -> str:
    """Return a page with what stands between its markers written anew."""
    for name, lines in {"presets": presets_table(), "options": options_table()}.items():
        begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
        before, found, rest = page.partition(begin)
        if found:
            page = before + begin + "\n".join(lines) + "\n" + end + rest.partition(end)[2]
    return page


def presets_table() -> Iterator[str]:
    """Yield the table of presets: each with its source and what it changes in the Appendix."""
    yield "| preset | source | differs from `appendix` in |"
    yield "|---|---|---|"
    for name, preset in PRESETS.items():
        differs = ", ".join(f"`{option}={value}`" for option, value in preset.differs.items())
        yield f"| `{name}` | {preset.source} | {differs or '-'} |"


def options_table() -> Iterator[str]:
    """Yield the table of options, the default first; a family, one for each kind, shares a row."""
    yield "| option | what it asks | values |"
    yield "|---|---|---|"
    for family, members in groupby(OPTIONS.values(), lambda option: option.name.partition(".")[0]):
        options = [*members]
        names = ", ".join(f"`{option.name}`" for option in options)
        meaning = FAMILIES.get(family, options[0].meaning)
        yield f"| {names} | {meaning} | {_values(options)} |"


def _values(options: list[Option]) -> str:
    """Return the values of an option; of a family whose members differ, the default of each."""
    first = options[0]
    shown: list[str] = [*first.values]
    if any(option.values != first.values for option in options):
        shown = [option.default for option in options]
    named = " · ".join(f"`{value}`" for value in shown)
    if first.numbers:
        named += f" · {first.numbers[0]} to {first.numbers[-1]}"
    return f"{named} · any square" if first.squares else named


if __name__ == "__main__":
    main()

"""Parts of pages: their frame, boards and pieces as SVG, a camera's picture.

Drawings tell nothing by colour alone: Black's pieces are round with capital letters, Orange's have
six sides and small ones, each kind has its sign, and every mark has a shape of its own.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hardware.signs import LETTERS, sign_of
from rules import (
    FILES,
    JUGGERNAUT_LETTER,
    SQUARES,
    Piece,
    Point,
    Square,
    Topology,
    _,
    format_square,
)

from ..errors import TableError
from ..languages import as_data

if TYPE_CHECKING:  # OpenCV: only where there is a camera
    from ..boards.camera import TableCamera

STATIC = Path(__file__).parent / "static"


@cache
def page(name: str, script: str, *styles: str, folder: Path = STATIC) -> str:
    """Return the page whose body has a file of that name in a folder."""
    return framed((folder / name).read_text(encoding="utf-8"), *styles, script=script)


def framed(body: str, *styles: str, script: str = "", language: str = "en") -> str:
    """Return the page of a body; `styles` are beside the one that all pages have."""
    head = [f'<link rel="stylesheet" href="/static/{each}">' for each in ("style.css", *styles)]
    if script:
        head.append(f'<script type="module" src="/static/{script}"></script>')
    frame = (STATIC / "frame.html").read_text(encoding="utf-8")
    return (
        frame.replace('lang="en"', f'lang="{language}"')
        .replace("<!-- styles and script -->", "\n  ".join(head))
        .replace("  <!-- body -->\n", body)
    )


# What a camera at the table sees, and where the board lies in it


class NoPicture(TableError, LookupError):
    """There is no camera at this table, or it has shown nothing yet."""


def _there(eye: TableCamera | None) -> TableCamera:
    if eye is None:
        raise NoPicture(_("there is no camera at this table"))
    return eye


def picture(eye: TableCamera | None) -> bytes:
    """Return the camera's last picture, a JPEG; raises NoPicture."""
    taken = _there(eye).picture()
    if taken is None:
        raise NoPicture(_("the camera has shown nothing yet"))
    return taken


def question_picture(eye: TableCamera | None, squares: Sequence[Square]) -> bytes:
    """Return what the camera saw of an open question's squares before and now; NoPicture."""
    taken = _there(eye).before_and_after(squares) if squares else None
    if taken is None:
        raise NoPicture(_("there is nothing to compare: no question is open, or it was not seen"))
    return taken


def camera_document(eye: TableCamera | None, now: float) -> dict[str, Any]:
    """Return what the camera sees, in words and in pixels; raises NoPicture."""
    eye = _there(eye)
    return {"said": as_data(eye.describe(now)), **eye.pixels()}


# Pieces, for pages that draw boards by themselves

_TOKENS: Final = {
    "black": '<circle r="46" class="token-edge"/><circle r="43" class="token-body"/>'
    '<circle r="37" class="token-line"/>',
    "orange": '<path d="M0 -49 L46 -22 V22 L0 49 L-46 22 V-22 Z" class="token-edge"/>'
    '<path d="M0 -45.5 L43 -20.3 V20.3 L0 45.5 L-43 20.3 V-20.3 Z" class="token-body"/>'
    '<path d="M0 -39 L37 -17.3 V17.3 L0 39 L-37 17.3 V-17.3 Z" class="token-line"/>',
    "neutral": '<path d="M-20 -48 H20 L48 -20 V20 L20 48 H-20 L-48 20 V-20 Z" class="token-edge"/>'
    '<path d="M-18.5 -44.5 H18.5 L44.5 -18.5 V18.5 L18.5 44.5 H-18.5 L-44.5 18.5 V-18.5 Z" '
    'class="token-body"/>',
}
"""The tokens under the signs: each side has a shape of its own."""
_LETTER_SIZE, _LETTER_DOWN = 21, 39
"""The letter below a sign: its size, and where its line is, on a token of 100."""


@cache
def page_pieces() -> str:
    """Return the SVG that pages take their pieces from: a token for each side, and every sign."""
    symbols = [_symbol(f"token-{name}", shapes) for name, shapes in _TOKENS.items()]
    symbols += [_symbol(_id(letter), _on_token(letter)) for letter in LETTERS]
    return "\n".join(('<svg xmlns="http://www.w3.org/2000/svg">', *symbols, "</svg>\n"))


def _symbol(name: str, shapes: str) -> str:
    return f'<symbol id="{name}" viewBox="-50 -50 100 100">{shapes}</symbol>'


def _id(letter: str) -> str:
    return f"emblem-{'juggernaut' if letter == JUGGERNAUT_LETTER else letter}"


def _on_token(letter: str) -> str:
    """Return a sign in its place on a token: men's with room for a letter below."""
    place = "scale(0.74)" if letter == JUGGERNAUT_LETTER else "translate(0 -9) scale(0.58)"
    paths = "".join(sign_paths(letter, 'class="emblem"', 'class="emblem-hole"'))
    return f'<g transform="{place}">{paths}</g>'


def sign_paths(letter: str, filled: str, cut: str) -> Iterator[str]:
    """Yield a sign's outlines as paths about (0, 0), in a square with sides of 100.

    What is filled gets the one attribute, what is cut out of it the other.
    """
    for points, is_cut in sign_of(letter):
        steps = "L".join(f"{100 * x:.3g} {100 * y:.3g}" for x, y in points)
        yield f'<path d="M{steps}Z" {cut if is_cut else filled}/>'


# Boards, for the pages that explain the rules and others

CENTRE: Final = (5.0, 5.0)
SQUARE_FILLS: Final = ("#cdb595", "#f1e1c3")
SQUARE_LINE: Final = "#7a5b40"
RIM, RIM_INK = "#4a2d1c", "#f0d9ba"
INK: Final = "#191412"
ORANGE: Final = "#f2891f"
BLUE: Final = "#1f5fae"
RED: Final = "#b3262a"
LARGEST_PIECE: Final = 0.44
SMALLEST_SIGN: Final = 12
"""Below this radius, in pixels, a piece shows its letter alone."""
DEFINITIONS: Final = (
    '<defs><marker id="head" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="5" '
    f'markerHeight="5" orient="auto-start-reverse"><path d="M0 0L8 4L0 8z" fill="{BLUE}"/>'
    '</marker><pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" '
    f'patternTransform="rotate(45)"><path d="M0 0V7" stroke="{RED}" stroke-width="2"/>'
    "</pattern></defs>"
)
PIECES_IN_CSS: Final = f"""
.token-edge{{fill:#fff6e6;stroke:#150c07;stroke-width:1.5}}
.token-body,.emblem-hole{{fill:var(--body)}}.emblem{{fill:var(--figure)}}
.token-line{{fill:none;stroke:var(--figure);stroke-width:1.6;opacity:.6}}
.black{{--body:{INK};--figure:#fff3df}}.orange{{--body:{ORANGE};--figure:#20110a}}
.neutral{{--body:#6d28a8;--figure:#fff}}
"""
"""The looks of a figure's pieces: those of the page's own style."""


class SquareMark(Enum):
    """A mark on a square of a figure, told by its shape."""

    GOES = "a dot: the piece may end here"
    TAKES = "a ring about a piece: it may be taken"
    STOPPED = "a cross: it could, were nothing in the way"
    ESCAPE = "a ring: the escape reaches it"


@dataclass(frozen=True, slots=True)
class Figure:
    """A board to draw."""

    title: str
    topology: Topology
    pieces: Mapping[Square, Piece] = field(default_factory=dict)
    marks: Mapping[Square, SquareMark] = field(default_factory=dict)
    threatened: frozenset[Square] = frozenset()
    """Squares that are hatched."""
    arrows: tuple[tuple[Square, ...], ...] = ()
    """Each follows the centres of its squares."""
    labels: Mapping[Square, str] = field(default_factory=dict)
    """Words in the middle of a square."""
    juggernaut: Square | None = None
    turn: str = ""
    """An arrow in the upper right corner: `clockwise`, `counterclockwise`, or none."""
    fills: tuple[str, str] = SQUARE_FILLS
    """The colours of the black and the orange squares."""
    window: tuple[float, float, float, float] = (-0.5, -0.5, 10.7, 10.7)
    """The part that is shown, in board units: left, bottom, width, height.

    Only squares that lie in it wholly are drawn.
    """
    unit: float = 42
    """One board unit in pixels."""


def draw(figure: Figure) -> str:
    """Return the figure as the text of an SVG file."""
    left, bottom, width, height = (round(figure.unit * length) for length in figure.window)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"',
        f' viewBox="{left} {-bottom - height} {width} {height}" text-anchor="middle"',
        ' font-family="DejaVu Sans, Arial, sans-serif">',
        f"<title>{figure.title}</title>",
        DEFINITIONS,
        f"<style>{PIECES_IN_CSS}</style>",
        *Drawing(figure).lines(),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


class Drawing:
    """The elements of one figure; `lines` has them in the order they cover each other."""

    def __init__(self, figure: Figure) -> None:
        self.figure = figure
        self.board = figure.topology
        left, bottom, width, height = figure.window
        self.right, self.top = left + width, bottom + height
        self.shown = [
            square
            for square in SQUARES
            for xs, ys in [tuple(zip(*self.board.outlines[square], strict=True))]
            if left <= min(xs) and max(xs) <= self.right
            if bottom <= min(ys) and max(ys) <= self.top
        ]

    def lines(self) -> Iterator[str]:
        yield self.rim()
        yield from self.squares()
        yield from self.names()
        for path in self.figure.arrows:
            yield self.arrow(path)
        yield from self.things()
        for square, mark in self.figure.marks.items():
            yield self.mark(square, mark)
        for square, label in self.figure.labels.items():
            yield self.text(self.board.centres[square], label, 0.5, weight="bold")
        if self.figure.turn:
            yield self.turn()

    def things(self) -> Iterator[str]:
        """Yield the signs that are used, the pieces, and the Juggernaut."""
        pieces, colossus = self.figure.pieces, self.figure.juggernaut
        letters = {piece.kind.value for square, piece in pieces.items() if self.has_sign(square)}
        tokens = {piece.side.word for piece in pieces.values()}
        if colossus is not None:
            letters.add(JUGGERNAUT_LETTER)
            tokens.add("neutral")
        drawn = {_id(letter): _on_token(letter) for letter in sorted(letters)}
        drawn |= {f"token-{name}": _TOKENS[name] for name in sorted(tokens)}
        if drawn:
            groups = (f'<g id="{name}">{shapes}</g>' for name, shapes in drawn.items())
            yield f"<defs>{''.join(groups)}</defs>"
        for square, piece in self.figure.pieces.items():
            yield from self.piece(square, piece)
        if self.figure.juggernaut is not None:
            yield from self.colossus(self.figure.juggernaut)

    def at(self, point: Point) -> str:
        """Return a point in the file's pixels, whose y runs downwards."""
        x, y = (self.figure.unit * length for length in point)
        return f"{x:.1f} {-y + 0.0:.1f}"

    def outline(self, square: Square) -> str:
        """Return a square's outline as the data of a path."""
        return "M" + "L".join(map(self.at, self.board.outlines[square])) + "z"

    def rim(self) -> str:
        """Draw what frames the squares: all that is shown beside a grid, a ring round a disk."""
        if self.board.columns_around:
            return self.circle(CENTRE, 5.12, f'fill="{RIM}"')
        left, bottom, width, height = (self.figure.unit * length for length in self.figure.window)
        corner = f'x="{left:g}" y="{-bottom - height:g}"'
        return f'<rect {corner} width="{width:g}" height="{height:g}" fill="{RIM}"/>'

    def squares(self) -> Iterator[str]:
        """Yield the squares, and the hatching of those threatened."""
        for square in self.shown:
            outline = self.outline(square)
            fill = self.figure.fills[self.board.colours[square]]
            yield f'<path d="{outline}" fill="{fill}" stroke="{SQUARE_LINE}" stroke-width="1"/>'
            if square in self.figure.threatened:
                yield f'<path d="{outline}" fill="url(#hatch)" opacity="0.55"/>'

    def names(self) -> Iterator[str]:
        """Yield the names of what is shown: of squares on a disk, of files and ranks on a grid."""
        yield from self.disk_names() if self.board.columns_around else self.grid_names()

    def grid_names(self) -> Iterator[str]:
        """Yield file letters below and rank numbers at the left of what is shown."""
        left, bottom, *_ = self.figure.window
        for file in sorted({square % 10 for square in self.shown}):
            yield self.text((file + 0.5, bottom + 0.25), FILES[file], 0.32, RIM_INK)
        for rank in sorted({square // 10 for square in self.shown}):
            yield self.text((left + 0.25, rank + 0.5), str(rank + 1), 0.32, RIM_INK)

    def disk_names(self) -> Iterator[str]:
        """Yield the name of every square where nothing stands; on the innermost ones smaller."""
        for square in self.shown:
            if square not in self.figure.pieces:
                middle = self.board.centres[square]
                size = min(0.24, 0.11 + 0.03 * math.dist(middle, CENTRE))
                yield self.text(middle, format_square(square), size)

    def arrow(self, path: tuple[Square, ...]) -> str:
        """Draw a path up to before its last square's middle; a step over the centre bends there."""
        points = [self.board.centres[square] for square in path]
        steps = ["M" + self.at(points[0])]
        for here, there in pairwise(points):
            crosses = math.dist(here, there) > 1.5  # no square is as large
            end = _between(CENTRE if crosses else here, there) if there is points[-1] else there
            steps.append(f"Q{self.at(CENTRE)} {self.at(end)}" if crosses else f"L{self.at(end)}")
        return (
            f'<path d="{"".join(steps)}" fill="none" stroke="{BLUE}" stroke-width="2.5" '
            'marker-end="url(#head)"/>'
        )

    def turn(self) -> str:
        """Draw the arrow that says which way the disk's centre is crossed."""
        x, y = self.right - 0.5, self.top - 0.5
        radius = 0.32
        ends = [self.at((x - radius, y)), self.at((x, y - radius))]
        is_clockwise = self.figure.turn == "clockwise"
        begin, end = ends if is_clockwise else reversed(ends)
        bow = (
            f"A{radius * self.figure.unit:.1f} {radius * self.figure.unit:.1f} 0 1 {is_clockwise:d}"
        )
        return (
            f'<path d="M{begin}{bow} {end}" fill="none" stroke="{BLUE}" stroke-width="4" '
            'marker-end="url(#head)"/>'
        )

    def mark(self, square: Square, mark: SquareMark) -> str:
        x, y = self.board.centres[square]
        size = 0.4 * self.room(square)
        if mark is SquareMark.TAKES:
            size = 1.13 * self.room(square)
        if mark is SquareMark.STOPPED:
            ends = [
                (x - size, y - size, x + size, y + size),
                (x - size, y + size, x + size, y - size),
            ]
            cross = "".join(f"M{self.at((a, b))}L{self.at((c, d))}" for a, b, c, d in ends)
            return f'<path d="{cross}" stroke="{RED}" stroke-width="3"/>'
        ring = f'fill="none" stroke="{BLUE}" stroke-width="2.5"'
        return self.circle((x, y), size, f'fill="{BLUE}"' if mark is SquareMark.GOES else ring)

    def piece(self, square: Square, piece: Piece) -> Iterator[str]:
        """Draw a piece with its sign, where that is not too small, and its letter."""
        has_sign = self.has_sign(square)
        size, down = (_LETTER_SIZE, _LETTER_DOWN) if has_sign else (56, 20)
        letter = f'<text y="{down}" font-size="{size}" font-weight="bold" class="emblem">'
        signs = [_id(piece.kind.value)] if has_sign else []
        yield self.token(square, piece.side.word, signs, f"{letter}{piece.letter}</text>")

    def has_sign(self, square: Square) -> bool:
        """Return True if a piece on a square is drawn large enough for its sign to be seen."""
        return self.room(square) * self.figure.unit >= SMALLEST_SIGN

    def colossus(self, square: Square) -> Iterator[str]:
        """Draw the Juggernaut: eight sides and a face, of neither player's shape or colour."""
        yield self.token(square, "neutral", [_id(JUGGERNAUT_LETTER)])

    def token(self, square: Square, name: str, signs: Iterable[str], letter: str = "") -> str:
        """Draw a token and signs that `things` has defined, as large as the square's room."""
        place, size = self.at(self.board.centres[square]), 2 * self.room(square) * self.figure.unit
        uses = "".join(f'<use href="#{each}"/>' for each in (f"token-{name}", *signs))
        scale = f"translate({place}) scale({size / 100:.3f})"
        return f'<g class="{name}" transform="{scale}">{uses}{letter}</g>'

    def circle(self, middle: Point, radius: float, look: str) -> str:
        x, y = self.at(middle).split()
        return f'<circle cx="{x}" cy="{y}" r="{radius * self.figure.unit:.1f}" {look}/>'

    def text(
        self, middle: Point, words: str, size: float, colour: str = INK, weight: str = "normal"
    ) -> str:
        """Write words about a point; `size` is the letters' height in board units."""
        x, y = self.at((middle[0], middle[1] - 0.36 * size)).split()
        return (
            f'<text x="{x}" y="{y}" font-size="{size * self.figure.unit:.1f}" fill="{colour}" '
            f'font-weight="{weight}">{words}</text>'
        )

    def room(self, square: Square) -> float:
        """Return the radius of the largest piece that fits the square, in board units."""
        outline, middle = self.board.outlines[square], self.board.centres[square]
        edges = zip(outline, (*outline[1:], outline[0]), strict=True)
        return min(LARGEST_PIECE, 0.9 * min(_distance(middle, *edge) for edge in edges))


def _distance(point: Point, start: Point, end: Point) -> float:
    """Return how far a point lies from the straight line through two others."""
    (x, y), (a, b), (c, d) = point, start, end
    return abs((c - a) * (b - y) - (a - x) * (d - b)) / math.dist(start, end)


def _between(start: Point, end: Point) -> Point:
    """Return the point seven tenths of the way."""
    return start[0] + 0.7 * (end[0] - start[0]), start[1] + 0.7 * (end[1] - start[1])

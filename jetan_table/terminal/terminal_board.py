"""Draws the board in a terminal: what stands there, and the lamps in colour."""

from collections.abc import Mapping, Sequence

from rich.color import Color
from rich.style import Style
from rich.text import Text

from hardware.ports import RGB
from rules import Rules, Square

from ..light.cues import Cue
from ..light.lights import Lamp
from ..session.view import View

SQUARE_COLOURS: tuple[RGB, RGB] = ((38, 34, 32), (150, 82, 30))
"""The black and the orange squares, unlit."""

PIECE_COLOURS: Mapping[bool, tuple[RGB, RGB]] = {
    True: ((255, 255, 255), (78, 84, 108)),
    False: ((0, 0, 0), (255, 165, 60)),
}
"""Letter and body of a piece, by whether it is black's."""

MARKS: Mapping[Cue, str] = {
    Cue.GESTURE: "~",
    Cue.WRONG: "!",
    Cue.BELONGS: "+",
    Cue.QUESTION: "?",
    Cue.ADVICE: "=",
    Cue.DICE: "%",
    Cue.CAPTURE: "x",
    Cue.WANTED: ">",
    Cue.LEGAL: "o",
    Cue.LIFTED: "^",
    Cue.LAST_MOVE: "'",
    Cue.FAULT: "#",
}
"""What a cue is where there is no colour, behind the square's letter."""

INNERMOST = 5
"""The rank above which a disk has its centre: its rows are rings, the rim above and below."""

CENTRE = "    ---------------  o  ---------------"

FILES = "a   b   c   d   e   f   g   h   i   j"


def is_disk(rules: Rules) -> bool:
    """Whether these rules are played on a disk, whose rings are drawn as rows."""
    return rules["board"] != "grid"


def plain_board(view: View, meanings: Mapping[Square, Cue]) -> list[str]:
    """Return the board as eleven lines of text or, of a disk, twelve; each cue as its mark."""
    lines = []
    for rank in range(10, 0, -1):
        if rank == INNERMOST and is_disk(view.position.rules):
            lines.append(CENTRE)
        shown = []
        for square in (Square(10 * (rank - 1) + file) for file in range(10)):
            mark = MARKS[meanings[square]] if square in meanings else " "
            shown.append(view.standing.get(square, ".") + mark)
        lines.append(f"{rank:2}  {'  '.join(shown)}".rstrip())
    return [*lines, f"    {FILES}"]


def lit_board(view: View, lights: Sequence[RGB], lamp_of: Sequence[Lamp], is_tall: bool) -> Text:
    """Return the board in colour; `is_tall` gives each square two lines, so that it is square."""
    board = Text()
    colours = view.position.rules.board.colours
    for rank in range(10, 0, -1):
        if rank == INNERMOST and is_disk(view.position.rules):
            board.append(f"{CENTRE}\n", "dim")
        for line in range(1 + is_tall):
            board.append(f"{rank:2} " if line == 0 else "   ")
            for square in (Square(10 * (rank - 1) + file) for file in range(10)):
                lamp = lights[lamp_of[square]] if lights else (0, 0, 0)
                ground = _lit(SQUARE_COLOURS[colours[square]], lamp)
                _square(board, view.standing.get(square) if line == 0 else None, ground)
            board.append("\n")
    return board.append(f"   {' ' + FILES}")


def _square(board: Text, letter: str | None, ground: RGB) -> None:
    style = Style(bgcolor=Color.from_rgb(*ground))
    if letter is None:
        board.append("    ", style)
        return
    ink, body = PIECE_COLOURS[letter.isupper()]
    piece = Style(color=Color.from_rgb(*ink), bgcolor=Color.from_rgb(*body), bold=True)
    board.append(" ", style).append(f"{letter} ", piece).append(" ", style)


def _lit(ground: RGB, lamp: RGB) -> RGB:
    """Return a square's colour with its lamp shining through it."""
    share = min(1.0, 1.2 * max(lamp) / 255)
    red, green, blue = (
        round(g * (1 - share) + c * share) for g, c in zip(ground, _hue(lamp), strict=True)
    )
    return red, green, blue


def _hue(lamp: RGB) -> RGB:
    """Return the lamp's colour as bright as it can be."""
    most = max(*lamp, 1)
    red, green, blue = (round(255 * value / most) for value in lamp)
    return red, green, blue

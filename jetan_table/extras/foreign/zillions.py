"""A reading of the rules as Zillions of Games reads it: a `.zrf` file.

The board is its squares and the links between them, so a disk is as good as the flat board. A path
that a piece may walk is a line of steps; whatever depends on where the men stand is asked in
Zillions' own words (`empty?`, `attacked?`). `CANNOT` and `left_out` tell what it has no words for.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Final

from rules import (
    KINDS,
    PRESETS,
    SQUARE_NAMES,
    SQUARES,
    Direction,
    Kind,
    Piece,
    Rules,
    Sentence,
    Side,
    Square,
    Topology,
    Worded,
    _,
    format_rules,
)
from rules.movement import DIAGONAL, STRAIGHT, Gait, gaits, law_of

from ...errors import TableError

WAYS: Final = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
"""The words for `Direction`, as Black sees them."""

SIDES: Final = {Side.BLACK: "Black", Side.ORANGE: "Orange"}

CANNOT: Final = {
    ("duel", "arena"): _("pieces fight with dice"),
    ("ending", "checkmate"): _("a move that leaves the Chief to the enemy Chief is forbidden"),
    ("chief-taken-by-other", "forbidden"): _("only a Chief may take a Chief"),
    ("princess-passes", "safe"): _("the Princess may not cross a threatened square"),
}
"""Values that cannot be said, and what they mean."""

TEN_PLIES: Final = _("the draw after ten plies with three pieces or less a side")
BEHIND_HER: Final = _(
    "that a piece whose way the Princess herself blocks threatens the squares behind her"
)


class CannotSay(TableError, ValueError):
    """A reading that a program of others has no words for."""


def why_not(rules: Rules) -> Iterator[Sentence]:
    """Yield what of some rules cannot be said at all; nothing where they can be exported."""
    for (option, value), why in CANNOT.items():
        if rules[option] == value:
            yield why
    if rules["juggernaut"] != "off":
        yield _("the Juggernaut is moved by a die")
    if rules["princess-ends"] == "safe" and rules["escape"] == "unoccupied":
        yield _("the Princess escapes to threatened squares that her steps may not reach")


def check(rules: Rules, reasons: Iterable[Sentence]) -> None:
    """Raise CannotSay for the first of the reasons why some rules cannot be exported, if any."""
    for why in reasons:
        raise CannotSay(
            _("{rules}: cannot be said: {why}"), rules=format_rules(rules), why=Worded(why)
        )


def left_out(rules: Rules) -> Iterator[Sentence]:
    """Yield what a file of Zillions' leaves out of some rules."""
    yield TEN_PLIES
    if rules["captureless"] != "off":
        yield _("the draw after many moves without a capture")
    if rules["princess-ends"] == "safe" or rules["escape"] == "unthreatened":
        yield BEHIND_HER


def exported(rules: Rules) -> str:
    """Return the text of the file; CannotSay."""
    check(rules, why_not(rules))
    name = format_rules(rules)
    title = str(PRESETS[rules.base].title) if name == rules.base else name
    return "\n".join(
        [
            f"; Jetan by the rules {name}, written by `jetan rules export zillions`.",
            "; Left out, for there are no words for it:",
            *(f";   {each}" for each in left_out(rules)),
            "",
            *_macros(rules),
            "",
            "(game",
            f'   (title "Jetan: {title}")',
            '   (description "The Martian chess of Edgar Rice Burroughs.")',
            "   (players Black Orange)",
            "   (turn-order Black Orange)",
            *_board(rules.board),
            *_set_up(rules),
            *(line for kind in KINDS for line in _piece(rules, kind)),
            *_goals(rules),
            ")",
            "",
        ]
    )


def _macros(rules: Rules) -> Iterator[str]:
    """Yield the definitions: steps onto squares that must be free or new, and ends of ways."""
    yield "(define free $1 (verify empty?))"
    yield "(define new $1 (verify (not-position-flag? been)) (set-position-flag been true))"
    yield "(define land (verify not-friend?) add)"
    if _crowns(rules):
        yield "(define land-chief (verify not-friend?) (if (piece? Chief) (add Victor) else add))"
    open_to_her = "not-friend?" if rules["princess-takes"] == "yes" else "empty?"
    safe = " (verify not-attacked?)" if rules["princess-ends"] == "safe" else ""
    yield f"(define land-princess (verify {open_to_her}){safe} add)"
    if rules["escape"] != "none":
        begun = " (verify attacked?)" if rules["escape"] == "when-threatened" else ""
        kept = "" if rules["escape"] == "unoccupied" else " (verify not-attacked?)"
        yield (
            f"(define flee (verify (position? $1)) (verify may-escape?){begun} $2 "
            f"(verify empty?){kept} (set-attribute may-escape? false) add)"
        )


def _crowns(rules: Rules) -> bool:
    """Return True if it matters by whom a Chief is taken: who does it as a Chief becomes a Victor.

    Zillions knows what was taken, and not by whom.
    """
    return rules["chief-taken-by-other"] != "win"


def _board(board: Topology) -> Iterator[str]:
    yield "   (board"
    yield "      (positions"
    for square in SQUARES:
        xs = [round(40 * x) for x, _y in board.outlines[square]]
        ys = [round(400 - 40 * y) for _x, y in board.outlines[square]]
        yield f"         ({SQUARE_NAMES[square]} {min(xs)} {min(ys)} {max(xs)} {max(ys)})"
    yield "      )"
    for way in Direction:
        pairs = (
            f"({SQUARE_NAMES[square]} {SQUARE_NAMES[there]})"
            for square in SQUARES
            if (there := board.neighbours[square][way]) is not None
        )
        yield f"      (links {WAYS[way]} {' '.join(pairs)})"
    # All eight are named, for some readers of such files make nothing of a way that is not.
    over = " ".join(f"({WAYS[way]} {WAYS[(4 - way) % 8]})" for way in Direction)
    yield f"      (symmetry Orange {over})"
    every = f"(name anywhere) (players Black Orange) (positions {' '.join(SQUARE_NAMES)})"
    yield f"      (zone {every})"
    yield "   )"


def _set_up(rules: Rules) -> Iterator[str]:
    yield "   (board-setup"
    pieces = rules.start_pieces()
    for side, name in SIDES.items():
        yield f"      ({name}"
        for kind in KINDS:
            on = [SQUARE_NAMES[at] for at, piece in pieces.items() if piece == (side, kind)]
            yield f"         ({kind.word.capitalize()} {' '.join(on)})"
        yield "      )"
    yield "   )"


def _piece(rules: Rules, kind: Kind) -> Iterator[str]:
    """Yield a kind of piece with all its ways; the Chief that has taken a Chief goes no more."""
    is_chief, is_princess = kind is Kind.CHIEF, kind is Kind.PRINCESS
    yield "   (piece"
    yield f"      (name {kind.word.capitalize()})"
    flees = is_princess and rules["escape"] != "none"
    if flees:
        yield "      (attribute may-escape? true)"
    yield "      (moves"
    land = "land-princess" if is_princess else "land"
    if is_chief and _crowns(rules):
        land = "land-chief"
    for way in ways_of(rules, kind):
        yield f"         ({way} ({land}))"
    if flees:
        for start, end in escapes(rules):
            yield f"         ((flee {SQUARE_NAMES[start]} {SQUARE_NAMES[end]}))"
    yield "      )"
    yield "   )"
    if is_chief and _crowns(rules):
        yield "   (piece (name Victor))"


def ways_of(rules: Rules, kind: Kind) -> Iterator[str]:
    """Yield each way of a kind up to its last step, as Black goes it."""
    gait = gaits(rules)[kind]
    for steps in step_words(rules.board, gait):
        *first, last = (WAYS[step] for step in steps)
        somewhere, everywhere = comes_back(rules.board, steps)
        if everywhere:
            continue
        if somewhere:  # on a disk, near the centre
            free = "" if gait.jumps else " (verify empty?)"
            begun = " ".join(f"(new {step}){free}" for step in first)
            yield f"(set-position-flag been true) {begun} (new {last})".replace("  ", " ")
        elif gait.jumps:
            yield " ".join((*first, last))
        else:
            yield " ".join((*(f"(free {step})" for step in first), last))


def step_words(board: Topology, gait: Gait) -> Iterator[tuple[Direction, ...]]:
    """Yield the rows of steps of a gait, as Black goes them; CannotSay for lines on a disk."""
    ways = {
        letter: sorted(way for way in gait.ways if way % 2 == (letter == DIAGONAL))
        for letter in (STRAIGHT, DIAGONAL)
    }
    if gait.line and board.columns_around:
        raise CannotSay(_("lines that go on across the centre of a disk cannot be said"))
    for word in gait.words:
        if gait.line:
            yield from ((way,) * len(word) for way in ways[word[0]])
        else:
            yield from product(*(ways[letter] for letter in word))


def comes_back(board: Topology, steps: Sequence[Direction]) -> tuple[bool, bool]:
    """Return whether a row of steps meets a square twice from some square, and from all."""
    answers = set()
    for start in SQUARES:
        walked: list[Square] = [start]
        for way in steps:
            there = board.neighbours[walked[-1]][way]
            if there is None:
                break
            walked.append(there)
        else:
            answers.add(len(set(walked)) < len(walked))
    return True in answers, False not in answers


def escapes(rules: Rules) -> Iterator[tuple[Square, Square]]:
    """Yield from where to where the Princess gets by her escape alone, on a board without men."""
    peers = law_of(rules).peers[Piece(Side.BLACK, Kind.PRINCESS)]
    for start in SQUARES:
        near = peers[start][0]
        yield from ((start, end) for end in SQUARES if end != start and not near >> end & 1)


def _goals(rules: Rules) -> Iterator[str]:
    both = "(Black Orange)"
    if _crowns(rules):
        yield f"   (win-condition {both} (absolute-config Victor (anywhere)))"
    yield f"   (loss-condition {both} (captured Princess))"
    if rules["chief-taken-by-other"] == "win":
        yield f"   (loss-condition {both} (captured Chief))"
    if rules["chief-taken-by-other"] == "draw":
        yield f"   (draw-condition {both} (captured Chief))"
    stuck = "draw" if rules["no-move"] == "draw" else "loss"
    yield f"   ({stuck}-condition {both} stalemated)"
    if rules["repetition"] == "threefold":
        yield f"   (draw-condition {both} repetition)"

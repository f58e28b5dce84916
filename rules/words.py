"""Moves as people tell them: read from a text, or why a piece may not go from here to there.

`explain` answers for every pair of squares, as data: a reason, the piece, the squares it is about;
`explanation_in_words` says that in a language. It agrees with the legal moves: `Explanation.move`
is the one that the position has, or None.

A template of a reason names what it needs: {piece} with its article, {start}, {end}, {path},
{named} (the pieces the reason is about), {squares} (the same without names), {gait} (how the piece
goes).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from functools import lru_cache
from itertools import combinations, product

from .board import (
    BY_NAME,
    SQUARE_NAMES,
    SQUARES,
    Direction,
    Kind,
    Move,
    MoveKind,
    Piece,
    Side,
    Square,
    pattern,
)
from .movement import DIAGONAL, STRAIGHT, Gait, Law, Path, law_of, paths
from .options import TOPOLOGIES, Rules
from .plain import NamedTuple
from .position import MOVE_SIGNS, Position, format_move
from .sentences import BadText, IllegalMove, Sentence, Translate, Worded, _, joined, value_in_words


class Reason(Enum):
    """The reason why a move is allowed (first block) or not."""

    STEPS = "steps"
    TAKES = "takes"
    ESCAPES = "escapes"

    GAME_OVER = "game over"
    SAME_SQUARE = "same square"
    NOBODY_THERE = "nobody there"
    NOT_ITS_TURN = "not its turn"
    MOVED_BY_DIE = "moved by die"
    OWN_PIECE = "own piece"
    JUGGERNAUT_STANDS = "juggernaut stands"
    PRINCESS_TAKES_NOTHING = "princess takes nothing"
    BACKWARD = "backward"
    COLOUR = "colour"
    LEAVES_BOARD = "leaves board"
    WRONG_STEPS = "wrong steps"
    BLOCKED = "blocked"
    CROSSES_THREAT = "crosses threat"
    THREATENED = "threatened"
    ONLY_CHIEF_TAKES = "only chief takes"
    LEAVES_ROYAL = "leaves royal"
    ESCAPE_SPENT = "escape spent"
    ESCAPE_THREATENED = "escape threatened"
    ESCAPE_UNNEEDED = "escape unneeded"


class Explanation(NamedTuple):
    """The answer about one pair of squares; as a value of a sentence it is English."""

    start: Square
    end: Square
    reason: Reason
    rules: Rules
    piece: Piece | None = None
    gait: Gait | None = None
    """The gait of the piece; None where it decides nothing."""
    move: Move | None = None
    """The legal move, None where there is none."""
    path: Path = ()
    """A way it goes, start included; empty for an escape and where there is no move."""
    named: tuple[tuple[Square, Piece | None], ...] = ()
    """The pieces the reason is about, by square; None for the Juggernaut and an empty square."""
    and_escape: Reason | None = None
    """The reason why the Princess's escape does not help either."""

    @property
    def is_legal(self) -> bool:
        return self.move is not None

    @property
    def worded(self) -> str:
        """The answer as one or two sentences."""
        piece, gait = self.piece, self.gait
        sentence = Worded(
            REASONS[self.reason],
            piece="" if piece is None else noun(piece.kind, self.rules).subject,
            start=SQUARE_NAMES[self.start],
            end=SQUARE_NAMES[self.end],
            path="-".join(SQUARE_NAMES[square] for square in self.path),
            named=self._names or _("nobody"),
            squares=", ".join(SQUARE_NAMES[square] for square, _piece in self.named),
            gait="" if gait is None or piece is None else gait_in_words(gait, piece.kind),
        )
        if self.and_escape is not None and self.and_escape in REASONS:
            return joined((sentence, Worded(REASONS[self.and_escape], named="")))
        return sentence

    def said(self, translate: Translate) -> str:
        """Return it as one or two sentences in one language."""
        return str(value_in_words(translate, self.worded))

    @property
    def _names(self) -> str:
        """The pieces it is about."""
        pieces = []
        for square, piece in self.named:
            name = JUGGERNAUT if piece is None else noun(piece.kind, self.rules).name
            on = _("the {piece} on {square}")
            pieces.append(Worded(on, piece=name, square=SQUARE_NAMES[square]))
        if not pieces[1:]:
            return joined(pieces)
        return joined((joined(pieces[:-1], ", "), pieces[-1]), AND)

    def __str__(self) -> str:
        return str(self.worded)


def explain(position: Position, start: Square, end: Square) -> Explanation:
    """Return whether the piece on `start` may end on `end`, and why or why not.

    Its text is a sentence for players:

        >>> from rules import Position, explain, parse_rules, parse_square
        >>> start = Position.start(parse_rules("appendix"))
        >>> why = explain(start, parse_square("e1"), parse_square("e2"))
        >>> print(why)
        On e2 stands a piece of the same side.
        >>> why.is_legal
        False
    """
    return _before_any_step(position, start, end) or _of_steps(_Case(position, start, end))


def _before_any_step(position: Position, start: Square, end: Square) -> Explanation | None:
    """Answer where no piece needs to step: nothing to move, nowhere to go."""
    piece = position.piece_at(start)
    reason = None
    if position.outcome is not None:
        reason = Reason.GAME_OVER
    elif start == position.juggernaut:
        reason = Reason.MOVED_BY_DIE
    elif piece is None:
        reason = Reason.NOBODY_THERE
    elif piece.side is not position.side:
        return _out_of_turn(position, start, end, piece.side)
    elif start == end:
        reason = Reason.SAME_SQUARE
    return None if reason is None else Explanation(start, end, reason, position.rules, piece)


def _out_of_turn(position: Position, start: Square, end: Square, side: Side) -> Explanation:
    """Answer about a piece of the side that is not to move: what it threatens, and how it goes."""
    case = _Case(position.under(position.rules, side), start, end)
    moves = case.position.moves_from(start)
    prey = [move.to_square for move in moves if move.kind is MoveKind.CAPTURE]
    return case.answer(Reason.NOT_ITS_TURN, prey)


class _Case:
    """One question about a piece of the side to move, with what several answers need."""

    def __init__(self, position: Position, start: Square, end: Square) -> None:
        piece = position.piece_at(start)
        assert piece is not None
        self.position, self.start, self.end, self.piece = position, start, end, piece
        self.law: Law = law_of(position.rules)
        self.gait = self.law.peers[piece].gait
        self.board = position.rules.board
        self.paths = _paths_by_end(self.board.name, self.gait, piece.side, start).get(end, ())
        self.is_princess = piece.kind is Kind.PRINCESS
        self.threats = position.threats() if self.is_princess else 0
        crosses_safe = self.is_princess and self.law.crossings is not None
        self.barred = self.threats if crosses_safe else 0 if self.gait.jumps else position.occupied

    def answer(
        self,
        reason: Reason,
        named: Iterable[Square] = (),
        *,
        move: Move | None = None,
        path: Path = (),
    ) -> Explanation:
        pieces = tuple((square, self.position.piece_at(square)) for square in named)
        rules, piece, gait = self.position.rules, self.piece, self.gait
        return Explanation(self.start, self.end, reason, rules, piece, gait, move, path, pieces)

    def open_paths(self) -> list[Path]:
        return [path for path in self.paths if not any(self.barred >> s & 1 for s in path[1:-1])]

    def threatening(self, target: Square) -> list[Square]:
        """Return the squares of the enemy pieces that threaten `target` to the Princess."""
        own = Piece(self.piece.side, Kind.PRINCESS)
        lifted = self.position.occupied
        for square, piece in self.position.pieces().items():
            if piece == own:
                lifted &= ~(1 << square)
        return _takers(self.position.pieces(), self.law, self.piece.side.other, lifted, target)


def _of_steps(case: _Case) -> Explanation:
    """Answer by the piece's own steps, and by the Princess's escape where they do not do."""
    # The position decides, and the reasons below only explain: so an explanation never disagrees
    # with the legal moves.
    for move in case.position.moves_from(case.start):
        if move.to_square == case.end:
            return _of_legal(case, move)
    refused = _refused(case)
    if not case.is_princess or refused.reason in _NEVER_BY_ESCAPE:
        return refused
    why = _escape_refused(case)
    is_same = refused.reason is Reason.THREATENED and why is Reason.ESCAPE_THREATENED
    return refused if is_same else refused._replace(and_escape=why)


_NEVER_BY_ESCAPE = frozenset(
    {Reason.OWN_PIECE, Reason.JUGGERNAUT_STANDS, Reason.PRINCESS_TAKES_NOTHING, Reason.LEAVES_ROYAL}
)


def _of_legal(case: _Case, move: Move) -> Explanation:
    if move.kind is MoveKind.ESCAPE:
        return case.answer(Reason.ESCAPES, move=move)
    reason = Reason.TAKES if move.kind is MoveKind.CAPTURE else Reason.STEPS
    named = (case.end,) if reason is Reason.TAKES else ()
    return case.answer(reason, named, move=move, path=min(case.open_paths(), key=len))


def _refused(case: _Case) -> Explanation:
    position, end = case.position, case.end
    target = position.piece_at(end)
    if target is not None and target.side is case.piece.side:
        return case.answer(Reason.OWN_PIECE)
    if end == position.juggernaut:
        return case.answer(Reason.JUGGERNAUT_STANDS)
    if target is not None and case.is_princess and not case.law.princess_takes:
        return case.answer(Reason.PRINCESS_TAKES_NOTHING, (end,))
    if not case.paths:
        return case.answer(_why_no_path(case))
    if not case.open_paths():
        crosses = case.is_princess and case.law.crossings is not None
        reason = Reason.CROSSES_THREAT if crosses else Reason.BLOCKED
        return case.answer(reason, _in_the_way(case.paths, case.barred))
    if case.is_princess and case.law.princess_ends_safe and case.threats >> end & 1:
        return case.answer(Reason.THREATENED, case.threatening(end))
    if (
        target is not None
        and target.kind is Kind.CHIEF
        and case.piece.kind is not Kind.CHIEF
        and case.law.chief_only_by_chief
    ):
        return case.answer(Reason.ONLY_CHIEF_TAKES, (end,))
    return case.answer(Reason.LEAVES_ROYAL, _royal_takers(case))


def _escape_refused(case: _Case) -> Reason | None:
    """Return the reason against an escape to the end; None where the rules have no escape."""
    escape = case.law.escape
    if escape == "none":
        return None
    if case.piece.side not in case.position.escapes:
        return Reason.ESCAPE_SPENT
    if escape == "when-threatened" and not case.threats >> case.start & 1:
        return Reason.ESCAPE_UNNEEDED
    if escape != "unoccupied" and case.threats >> case.end & 1:
        return Reason.ESCAPE_THREATENED
    return Reason.LEAVES_ROYAL


def _why_no_path(case: _Case) -> Reason:
    """Return the reason why no path of the gait joins the squares, even on an empty board."""
    # From the plainest reason to the vaguest: a player is given the first that fits.
    every_way = case.gait._replace(ways=frozenset(Direction))
    if case.end in _paths_by_end(case.board.name, every_way, case.piece.side, case.start):
        return Reason.BACKWARD
    changes = {word.count(STRAIGHT) % 2 for word in case.gait.words}
    colours = case.board.colours
    if changes == {int(colours[case.start] == colours[case.end])}:
        return Reason.COLOUR
    column, row = case.board.places[case.start]
    to_column, to_row = case.board.places[case.end]
    across, up = to_column - column, to_row - row
    if around := case.board.columns_around:
        across = (across + around // 2) % around - around // 2
    if (across, up) in _open_board_ends(every_way):
        return Reason.LEAVES_BOARD
    return Reason.WRONG_STEPS


@lru_cache(maxsize=64)  # a Chief has 20 kB of them on each square
def _paths_by_end(
    board: str, gait: Gait, side: Side, start: Square
) -> dict[Square, tuple[Path, ...]]:
    """Return every path from a square by its end; `board` is the name of a topology."""
    found: dict[Square, list[Path]] = {}
    for path in paths(TOPOLOGIES[board](), gait, side, start):
        found.setdefault(path[-1], []).append(path)
    return {end: tuple(sorted(ways)) for end, ways in found.items()}


@lru_cache(maxsize=64)
def _open_board_ends(gait: Gait) -> frozenset[tuple[int, int]]:
    """Return the offsets a gait reaches on a flat board without edges."""
    steps = {
        STRAIGHT: ((0, 1), (1, 0), (0, -1), (-1, 0)),
        DIAGONAL: ((1, 1), (1, -1), (-1, -1), (-1, 1)),
    }
    ends = set()
    for word in gait.words:
        walks: list[tuple[tuple[int, int], ...]] = [((0, 0),)]
        for letter in word:
            walks = [
                (*walk, there)
                for walk in walks
                for across, up in steps[letter]
                if (there := (walk[-1][0] + across, walk[-1][1] + up)) not in walk
                and not (gait.line and walk[1:] and walk[1] != (across, up))
            ]
        ends |= {walk[-1] for walk in walks}
    return frozenset(ends)


def _in_the_way(ways: Iterable[Path], barred: int) -> tuple[Square, ...]:
    """Return the fewest squares that stop every path: what a player has to look at."""
    # Three squares at most can be looked at together; where more are needed, all are named.
    blocks = {frozenset(s for s in path[1:-1] if barred >> s & 1) for path in ways}
    squares = sorted(set().union(*blocks))
    for count in range(1, 4):
        for few in combinations(squares, count):
            if all(block.intersection(few) for block in blocks):
                return few
    return tuple(squares)


def _takers(
    pieces: dict[Square, Piece], law: Law, side: Side, occupied: int, target: Square
) -> list[Square]:
    """Return the squares of the pieces of `side` that could take on `target`."""
    found = []
    for square, piece in pieces.items():
        if piece.side is side and (piece.kind is not Kind.PRINCESS or law.princess_takes):
            post = law.peers[piece][square]
            if post[occupied & post.near] >> target & 1:
                found.append(square)
    return found


def _royal_takers(case: _Case) -> list[Square]:
    """Return the enemy pieces that could take the Princess, or Chief the Chief, after the move."""
    side = case.piece.side
    pieces = case.position.pieces()
    del pieces[case.start]
    pieces[case.end] = case.piece
    occupied = case.position.occupied & ~(1 << case.start) | 1 << case.end
    takers: list[Square] = []
    for royal in (square for square in SQUARES if pieces.get(square) in _royals(side)):
        found = _takers(pieces, case.law, side.other, occupied, royal)
        if pieces[royal].kind is Kind.CHIEF:
            found = [square for square in found if pieces[square].kind is Kind.CHIEF]
        takers += found
    return takers


def _royals(side: Side) -> tuple[Piece, Piece]:
    return Piece(side, Kind.PRINCESS), Piece(side, Kind.CHIEF)


class Noun(NamedTuple):
    """The names of a kind: alone, at the beginning of a sentence, and as its object."""

    name: Sentence
    subject: Sentence
    object: Sentence


NOUNS: Mapping[Kind, Noun] = {
    Kind.PANTHAN: Noun(_("Panthan"), _("A Panthan"), _("the Panthan")),
    Kind.THOAT: Noun(_("Thoat"), _("A Thoat"), _("the Thoat")),
    Kind.WARRIOR: Noun(_("Warrior"), _("A Warrior"), _("the Warrior")),
    Kind.PADWAR: Noun(_("Padwar"), _("A Padwar"), _("the Padwar")),
    Kind.DWAR: Noun(_("Dwar"), _("A Dwar"), _("the Dwar")),
    Kind.FLIER: Noun(_("Flier"), _("A Flier"), _("the Flier")),
    Kind.CHIEF: Noun(_("Chief"), _("The Chief"), _("the Chief")),
    Kind.PRINCESS: Noun(_("Princess"), _("The Princess"), _("the Princess")),
}
ODWAR = Noun(_("Odwar"), _("An Odwar"), _("the Odwar"))
JUGGERNAUT = _("Juggernaut")
SIDES: Mapping[str, Sentence] = {"black": _("Black"), "orange": _("Orange")}
AND = _(" and ")
"""The word before the last of several."""

STEPS_IN_WORDS: Mapping[frozenset[str], Sentence] = {
    frozenset({STRAIGHT}): _("one straight steps"),
    frozenset({DIAGONAL}): _("one diagonal steps"),
    frozenset({STRAIGHT, DIAGONAL}): _("one steps, straight or diagonal"),
    frozenset({STRAIGHT * 2}): _("two straight steps"),
    frozenset({DIAGONAL * 2}): _("two diagonal steps"),
    frozenset({STRAIGHT * 2, DIAGONAL * 2}): _("two steps, all straight or all diagonal"),
    frozenset({STRAIGHT * 3}): _("three straight steps"),
    frozenset({DIAGONAL * 3}): _("three diagonal steps"),
    frozenset({STRAIGHT * 3, DIAGONAL * 3}): _("three steps, all straight or all diagonal"),
    frozenset(map("".join, product(STRAIGHT + DIAGONAL, repeat=2))): _(
        "two steps, straight or diagonal"
    ),
    frozenset(map("".join, product(STRAIGHT + DIAGONAL, repeat=3))): _(
        "three steps, straight or diagonal"
    ),
    frozenset({STRAIGHT + DIAGONAL}): _("one straight and then one diagonal step"),
    frozenset({STRAIGHT + DIAGONAL, DIAGONAL + STRAIGHT}): _("one straight and one diagonal step"),
}
"""The steps of a piece, by the longest words of its gait (see `movement.Gait`)."""

REASONS: Mapping[Reason, Sentence] = {
    Reason.STEPS: _("{piece} {gait}: {path}."),
    Reason.TAKES: _("{piece} {gait}: {path}. It takes {named}."),
    Reason.ESCAPES: _("{piece} may flee from {start} to {end} by her one escape."),
    Reason.GAME_OVER: _("The game is over."),
    Reason.SAME_SQUARE: _("{piece} cannot end where it began, on {start}."),
    Reason.NOBODY_THERE: _("Nobody stands on {start}."),
    Reason.NOT_ITS_TURN: _(
        "The piece on {start} belongs to the side that is not to move. {piece} {gait}, and from "
        "there it threatens {named}."
    ),
    Reason.MOVED_BY_DIE: _("The Juggernaut on {start} is moved by its die alone."),
    Reason.OWN_PIECE: _("On {end} stands a piece of the same side."),
    Reason.JUGGERNAUT_STANDS: _("Nobody may take the Juggernaut, nor enter its square {end}."),
    Reason.PRINCESS_TAKES_NOTHING: _("The Princess takes nothing, and on {end} stands an enemy."),
    Reason.BACKWARD: _("{piece} {gait}: it never goes back from {start} to {end}."),
    Reason.COLOUR: _("{piece} {gait}: from {start} it never ends on {end}'s colour."),
    Reason.LEAVES_BOARD: _(
        "{piece} {gait}, and every such way from {start} to {end} leaves the board."
    ),
    Reason.WRONG_STEPS: _("{piece} {gait}: that never leads from {start} to {end}."),
    Reason.BLOCKED: _("{piece} {gait}, and every way to {end} is blocked: by {named}."),
    Reason.CROSSES_THREAT: _(
        "{piece} may not cross a threatened square, and every way to {end} does: over {squares}."
    ),
    Reason.THREATENED: _(
        "{piece} may not end on a threatened square: {end} is threatened by {named}."
    ),
    Reason.ONLY_CHIEF_TAKES: _("Only a Chief may take a Chief."),
    Reason.LEAVES_ROYAL: _("That would leave the Princess or the Chief to be taken, by {named}."),
    Reason.ESCAPE_SPENT: _("Her escape is spent."),
    Reason.ESCAPE_THREATENED: _("Her escape may not end on a threatened square."),
    Reason.ESCAPE_UNNEEDED: _("Her escape is only for when she stands threatened."),
}


def noun(kind: Kind, rules: Rules) -> Noun:
    """Return the names of a kind under these rules; the Flier may be an Odwar."""
    return ODWAR if kind is Kind.FLIER and rules["flier-name"] == ODWAR.name else NOUNS[kind]


def gait_in_words(gait: Gait, kind: Kind) -> str:
    """Return the gait of a kind, as the rest of a sentence about it."""
    if kind is Kind.PANTHAN:
        if Direction.SOUTH_EAST in gait.ways:
            return _("takes one step in any direction but straight back")
        return _("takes one step forward, diagonally forward or sideways")
    longest = max(map(len, gait.words))
    whole = frozenset(word for word in gait.words if len(word) == longest)
    steps: str = STEPS_IN_WORDS[whole]
    if gait.line:
        steps = joined((steps, _(", in one line")), "")
    if len(whole) == len(gait.words):
        return Worded(_("takes exactly {steps}"), steps=steps)
    return Worded(_("takes one step or more, up to {steps}"), steps=steps)


_MOVE_TEXT = r"([A-Za-z])?([a-j](?:10|[1-9]))(?:([-x~])|\s*)([a-j](?:10|[1-9]))"


def parse_move(text: str, position: Position) -> Move:
    """Read a legal move: `Pb2-b3`, `Fd1xg4`, `Qf1~e5`, or short, `b2-b3`, `b2b3`, `b2 b3`.

    The letter may be lower case, and `O` for a Flier. BadText where it is no move text,
    IllegalMove where the position does not allow it.
    """
    try:
        return _read_move(text, position)
    except (BadText, IllegalMove) as why:
        raise type(why)(_("{text}: {why}"), text=text, why=why) from None


def _read_move(text: str, position: Position) -> Move:
    read = pattern(_MOVE_TEXT).fullmatch(text.strip())
    if read is None:
        raise BadText(_("no move text; write one like Pb2-b3, Fd1xg4, Qf1~e5 or b2b3"))
    letter, start, sign, end = read.groups()
    from_square, to_square = BY_NAME[start], BY_NAME[end]
    piece = position.piece_at(from_square)
    if piece and letter and letter.upper().replace("O", "F") != piece.kind.value:
        name = position.rules.word(piece.kind)
        on = {"square": start, "name": name, "letter": piece.kind.value}
        raise IllegalMove(_("on {square} stands a {name} ({letter})"), **on)
    for move in position.moves_from(from_square):
        if move.to_square == to_square:
            if sign in (None, MOVE_SIGNS[move.kind]):
                return move
            right = format_move(move, position)
            raise IllegalMove(
                _("{start} to {end} is written {told}"), start=start, end=end, told=right
            )
    why = explain(position, from_square, to_square)
    raise IllegalMove(_("not a legal move here. {why}"), why=why)


Position.parse_move = staticmethod(parse_move)

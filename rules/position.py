"""A position: its pieces, the side to move, the moves that the rules allow, and its text.

Positions never change: `play` returns another. Sets of squares are whole numbers, bit n for
square n; they are the core's own answer, and Move objects are made from them late.
`perft` counts all games of a length, the plainest proof that moves are right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from .board import (
    FILES,
    JUGGERNAUT_LETTER,
    OCCUPANT_OF,
    SQUARE_NAMES,
    SQUARES,
    Kind,
    Move,
    MoveKind,
    Occupant,
    Outcome,
    Piece,
    Side,
    Square,
    Termination,
    format_placement,
    parse_placement,
    squares_of,
)
from .movement import BY_COUNT, FEW, FEW_PLIES, PRINCESS, Army, Law, Post, law_of
from .options import Rules
from .plain import TYPE_CHECKING, whole_number
from .sentences import BadText, IllegalMove, Sentence, _

if TYPE_CHECKING:
    from typing import ClassVar

ALL_SQUARES = (1 << 100) - 1

_new = object.__new__


class Position:
    """A moment of a game under some rules; equal where everything in its position text is equal.

    `print` draws its board:

        >>> from rules import Position, parse_rules
        >>> start = Position.start(parse_rules("appendix"))
        >>> len(start.moves())
        78
        >>> print(start.play("d2-d3"))
        10  w a d f q c f d a w
         9  t p p p p p p p p t
         8  . . . . . . . . . .
         7  . . . . . . . . . .
         6  . . . . . . . . . .
         5  . . . . . . . . . .
         4  . . . . . . . . . .
         3  . . . P . . . . . .
         2  T P P . P P P P P T
         1  W A D F C Q F D A W
            a b c d e f g h i j
    """

    __slots__ = (
        "ended",
        "law",
        "ours",
        "theirs",
        "few_counter",
        "juggernaut",
        "occupied",
        "ply_number",
        "quiet_plies",
    )

    law: Law
    ours: Army
    theirs: Army
    ended: Outcome | None
    """The end by a capture or a count; `outcome` looks for a side without a move, too."""
    juggernaut: Square | None
    few_counter: int | None
    """Plies since both sides came down to few and equal pieces, None while they are not."""
    quiet_plies: int
    """Plies since the last capture or kill."""
    ply_number: int
    """The number of the ply to be played next, 1 for Black's first; always odd for Black, so a game
    that Orange begins starts with 2."""
    occupied: int
    """The squares of all men and of the Juggernaut, as bits."""

    parse_move: ClassVar[Callable[[str, Position], Move]]
    """Reads the text of a move. `words` puts it here: it explains what is refused, and for that
    stands above this module."""

    @classmethod
    def start(
        cls, rules: Rules, side: Side = Side.BLACK, juggernaut: Square | None = None
    ) -> Position:
        """Return the position before the first ply, `side` to move.

        `juggernaut` is where chance put it; without one it stands where the rules name a square,
        and otherwise enters with the first `move_juggernaut`.
        """
        position = cls.of(rules, rules.start_pieces(), side)
        named = rules["juggernaut"]
        if juggernaut is None and named in SQUARE_NAMES:
            juggernaut = Square(SQUARE_NAMES.index(named))
        return position if juggernaut is None else position.move_juggernaut(juggernaut)

    @classmethod
    def of(
        cls,
        rules: Rules,
        pieces: Mapping[Square, Piece],
        side: Side,
        *,
        escapes: frozenset[Side] = frozenset(Side),
        juggernaut: Square | None = None,
        few_counter: int | None = None,
        quiet_plies: int = 0,
        move_number: int = 1,
    ) -> Position:
        """Set a position up. At most one Princess a side; the Juggernaut stands on a free square.

        Where only the side to move lacks its Princess, she was taken by the ply before.
        """
        law = law_of(rules)
        armies = [
            Army.of(
                (law.peers[piece][at] for at, piece in pieces.items() if piece.side is whose),
                whose in escapes,
            )
            for whose in (side, side.other)
        ]
        position = _new(cls)
        position.law = law
        position.ours, position.theirs = armies
        position.juggernaut = juggernaut
        position.occupied = armies[0].mask | armies[1].mask
        if juggernaut is not None:
            position.occupied |= 1 << juggernaut
        position.few_counter = few_counter
        position.quiet_plies = quiet_plies
        position.ply_number = 2 * move_number - 1 + side
        position.ended = law.counted_out(few_counter, quiet_plies)
        if armies[0].princess is None and armies[1].princess is not None:
            position.ended = Outcome(side.other, Termination.PRINCESS_TAKEN)
        return position

    def under(self, rules: Rules, side: Side) -> Position:
        """Return the same with other rules, and with that side to move."""
        return Position.of(
            rules,
            self.pieces(),
            side,
            escapes=self.escapes,
            juggernaut=self.juggernaut,
            few_counter=self.few_counter,
            quiet_plies=self.quiet_plies,
            move_number=self.move_number,
        )

    # What stands where

    @property
    def rules(self) -> Rules:
        return self.law.rules

    @property
    def side(self) -> Side:
        """The side to move."""
        return Side.BLACK if self.ply_number & 1 else Side.ORANGE

    @property
    def move_number(self) -> int:
        """1 for the first ply of each side; goes up after Orange's."""
        return (self.ply_number + 1) // 2

    @property
    def escapes(self) -> frozenset[Side]:
        """The sides whose escape is unspent."""
        armies = ((self.side, self.ours), (self.side.other, self.theirs))
        return frozenset(side for side, army in armies if army.may_escape)

    def piece_at(self, square: Square) -> Piece | None:
        """Return the man on a square; None where there is none (the Juggernaut is no man)."""
        post = self._post_at(square)
        return None if post is None else post.piece

    def _post_at(self, square: Square) -> Post | None:
        ours = self.ours.post_at(square)
        return self.theirs.post_at(square) if ours is None else ours  # an empty post is falsy

    def occupant_at(self, square: Square) -> Occupant:
        """Return whose piece stands on a square."""
        if square == self.juggernaut:
            return Occupant.NEUTRAL
        piece = self.piece_at(square)
        return Occupant.EMPTY if piece is None else OCCUPANT_OF[piece.side]

    def pieces(self) -> dict[Square, Piece]:
        """Return every man by square, in the order of squares."""
        posts = [*self.ours.posts(), *self.theirs.posts()]
        return {post.square: post.piece for post in sorted(posts, key=lambda post: post.square)}

    def __repr__(self) -> str:
        placement = format_placement(self.pieces(), self.juggernaut)
        return f"<Position {placement} {self.side.word} to play ply {self.ply_number}>"

    def __str__(self) -> str:
        """Draw the board for a terminal, Black below, with the letters of position texts.

        The rows of a disk are its rings: the rims are the outer rows, the centre is the line
        between ranks 6 and 5, j1 is beside a10 and j10 beside a1.
        """
        standing = letters(self)
        lines = [
            f"{rank:2}  " + " ".join(standing.get(square, ".") for square in SQUARES[at : at + 10])
            for rank, at in zip(range(10, 0, -1), range(90, -1, -10), strict=True)
        ]
        if self.rules.board.columns_around:
            lines.insert(5, "    -------- o --------")
        return "\n".join([*lines, "    " + " ".join(FILES)])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self._identity() == other._identity()

    def __hash__(self) -> int:
        # Coarse but quick: to sort all pieces for every look-up costs more than a few collisions.
        return hash((self.ours.mask, self.theirs.mask, self.ply_number))

    def _identity(self) -> tuple[object, ...]:
        counts = (self.few_counter, self.quiet_plies, self.ply_number)
        return self.rules, self.pieces(), self.escapes, self.juggernaut, counts

    # What may be played

    def moves(self) -> tuple[Move, ...]:
        """Return every legal move, by from and to square; none when the game is over."""
        reach, steps, escapes = self._reach()
        found: list[Move] = []
        answers = zip(self.ours.posts(), [*reach, steps], strict=False)
        for square, ends in sorted((post.square, ends) for post, ends in answers):
            found += self._as_moves(square, ends, MoveKind.MOVE)
        if self.ours.princess is not None:
            found += self._as_moves(self.ours.princess.square, escapes, MoveKind.ESCAPE)
        return tuple(found)

    def moves_from(self, square: Square) -> tuple[Move, ...]:
        """Return the legal moves of the piece on a square; none where it may not move."""
        ends, escapes = self.ends_from(square)
        steps = self._as_moves(square, ends, MoveKind.MOVE)
        return (*steps, *self._as_moves(square, escapes, MoveKind.ESCAPE))

    def ends_from(self, square: Square) -> tuple[int, int]:
        """Return where the piece on a square may end, as bits: by its own steps, by an escape."""
        ours = self.ours
        at = ours.place_of(square)
        if at is None or self.ended is not None:
            return 0, 0
        if at == PRINCESS and ours.princess is not None:
            return self.princess_ends(ours.princess)
        post = ours.men[at]
        # Of what is occupied, only their men may be entered; ours and the Juggernaut may not.
        ends = post[self.occupied & post.near] & (ALL_SQUARES ^ self.occupied ^ self.theirs.mask)
        return ends if self.law.is_plain else self._lawful(at, post, ends), 0

    def count_moves(self) -> int:
        """Return the number of legal moves, without making them."""
        reach, steps, escapes = self._reach()
        return sum(map(int.bit_count, reach)) + steps.bit_count() + escapes.bit_count()

    def play(self, move: Move | str, *, duel_lost: bool = False) -> Position:
        """Return the position after a legal move, or its text as `parse_move` reads it.

        `duel_lost`: in an arena, the piece that entered lost the fight and is removed. IllegalMove
        says why a move is not legal here, BadText what a text of a move looks like.
        """
        if isinstance(move, str):
            move = Position.parse_move(move, self)
        ends, escapes = self.ends_from(move.from_square)
        allowed = escapes if move.kind is MoveKind.ESCAPE else ends
        taking = bool(self.theirs.mask >> move.to_square & 1)
        if not allowed >> move.to_square & 1 or taking != (move.kind is MoveKind.CAPTURE):
            way = f"{SQUARE_NAMES[move.from_square]}-{SQUARE_NAMES[move.to_square]}"
            raise IllegalMove(
                _("{way} is no legal {kind} here"), way=way, kind=Sentence(move.kind.value)
            )
        at, here = self.ours.place_of(move.from_square), self.ours.post_at(move.from_square)
        assert at is not None
        assert here is not None  # ends_from answered for it
        if duel_lost and not self.is_fought(move):
            raise IllegalMove(_("nobody fights for {at} here"), at=SQUARE_NAMES[move.to_square])
        escaping = move.kind is MoveKind.ESCAPE
        return self.after(at, here.peers[move.to_square], escaping, duel_lost)

    def is_fought(self, move: Move) -> bool:
        """Return True if a move starts a duel: in an arena, over all squares but the Princess's."""
        defender = self.theirs.post_at(move.to_square)
        is_arena = self.law.rules["duel"] == "arena"
        return is_arena and defender is not None and defender.kind is not Kind.PRINCESS

    def after_each(self) -> Iterator[Position]:
        """Yield the position after every legal move, without making the moves."""
        reach, steps, escapes = self._reach()
        for at, left in enumerate(reach):
            there = self.ours.men[at].peers
            while left:  # squares_of, written out: this is the core's busiest loop
                lowest = left & -left
                left ^= lowest  # noqa: PLW2901
                yield self.after(at, there[lowest.bit_length() - 1], False)
        if self.ours.princess is not None:
            there = self.ours.princess.peers
            for to in squares_of(steps | escapes):
                yield self.after(PRINCESS, there[to], bool(escapes >> to & 1))

    def threats(self) -> int:
        """Return the squares threatened to the Princess of the side to move, as bits.

        An enemy piece that may take could take her there; she is lifted off her own square first.
        """
        princess = self.ours.princess
        lifted = self.occupied if princess is None else self.occupied & ~(princess.bit)
        return self.theirs.reach(lifted, self.law.princess_takes)

    def _reach(self) -> tuple[list[int], int, int]:
        """Return the legal ends of each man, of the Princess's steps, and of her escape."""
        return ([], 0, 0) if self.ended is not None else self._mobility()

    def _mobility(self) -> tuple[list[int], int, int]:
        """Return the same as `_reach`, even in a game that is over."""
        princess = self.ours.princess
        royal = (0, 0) if princess is None else self.princess_ends(princess)
        return self.men_ends(), *royal

    def men_ends(self) -> list[int]:
        """Return where each of `ours.men` may end, as bits, even in a game that is over."""
        occupied, men = self.occupied, self.ours.men
        free = ALL_SQUARES ^ occupied ^ self.theirs.mask
        reach = [post[occupied & post.near] & free for post in men]
        if self.law.is_plain:
            return reach
        return [self._lawful(at, men[at], ends) for at, ends in enumerate(reach)]

    def princess_ends(self, princess: Post) -> tuple[int, int]:
        """Return the squares our Princess may step to, and those only her escape reaches."""
        law, theirs, occupied = self.law, self.theirs, self.occupied
        # She is lifted off first: a walker that she blocks threatens the squares behind her, too.
        threats = theirs.reach(occupied ^ princess.bit, law.princess_takes)
        shut = occupied & ~theirs.mask if law.princess_takes else occupied
        if law.princess_ends_safe:
            shut |= threats
        if law.crossings is None:
            ends = princess[occupied & princess.near]
        else:
            crossing = law.crossings[princess.piece.side][princess.square]
            ends = crossing[threats & crossing.near]
        ends = self._lawful(PRINCESS, princess, ends & ~shut)
        if not self.ours.may_escape or law.escape == "none":
            return ends, 0
        if law.escape == "when-threatened" and not threats & princess.bit:
            return ends, 0
        kept = occupied if law.escape == "unoccupied" else occupied | threats
        return ends, self._lawful(PRINCESS, princess, ALL_SQUARES & ~(kept | ends))

    def _lawful(self, at: int, post: Post, ends: int) -> int:
        """Drop the ends that only a Chief may take, and those that leave a royal to be taken."""
        if self.law.chief_only_by_chief and post.kind is not Kind.CHIEF:
            for foe in self.theirs.men:
                if foe.kind is Kind.CHIEF:
                    ends &= ~foe.bit
        if not self.law.mate_ends:
            return ends
        for to in squares_of(ends):
            after = self.after(at, post.peers[to], False)
            # A piece taken that ends the game leaves nothing to be taken.
            if not after._is_decided_on_board() and after.ours.can_take_royal(
                after.theirs, after.occupied, self.law.princess_takes
            ):
                ends ^= 1 << to
        return ends

    def _as_moves(self, square: Square, ends: int, kind: MoveKind) -> list[Move]:
        theirs = self.theirs.mask
        return [
            Move(square, to, MoveKind.CAPTURE if theirs >> to & 1 else kind)
            for to in squares_of(ends)
        ]

    # What comes after

    @property
    def outcome(self) -> Outcome | None:
        """The result; None while the game goes on. Repetition is for a Game to see."""
        if not self._is_decided_on_board():
            reach, steps, escapes = self._mobility()
            if not (any(reach) or steps or escapes):
                return self._no_move()  # even on the tenth ply, for there a win counts
        return self.ended

    def _is_decided_on_board(self) -> bool:
        """Return True if a captured piece has ended the game, not a count of plies."""
        return self.ended is not None and self.ended.termination not in BY_COUNT

    def _no_move(self) -> Outcome:
        princess = self.ours.princess
        if self.law.mate_ends and princess is not None and self.threats() >> princess.square & 1:
            return Outcome(self.side.other, Termination.CHECKMATE)
        winner = None if self.law.no_move_draws else self.side.other
        return Outcome(winner, Termination.NO_MOVE)

    def after(self, at: int, there: Post, escaping: bool, duel_lost: bool = False) -> Position:
        """Return the position after a legal move: a piece of `ours` goes where `there` stands."""
        law, ours, theirs = self.law, self.ours, self.theirs
        ended, quiet = None, self.quiet_plies + 1
        if theirs.mask & there.bit:
            place, defender = theirs.place_of(there.square), theirs.post_at(there.square)
            assert place is not None
            assert defender is not None
            quiet = 0
            if duel_lost:
                ended = law.taken(there.kind, defender.piece)
            else:
                ended = law.taken(defender.kind, there.piece)
                theirs = theirs.without(place)
        ours = ours.without(at) if duel_lost else ours.moved(at, there, escaping)
        after = _new(Position)
        after.law = law
        after.ours = theirs
        after.theirs = ours
        after.ended = ended
        men, juggernaut = ours.mask | theirs.mask, self.juggernaut
        after.occupied = men if juggernaut is None else men | 1 << juggernaut
        after.juggernaut = juggernaut
        after.quiet_plies = quiet
        after.ply_number = self.ply_number + 1
        # The count runs only while both sides are few and equal; it begins anew after any change
        # of that. The length is asked first, for armies are large in nearly all positions.
        after.few_counter = None
        if len(ours.men) <= FEW and law.are_few_and_equal(ours, theirs):
            after.few_counter = 0 if self.few_counter is None else self.few_counter + 1
            after.ended = ended or law.counted_out(after.few_counter, quiet)
        elif quiet >= law.captureless_plies:
            after.ended = ended or law.counted_out(None, quiet)
        return after

    # The Juggernaut

    def move_juggernaut(self, to: Square) -> Position:
        """Return the position with the Juggernaut on a square; it is no ply, and kills a man there.

        A Chief or Princess it kills ends the game as a draw. For rolls and for hands alike.
        """
        after = _new(Position)
        for name in Position.__slots__:
            setattr(after, name, getattr(self, name))
        after.juggernaut = to
        if (ours := self.ours.place_of(to)) is not None:
            after.ours = self.ours.without(ours)
        elif (theirs := self.theirs.place_of(to)) is not None:
            after.theirs = self.theirs.without(theirs)
        after.occupied = after.ours.mask | after.theirs.mask | 1 << to
        victim = self.piece_at(to)
        if victim is None:
            return after
        after.quiet_plies = 0
        if not self.law.are_few_and_equal(after.ours, after.theirs):
            after.few_counter = None
        elif self.few_counter is None:
            after.few_counter = 0
        if victim.kind in (Kind.CHIEF, Kind.PRINCESS) and self.ended is None:
            after.ended = Outcome(None, Termination.JUGGERNAUT)
        return after


def letters(position: Position) -> dict[Square, str]:
    """Return the letter of each piece by square, the Juggernaut's included."""
    standing = {square: piece.letter for square, piece in position.pieces().items()}
    if position.juggernaut is not None:
        standing[position.juggernaut] = JUGGERNAUT_LETTER
    return standing


_SIDE_LETTERS = {"b": Side.BLACK, "o": Side.ORANGE}
_ESCAPES = {
    "BO": frozenset(Side),
    "B": frozenset({Side.BLACK}),
    "O": frozenset({Side.ORANGE}),
    "-": frozenset[Side](),
}
MOVE_SIGNS = {MoveKind.MOVE: "-", MoveKind.CAPTURE: "x", MoveKind.ESCAPE: "~"}


def parse_position(text: str, rules: Rules) -> Position:
    """Read a position text; BadText says which of its six fields is wrong, and how.

    Pieces of Black are capitals:

        >>> from rules import parse_position, parse_rules
        >>> text = "5q4/10/10/10/10/4P5/10/10/10/5Q4 b BO - 0 1"
        >>> position = parse_position(text, parse_rules("appendix"))
        >>> position.side.word, len(position.pieces()), position.occupant_at(54).name
        ('black', 3, 'EMPTY')
    """
    parts = text.split()
    if len(parts) != 6:
        raise BadText(
            _(
                "position {text!r}: has {count} words, must have 6: placement, side to move, "
                "escapes, "
                "few-pieces counter, moves since the last capture, move number"
            ),
            text=text,
            count=len(parts),
        )
    placement, side_letter, escapes, few, quiet, number = parts
    pieces, juggernaut = parse_placement(placement)
    if side_letter not in _SIDE_LETTERS:
        raise BadText(_("side to move {text!r}: must be b or o"), text=side_letter)
    if escapes not in _ESCAPES:
        raise BadText(_("escapes {text!r}: must be BO, B, O or -"), text=escapes)
    side = _SIDE_LETTERS[side_letter]
    few_counter = None if few == "-" else _number(_("few-pieces counter"), few, 0, FEW_PLIES)
    return Position.of(
        rules,
        pieces,
        side,
        escapes=_ESCAPES[escapes],
        juggernaut=juggernaut,
        few_counter=few_counter,
        quiet_plies=_number(_("moves since the last capture"), quiet, 0, 199_999),
        move_number=_number(_("move number"), number, 1, 99_999),
    )


def format_position(position: Position) -> str:
    """Write a position as text; parse_position reads it back under the same rules."""
    escapes = {sides: word for word, sides in _ESCAPES.items()}[position.escapes]
    few = "-" if position.few_counter is None else position.few_counter
    side = "bo"[position.side]
    return (
        f"{format_placement(position.pieces(), position.juggernaut)} {side} {escapes} {few} "
        f"{position.quiet_plies} {position.move_number}"
    )


def _number(what: str, text: str, least: int, most: int) -> int:
    number = whole_number(text)
    if number is not None and least <= number <= most:
        return number
    raise BadText(
        _("{what} {text!r}: must be a number {least}..{most}"),
        what=what,
        text=text,
        least=least,
        most=most,
    )


def format_move(move: Move, position: Position | None = None) -> str:
    """Write a move; with the position before it the piece's letter comes first."""
    piece = None if position is None else position.piece_at(move.from_square)
    letter = "" if piece is None else piece.kind.value
    start, end = SQUARE_NAMES[move.from_square], SQUARE_NAMES[move.to_square]
    return f"{letter}{start}{MOVE_SIGNS[move.kind]}{end}"


def perft(position: Position, depth: int) -> int:
    """Return the number of legal sequences of `depth` plies; a game that ends earlier counts 0.

    The Juggernaut stands still. ValueError for a negative depth.

        >>> from rules import Position, parse_rules, perft
        >>> perft(Position.start(parse_rules("appendix")), 2)
        6066
    """
    if depth < 0:
        raise ValueError(f"perft depth {depth}: must be 0 or more")
    if depth == 0:
        return 1
    if depth == 1:
        return position.count_moves()
    return sum(perft(after, depth - 1) for after in position.after_each())


def divide(position: Position, depth: int) -> dict[Move, int]:
    """Return, for each legal move, the number of sequences of `depth` plies that begin with it."""
    if depth < 1:
        raise ValueError(f"divide depth {depth}: must be 1 or more")
    return {move: perft(position.play(move), depth - 1) for move in position.moves()}

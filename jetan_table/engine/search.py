"""One search of one position, deeper ply by ply, until a limit is reached or the end is proven."""

import ctypes
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

from rules import Move, MoveKind, Position

from .endings import Endings
from .evaluation import Weights, mobility_of, piece_square_table
from .library import QuickTree, quick_law
from .tree import WIN, WON, Choice, Stopped, Tree, choices_of

DEEPEST: Final = 50
PYTHON_NODES: Final = 128
QUICK_NODES: Final = 2048
"""Nodes after which a search asks whether to stop: a few milliseconds in Python, one in C."""

FIRST_PLY_NODES: Final = 100_000
"""Positions after which even the first ply may be broken off. It takes some hundreds; but with both
Princesses threatened among many men, each threat a ply deeper, it would never end.
"""


class Limits(NamedTuple):
    """The limits of a search, None for none; the first ply is whole, or `FIRST_PLY_NODES`."""

    depth: int | None = None
    """Plies."""
    nodes: int | None = None
    """Positions met."""
    seconds: float | None = None


class Thought(NamedTuple):
    """The result of a search."""

    depth: int
    """Plies looked ahead; the last one may not be complete."""
    score: int
    """For the side to move: 250 where it should win three games for one lost; near WIN, won."""
    line: tuple[Move, ...]
    """The moves expected (principal variation), beginning with the one to play."""
    nodes: int
    """Positions met."""
    seconds: float
    """Time since the search began."""

    @property
    def move(self) -> Move:
        return self.line[0]

    @property
    def win_in(self) -> int | None:
        """Plies to a proven win, negative to a proven loss; None where nothing is proven."""
        if abs(self.score) <= WON:
            return None
        return WIN - self.score if self.score > 0 else -WIN - self.score


class Search:
    """Thinks about one position."""

    def __init__(
        self,
        position: Position,
        weights: Weights,
        clock: Callable[[], float],
        limits: Limits,
        *,
        stops: Callable[[], bool] = lambda: False,
        earlier: Sequence[Position] = (),
        allowed: Collection[Move] | None = None,
        glimpse: Callable[[Position], Position] = lambda position: position,
        taste: int = 0,
        library: ctypes.CDLL | None = None,
        contempt: int = 0,
        endings: Endings | None = None,
    ) -> None:
        """`earlier` are the game's positions before this one, `allowed` the moves to choose from.

        `glimpse` makes of the position what the player sees of it; `taste` is the seed of likings
        (see `piece_square_table`). `stops` is asked every so many nodes. With a `library` (see
        `library.py`) the tree is searched there, far quicker. With `contempt` a draw is worth so
        much less than nothing to the side to move. What `endings` tell is proven, and needs no
        search. ValueError where there is no move.
        """
        self.limits = limits
        self._position, self._clock, self._stops = position, clock, stops
        self._endings = endings
        self._begun = clock()
        table = piece_square_table(position, weights, taste)
        self._table, self._escape = table, round(weights.escape)
        whole = _played_to_capture(position)
        self._searched = glimpse(whole)
        self._choices = self._find_choices(allowed)
        if not self._choices:  # who sees no way at all looks again, and closely
            self._searched = whole
            self._choices = self._find_choices(allowed)
        if not self._choices:
            raise ValueError("no move to think about: the game is over, or none is allowed")
        # Positions before the last capture cannot come again, so that they are no part of a
        # repetition.
        since = islice(reversed(earlier), position.quiet_plies)
        given = self._searched, table, weights, since, contempt
        self._tree: Tree | QuickTree
        if library is None:
            self._tree = Tree(*given)
        else:
            self._tree = QuickTree(library, whole.law, *given)
        self._depth, self._ask_every = 0, PYTHON_NODES if library is None else QUICK_NODES
        self._is_free = allowed is None  # else one move may be asked about for what it is worth

    @property
    def seconds(self) -> float:
        """The time it has been thinking."""
        return self._clock() - self._begun

    def _find_choices(self, allowed: Collection[Move] | None) -> list[Choice]:
        position = self._searched
        # A player who overlooks ways searches a glimpse of the position, and yet must not play what
        # the rules forbid.
        legal = set(self._position.moves()).intersection(*([] if allowed is None else [allowed]))
        reach = position.men_ends()
        choices = choices_of(position, reach, self._table, self._escape)
        return [choice for choice in choices if self._move_of(choice) in legal]

    def deepen(self) -> Iterator[Thought]:
        """Yield what is found at each depth; the last thought is the best there is."""
        if (known := self._told()) is not None:
            yield known
            return
        # A lone legal move is played without thought, unless somebody asks what it is worth.
        is_forced = len(self._choices) == 1 and self._is_free and self.limits.depth is None
        # The first depth is searched whole, for without it there is no move to play; only so many
        # nodes end even that.
        ask_at = FIRST_PLY_NODES
        for depth in range(1, DEEPEST + 1):
            self._depth = depth
            try:
                self._tree.deepen(self._choices, depth, ask_at, self._check)
            except Stopped:
                yield self._thought(depth)
                return
            yield self._thought(depth)
            # Pondered, it may have gone deeper than it is allowed by now.
            is_proven = depth >= WIN - abs(self._tree.value)  # and there is no shorter way
            if is_proven or is_forced or depth >= (self.limits.depth or DEEPEST):
                return
            ask_at = 0

    def _told(self) -> Thought | None:
        """Return what tables tell of the position; None where they do not, or it is drawn.

        A drawn one is searched, by the moves alone that keep it drawn.
        """
        answers = None if self._endings is None else self._endings.answers(self._position)
        if self._endings is None or answers is None:
            return None
        here = {self._move_of(choice): choice for choice in self._choices}
        best = next(move for move in answers if move in here)
        result, plies = worth = answers[best]
        if not result:
            keep = [move for move in answers if answers[move] == worth and move in here]
            self._choices = [here[move] for move in keep]
            return None
        line = (best, *self._endings.line(self._position.play(best)))
        return Thought(plies, result * (WIN - plies), line, len(answers), self.seconds)

    def think(self) -> Thought:
        """Search to the end, and return the last thought."""
        *_, thought = self.deepen()
        return thought

    def _thought(self, depth: int) -> Thought:
        return Thought(depth, self._tree.value, self._line(depth), self._tree.nodes, self.seconds)

    def _line(self, depth: int) -> tuple[Move, ...]:
        """Return the moves expected, as far as the transposition table still knows them."""
        line = [self._move_of(self._choices[0])]
        position = self._position.play(line[0])
        while len(line) < depth and position.outcome is None:
            start, end = self._tree.hint(position) or (None, None)
            move = next((m for m in position.moves() if m[:2] == (start, end)), None)
            if move is None:
                break
            line.append(move)
            position = position.play(move)
        return tuple(line)

    def _move_of(self, choice: Choice) -> Move:
        """Return a choice at the root as a move."""
        _, here, there, _, is_escape = choice
        takes = self._position.theirs.mask & there.bit
        kind = MoveKind.CAPTURE if takes else MoveKind.ESCAPE if is_escape else MoveKind.MOVE
        return Move(here.square, there.square, kind)

    def _check(self, nodes: int) -> int:
        """Return at how many nodes to ask again; Stopped where a limit is reached."""
        depth, most, seconds = self.limits
        is_spent = most is not None and nodes >= most
        is_deep = depth is not None and self._depth > depth
        is_late = seconds is not None and self.seconds >= seconds
        if is_spent or is_deep or is_late or self._stops():
            raise Stopped
        again = nodes + self._ask_every
        return min(again, most or again)


def make_ready(position: Position, library: ctypes.CDLL | None = None) -> None:
    """Make once what every search by these rules stands on; it should not cost thinking time."""
    mobility_of(position.law)
    if library is not None:
        quick_law(library, _played_to_capture(position).law)


def _played_to_capture(position: Position) -> Position:
    """Return the position under rules that end by capture, where they end by mate.

    Who may not leave a royal piece to be taken, and loses without a move, plays as one who may and
    loses by it; and to look whether a move is legal takes longer than to search its refutation.
    """
    if position.rules["ending"] != "checkmate":
        return position
    return position.under(position.rules.changed({"ending": "capture"}), position.side)

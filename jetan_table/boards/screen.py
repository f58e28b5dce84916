"""Boards without hardware: one that a program's hands touch, and one that is a picture.

Hands do what is typed, or tapped on a page, at a simulated board. A board on a screen always stands
right; or, when people want that, it is a simulated one as well. What is tapped on it is a ply for
certain, so it has a reader of its own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random

from hardware.ports import Evidence as Likelihoods
from hardware.ports import FaultKind, Observation, Occupancy
from hardware.reeds import DEBOUNCE_MS, Bouncing
from rules import (
    JUGGERNAUT_LETTER,
    SQUARE_NAMES,
    SQUARES,
    Notice,
    Occupant,
    Position,
    Square,
    _,
    format_square,
    letters,
    parse_move,
)

from ..game.commands import NO_MOVE_NOW, CommandRefused
from ..game.events import Follows
from ..game.record import Record
from ..journal.journal import Journal
from ..people.board import SimulatedBoard, steady_board
from ..people.strokes import Magnet
from ..reading.readings import Belief, Evidence, JetanGame, Reading, Standing, occupants_of, telling
from ..reading.table_reader import TableReader, by_switches
from ..session.orientation import AS_WIRED, Orientation
from ..session.tabletop import UNKNOWN_PIECE, PieceTracker
from ..table.board import BoardHands, Plain
from ..table.games import Opened

BETWEEN_S = 0.4
"""From one touch of a typed hand to its next."""

POINTER_S = 0.12
"""From one touch of a pointer to its next: it moves at its own pace, but is one hand."""

TIDY_S = 0.03
"""From one touch to the next where many hands set the pieces up."""

PASS_S = 0.12
"""Seconds that a piece that is slid rests on each square of its way."""

FALLEN_S = 3.0
"""Seconds until a piece that was knocked over is set up again."""


class TypedHands:
    """Hands that do what is typed; they know the pieces, which the table's switches do not.

    `standing` are the pieces by square, `in_hand` those held, longest first, `box` those taken, all
    by the letters of position texts. `ailing` are the switches that were made to fail, with the
    word for the way. A hand that is quicker than `between_s` is slowed down to it.
    """

    def __init__(
        self,
        board: SimulatedBoard,
        standing: Mapping[Square, str],
        between_s: float = BETWEEN_S,
    ) -> None:
        self.standing = dict(standing)
        self.in_hand: list[str] = []
        self.box: list[str] = []
        self.ailing: dict[Square, str] = {}
        self.board, self._between_s = board, between_s
        self._free_at = 0.0
        self._lies = AS_WIRED
        self._off: defaultdict[str, list[Magnet]] = defaultdict(list)

    def sit_down(self, position: Position, rng: Random) -> None:
        """Begin at another board, on which `position` stands, with empty hands."""
        self.standing, self.box = letters(position), lying_ready(position)
        self.board = steady_board(self.standing, rng, None, position.rules.board)
        self._free_at, self._lies = 0.0, AS_WIRED
        self.in_hand.clear()
        self.ailing.clear()
        self._off.clear()

    def turn(self, orientation: Orientation) -> None:
        """Rename the squares: the board was found to be turned this way."""
        self._lies = orientation.after(self._lies)
        self.standing = {orientation.actual[s]: letter for s, letter in self.standing.items()}

    def lift(self, square: Square, now: float) -> None:
        """Take up the piece on a square; CommandRefused if there is none."""
        if square not in self.standing:
            raise CommandRefused(_("nothing stands on {square}"), square=format_square(square))
        letter = self.standing.pop(square)
        self.in_hand.append(letter)
        self._take_up(self._next(now), square, letter)

    def put(self, square: Square, now: float, letter: str | None = None) -> None:
        """Put down what was lifted last, or the piece of that letter, from the hand or the box."""
        if square in self.standing:
            raise CommandRefused(
                _("{square} is taken: lift what stands there first"), square=format_square(square)
            )
        source = self.in_hand
        if letter is not None and letter not in source:
            source = self.box
        letter = letter or (source[-1] if source else None)
        if letter is None:
            raise CommandRefused(
                _("{square} is empty, and so are hand and box"), square=format_square(square)
            )
        if letter not in source:
            raise CommandRefused(_("no {letter} is in the hand or the box"), letter=letter)
        source.remove(letter)
        self.standing[square] = letter
        self._put(self._next(now), square, letter)

    def move(self, way: Sequence[Square], now: float) -> None:
        """Take a piece from the first square of its way to the last, over those between.

        What stands on the last square goes to the box; over others that are taken it is lifted.
        """
        victim = way[-1]
        self.lift(way[0], now)
        for square in way[1:-1]:
            if square not in self.standing:
                self._put(self._next(now, PASS_S), square, self.in_hand[-1])
                self._take_up(self._next(now), square, self.in_hand[-1])
        if victim in self.standing:
            self.take(victim, now)
        self.put(victim, now)

    def take(self, square: Square, now: float) -> None:
        """Take the piece on a square off the board, into the box."""
        self.lift(square, now)
        self.box.append(self.in_hand.pop())

    def drop(self, letter: str | None = None) -> None:
        """Put what is in the hand into the box: all of it, or the piece of one letter."""
        if not self.in_hand:
            raise CommandRefused(_("the hand is empty"))
        if letter is not None and letter not in self.in_hand:
            raise CommandRefused(_("no {letter} is in the hand"), letter=letter)
        for dropped in [letter] if letter else list(self.in_hand):
            self.in_hand.remove(dropped)
            self.box.append(dropped)

    def tilt(self, square: Square, now: float) -> None:
        """Knock a piece over; it is set up again after a while."""
        if square not in self.standing:
            raise CommandRefused(_("nothing stands on {square}"), square=format_square(square))
        at, letter = self._next(now), self.standing[square]
        self._take_up(at, square, letter)
        self._put(at + FALLEN_S, square, letter)

    def fail(self, square: Square, fault: FaultKind | None, now: float) -> None:
        """Let a square's switch fail, or mend it."""
        self.board.fail(self._next(now), self._lies.seen(square), fault)
        self.ailing.pop(square, None)
        if fault is not None:
            self.ailing[square] = fault.value

    def mend(self, now: float) -> None:
        """Mend every switch that was made to ail."""
        for square in list(self.ailing):
            self.fail(square, None, now)

    def weaken(self, square: Square, now: float) -> None:
        """Let a square's switch lose its piece for moments, again and again."""
        self.board.wear(self._next(now), self._lies.seen(square))
        self.ailing[square] = "weak"

    def set_up(self, position: Position, now: float) -> None:
        """Put all pieces as a position has them."""
        wanted = letters(position)
        wrong = [at for at in SQUARES if self.standing.get(at) != wanted.get(at)]
        for square in wrong:
            if square in self.standing:
                self._take_up(self._next(now, TIDY_S), square, self.standing[square])
        self._next(now)  # a slow machine, too, sees that another piece is to stand there
        for square in wrong:
            if square in wanted:
                self._put(self._next(now, TIDY_S), square, wanted[square])
        self.standing = wanted
        self.in_hand.clear()
        self.box = lying_ready(position)

    def _take_up(self, at: float, square: Square, letter: str) -> None:
        """Take up the piece of that letter."""
        lifted = self.board.lift(at, self._lies.seen(square))
        if lifted is not None:
            self._off[letter].append(lifted)

    def _put(self, at: float, square: Square, letter: str) -> None:
        """Put down a piece of that letter: the one that was taken up last, or a new one."""
        off = self._off[letter]
        magnet = off.pop() if off else self.board.new_piece()
        self.board.put(at, self._lies.seen(square), magnet)

    def _next(self, now: float, rest_s: float | None = None) -> float:
        """Return when the next touch is made: a hand does one thing after another.

        After this touch it rests for `rest_s`, or as long as it always does.
        """
        at = max(self._free_at, now)
        self._free_at = at + (self._between_s if rest_s is None else rest_s)
        return at


def typed_hands(
    journal: Journal,
    opened: Opened,
    seed: int,
    between_s: float = BETWEEN_S,
    debounce_ms: float = DEBOUNCE_MS,
) -> TypedHands:
    """Return hands that do what is typed at a simulated board, as the game was left."""
    standing, in_hand = pieces_left(journal, opened)
    topology = opened.record.position.rules.board
    rng = Random(f"table {seed}")
    board = steady_board(standing, rng, None, topology, debounce_ms=debounce_ms)
    hands = TypedHands(board, standing, between_s)
    hands.in_hand += in_hand
    hands.box += lying_ready(opened.record.position)
    return hands


def pieces_left(journal: Journal, opened: Opened) -> tuple[dict[Square, str], list[str]]:
    """Return the pieces of a simulated table as it was left, by square, and those in the hand.

    The switches' last word counts, as on a real one: a piece that was in the air still is.
    """
    # The journal has the plies, but not what was in the air: only the switches' last levels tell.
    occupancy = Occupancy()
    for observation in journal.archive.observations(opened.game):
        occupancy.update(observation)
    position, remains = opened.record.stands, opened.record.remains
    where = PieceTracker(position, occupancy.occupied if occupancy else letters(position), remains)
    where.confirm(position, opened.record.faults.keys(), remains)
    in_hand = where.in_hand + where.absent
    for square in [at for at, letter in where.standing.items() if letter == UNKNOWN_PIECE]:
        del where.standing[square]
        if in_hand:
            where.standing[square] = in_hand.pop()
    return where.standing, in_hand


def lying_ready(position: Position) -> list[str]:
    """Return the pieces in the box that nobody took: a Juggernaut that has still to enter."""
    is_to_begin = position.juggernaut is None and position.rules["juggernaut"] != "off"
    return [JUGGERNAUT_LETTER] if is_to_begin else []


# ------------------------------------------------------------------ the board on a screen


SURE = 40.0
"""The evidence of a picture, in nats: it cannot be mistaken."""


class ScreenBoard(Plain):
    """The board of a table that is a picture on a screen, and who reads it.

    Nothing is sensed and so nothing can be misread: pieces stand where the game has them, at once,
    and a ply is what people name. While it `simulates`, `typed` hands touch the reeds of a
    simulated board instead, and those are read as a real table's are.
    """

    hands: BoardHands | None = None
    trouble: Notice | None = None

    def __init__(self, typed: TypedHands, simulates: bool) -> None:
        self.typed, self.simulates = typed, simulates
        self._record: Callable[[], Record] | None = None
        self._shown: Mapping[Square, Occupant] = {}
        self._reader: CertainReader | None = None

    def follow(self, record: Callable[[], Record]) -> None:
        """Show from now on the game that `record` tells."""
        self._record = record

    @property
    def due(self) -> float | None:
        """The time of the next change at the simulated switches; None if there is none."""
        return self.typed.board.due if self.simulates else None

    @property
    def bouncing(self) -> Mapping[Square, Bouncing]:
        """The bouncing of the simulated switches."""
        return self.typed.board.bouncing if self.simulates else {}

    @property
    def is_behind(self) -> bool:
        """True if the game has gone on since the last look, as after a take-back."""
        return self._record is not None and self._shown != _occupants(self._record().stands)

    def simulate(self, is_wanted: bool) -> None:
        """Begin or cease to simulate a real board, from the game as it stands; hands are empty."""
        assert self._record is not None
        self.simulates, self._shown = is_wanted, {}
        if is_wanted:
            self.typed.sit_down(self._record().stands, Random("a table of its own"))

    def poll(self, now: float) -> Iterable[Observation]:
        """Return what has changed on the board since the last look."""
        return self.typed.board.poll(now) if self.simulates else self._look(now)

    def read_by(self, standing: Standing, faults: Mapping[Square, FaultKind]) -> TableReader:
        """Begin to read from a position that stands."""
        self._reader = None
        if self.simulates:
            return by_switches(standing, faults)
        self._reader = CertainReader(standing, standing.position.ply_number, faults)
        return self._reader

    def pick(self, square: Square | None) -> None:
        """Show where the piece of a square may go, which people are about to move; None: no one."""
        reader = self._ready()
        piece = None if square is None else reader.position.piece_at(square)
        is_own = piece is not None and piece.side is reader.position.side
        reader.picked = square if is_own else None

    def play(self, start: Square, end: Square, now: float) -> None:
        """Let a ply be played; IllegalMove, or CommandRefused where none can be now."""
        if not self._ready().name(start, end, now):
            raise CommandRefused(NO_MOVE_NOW)

    def unplay(self) -> None:
        """Forget a ply that nobody has taken in yet."""
        if self._reader is not None:
            self._reader.unname()

    def _ready(self) -> CertainReader:
        if self._reader is None or self._record is None or self._record().ending is not None:
            raise CommandRefused(NO_MOVE_NOW)
        return self._reader

    def _look(self, now: float) -> list[Observation]:
        """Show the game as it stands; what it has under others was cleared away by nobody."""
        if self._record is None:
            return []
        record = self._record()
        shown = _occupants(record.stands)
        # A square with a piece left under another is shown empty first and then as it is: on a
        # picture nobody has to clear that piece away.
        news = {square: each for square, each in shown.items() if self._shown.get(square) != each}
        observations = []
        if record.remains:
            cleared = dict.fromkeys(record.remains, Occupant.EMPTY)
            observations.append(Observation(now, _evident(cleared)))
            news |= {square: shown[square] for square in record.remains}
        self._shown = shown
        if news:
            observations.append(Observation(now, _evident(news)))
        return observations


class CertainReader:
    """Reads plies that people name, not hands; it ignores all observations.

    `failed` are the switches that the game remembers as failed: a screen has none, so they are said
    to follow again.
    """

    shown: tuple[Standing, ...] = ()

    def __init__(self, standing: Standing, number: int, failed: Iterable[Square] = ()) -> None:
        self.picked: Square | None = None
        """The square of the piece that people are about to move; it counts as in the air."""
        self._standing, self._number = standing, number
        self._failed = tuple(failed)
        self._named: list[Reading[Standing]] = []
        """Plies that were named and will be reported at the next look."""
        self._told = standing, number
        """The position after the last reported ply, and the number of the next."""
        self.due: float | None = 0.0 if self._failed else None
        """The time to look: at once after a ply was named, for waiting makes nothing surer."""

    @property
    def position(self) -> Position:
        """The position that stands."""
        return self._standing.position

    @property
    def belief(self) -> Belief[Standing]:
        air = () if self.picked is None else (self.picked,)
        return Belief(self._standing, self._number, lifted=air, missing=frozenset(air))

    def name(self, start: Square, end: Square, now: float) -> bool:
        """Play from one square to another; IllegalMove where that is none.

        False where no ply can follow just now: a square is still fought for.
        """
        self.picked = None
        move = parse_move(SQUARE_NAMES[start] + SQUARE_NAMES[end], self.position)
        steps = JetanGame().steps_from(self._standing, move.from_square)
        step = next((step for step in steps if step.to_square == move.to_square), None)
        if step is None:
            return False
        self._named.append(telling(self._number, step, Evidence(now, now), now))
        self._standing, self._number, self.due = step.after, self._number + 1, now
        return True

    def unname(self) -> None:
        """Forget what was named and is not told yet."""
        self._named = []
        self._standing, self._number = self._told
        self.due = 0.0 if self._failed else None

    def observe(self, observation: Observation) -> list[Reading[Standing]]:
        """Return what was named."""
        return self.tick(observation.at)

    def tick(self, now: float) -> list[Reading[Standing]]:
        """Return what was named."""
        # Each is reported once, before the plies: a game that was begun at switches may go on here.
        failed, self._failed = self._failed, ()
        read: list[Reading[Standing]]
        read = [Reading(Follows(format_square(square)), now) for square in failed]
        read, self._named = [*read, *self._named], []
        self._told = self._standing, self._number
        self.due = None
        return read

    def answer(self, number: int, square: Square) -> list[Reading[Standing]]:
        """Nothing is ever asked: ValueError."""
        raise ValueError(f"ply {number} is certain")

    def stands(self, number: int, now: float) -> list[Reading[Standing]]:
        """No game is ever lost: ValueError."""
        raise ValueError(f"no board {number} was shown")


def _occupants(position: Position) -> dict[Square, Occupant]:
    found = occupants_of(position)
    return {square: Occupant(found[square]) for square in SQUARES}


def _evident(squares: Mapping[Square, Occupant]) -> dict[Square, Likelihoods | None]:
    return {square: _EVIDENCE[occupant] for square, occupant in squares.items()}


_EVIDENCE: Mapping[Occupant, Likelihoods] = {
    Occupant.EMPTY: (0.0, -SURE, -SURE, -SURE),
    Occupant.BLACK: (-SURE, 0.0, -SURE, -SURE),
    Occupant.ORANGE: (-SURE, -SURE, 0.0, -SURE),
    Occupant.NEUTRAL: (-SURE, -SURE, -SURE, 0.0),
}

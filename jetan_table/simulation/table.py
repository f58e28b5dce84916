"""A table without hardware: simulated switches under the real scan, and hands that touch them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Protocol

from hardware.ports import RGB, Observation, Sensor
from hardware.simulated_contacts import ContactFault
from rules import SQUARES, Position, Square, format_square, parse_square
from rules.pieces import JUGGERNAUT_LETTER
from rules.sentences import _

from ..board.orientation import AS_WIRED, Orientation
from ..board.piece_tracker import PieceTracker
from ..errors import TableError
from ..game.events import Question
from ..game.placement import UNKNOWN, letters
from ..journal.journal import Journal
from ..journal.opening import Opened
from ..reading.occupancy import Occupancy
from .board import SimulatedBoard, play_on
from .game import SimulatedGame
from .presets import SimulationPreset
from .world import Magnet

BETWEEN_S = 0.4
"""From one touch of a typed hand to its next."""

TIDY_S = 0.03
"""From one touch to the next where many hands set the pieces up."""

PASS_S = 0.12
"""How long a piece that is slid rests on a square of its way."""

LIES_S = 3.0
"""How long a piece that is knocked over lies beside its square."""

FAULTS_AT_S = (30.0, 180.0)
"""When a simulated switch fails, from the beginning of a game."""


class HandRefused(TableError, ValueError):
    """Something no hand can do, as to lift from an empty square."""


class LightsSeen:
    """Lamps that are looked at: the last lights shown."""

    def __init__(self) -> None:
        self.lights: Sequence[RGB] = ()

    def show(self, lights: Sequence[RGB]) -> None:
        self.lights = lights


class SimulatedHands(Protocol):
    """Whoever touches the board as time goes on."""

    def play(self, now: float) -> None:
        """Touch the board up to `now`."""
        ...


class TouchedSensor:
    """The sensor of a simulated board, whose hands move while it is looked at."""

    def __init__(self, hands: SimulatedHands, sensor: Sensor) -> None:
        self._hands, self._sensor = hands, sensor

    def poll(self, now: float) -> Iterable[Observation]:
        self._hands.play(now)
        return self._sensor.poll(now)


class TypedHands:
    """Hands that do what is typed; they know the pieces, which the table's switches do not.

    `standing` is what stands where, `in_hand` what is held, longest first, `box` what has been
    taken, all by the letters of position texts. `ailing` are the switches that were made to ail,
    with the word for how. A hand that is quicker than `between_s` is slowed down to it.
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
        self._board, self._between_s = board, between_s
        self._free_at = 0.0
        self._lies = AS_WIRED

    def sit_down(self, board: SimulatedBoard, position: Position) -> None:
        """Begin at another board, on which `position` stands, with empty hands."""
        self._board, self._free_at, self._lies = board, 0.0, AS_WIRED
        self.standing, self.box = letters(position), lying_ready(position)
        self.in_hand.clear()
        self.ailing.clear()

    def turn(self, orientation: Orientation) -> None:
        """Name the squares otherwise: the board was found to lie so."""
        self._lies = orientation.after(self._lies)
        self.standing = {orientation.really[s]: letter for s, letter in self.standing.items()}

    def play(self, now: float) -> None:
        self._board.advance(now)

    def lift(self, square: Square, now: float) -> None:
        """Take up what stands on a square; HandRefused if nothing does."""
        if square not in self.standing:
            raise HandRefused(_("nothing stands on {square}"), square=format_square(square))
        self.in_hand.append(self.standing.pop(square))
        self._board.lift(self._next(now), self._lies.seen(square))

    def put(self, square: Square, now: float, letter: str | None = None) -> None:
        """Put down what was lifted last, or the piece of that letter, from the hand or the box."""
        if square in self.standing:
            raise HandRefused(
                _("{square} is taken: lift what stands there first"), square=format_square(square)
            )
        source = self.in_hand
        if letter is not None and letter not in source:
            source = self.box
        letter = letter or (source[-1] if source else None)
        if letter is None:
            raise HandRefused(
                _("{square} is empty, and so are hand and box"), square=format_square(square)
            )
        if letter not in source:
            raise HandRefused(_("no {letter} is in the hand or the box"), letter=letter)
        source.remove(letter)
        self.standing[square] = letter
        self._board.put(self._next(now), self._lies.seen(square))

    def move(self, way: Sequence[Square], now: float) -> None:
        """Take a piece from the first square of its way to the last, over those between.

        What stands on the last square goes to the box; over others that are taken it is lifted.
        """
        victim = way[-1]
        self.lift(way[0], now)
        for square in way[1:-1]:
            if square not in self.standing:
                self._board.put(self._next(now, PASS_S), self._lies.seen(square))
                self._board.lift(self._next(now), self._lies.seen(square))
        if victim in self.standing:
            self.take(victim, now)
        self.put(victim, now)

    def take(self, square: Square, now: float) -> None:
        """Take what stands on a square off the board, into the box."""
        self.lift(square, now)
        self.box.append(self.in_hand.pop())

    def drop(self, letter: str | None = None) -> None:
        """Put what is in the hand into the box: all of it, or the piece of one letter."""
        if not self.in_hand:
            raise HandRefused(_("the hand is empty"))
        if letter is not None and letter not in self.in_hand:
            raise HandRefused(_("no {letter} is in the hand"), letter=letter)
        for dropped in [letter] if letter else list(self.in_hand):
            self.in_hand.remove(dropped)
            self.box.append(dropped)

    def tilt(self, square: Square, now: float) -> None:
        """Knock a piece over; it is set up again after a while."""
        if square not in self.standing:
            raise HandRefused(_("nothing stands on {square}"), square=format_square(square))
        at = self._next(now)
        self._board.lift(at, self._lies.seen(square))
        self._board.put(at + LIES_S, self._lies.seen(square))

    def fail(self, square: Square, fault: ContactFault | None, now: float) -> None:
        """Let a square's switch fail, or mend it."""
        self._board.fail(self._next(now), self._lies.seen(square), fault)
        self.ailing.pop(square, None)
        if fault is not None:
            self.ailing[square] = fault.value

    def mend(self, now: float) -> None:
        """Mend every switch that was made to ail."""
        for square in list(self.ailing):
            self.fail(square, None, now)

    def weaken(self, square: Square, now: float) -> None:
        """Let a square's switch lose its piece for moments, again and again."""
        self._board.weaken(self._lies.seen(square), self._next(now))
        self.ailing[square] = "weak"

    def set_up(self, position: Position, now: float) -> None:
        """Put all pieces as a position has them."""
        wanted = letters(position)
        wrong = [at for at in SQUARES if self.standing.get(at) != wanted.get(at)]
        for square in wrong:
            if square in self.standing:
                self._board.lift(self._next(now, TIDY_S), self._lies.seen(square))
        self._next(now)  # a slow machine, too, sees that another piece is to stand there
        for square in wrong:
            if square in wanted:
                self._board.put(self._next(now, TIDY_S), self._lies.seen(square))
        self.standing = wanted
        self.in_hand.clear()
        self.box = lying_ready(position)

    def _next(self, now: float, rest_s: float | None = None) -> float:
        """Return when the next touch is made: a hand does one thing after another.

        After this touch it rests for `rest_s`, or as long as it always does.
        """
        at = max(self._free_at, now)
        self._free_at = at + (self._between_s if rest_s is None else rest_s)
        return at


def lying_ready(position: Position) -> list[str]:
    """Return what lies in the box though nobody has taken it: a Juggernaut that is to begin."""
    is_to_begin = position.juggernaut is None and position.rules["juggernaut"] != "off"
    return [JUGGERNAUT_LETTER] if is_to_begin else []


class AutoHands:
    """Two simulated people at the table, from a seed."""

    def __init__(self, start: Position, preset: SimulationPreset, seed: int, now: float) -> None:
        """Sit down at `start`, when the clock shows `now`, to play as `preset` says."""
        rng = Random(f"table {seed}")
        self.game = SimulatedGame(start, preset.habits, seed, now)
        standing = sorted(self.game.world.standing)
        weak = rng.choice(standing)
        weak_magnet = weak if preset.weak == "magnet" else None
        self.board = SimulatedBoard(standing, rng, begins=now, weak_magnet=weak_magnet)
        if weak_magnet is not None:
            self.game.world.weak = Magnet(weak_magnet)
        if preset.weak == "switch":
            self.board.weaken(weak)
        if preset.fault:
            at = now + rng.uniform(*FAULTS_AT_S) * preset.habits.pace
            self.board.fail(at, rng.choice(SQUARES), preset.fault)

    def play(self, now: float) -> None:
        play_on(self.game, self.board, now)
        if self.game.awaits_roll:
            self.game.go_on()

    def asked(self, question: Question) -> Square:
        """Return what the players say when they are asked: where something went, or came from."""
        number = question.number
        if not question.is_ply:
            rolls = reversed(self.game.juggernaut_rows)
            return parse_square(next(row.to for row in rolls if row.after_ply == number))
        ply = next(row for row in reversed(self.game.rows) if row.ply == number)
        return parse_square(ply.from_ if question.from_square is None else ply.to)


def pieces_left(journal: Journal, opened: Opened) -> tuple[dict[Square, str], list[str]]:
    """Return what stands on a simulated table where it was left, and what was in the hand.

    The switches' last word counts, as on a real one: a piece that was in the air still is.
    """
    occupancy = Occupancy()
    for observation in journal.archive.observations(opened.game):
        occupancy.update(observation)
    position, remains = opened.record.stands, opened.record.remains
    where = PieceTracker(position, occupancy.occupied if occupancy else letters(position), remains)
    where.confirm(position, opened.record.faults.keys(), remains)
    in_hand = where.in_hand + where.absent
    for square in [at for at, letter in where.standing.items() if letter == UNKNOWN]:
        del where.standing[square]
        if in_hand:
            where.standing[square] = in_hand.pop()
    return where.standing, in_hand


def typed_hands(
    journal: Journal, opened: Opened, seed: int, between_s: float = BETWEEN_S
) -> tuple[TypedHands, SimulatedBoard]:
    """Return a simulated board, as the game was left, and hands that do there what is typed."""
    standing, in_hand = pieces_left(journal, opened)
    board = SimulatedBoard(sorted(standing), Random(f"table {seed}"))
    hands = TypedHands(board, standing, between_s)
    hands.in_hand += in_hand
    hands.box += lying_ready(opened.record.position)
    return hands, board

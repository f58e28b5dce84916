"""Simulated players at a table, whose hands carry magnets over reeds and who heed lamps and words.

They know the position and the lamps' meanings: they play while the table follows them, correct the
board, answer questions, and insist if it does not believe them.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from random import Random

from rules import (
    Move,
    MoveKind,
    Position,
    RulesError,
    Side,
    Square,
    Throw,
    _,
    format_square,
    letters,
)
from rules.text import format_throw

from ..errors import TableError
from ..game.commands import AnswerQuestion, BoardIsRight, DecideFight, PlayersCommand, RollDie
from ..game.events import BadRecord, Ending, Entry, Settled, TakeBack
from ..game.rolling import roll_event, rolled_start, start_squares
from ..journal.journal import Journal, write_game
from ..session.session import News
from ..session.view import Phase, View
from ..table.board import Board
from ..table.games import Opened
from ..table.loop import Clock, Table
from .board import SimulatedBoard
from .hands import MISHAPS, Hands, choose_move
from .manners import PlayerManner, Profile
from .strokes import Magnet

LOOKS_S = 2.5
"""Seconds that people give the table to decide before they act on it."""

READ_S = 3.0
"""Seconds after the last touch in which the record of an ended game may still change."""

STEP_S = 0.005
LONGEST_STEP_S = 0.05


class SimulatedPeople:
    """Both players: they make one deed at a time, after looking at the result of the last."""

    def __init__(
        self,
        board: SimulatedBoard,
        position: Position,
        profile: Profile,
        rng: Random,
    ) -> None:
        """Sit down at a board on which the pieces of `position` have been set up."""
        self.board, self._rng, self._manners = board, rng, profile.manners
        self._letters = {Magnet(square): letter for square, letter in letters(position).items()}
        self._hands = {
            side: Hands(board.world, PlayerManner(profile.manners, rng)) for side in Side
        }
        self.free_at = 0.0
        """Time of the next deed, on the board's own clock: hands are empty, the table is done."""
        self.made: list[Move] = []
        """All plies made, also those that the table made them undo."""

    @property
    def standing(self) -> dict[Square, str]:
        """The letter of the piece that people have put on each square."""
        return {at: self._letters[magnet] for at, magnet in self.board.world.standing.items()}

    def act(self, view: View, at: float) -> PlayersCommand | None:
        """Begin the next deed, or return a command to the table; do nothing before `free_at`.

        `at` is the board's own time.
        """
        # First what the table waits for: a throw, a fight, a question. Then a wrong board, or the
        # next ply would be misread. A ply of their own comes last.
        if at < self.free_at or view.trouble is not None or view.phase is Phase.OVER:
            return None
        self.free_at = at + LOOKS_S
        standing, wanted = self.standing, letters(view.position)
        if view.is_roll_due:
            return RollDie()
        if view.fight is not None:
            thrown = Throw(self._rng.randint(1, 10), self._rng.randint(1, 10), by_hand=True)
            return DecideFight(format_throw(thrown))
        if view.corner is not None:
            return AnswerQuestion(format_square(view.corner))
        if view.question is not None and view.answer_squares:
            done = set(map(format_square, self.made[-1][:2])) if self.made else set()
            truth = done.intersection(view.question.candidates)
            return AnswerQuestion(min(truth or view.question.candidates))
        if standing != wanted:
            self._put_right(standing, wanted, at)
            return None
        if view.phase is Phase.SETTING_UP or view.leading.repair or view.touched:
            return BoardIsRight()
        self._play(view.position, at)
        return None

    def _put_right(self, standing: dict[Square, str], wanted: dict[Square, str], at: float) -> None:
        """Carry one piece to its square, or off the board."""
        world, hands = self.board.world, self._hands[Side.BLACK]
        wrong = sorted(s for s, letter in standing.items() if wanted.get(s) != letter)
        empty = sorted(s for s, letter in wanted.items() if standing.get(s) is None)
        begins = max([at, *world.free_at.values()])
        for end in empty:
            source = next((s for s in wrong if standing[s] == wanted[end]), None)
            magnet = world.standing.pop(source) if source is not None else self._off(wanted[end])
            if magnet is not None:
                self.free_at = hands.put(begins, end, magnet, "plain", []) + LOOKS_S
                return
        gone = world.standing.pop(wrong[0])
        self.free_at = hands.leave(begins, gone, []).ended + LOOKS_S

    def _off(self, letter: str) -> Magnet | None:
        """Return a piece of a letter that is off the board; None if there is none."""
        on = set(self.board.world.standing.values())
        off = (magnet for magnet, of in self._letters.items() if of == letter)
        return next((magnet for magnet in off if magnet not in on), None)

    def _play(self, position: Position, at: float) -> None:
        """Make a legal move with these hands' habits, after the mishaps that chance brings."""
        hands, manners = self._hands[position.side], self._manners
        move = choose_move(position, manners, self._rng)
        begins = max([at, *self.board.world.free_at.values()]) + self._rng.uniform(0.2, 2.0)
        # Mishaps end before the ply begins: a piece that is being set up again cannot be taken.
        for _tag, share, happen in MISHAPS:
            if hands.player.does(getattr(manners, share)):
                mishap = happen(begins, hands, position)
                if mishap is not None:
                    begins = mishap.ended + hands.player.rests(manners.recover)
        if move.kind is MoveKind.CAPTURE:
            deed = hands.take(begins, move, position, hands.player.chooses(manners.takes))
        else:
            deed = hands.land(begins, move, position)
        self.made.append(move)
        self.free_at = max(deed.free_at, deed.landed) + LOOKS_S


@dataclass(slots=True)
class SimulatedPlay:
    """One game of simulated people at a table."""

    table: Table
    clock: Clock
    plies_before: int
    """Plies on the record when they sat down."""
    people: SimulatedPeople
    board: Board
    settled_at: float | None = None

    def is_going_on(self) -> bool:
        """Let people act on the table's view; return False once the game is over and read."""
        now = self.clock.now()
        command = self.people.act(self.table.view, now - self.people.board.shift)
        if command is not None:
            # A command may be out of date by now; people look again then.
            with suppress(TableError, RulesError):
                self.table.obey(command, now)
        if self.table.view.phase is not Phase.OVER:
            self.settled_at = None
            return True
        self.settled_at = self.settled_at or now
        return now < self.settled_at + READ_S

    def is_read_rightly(self) -> bool:
        """Return whether all plies of the record were made, in order, by these people."""
        made = iter(self.people.made)
        read = [ply.move for ply in self.table.session.record.game.plies[self.plies_before :]]
        return all(any(move[:2] == each[:2] for each in made) for move in read)

    def pause(self) -> None:
        """Let time pass until something is due."""
        free_at = self.people.free_at + self.people.board.shift
        dues = [free_at, self.people.board.due, self.table.session.due]
        now = self.clock.now()
        next_due = min(due for due in dues if due is not None)
        self.clock.sleep(min(max(next_due - now, STEP_S), LONGEST_STEP_S))

    def run(self, tell: Callable[[list[News]], None]) -> None:
        """Play the game to its end, telling what has happened once it is on the disk."""
        while self.is_going_on():
            tell(self.table.step(self.clock.now()))
            self.pause()


def leave(journal: Journal, play: SimulatedPlay) -> None:
    """Close a game that has not ended, so that another may begin."""
    if play.table.session.record.ending is None:
        entry = Entry(play.clock.now(), Ending("*", "abandoned"))
        journal.append(play.table.game, [entry])
        record = play.table.session.record.after(entry)
        write_game(journal.folder, journal.witness(play.table.game), record)


def settled(journal: Journal, opened: Opened, seed: int, clock: Clock) -> Opened:
    """Return a game with all that it waits for before the next ply settled, by a seed."""
    at = clock.now()
    opened = _agreed(journal, _without_question(journal, opened, at), at)
    opened = _without_fight(journal, opened, at)
    return _with_juggernaut(journal, opened, Random(f"start {seed}"), at)


def _agreed(journal: Journal, opened: Opened, at: float) -> Opened:
    """Return the game with open matters of its opening agreed as they stand."""
    record = opened.record
    while (matter := record.unsettled) is not None:
        entry = Entry(at, record.opening.as_it_stands(matter, record.position))
        record = record.after(entry)
        journal.append(opened.game, [entry])
    return replace(opened, record=record)


def _with_juggernaut(journal: Journal, opened: Opened, rng: Random, at: float) -> Opened:
    """Return the game with the Juggernaut's start thrown by people's dice, if it is open."""
    starts = start_squares(opened.record)
    if not starts:
        return opened
    rolled = rolled_start(starts, lambda occasion: rng.randint(1, 10))
    entry = Entry(at, roll_event(opened.record, rolled._replace(by_hand=True)))
    journal.append(opened.game, [entry])
    return replace(opened, record=opened.record.after(entry))


def _without_fight(journal: Journal, opened: Opened, at: float) -> Opened:
    """Return the game without the ply of an open fight: the people who fought it are gone."""
    fight, record = opened.record.fight, opened.record
    if fight is None:
        return opened
    entries = [Entry(at, TakeBack(fight.number, "words")), Entry(at, Settled())]
    journal.append(opened.game, entries)
    for entry in entries:
        record = record.after(entry)
    return replace(opened, record=record)


def _without_question(journal: Journal, opened: Opened, at: float) -> Opened:
    """Return the game with an open question answered by the first candidate that fits.

    The people who knew better are gone. BadRecord: none fits.
    """
    question = opened.record.question
    if question is None:
        return opened
    for candidate in question.candidates:
        entry = Entry(at, question.answer(candidate))
        try:
            answered = opened.record.after(entry)
        except (RulesError, BadRecord):
            continue
        journal.append(opened.game, [entry])
        return replace(opened, record=answered)
    raise BadRecord(
        _("game {game}: no answer fits what followed move {number}"),
        game=opened.game,
        number=question.number,
    )

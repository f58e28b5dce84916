"""People whose hands carry magnets over reeds at a table, and who do as its lamps and words say.

They know how the pieces should stand and what the lamps mean: they play while the table follows
them, put right what is wrong, answer what it asks, and say so where it does not believe them.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from random import Random

from rules import Move, MoveKind, RulesError, Side, Square, format_square
from rules.position import Position

from ..errors import TableError
from ..game.commands import AnswerQuestion, BoardIsRight, PlayersCommand, RollDie
from ..game.placement import letters
from ..journal.journal import Journal
from ..journal.opening import Opened
from ..session.guests import Guest
from ..session.view import Phase, View
from ..settings import Settings
from ..simulation.game import choose_move
from ..simulation.manners import PhysicalProfile, PlayerManner
from ..simulation.physical import world_of
from ..simulation.physical_board import PhysicalBoard
from ..simulation.physical_game import MISHAPS, Mishap
from ..simulation.physical_hands import PhysicalHands
from ..simulation.world import Magnet
from ..table.loop import Clock
from ..wiring import Drive, dice_of, join
from .simulated_play import READ_S, SimulatedPlay, settled

LOOKS_S = 2.5
"""So long people let the table make up its mind before they do something about it."""


class PhysicalPeople:
    """Both players: one deed at a time, begun when the last one is done and looked at."""

    def __init__(
        self,
        board: PhysicalBoard,
        profile: PhysicalProfile,
        rng: Random,
        mishaps: Sequence[Mishap] = MISHAPS,
    ) -> None:
        self.board, self._rng, self._manners = board, rng, profile.manners
        self._hands = {
            side: PhysicalHands(board.world, PlayerManner(profile.manners, rng)) for side in Side
        }
        self._mishaps = mishaps
        self.free_at = 0.0
        """When both hands are empty and the table has had its time, in the board's own time."""
        self.made: list[Move] = []
        """Every ply that was made, also those that the table made them undo."""

    def act(self, view: View, at: float) -> PlayersCommand | None:
        """Begin the next deed, or return what is said to the table; nothing while it is not time.

        `at` is the board's own time.
        """
        if at < self.free_at or view.trouble is not None or view.phase is Phase.OVER:
            return None
        self.free_at = at + LOOKS_S
        standing, wanted = dict(self.board.standing), letters(view.position)
        if view.dice.is_due:
            return RollDie()
        if view.asked_corner is not None:
            return AnswerQuestion(format_square(view.asked_corner.corner))
        if view.question is not None and view.asked:
            done = set(map(format_square, self.made[-1][:2])) if self.made else set()
            truth = done.intersection(view.question.candidates)
            return AnswerQuestion(min(truth or view.question.candidates))
        if standing != wanted:
            self._put_right(standing, wanted, at)
            return None
        if view.phase is Phase.SETTING_UP or view.leading.repair or view.terms.touched:
            return BoardIsRight()
        self._play(view.position, at)
        return None

    def _put_right(self, standing: dict[Square, str], wanted: dict[Square, str], at: float) -> None:
        """Carry one piece to where it belongs, or off the board."""
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
        """A piece of that letter which lies off the board."""
        on = set(self.board.world.standing.values())
        off = (magnet for magnet, of in self.board.letters.items() if of == letter)
        return next((magnet for magnet in off if magnet not in on), None)

    def _play(self, position: Position, at: float) -> None:
        """Make a legal move, with all the habits of these hands and what happens before."""
        hands, manners = self._hands[position.side], self._manners
        move = choose_move(position, manners, self._rng)
        begins = max([at, *self.board.world.free_at.values()]) + self._rng.uniform(0.2, 2.0)
        for _tag, share, happen in self._mishaps:
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
class PhysicalPlay(SimulatedPlay):
    """One game of such people at a table."""

    people: PhysicalPeople
    settled_at: float | None = None
    """When the game was over."""

    @property
    def board_due(self) -> float | None:
        free_at = self.people.free_at + self.people.board.shift
        return min(free_at, self.people.board.due or free_at)

    def is_going_on(self) -> bool:
        now = self.clock.now()
        command = self.people.act(self.table.view, now - self.people.board.shift)
        if command is not None:
            # The table may have thought of something else meanwhile: then they look again.
            with suppress(TableError, RulesError):
                self.table.obey(command, now)
        if self.table.view.phase is not Phase.OVER:
            self.settled_at = None
            return True
        self.settled_at = self.settled_at or now
        return now < self.settled_at + READ_S

    def is_read_rightly(self) -> bool:
        """Whether every ply of the record was made; what the table made them undo counts not."""
        made = iter(self.people.made)
        read = [ply.move for ply in self.table.session.record.game.plies[self.plies_before :]]
        return all(any(move[:2] == each[:2] for each in made) for move in read)


def sit_down_physically(
    journal: Journal,
    opened: Opened,
    settings: Settings,
    profile: PhysicalProfile,
    seed: int,
    clock: Clock,
    drive: Drive | None = None,
    guests: Sequence[Guest] = (),
) -> PhysicalPlay:
    """Let people with magnets go on with a game, from the position the journal has."""
    opened = settled(journal, opened, seed, clock)
    position, rng = opened.record.position, Random(f"physical {seed}")
    board = PhysicalBoard(position, world_of(profile, position, rng), rng, clock.now())
    dice = dice_of(journal, settings)
    table, lamps = join(board, board, journal, opened, settings, drive, dice, guests)
    people = PhysicalPeople(board, profile, rng)
    return PhysicalPlay(table, lamps, clock, len(opened.record.game.plies), people)

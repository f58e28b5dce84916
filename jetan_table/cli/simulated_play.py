"""Games that simulated people play at the simulated table, and whether they were read rightly."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random

from msgspec import UNSET

from rules import RulesError, Termination, format_square
from rules.game_text import format_throw
from rules.sentences import _

from ..game.commands import AnswerQuestion, DecideFight
from ..game.duels import Fight
from ..game.errors import BadRecord
from ..game.events import Ending, Entry, Settled, TakeBack
from ..game.rolling import roll_event, rolled_start, start_squares
from ..journal.journal import Journal
from ..journal.opening import Opened
from ..session.guests import Guest
from ..session.session import News
from ..session.view import Phase
from ..settings import Settings
from ..simulation.presets import SimulationPreset
from ..simulation.table import AutoHands, LightsSeen
from ..table.loop import Clock, Table
from ..wiring import Drive, join

SETTLED_S = 12.0
"""So long after the last touch the table has read all it ever will."""

READ_S = 3.0
"""So long after the last touch a game that has ended may still be amended."""

STEP_S = 0.005
LONGEST_STEP_S = 0.05


@dataclass(slots=True)
class SimulatedPlay(ABC):
    """One game of simulated people at a table."""

    table: Table
    lamps: LightsSeen
    clock: Clock
    plies_before: int
    """How many had been played before they sat down."""

    @property
    @abstractmethod
    def board_due(self) -> float | None:
        """When something happens next on the board, as far as that is known."""

    @abstractmethod
    def is_going_on(self) -> bool:
        """Answer what the table asks, and say whether there is still something to read."""

    @abstractmethod
    def is_read_rightly(self) -> bool:
        """Whether the record has the plies that people have played."""

    def pause(self) -> None:
        """Let time pass until something is due."""
        dues = [self.board_due, self.table.session.due]
        now = self.clock.now()
        next_due = min((due for due in dues if due is not None), default=now + LONGEST_STEP_S)
        self.clock.sleep(min(max(next_due - now, STEP_S), LONGEST_STEP_S))

    def run(self, tell: Callable[[list[News]], None]) -> None:
        """Play the game to its end, telling what has happened once it is on the disk."""
        while self.is_going_on():
            tell(self.table.step(self.clock.now()))
            self.pause()


@dataclass(slots=True)
class HabitPlay(SimulatedPlay):
    """One of people who make their moves and mishaps by a table of habits, whatever is lit."""

    hands: AutoHands

    @property
    def board_due(self) -> float | None:
        return self.hands.board.due

    def is_going_on(self) -> bool:
        question = self.table.view.question
        if question:
            square = self.hands.asked(question)
            if square in question.squares:
                self.table.obey(AnswerQuestion(format_square(square)), self.clock.now())
        if self._is_flagged:
            return False
        if self.table.view.dice.fight and self.hands.game.awaits_fight:
            self._fight(self.table.view.dice.fight)
        if self.hands.game.outcome is None:
            return True
        is_read = self.table.view.phase is Phase.OVER
        return self.clock.now() < self.hands.game.settled + (READ_S if is_read else SETTLED_S)

    def _fight(self, fight: Fight) -> None:
        """Let the players throw their own dice for an entered square, and tell the table."""
        thrown, now = self.hands.game.throw(), self.clock.now()
        self.table.obey(DecideFight(format_throw(thrown)), now)
        self.hands.game.end_fight((*fight.throws, thrown), now)

    def is_read_rightly(self) -> bool:
        """Whether the record has exactly the plies that people have played, to a flag's fall."""
        played = [(row.from_, row.to) for row in self.hands.game.rows if row.taken_back_us is UNSET]
        read = [
            (format_square(ply.move.from_square), format_square(ply.move.to_square))
            for ply in self.table.session.record.game.plies[self.plies_before :]
        ]
        return played[: len(read)] == read if self._is_flagged else played == read

    @property
    def _is_flagged(self) -> bool:
        """Whether the clock has ended the game, which people notice when they look up."""
        ending = self.table.record.ending
        return ending is not None and ending.termination == Termination.TIME.value


def sit_down(
    journal: Journal,
    opened: Opened,
    settings: Settings,
    preset: SimulationPreset,
    seed: int,
    clock: Clock,
    drive: Drive | None = None,
    guests: Sequence[Guest] = (),
) -> HabitPlay:
    """Let simulated people go on with a game, from the position the journal has."""
    opened = settled(journal, opened, seed, clock)
    hands = AutoHands(opened.record.position, preset, seed, clock.now())
    table, lamps = join(hands, hands.board, journal, opened, settings, drive, guests=guests)
    return HabitPlay(table, lamps, clock, len(opened.record.game.plies), hands)


def leave(journal: Journal, play: SimulatedPlay) -> None:
    """Close a game that has not ended, so that another may begin."""
    if play.table.session.record.ending is None:
        entry = Entry(play.clock.now(), Ending("*", "abandoned"))
        journal.append(play.table.game, [entry])


def settled(journal: Journal, opened: Opened, seed: int, clock: Clock) -> Opened:
    """Let simulated people settle, by a seed, all that a game waits for before the next ply."""
    at = clock.now()
    opened = _agreed(journal, _without_question(journal, opened, at), at)
    opened = _without_fight(journal, opened, at)
    return _with_juggernaut(journal, opened, Random(f"start {seed}"), at)


def _agreed(journal: Journal, opened: Opened, at: float) -> Opened:
    """Let simulated people agree on who begins, where that was left open: as it stands."""
    record = opened.record
    while (matter := record.unsettled) is not None:
        entry = Entry(at, record.opening.as_it_stands(matter, record.position))
        record = record.after(entry)
        journal.append(opened.game, [entry])
    return replace(opened, record=record)


def _with_juggernaut(journal: Journal, opened: Opened, rng: Random, at: float) -> Opened:
    """Let the people's own dice say where the Juggernaut begins, where that is still open."""
    starts = start_squares(opened.record)
    if not starts:
        return opened
    rolled = rolled_start(starts, lambda occasion: rng.randint(1, 10))
    entry = Entry(at, roll_event(opened.record, rolled._replace(by_hand=True)))
    journal.append(opened.game, [entry])
    return replace(opened, record=opened.record.after(entry))


def _without_fight(journal: Journal, opened: Opened, at: float) -> Opened:
    """Take back the ply of a fight left open: the people who fought it are gone."""
    fight, record = opened.record.fight, opened.record
    if fight is None:
        return opened
    entries = [Entry(at, TakeBack(fight.number, "words")), Entry(at, Settled())]
    journal.append(opened.game, entries)
    for entry in entries:
        record = record.after(entry)
    return replace(opened, record=record)


def _without_question(journal: Journal, opened: Opened, at: float) -> Opened:
    """Answer a question left open; the people who knew are gone, so the first answer that fits."""
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

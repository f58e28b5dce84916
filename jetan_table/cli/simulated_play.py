"""Games that simulated people play at the simulated table, and whether they were read rightly."""

from __future__ import annotations

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
class SimulatedPlay:
    """One game of simulated people at a table."""

    hands: AutoHands
    table: Table
    lamps: LightsSeen
    clock: Clock
    plies_before: int

    def is_going_on(self) -> bool:
        """Answer what the table asks, and say whether there is still something to read."""
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

    def pause(self) -> None:
        """Let time pass until something is due."""
        dues = [self.hands.board.due, self.table.session.due]
        now = self.clock.now()
        next_due = min((due for due in dues if due is not None), default=now + LONGEST_STEP_S)
        self.clock.sleep(min(max(next_due - now, STEP_S), LONGEST_STEP_S))

    def run(self, tell: Callable[[list[News]], None]) -> None:
        """Play the game to its end, telling what has happened once it is on the disk."""
        while self.is_going_on():
            tell(self.table.step(self.clock.now()))
            self.pause()


def sit_down(
    journal: Journal,
    opened: Opened,
    settings: Settings,
    preset: SimulationPreset,
    seed: int,
    clock: Clock,
    drive: Drive | None = None,
    guests: Sequence[Guest] = (),
) -> SimulatedPlay:
    """Let simulated people go on with a game, from the position the journal has."""
    opened = _settled(journal, _without_question(journal, opened, clock.now()), clock.now())
    opened = _without_fight(journal, opened, clock.now())
    opened = _with_juggernaut(journal, opened, Random(f"start {seed}"), clock.now())
    hands = AutoHands(opened.record.position, preset, seed, clock.now())
    table, lamps = join(hands, hands.board, journal, opened, settings, drive, guests=guests)
    return SimulatedPlay(hands, table, lamps, clock, len(opened.record.game.plies))


def leave(journal: Journal, play: SimulatedPlay) -> None:
    """Close a game that has not ended, so that another may begin."""
    if play.table.session.record.ending is None:
        entry = Entry(play.clock.now(), Ending("*", "abandoned"))
        journal.append(play.table.game, [entry])


def _settled(journal: Journal, opened: Opened, at: float) -> Opened:
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

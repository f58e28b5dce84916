"""Who advises people at the table: the opponent at full strength, in a process of its own."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from rules import Position, Rules, RulesError, Side, Worded, _, parse_move

from ...engine.why import points_for
from ...errors import TableError
from ...game.commands import AskAdvice, Command, CommandRefused, Help
from ...game.record import Record
from ...session.guests import Guest
from ...session.session import News, Session
from ...session.umpire import check_help
from ...session.view import Advice, View

if TYPE_CHECKING:
    from ...engine.process import EngineProcess

ADVISED_S: Final = 2.0
"""How long it thinks about a hint, unless told otherwise."""


def full_strength(rules: Rules) -> EngineProcess:
    """Start the engine that advises, at full strength."""
    from ...engine.process import start_adviser  # a search is heavy: only where one is wanted

    return start_adviser(rules)


class EngineAdviser(Guest):
    """Thinks about a position for people who ask; `start` starts its engine, when it is needed.

    `wait_s` is how long one look may wait for an answer: 0 where lamps must go on meanwhile.
    """

    rank = 30

    def __init__(
        self,
        start: Callable[[Rules], EngineProcess] = full_strength,
        wait_s: float = 0.0,
        think_s: float = ADVISED_S,
    ) -> None:
        self._start, self._wait_s, self._think_s = start, wait_s, think_s
        self._engine: EngineProcess | None = None
        self._position: Position | None = None
        self._advice: Advice | None = None
        self._trouble: Worded | None = None
        """Why the last question has no answer."""
        self.guides: Side | None = None
        """The side that is shown a good move each time, without being asked."""

    def ask(self, record: Record, wanted: Help | None) -> None:
        """Advise who is to move; `wanted` None tells more than was told before.

        CommandRefused where nobody can move now, EngineLost where no engine starts.
        """
        game = record.game
        is_waiting = record.question or record.fight or game.awaits_roll
        if is_waiting or record.ending or game.outcome is not None:
            raise CommandRefused(_("there is no move to suggest just now"))
        if self._advice is not None and self._position is game.position:
            self._advice = replace(self._advice, help=wanted or self._advice.help.more)
            return
        from ...engine.search import Limits  # a search is heavy: only where one is wanted

        if self._engine is None:
            self._engine = self._start(record.position.rules)
        self._trouble = None
        self._engine.think(game, Limits(seconds=self._think_s))
        self._position, self._advice = game.position, Advice(wanted or Help.PIECE)

    def hear(self, command: Command, session: Session, now: float) -> list[News] | None:
        """Advise who asks, or no more; CommandRefused where the game's conduct forbids it."""
        if not isinstance(command, AskAdvice):
            return None
        if command.wanted == "off":
            if self._engine is not None:
                self._engine.stop()
            self._advice = None
            return []
        check_help(session.record)
        self.ask(session.record, None if command.wanted is None else Help[command.wanted.upper()])
        return []

    def attend(self, session: Session, now: float) -> list[News]:
        """Look whether there is an answer; what was asked about another position is dropped."""
        record = session.record
        self._look(record)
        if self.guides is record.position.side and self._position is not record.game.position:
            with suppress(CommandRefused):
                check_help(record)
                self.ask(record, Help.WHY)
        return []

    def _look(self, record: Record) -> None:
        if self._engine is None or self._advice is None or self._position is None:
            return
        if self._position is not record.game.position or record.ending:
            self._engine.stop()
            self._position = self._advice = None
        elif self._advice.move is None:
            try:
                self._take_answer(self._engine, self._position, self._advice)
            except (TableError, RulesError) as error:
                self._position, self._advice, self._trouble = None, None, error.worded

    def _take_answer(self, engine: EngineProcess, position: Position, advice: Advice) -> None:
        from ...engine.process import expected_line

        answer = engine.poll(self._wait_s)
        if answer is None:
            return
        move = parse_move(answer, position)
        line = expected_line(engine.info, position, move)
        points = points_for(position, line, engine.info.win_in)
        self._advice = replace(advice, move=move, points=points)

    def overlay(self, view: View) -> View:
        """Return a view of the table with what is advised, or why nothing is."""
        engine = None if self._engine is None else self._engine.trouble
        trouble = self._trouble or engine
        if trouble is not None:
            view = replace(view, notes=(*view.notes, trouble))
        if self._advice is None or self._position is not view.position:
            return view
        return replace(view, help=replace(view.help, advice=self._advice))

    def close(self) -> None:
        if self._engine is not None:
            self._engine.close()

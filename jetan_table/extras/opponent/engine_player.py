"""A player at the table who has no hands: when it thinks, what it wishes, and when it gives up.

Its wish, the move it wants, is shown in light and carried out by hands; what becomes of it is read
as any ply is. Hands that play something else for it are asked to take that back, once; who insists
has his will.
"""

from dataclasses import dataclass, replace

from rules import Move, Position, RulesError, Side, parse_move
from rules.game import Game
from rules.sentences import _

from ...engine.process import EngineProcess, expected_line
from ...engine.protocol import Info
from ...engine.search import Limits
from ...engine.why import Point, points_for
from ...errors import TableError
from ...game import commands as asked
from ...game.commands import Command, CommandRefused
from ...game.events import SIDE_NAMES
from ...game.record import Record
from ...game.rolling import start_squares
from ...game.terms import WAY_OF
from ...session.guests import Guest
from ...session.session import News, Session
from ...session.umpire import check_help
from ...session.view import View
from ...table.dice import Dice
from .resigning import EndingPolicy, Intent


@dataclass(frozen=True, slots=True)
class Wish:
    """What it wants played in a position, what speaks for it, and the reply it expects."""

    position: Position
    move: Move
    points: tuple[Point, ...]
    reply: Move | None


class EnginePlayer(Guest):
    """The engine as a player at the table.

    `wait_s` is how long one look may wait for an answer: 0 where lamps must go on meanwhile. Where
    it `ponders`, it thinks on the others' time, too.
    """

    def __init__(
        self,
        side: Side,
        engine: EngineProcess,
        limits: Limits,
        dice: Dice | None = None,
        wait_s: float = 0.0,
        ponders: bool = False,
    ) -> None:
        self.side = side
        self.trouble: str | None = None
        """Why it has left the table, in words."""
        self._engine, self._limits, self._dice, self._wait_s = engine, limits, dice, wait_s
        self._ponders = ponders
        self._thinks_about: Position | None = None
        """What its engine was asked about, while it has not answered."""
        self._waits_at: Position | None = None
        """The last position in which others were to move."""
        self._pondered: Position | None = None
        """The position it expects and thinks about on the others' time."""
        self._last_info = Info()
        """What its engine told with its last answer."""
        self._wished: Wish | None = None
        self._asked_back: tuple[Position, Move] | None = None
        """What hands played instead of its wish, once they were asked to take it back."""
        self._begun: Position | None = None
        """The start of the game it plays in: another one is another game."""
        self._policy = EndingPolicy()

    @property
    def thinking(self) -> Info:
        """What it thinks of the game now; its last word where it does not think."""
        return self._engine.info if self._engine.info.depth else self._last_info

    def attend(self, session: Session, now: float) -> list[News]:
        """Look at the game and do what is to be done; return what has happened by it."""
        record = session.record
        if self.trouble:
            session.wait_for(None)
        if self.trouble or record.ending or record.question or start_squares(record):
            return []
        try:
            return self._attend(session, now)
        except CommandRefused:
            return []
        except (TableError, RulesError) as error:
            self.trouble = error.worded
            return []

    def hear(self, command: Command, session: Session, now: float) -> list[News] | None:
        """Play on where a draw is agreed too soon, and keep to itself what it would play.

        Who has left the table is against nothing.
        """
        if self.trouble is not None:
            return None
        match command:
            case asked.AgreeDraw() if not self._policy.agrees(len(session.record.game.plies)):
                raise CommandRefused(_("the opponent plays on"))
            case asked.AskAdvice() if self.side is session.record.position.side:
                check_help(session.record)
                raise CommandRefused(_("it is the opponent's turn: ask when it is yours"))
        return None

    def overlay(self, view: View) -> View:
        """Return a view of the table with what this player wishes to be played now."""
        trouble = self.trouble or self._engine.trouble
        if trouble is not None:
            view = replace(view, notes=(*view.notes, trouble))
        wish = self._wished
        is_wanted = wish is not None and self.trouble is None and not view.record.ending
        if wish is None or not is_wanted or wish.position is not view.position:
            return view
        return replace(view, help=replace(view.help, wish=wish.move, why=wish.points))

    def _attend(self, session: Session, now: float) -> list[News]:
        record, game = session.record, session.record.game
        if record.offer is self.side.other:
            agrees = self._policy.agrees(len(game.plies))
            return session.obey(asked.AcceptDraw() if agrees else asked.DeclineDraw(), now)
        if session.record.unsettled is not None:
            return self._settle(session, now)
        if self._is_misplayed(record):
            return session.obey(asked.TakeBackLast(), now)
        if record.fight is not None or game.awaits_roll:
            is_own = record.stands.side is not self.side
            return self._dice.roll(session, now) if is_own and self._dice is not None else []
        if game.position.side is not self.side:
            self._wait(game)
            return []
        if self._wished is not None and self._wished.position is game.position:
            return []
        return self._think(session, now)

    def _settle(self, session: Session, now: float) -> list[News]:
        """Begin itself where that is its choice, and cross the centre as the board has it."""
        record = session.record
        if record.opening.settler != self.side.word:
            return []
        if record.unsettled == "first":
            return session.obey(asked.ChooseFirst(SIDE_NAMES[self.side]), now)
        return session.obey(asked.ChooseBias(WAY_OF[record.position.rules["board"]]), now)

    def _is_misplayed(self, record: Record) -> bool:
        """Whether hands have played for it what it did not wish, for the first time."""
        game, fight = record.game, record.fight
        if self._wished is None or not (fight or game.plies):
            return False
        before, played = (
            (fight.before, fight.move) if fight else (game.positions[-2], game.plies[-1].move)
        )
        if before is not self._wished.position or played == self._wished.move:
            return False
        asked, self._asked_back = self._asked_back, (self._wished.position, played)
        return asked != self._asked_back

    def _wait(self, game: Game) -> None:
        """Let the others think; where it ponders, think about the reply it expects meanwhile."""
        if self._waits_at is not game.position:
            self._waits_at, self._pondered = game.position, None
            self._engine.stop()
            expected = self._expected(game) if self._ponders else None
            if expected is not None:
                self._engine.ponder(expected, self._limits)
                self._pondered = expected.position
        if self._pondered is not None and self._engine.poll() is not None:
            self._pondered = None  # it would not wait

    def _expected(self, game: Game) -> Game | None:
        """Return the game with the reply it expects; None where chance or nobody can tell."""
        wish, position = self._wished, game.position
        if wish is None or wish.reply is None or position.juggernaut is not None:
            return None
        is_carried_out = game.positions[-2:-1] == (wish.position,)
        if not is_carried_out or game.plies[-1].move != wish.move or position.is_fought(wish.reply):
            return None
        expected = game.play(wish.reply)
        return None if expected.outcome else expected

    def _think(self, session: Session, now: float) -> list[News]:
        game = session.record.game
        if self._begun is not game.start:
            self._begun, self._policy = game.start, EndingPolicy()
            self._engine.begin_game(round(session.record.header.started))
        if self._thinks_about is not game.position:
            if self._pondered is not None and self._pondered == game.position:
                self._engine.hit(self._limits)
            else:
                self._engine.think(game, self._limits)
            self._thinks_about, self._pondered = game.position, None
        answer = self._engine.poll(self._wait_s)
        if answer is None:
            return []
        self._thinks_about = None
        info = self._last_info = self._engine.info
        intent = self._policy.consider(info.score, info.win_in, len(game.plies))
        if intent is Intent.RESIGN:
            return session.obey(asked.Resign(SIDE_NAMES[self.side]), now)
        move = parse_move(answer, game.position)
        line = expected_line(info, game.position, move)
        points: tuple[Point, ...] = ()
        if session.record.conduct.allows_hints:
            win_in = info.win_in if self._engine.sees_all else None
            points = points_for(game.position, line, win_in)
        reply = line[1] if len(line) > 1 else None
        self._wished = Wish(game.position, move, points, reply)
        session.wait_for(move)
        return (
            session.obey(asked.OfferDraw(SIDE_NAMES[self.side]), now)
            if intent is Intent.OFFER_DRAW
            else []
        )

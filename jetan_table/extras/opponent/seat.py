"""The opponent without hands, in a seat that may be empty, and the adviser.

The move that the player wants is shown in light, carried out by hands, and read like any ply.
People who play something else for him are asked to take it back, once; if they insist, it stands.
By his own estimate he resigns, offers a draw or agrees to one. The adviser is the engine at full
strength. Each thinks in a process of its own.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from rules import Game, Move, Notice, Position, Rules, RulesError, Side, Worded, _, parse_move

from ...engine.why import Point, points_for
from ...errors import TableError
from ...game import commands as asked
from ...game.commands import AskAdvice, Command, CommandRefused, Help
from ...game.events import SIDE_NAMES
from ...game.record import Record
from ...game.rolling import start_squares
from ...game.terms import WAY_OF
from ...session.session import Certain, Guest, News, Session
from ...session.umpire import check_help
from ...session.view import Advice, View
from ...table.dice import Dice

if TYPE_CHECKING:  # a search is heavy: only where one is wanted
    from ...engine.process import EngineProcess
    from ...engine.protocol import Info
    from ...engine.search import Limits

THINK_S = 2.0
"""Seconds for a move, unless told otherwise."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """An opponent that people ask to the table."""

    name: str
    """A level, or `command:` and another engine's command line."""
    side: Side
    think_s: float = THINK_S
    """Seconds a move."""
    ponders: bool = False
    """True to think on the people's time, too."""
    guides: bool = False
    """True if the adviser shows the people a good move each time."""
    has_book: bool = True
    """True to let a strong level play its first moves from its book."""
    plays_both: bool = False
    """True to play both sides, beginning with `side`."""


ADVISED_S: Final = 2.0
"""Seconds for a hint, unless told otherwise."""


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
        self.guides: Side | None = None
        """The side that is shown a good move each time, without being asked."""

    def ask(self, record: Record, wanted: Help | None) -> None:
        """Advise the side to move; with `wanted` None a step more than before.

        CommandRefused if nobody can move now, EngineLost if no engine starts.
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
            view = replace(view, guest_notes=(*view.guest_notes, trouble))
        if self._advice is None or self._position is not view.position:
            return view
        return replace(view, help=replace(view.help, advice=self._advice))

    def close(self) -> None:
        if self._engine is not None:
            self._engine.close()


HOPELESS: Final = -700
"""A score below this is hopeless: by `win_probability` 6 points of 100 are to be expected."""

HOPELESS_MOVES: Final = 3
"""Hopeless or lost positions in a row after which it resigns."""

CONTENT: Final = 0
"""It agrees to a draw when it thinks its game worth no more than this."""

CONTENT_PLIES: Final = 20
"""Plies before which it agrees to no draw."""

LEVEL: Final = 30
"""A score no further from 0 is level: by `win_probability` 53 points of 100 for the better side."""

LEVEL_MOVES: Final = 8
"""Level positions in a row after which it offers a draw."""

LEVEL_PLIES: Final = 60
"""Plies before which it offers no draw."""


class EndingPolicy:
    """Decides when one player resigns, offers a draw or agrees to one, during one game."""

    def __init__(self) -> None:
        self._hopeless = self._level = 0
        self._is_content = False

    def consider(
        self, score: int, win_in: int | None, plies: int
    ) -> type[asked.Resign | asked.OfferDraw] | None:
        """Take in what it thinks of its move, `plies` into the game; return what it says, if so.

        `score` and `win_in` as in a Thought.
        """
        is_hopeless = score < HOPELESS if win_in is None else win_in < 0
        is_level = win_in is None and abs(score) <= LEVEL
        self._is_content = win_in is None and score <= CONTENT
        self._hopeless = self._hopeless + 1 if is_hopeless else 0
        # Both are counted in a row: one bad estimate in a sharp position is no reason to resign,
        # nor a quiet one to offer a draw.
        self._level = self._level + 1 if is_level else 0
        if self._hopeless >= HOPELESS_MOVES:
            return asked.Resign
        if self._level >= LEVEL_MOVES and plies >= LEVEL_PLIES:
            self._level = 0  # who was declined waits before asking again
            return asked.OfferDraw
        return None

    def agrees(self, plies: int) -> bool:
        return self._is_content and plies >= CONTENT_PLIES


@dataclass(frozen=True, slots=True)
class Wish:
    """The move it wants in a position, the reasons, and the expected reply."""

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
        from ...engine.protocol import Info

        self.side = side
        self.trouble: str | None = None
        """The reason why it has left the table, in words."""
        self._engine, self._limits, self._dice, self._wait_s = engine, limits, dice, wait_s
        self._ponders = ponders
        self._thinks_about: Position | None = None
        """The position its engine is thinking about, or None."""
        self._waits_at: Position | None = None
        """The last position in which others were to move."""
        self._pondered: Position | None = None
        """The position it expects and thinks about on the others' time."""
        self._last_info = Info()
        """The engine's information with its last answer."""
        self._wished: Wish | None = None
        self._asked_back: tuple[Position, Move] | None = None
        """The move that hands played instead of its wish, once they were asked to take it back."""
        self._begun: Position | None = None
        """The start of the game it plays in: another one is another game."""
        self._policy = EndingPolicy()

    @property
    def thinking(self) -> Info:
        """Its thoughts on the game; its last ones while it does not think."""
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
            view = replace(view, guest_notes=(*view.guest_notes, trouble))
        wish = self._wished
        is_wanted = wish is not None and self.trouble is None and not view.record.ending
        if wish is None or not is_wanted or wish.position is not view.position:
            return view
        return replace(view, help=replace(view.help, wish=wish.move, why=wish.points))

    def _attend(self, session: Session, now: float) -> list[News]:
        record, game = session.record, session.record.game
        # An offer is answered before anything else: it lapses with the next ply, and silence would
        # look like a refusal that nobody spoke.
        if record.offer is self.side.other:
            agrees = self._policy.agrees(len(game.plies))
            return session.obey(asked.AcceptDraw() if agrees else asked.DeclineDraw(), now)
        if session.record.unsettled is not None:
            return self._settle(session, now)
        # Once only: whoever plays the same again insists, perhaps because the board cannot show the
        # wish, and the game must not hang on it.
        if self._is_misplayed(record):
            return session.obey(asked.TakeBackLast(), now)
        if record.fight is not None or game.awaits_roll:
            # The dice of a ply belong to whoever made it: it is over, so the other side is to move.
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
        """Return True if hands have played something else for it, for the first time."""
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
        # A new position makes whatever was thought out obsolete. Identity is enough, since a record
        # keeps its positions.
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
        """Return the game with the expected reply; None if it is up to chance or unknown."""
        wish, position = self._wished, game.position
        # Nobody can guess the Juggernaut's die: pondering about one face of ten would be wasted.
        if wish is None or wish.reply is None or position.juggernaut is not None:
            return None
        is_carried_out = game.positions[-2:-1] == (wish.position,)
        if not is_carried_out or game.plies[-1].move != wish.move or position.is_fought(wish.reply):
            return None
        expected = game.play(wish.reply)
        return None if expected.outcome else expected

    def _think(self, session: Session, now: float) -> list[News]:
        from ...engine.process import expected_line

        game = session.record.game
        # The engine keeps what it has learnt of a game; at another start that would mislead it.
        if self._begun is not game.start:
            self._begun, self._policy = game.start, EndingPolicy()
            self._engine.begin_game(round(session.record.header.started))
        if self._thinks_about is not game.position:
            # The people played what it expected: the search goes on and keeps what it has found in
            # their time.
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
        says = self._policy.consider(info.score, info.win_in, len(game.plies))
        if says is asked.Resign:
            return session.obey(says(SIDE_NAMES[self.side]), now)
        move = parse_move(answer, game.position)
        line = expected_line(info, game.position, move)
        points: tuple[Point, ...] = ()
        if session.record.conduct.allows_hints:
            win_in = info.win_in if self._engine.sees_all else None
            points = points_for(game.position, line, win_in)
        reply = line[1] if len(line) > 1 else None
        self._wished = Wish(game.position, move, points, reply)
        session.wait_for(move)
        return [] if says is None else session.obey(says(SIDE_NAMES[self.side]), now)


class OpponentSeat(Guest):
    """Seats one opponent after another; each thinks in a process of its own.

    `wait_s` is how long one look at the table may wait for an answer.
    """

    rank = 10

    def __init__(
        self, record: Record, dice: Dice, adviser: EngineAdviser | None = None, wait_s: float = 0.0
    ) -> None:
        """`record` is the game that is played now; the `adviser` guides people who ask for it."""
        self.guest: Invitation | None = None
        self._record, self._dice, self._adviser, self._wait_s = record, dice, adviser, wait_s
        self._engine: EngineProcess | None = None
        self._player: EnginePlayer | None = None
        self._lack: Notice | None = None
        """The notice that the player is below its strength."""

    @property
    def thinking(self) -> Info | None:
        """The opponent's thoughts on the game; None without an opponent."""
        return None if self._player is None else self._player.thinking

    def invite(self, guest: Invitation | None) -> None:
        """Replace the opponent by another one, or by nobody.

        TableError or EngineLost if there is no such player; the one before then stays.
        """
        if guest is None:
            self.give_way()
            return
        from ...engine.process import start_engine  # a search is heavy: only where one is wanted
        from ...engine.search import Limits

        # The new engine is started first: if that fails, the opponent before keeps its place.
        rules = self._record.position.rules
        engine = start_engine(guest.name, rules, has_book=guest.has_book)
        self.give_way()
        self.guest, self._engine, self._lack = guest, engine, _lack_of(guest.name)
        self._guide(guest.side.other if guest.guides else None)
        limits = Limits(seconds=guest.think_s)
        self._player = EnginePlayer(
            guest.side, engine, limits, self._dice, self._wait_s, guest.ponders
        )

    def close(self) -> None:
        """Let the opponent go, if any."""
        self.give_way()

    def _guide(self, side: Side | None) -> None:
        if self._adviser is not None:
            self._adviser.guides = side

    # What the table asks of its guests

    @property
    def sides(self) -> frozenset[Side]:
        guest = self.guest
        if guest is None:
            return frozenset()
        return frozenset(Side) if guest.plays_both else frozenset({guest.side})

    def give_way(self) -> None:
        self._player = self._lack = self.guest = None
        self._guide(None)
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def attend(self, session: Session, now: float) -> list[News]:
        """Let the player look at the game."""
        if self._player is None:
            session.wait_for(None)
            return []
        if self.guest is not None and self.guest.plays_both:
            self._player.side = session.record.stands.side
        return self._player.attend(session, now)

    def hear(self, command: Command, session: Session, now: float) -> list[News] | None:
        """Pass people's command to the player; CommandRefused if it objects."""
        return None if self._player is None else self._player.hear(command, session, now)

    def overlay(self, view: View) -> View:
        """Return a view with what the player wishes."""
        if self._lack is not None:
            view = replace(view, notices=(*view.notices, self._lack))
        return view if self._player is None else self._player.overlay(view)

    def follow(self, certain: Certain) -> None:
        """Know what game is played."""
        self._record = certain.record


def _lack_of(name: str) -> Notice | None:
    """Return the notice that a level plays below its strength, or None."""
    from ...engine.levels import LEVELS
    from ...engine.library import mend_of

    level, mend = LEVELS.get(name), mend_of(os.environ)
    if mend is None or level is None or not level.is_strong:
        return None
    found = Worded(_("{level} plays below its strength, without the search in C"), level=name)
    return Notice("search", "warn", found, mend, name)

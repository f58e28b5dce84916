"""What can be seen of a table at one moment: all that lamps, terminal and page show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from hardware.switches import FaultKind
from rules import Move, Position, Side, Square
from rules.duel import Duel
from rules.juggernaut import Roll
from rules.ledger import Account

from ..board.gestures import Filling
from ..board.repair import HandMove, Placing
from ..engine.why import Point
from ..errors import TableError
from ..game.clock import Clocks
from ..game.die import TableDie
from ..game.duels import Fight
from ..game.events import Ending, Question
from ..game.opening import SETTLED, Matter, Opening
from .advice import Advice


class Phase(Enum):
    """What the table is at: waiting until the position stands on the board, reading, or done."""

    SETTING_UP = "setting up"
    PLAYING = "playing"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class AskedCorner:
    """The table asks which of its `squares` is really `corner`."""

    corner: Square
    squares: tuple[Square, ...]


@dataclass(frozen=True, slots=True)
class View:
    """A table at one moment.

    `standing` is what stands on each square as far as switches and history tell, by the letters of
    position texts (`?`: nobody saw it come). `position` is what is confirmed (with a question
    open: the likeliest). `moves` are the texts of the plies that stand, `first_number` the number
    of the first of them. `wish` is what a player without hands wants to be played, `why` what
    speaks for it; `advice` is what people have asked to be told. `lifted` are the squares whose
    pieces are in the air, `legal` and `captures` where they may go; where only a victim is in the
    air, `captures` are the pieces that may take it. `question` is what the players are asked.
    `missing` and `extra` are the squares that disagree, `repair` the next hand move that leads
    back, once they have stood so for a while. While pieces are set up, `repair` is about what
    stands wrong; where nothing does, `placing` is what to put next. `die` is the table's own die,
    `is_roll_due` whether it should be rolled now, `rolls` what has moved the Juggernaut since the
    last ply. `asked_corner` is which corner people are asked for, where the board may lie turned.
    `draw_offer` is who offers a draw, `gesture` what hands are about to ask for by pieces that
    they hold, `refused` why that could not be done. `opening` is how it is settled who begins,
    `choices` are the squares whose touch says so now; `account` is what the game has cost so far.
    `clocks` are the players', where they have any, `is_paused` is whether they pause, `touched`
    what must be moved or taken. `was_off`: the table was, and the board has not stood right since.
    `trouble` is why nothing is confirmed, `notes` what people should know of the board's parts
    though they work, both in words.
    """

    phase: Phase
    position: Position
    standing: Mapping[Square, str] = field(default_factory=dict)
    moves: tuple[str, ...] = ()
    first_number: int = 1
    last_move: tuple[Square, Square] | None = None
    wish: Move | None = None
    why: tuple[Point, ...] = ()
    advice: Advice | None = None
    lifted: tuple[Square, ...] = ()
    legal: frozenset[Square] = frozenset()
    captures: frozenset[Square] = frozenset()
    question: Question | None = None
    missing: frozenset[Square] = frozenset()
    extra: frozenset[Square] = frozenset()
    repair: HandMove | None = None
    placing: Placing | None = None
    faults: Mapping[Square, FaultKind] = field(default_factory=dict)
    ending: Ending | None = None
    die: TableDie | None = None
    is_roll_due: bool = False
    opening: Opening = SETTLED
    choices: tuple[Square, ...] = ()
    account: Account | None = None
    rolls: tuple[Roll, ...] = ()
    clocks: Clocks | None = None
    is_paused: bool = False
    touched: tuple[Square, ...] = ()
    asked_corner: AskedCorner | None = None
    draw_offer: Side | None = None
    gesture: Filling | None = None
    refused: TableError | None = None
    fight: Fight | None = None
    duel: Duel | None = None
    thrown_for: tuple[Square, ...] = ()
    was_off: bool = False
    start_roll: Roll | None = None
    trouble: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def asked(self) -> tuple[Square, ...]:
        """The squares whose touch answers the open question: none once play has gone on.

        From then on pieces are touched for other reasons, and later plies answer it.
        """
        last = self.first_number + len(self.moves) - 1
        return self.question.squares if self.question and self.question.is_fresh(last) else ()

    @property
    def unsettled(self) -> Matter | None:
        """What is to be settled before the first ply; nothing once the game is over."""
        return None if self.ending else self.opening.due

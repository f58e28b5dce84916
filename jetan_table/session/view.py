"""What can be seen of a table at one moment: all that lamps, terminal and page show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from hardware.switches import FaultKind
from rules import Move, Position, Side, Square
from rules.duel import Duel
from rules.juggernaut import Roll
from rules.ledger import Account

from ..board.gestures import Filling
from ..board.hints import hints
from ..board.patience import Disagreement, Patience
from ..board.repair import HandMove, Placing, first_placing, first_step
from ..board.tabletop import Tabletop
from ..engine.why import Point
from ..errors import TableError
from ..game.clock import Clocks
from ..game.commands import Help
from ..game.conduct import owed
from ..game.die import TableDie
from ..game.duels import Fight
from ..game.events import Ending, Question
from ..game.opening import SETTLED, Matter, Opening
from ..game.record import Record
from ..game.rolling import is_roll_due, open_fight, thrown_for
from ..reading.jetan_game import Standing
from ..reading.readings import Belief


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


@dataclass(frozen=True, slots=True)
class Advice:
    """What is advised, None while it is being thought about; `points` speak for it."""

    help: Help
    move: Move | None = None
    points: tuple[Point, ...] = ()


def view_of(
    record: Record,
    position: Position,
    question: Question | None,
    tabletop: Tabletop,
    belief: Belief[Standing] | None,
    patience: Patience,
) -> View:
    """Return the view: `position` is to be shown, and `question` asked.

    `belief` is what the reader takes to be in the air; None while nothing is read.
    """
    view = _of_record(record, position, question, tabletop)
    if belief is not None:
        if patience.is_over:
            return _leading(view, patience.amiss, tabletop)
        legal, captures = _hints(record, view, belief.lifted)
        return replace(view, lifted=belief.lifted, legal=legal, captures=captures)
    if record.ending or question or not tabletop.seen:
        return view
    if record.unsettled and not tabletop.differing(record):
        return replace(view, choices=tuple(record.opening.candidates(record.position)))
    setting_up = replace(view, phase=Phase.SETTING_UP)
    return _leading(setting_up, tabletop.amiss(record), tabletop)


def gesturing(view: View, filling: Filling | None) -> View:
    """Return the view while a gesture is under way: the hands are not led meanwhile."""
    if filling is None:
        return view
    phase = Phase.OVER if view.ending else Phase.PLAYING
    return replace(view, phase=phase, gesture=filling, repair=None, placing=None)


def _of_record(
    record: Record, position: Position, question: Question | None, tabletop: Tabletop
) -> View:
    """Return what the record tells, whatever the hands do."""
    plies, touched = record.game.plies, record.terms.touched
    return View(
        phase=Phase.OVER if record.ending else Phase.PLAYING,
        position=position,
        standing=dict(tabletop.whereabouts.standing),
        moves=record.moves,
        first_number=record.game.start.ply_number,
        last_move=_last_move(record),
        question=question,
        faults=record.faults,
        was_off=bool(plies) and not tabletop.has_stood_right,
        ending=record.ending,
        die=record.die,
        is_roll_due=is_roll_due(record),
        opening=record.opening,
        account=record.account,
        rolls=plies[-1].rolls if plies else (),
        clocks=record.clocks,
        is_paused=record.terms.is_paused and record.ending is None,
        touched=touched if not question and owed(position, touched) else (),
        draw_offer=record.offer,
        fight=open_fight(record),
        duel=plies[-1].duel if plies else None,
        thrown_for=thrown_for(record),
        start_roll=record.start_roll,
    )


def _hints(
    record: Record, view: View, lifted: Sequence[Square]
) -> tuple[frozenset[Square], frozenset[Square]]:
    """Return where a lifted piece may go and where it would capture, as the conduct has it."""
    if view.fight is not None or not record.conduct.allows_hints:
        return frozenset(), frozenset()
    legal, captures = hints(view.position, lifted)
    if view.touched:
        wanted = owed(view.position, view.touched)
        ends = {move.to_square for move in wanted if move.from_square in lifted}
        takers = {move.from_square for move in wanted if move.to_square in lifted}
        return legal & ends, captures & (ends | takers)
    return legal, captures


def _last_move(record: Record) -> tuple[Square, Square] | None:
    if record.fight is None and not record.game.plies:
        return None
    move = record.game.plies[-1].move if record.fight is None else record.fight.move
    return move.from_square, move.to_square


def _leading(view: View, amiss: Disagreement, tabletop: Tabletop) -> View:
    """Add what disagrees, and what hands should do first to lead back."""
    where = tabletop.whereabouts
    step = first_step(view.position, where.standing, where.in_hand, view.faults.keys())
    view = replace(view, missing=amiss.missing, extra=amiss.extra)
    is_from_box = step and step.from_square is None and step.letter not in where.in_hand
    if view.phase is Phase.SETTING_UP and is_from_box:
        return replace(view, placing=first_placing(view.position, amiss.missing))
    return replace(view, repair=step)

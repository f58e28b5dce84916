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
from ..languages import Language
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
class Advice:
    """What people have asked to be told: first which piece, then where it goes, then why."""

    help: Help
    """How much they asked for."""
    move: Move | None = None
    """What is advised; None while it is being thought about."""
    points: tuple[Point, ...] = ()
    """What speaks for it."""


@dataclass(frozen=True, slots=True)
class LeadingView:
    """How hands are led to the position: while pieces are set up, or a board has disagreed."""

    missing: frozenset[Square] = frozenset()
    """The squares where a piece lacks."""
    extra: frozenset[Square] = frozenset()
    """The squares where something stands that should not."""
    repair: HandMove | None = None
    """The next hand move that leads back; while pieces are set up, about what stands wrong."""
    placing: Placing | None = None
    """What to put next while pieces are set up and none stands wrong."""
    was_off: bool = False
    """Whether the table was off in this game, and the board has not stood right since."""

    def paused(self) -> LeadingView:
        """Return the same without a next step, for while hands are about something else."""
        return replace(self, repair=None, placing=None)


@dataclass(frozen=True, slots=True)
class DiceView:
    """What is rolled for: who begins, the Juggernaut, and the fights of a duel."""

    die: TableDie | None = None
    """The table's own die, where it has one in this game."""
    is_due: bool = False
    """Whether the die is to be rolled now: for who begins, or for the Juggernaut."""
    thrown_for: tuple[Square, ...] = ()
    """The squares whose touch has the table throw the dice that are due."""
    start_roll: Roll | None = None
    """What put the Juggernaut on its first square."""
    rolls: tuple[Roll, ...] = ()
    """What has been rolled for the Juggernaut since the last ply."""
    fight: Fight | None = None
    """The fight that the last ply began, while nobody has won it."""
    duel: Duel | None = None
    """How the fight of the last ply has ended, where it was one."""


@dataclass(frozen=True, slots=True)
class TermsView:
    """What the players' agreement makes of this moment: clocks, pauses, offers, touch-move."""

    clocks: Clocks | None = None
    """The players' clocks, where they have any."""
    is_paused: bool = False
    """Whether the players pause."""
    draw_offer: Side | None = None
    """Who offers a draw, while it is neither accepted nor declined."""
    touched: tuple[Square, ...] = ()
    """What must be moved or taken by touch-move."""
    account: Account | None = None
    """What the game has cost so far; None where it is played for nothing."""


@dataclass(frozen=True, slots=True)
class HelpView:
    """What the table's guests wish, advise and teach."""

    wish: Move | None = None
    """What a player without hands wants to be played for it."""
    why: tuple[Point, ...] = ()
    """What speaks for that."""
    advice: Advice | None = None
    """What people have asked to be told of what to play."""
    best: tuple[Move, ...] = ()
    """The best moves that a study knows here, the best first."""
    taught: Mapping[Language, tuple[str, ...]] = field(default_factory=dict)
    """What a tutor says, by language."""


@dataclass(frozen=True, slots=True)
class View:
    """A table at one moment: what is confirmed, what hands do, and what people are to do."""

    phase: Phase
    position: Position
    """What is confirmed; while a question is open, the likeliest of what it may be."""

    # What stands on the board, and what has been played

    standing: Mapping[Square, str] = field(default_factory=dict)
    """What stands on each square as far as switches and history tell: a letter of position texts,
    or `?` for something that nobody saw come."""
    moves: tuple[str, ...] = ()
    """The texts of the plies that stand, those that wait for an answer included."""
    first_number: int = 1
    """The number of the first of these plies."""
    last_move: tuple[Square, Square] | None = None
    """Where the last ply went from, and to."""
    notes_on_last: tuple[str, ...] = ()
    """What people have remarked on that ply."""
    ending: Ending | None = None
    """How the game has ended; None while it goes on."""
    faults: Mapping[Square, FaultKind] = field(default_factory=dict)
    """The squares whose switches have failed, and how."""
    unseen: tuple[Square, ...] = ()
    """The squares on which a piece stands that its switch does not show: it is to be shifted."""

    # What hands hold, and ask for by it

    lifted: tuple[Square, ...] = ()
    """The squares whose pieces are in the air, longest first."""
    legal: frozenset[Square] = frozenset()
    """Where a lifted piece may go without taking."""
    captures: frozenset[Square] = frozenset()
    """Where it may take; or, with nothing but a victim in the air, the pieces that may take it."""
    gesture: Filling | None = None
    """What hands are about to ask for by the pieces that they hold."""
    refused: TableError | None = None
    """Why what a gesture asked for could not be done; shown for a while."""

    # What people are asked

    question: Question | None = None
    """What the board could not show of a ply."""
    asked_corner: AskedCorner | None = None
    """Which corner people are asked to touch, where the board may lie turned."""
    opening: Opening = SETTLED
    """How it is, or was, settled who begins, and which way a disk's centre is crossed."""
    choices: tuple[Square, ...] = ()
    """The squares whose touch settles that now."""

    # How hands are led, what is rolled for, what was agreed, and what guests say

    leading: LeadingView = LeadingView()
    dice: DiceView = DiceView()
    terms: TermsView = TermsView()
    help: HelpView = HelpView()

    # What ails

    trouble: str | None = None
    """Why nothing is confirmed now, in words."""
    notes: tuple[str, ...] = ()
    """What people should know of the board's parts though they work, in words."""

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


def view_of(
    record: Record,
    position: Position,
    question: Question | None,
    tabletop: Tabletop,
    belief: Belief[Standing] | None,
    patience: Patience,
) -> View:
    """Return the view of a game in which `position` is to be shown, and `question` asked.

    `belief` is what the reader takes to be in the air; None while nothing is read, because the
    game is over, people are asked something, or the board does not stand right.
    """
    view = _of_record(record, position, question, tabletop)
    if belief is not None:
        view = replace(view, unseen=tuple(sorted(belief.unseen)))
        if patience.is_over:
            return _leading(view, patience.amiss, tabletop)
        legal, captures = _hints(record, view, belief.lifted)
        return replace(view, lifted=belief.lifted, legal=legal, captures=captures)
    if record.ending or question or not tabletop.occupancy:
        return view
    if record.unsettled and not tabletop.differing(record):
        return replace(view, choices=tuple(record.opening.candidates(record.position)))
    setting_up = replace(view, phase=Phase.SETTING_UP)
    if not tabletop.differing(record):
        return setting_up  # as where the die has still to say where the Juggernaut begins
    return _leading(setting_up, tabletop.amiss(record), tabletop)


def gesturing(view: View, filling: Filling | None) -> View:
    """Return the view while a gesture is under way: the hands are not led meanwhile."""
    if filling is None:
        return view
    phase = Phase.OVER if view.ending else Phase.PLAYING
    return replace(view, phase=phase, gesture=filling, leading=view.leading.paused())


def _of_record(
    record: Record, position: Position, question: Question | None, tabletop: Tabletop
) -> View:
    """Return what the record tells, whatever the hands do."""
    return View(
        phase=Phase.OVER if record.ending else Phase.PLAYING,
        position=position,
        standing=dict(tabletop.pieces.standing),
        moves=record.moves,
        first_number=record.game.start.ply_number,
        last_move=_last_move(record),
        notes_on_last=tuple(
            text for number, text in record.terms.notes if number == record.last_told
        ),
        ending=record.ending,
        faults=record.faults,
        question=question,
        opening=record.opening,
        leading=LeadingView(was_off=bool(record.game.plies) and not tabletop.has_stood_right),
        dice=_dice(record),
        terms=_terms(record, position, question),
    )


def _dice(record: Record) -> DiceView:
    last = record.game.plies[-1] if record.game.plies else None
    return DiceView(
        die=record.die,
        is_due=is_roll_due(record),
        thrown_for=thrown_for(record),
        start_roll=record.start_roll,
        rolls=last.rolls if last else (),
        fight=open_fight(record),
        duel=last.duel if last else None,
    )


def _terms(record: Record, position: Position, question: Question | None) -> TermsView:
    touched = record.terms.touched
    return TermsView(
        clocks=record.clocks,
        is_paused=record.terms.is_paused and record.ending is None,
        draw_offer=record.offer,
        touched=touched if not question and owed(position, touched) else (),
        account=record.account,
    )


def _hints(
    record: Record, view: View, lifted: Sequence[Square]
) -> tuple[frozenset[Square], frozenset[Square]]:
    """Return where a lifted piece may go and where it would capture, as the conduct has it."""
    if view.dice.fight is not None or not record.conduct.allows_hints:
        return frozenset(), frozenset()
    legal, captures = hints(view.position, lifted)
    if view.terms.touched:
        wanted = owed(view.position, view.terms.touched)
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
    pieces = tabletop.pieces
    step = first_step(view.position, pieces.standing, pieces.in_hand, view.faults.keys())
    leading = replace(view.leading, missing=amiss.missing, extra=amiss.extra)
    is_from_box = step and step.from_square is None and step.letter not in pieces.in_hand
    if view.phase is Phase.SETTING_UP and is_from_box:
        leading = replace(leading, placing=first_placing(view.position, amiss.missing))
    else:
        leading = replace(leading, repair=step)
    return replace(view, leading=leading)

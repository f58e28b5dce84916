"""What can be seen of a table at one moment: all that lamps, terminal and page show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING

from rules import OCCUPANT_OF, Move, MoveKind, Notice, Position, Square

from ..errors import TableError
from ..game.agreements import owed
from ..game.commands import Help
from ..game.events import Question
from ..game.record import Fight, Record
from ..game.rolling import is_roll_due, open_fight
from ..languages import Language
from ..reading.readings import Belief, Standing
from .gestures import Filling
from .tabletop import Disagreement, HandMove, Patience, Placing, Tabletop, first_placing, first_step

if TYPE_CHECKING:  # a session plays without the engine
    from ..engine.why import Point


class Phase(Enum):
    """What the table is at: waiting until the position stands on the board, reading, or done."""

    SETTING_UP = "setting up"
    PLAYING = "playing"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Advice:
    """What people have asked to be told: first which piece, then where it goes, then why."""

    help: Help
    move: Move | None = None
    """What is advised; None while it is being thought about."""
    points: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True)
class LeadingView:
    """How hands are led to the position: while pieces are set up, or a board has disagreed."""

    missing: frozenset[Square] = frozenset()
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
    """What who teaches says, by language."""
    has_own_place: bool = False
    """Whether a page shows that in a place of its own, not among what the table says."""


@dataclass(frozen=True, slots=True)
class View:
    """A table at one moment: what is confirmed, what hands do, and what people are to do."""

    phase: Phase
    record: Record
    """The game as far as it is certain."""
    position: Position
    """What stands; while a question is open, the likeliest of what it may be."""

    # What stands on the board

    standing: Mapping[Square, str] = field(default_factory=dict)
    """What stands on each square as far as switches and history tell: a letter of position texts,
    or `?` for something that nobody saw come."""
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
    choices: tuple[Square, ...] = ()
    """The squares whose touch settles who begins, or how a disk's centre is crossed."""
    corner: Square | None = None
    """The corner that people are asked to touch, where the board may lie turned."""
    corners: tuple[Square, ...] = ()
    """The squares, one of which is that corner."""
    lost: tuple[Position, ...] = ()
    """Where nothing explains what is seen: the positions that may stand there, likeliest first.

    Before the camera knows how the pieces look: the one that should, where it is in doubt of it.
    """

    # How hands are led, and what guests say

    leading: LeadingView = LeadingView()
    help: HelpView = HelpView()

    # What ails

    trouble: Notice | None = None
    """Why nothing is confirmed now."""
    guest_notes: tuple[str, ...] = ()
    """What guests have to say, in words."""
    notices: tuple[Notice, ...] = ()
    """What people should know of the table and its parts, though it goes on."""

    @property
    def answer_squares(self) -> tuple[Square, ...]:
        """The squares whose touch answers the open question: none once play has gone on."""
        if self.corner is not None:
            return self.corners
        is_open = self.question is not None and self.question.is_fresh(self.record.last_played)
        return self.question.squares if self.question and is_open else ()

    @property
    def touched(self) -> tuple[Square, ...]:
        """What must be moved or taken now by touch-move."""
        touched = self.record.terms.touched
        is_asked = self.question is not None or self.corner is not None
        return touched if touched and not is_asked and owed(self.position, touched) else ()

    @property
    def fight(self) -> Fight | None:
        """The fight that the last ply began, while nobody has won it."""
        return open_fight(self.record)

    @property
    def is_roll_due(self) -> bool:
        """Whether the die is to be rolled now: for who begins, or for the Juggernaut."""
        return is_roll_due(self.record)


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
    view = View(
        phase=Phase.OVER if record.ending else Phase.PLAYING,
        record=record,
        position=position,
        standing=dict(tabletop.pieces.standing),
        question=question,
        leading=LeadingView(was_off=bool(record.game.plies) and not tabletop.has_stood_right),
    )
    if belief is not None:
        view = replace(view, unseen=tuple(sorted(belief.unseen)))
        if patience.is_over:
            return _leading(view, patience.disagreement, tabletop)
        legal, captures = _hints(view, belief.lifted)
        return replace(view, lifted=belief.lifted, legal=legal, captures=captures)
    if record.ending or question or not tabletop.occupancy:
        return view
    if record.unsettled and not tabletop.differing(record):
        return replace(view, choices=tuple(record.opening.candidates(record.position)))
    setting_up = replace(view, phase=Phase.SETTING_UP)
    if not tabletop.differing(record):
        return setting_up  # as where the die has still to say where the Juggernaut begins
    return _leading(setting_up, tabletop.disagreement(record), tabletop)


def gesturing(view: View, filling: Filling | None) -> View:
    """Return the view while a gesture is under way: the hands are not led meanwhile."""
    if filling is None:
        return view
    phase = Phase.OVER if view.record.ending else Phase.PLAYING
    return replace(view, phase=phase, gesture=filling, leading=view.leading.paused())


def _hints(view: View, lifted: Sequence[Square]) -> tuple[frozenset[Square], frozenset[Square]]:
    """Return where a lifted piece may go and where it would capture, as the conduct has it."""
    if view.fight is not None or not view.record.conduct.allows_hints:
        return frozenset(), frozenset()
    legal, captures = hints(view.position, lifted)
    if view.touched:
        wanted = owed(view.position, view.touched)
        ends = {move.to_square for move in wanted if move.from_square in lifted}
        takers = {move.from_square for move in wanted if move.to_square in lifted}
        return legal & ends, captures & (ends | takers)
    return legal, captures


def _leading(view: View, disagreement: Disagreement, tabletop: Tabletop) -> View:
    """Add what disagrees, and what hands should do first to lead back."""
    pieces = tabletop.pieces
    step = first_step(view.position, pieces.standing, pieces.in_hand, view.record.faults.keys())
    leading = replace(view.leading, missing=disagreement.missing, extra=disagreement.extra)
    is_from_box = step and step.from_square is None and step.letter not in pieces.in_hand
    if view.phase is Phase.SETTING_UP and is_from_box:
        leading = replace(leading, placing=first_placing(view.position, disagreement.missing))
    else:
        leading = replace(leading, repair=step)
    return replace(view, leading=leading)


def hints(
    position: Position, lifted: Sequence[Square]
) -> tuple[frozenset[Square], frozenset[Square]]:
    """Return the squares a lifted piece may go to, and those where it would capture.

    `lifted` is what is in the air, longest first. With a victim in the air besides, only its square
    is left; with nothing but a victim, the captures are the pieces that may take it.
    """
    own, foe = OCCUPANT_OF[position.side], OCCUPANT_OF[position.side.other]
    movers = [square for square in lifted if position.occupant_at(square) is own]
    victims = [square for square in lifted if position.occupant_at(square) is foe]
    if not movers:
        takers = (move.from_square for move in position.moves() if move.to_square in victims)
        return frozenset(), frozenset(takers if victims else ())
    moves = position.moves_from(movers[0])
    captures = {move.to_square for move in moves if move.kind is MoveKind.CAPTURE}
    if victims:
        return frozenset(), frozenset(captures.intersection(victims))
    return frozenset(move.to_square for move in moves) - captures, frozenset(captures)

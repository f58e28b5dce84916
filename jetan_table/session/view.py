"""The view of a table at one moment: all that lamps, terminal and page show."""

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
from ..reading.readings import Belief, Standing
from .gestures import Gesture
from .tabletop import Disagreement, HandMove, Patience, Placing, Tabletop, first_placing, first_step

if TYPE_CHECKING:  # a session plays without the engine
    from ..engine.why import Point


class Phase(Enum):
    """A phase: waiting until the board shows the position, reading hands, or done."""

    SETTING_UP = "setting up"
    PLAYING = "playing"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Advice:
    """A hint that people asked for: first the piece, then its move, then the reasons."""

    help: Help
    move: Move | None = None
    """The advised move; None while it is being thought about."""
    points: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True)
class LeadingView:
    """Guidance of the hands while pieces are set up, or after a board has disagreed."""

    missing: frozenset[Square] = frozenset()
    extra: frozenset[Square] = frozenset()
    """Squares on which a piece stands that should not."""
    repair: HandMove | None = None
    """The next hand move back to the position; during set-up, one for a piece that stands wrong."""
    placing: Placing | None = None
    """The pieces to put next during set-up, once none stands wrong."""
    was_off: bool = False
    """True if the table was off during this game and the board has not shown the position since."""

    def paused(self) -> LeadingView:
        """Return the same without a next step, for while hands are about something else."""
        return replace(self, repair=None, placing=None)


@dataclass(frozen=True, slots=True)
class HelpView:
    """Wishes, advice and lessons of the table's guests."""

    wish: Move | None = None
    """The move that a player without hands wants to have made for it."""
    why: tuple[Point, ...] = ()
    """The reasons for that."""
    advice: Advice | None = None
    best: tuple[Move, ...] = ()
    """The best moves that a study knows here, the best first."""
    taught: tuple[str, ...] = ()
    """The words of a teacher."""
    has_own_place: bool = False
    """True if a page shows those in a place of their own, not among the table's words."""


@dataclass(frozen=True, slots=True)
class View:
    """A table at one moment: the confirmed game, the hands' doings, and tasks for people."""

    phase: Phase
    record: Record
    """The game as far as it is certain."""
    position: Position
    """The position to show; while a question is open, the likeliest."""

    # What stands on the board

    standing: Mapping[Square, str] = field(default_factory=dict)
    """The piece on each square as far as switches and history tell: a letter of position texts, or
    `?` for something that nobody saw come."""
    unseen: tuple[Square, ...] = ()
    """Squares with a piece that its switch does not show, and that should be shifted."""

    # What hands hold, and ask for by it

    lifted: tuple[Square, ...] = ()
    """Squares of the pieces in the air, longest first."""
    seen: tuple[Square, ...] = ()
    """Start and end of a step whose piece has been put down, and that is not a ply yet."""
    legal: frozenset[Square] = frozenset()
    """Squares a lifted piece may go to without taking."""
    captures: frozenset[Square] = frozenset()
    """Squares on which it may take; with only a victim in the air, those of its takers."""
    gesture: Gesture | None = None
    """The gesture that hands are making."""
    refused: TableError | None = None
    """The refusal of the last gesture, shown for some seconds."""

    # What people are asked

    question: Question | None = None
    """The open question: a ply that the board could not show."""
    choices: tuple[Square, ...] = ()
    """Squares whose touch settles who begins, or how a disk's centre is crossed."""
    corner: Square | None = None
    """The corner that people are asked to touch, where the board may have been turned."""
    corners: tuple[Square, ...] = ()
    """The squares, one of which is that corner."""
    lost: tuple[Position, ...] = ()
    """Positions that people may choose from once the game is lost, the likeliest first.

    A camera that does not know the pieces' looks yet asks so whether the first one stands there.
    """

    # How hands are led, and what guests say

    leading: LeadingView = LeadingView()
    help: HelpView = HelpView()

    # What is wrong

    trouble: Notice | None = None
    """The reason why nothing is confirmed now."""
    guest_notes: tuple[str, ...] = ()
    """Sentences of guests."""
    notices: tuple[Notice, ...] = ()
    """Notices about the table and its parts while it goes on."""

    @property
    def away(self) -> tuple[Square, ...]:
        """Squares of the pieces in the air, and of one that was put down but is not played yet."""
        return (*self.lifted, *self.seen)

    @property
    def answer_squares(self) -> tuple[Square, ...]:
        """Squares whose touch answers the open question; none once play has gone on."""
        if self.corner is not None:
            return self.corners
        is_open = self.question is not None and self.question.is_fresh(self.record.last_played)
        return self.question.squares if self.question and is_open else ()

    @property
    def touched(self) -> tuple[Square, ...]:
        """Squares of the pieces that must be moved or taken now, by touch-move."""
        touched = self.record.terms.touched
        is_asked = self.question is not None or self.corner is not None
        return touched if touched and not is_asked and owed(self.position, touched) else ()

    @property
    def fight(self) -> Fight | None:
        return open_fight(self.record)

    @property
    def is_roll_due(self) -> bool:
        """True while a roll is due: for who begins, or for the Juggernaut."""
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

    `belief` is the reader's; None while nothing is read, because the game is over, people are asked
    something, or the board does not show the position.
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
        # What has come down is in nobody's hand, though it may yet go on: its hints go out.
        lifted = tuple(square for square in belief.lifted if square not in belief.seen)
        legal, captures = _hints(view, lifted)
        return replace(view, lifted=lifted, seen=belief.seen, legal=legal, captures=captures)
    # Nothing is read now: because the game is over, people are asked, or the board was not seen
    # yet.
    if record.ending or question or not tabletop.occupancy:
        return view
    if record.unsettled and not tabletop.differing(record):
        return replace(view, choices=tuple(record.opening.candidates(record.position)))
    setting_up = replace(view, phase=Phase.SETTING_UP)
    if not tabletop.differing(record):
        return setting_up  # as where the die has still to say where the Juggernaut begins
    return _leading(setting_up, tabletop.disagreement(record), tabletop)


def gesturing(view: View, filling: Gesture | None) -> View:
    """Return the view of a gesture under way, during which the hands are not led."""
    if filling is None:
        return view
    phase = Phase.OVER if view.record.ending else Phase.PLAYING
    return replace(view, phase=phase, gesture=filling, leading=view.leading.paused())


def _hints(view: View, lifted: Sequence[Square]) -> tuple[frozenset[Square], frozenset[Square]]:
    """Return the squares of a lifted piece's moves and captures, if the conduct shows them."""
    # Lamps that show where a piece may go are help with play, as words would be.
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
    """Return the view with the squares that disagree, and the first step back."""
    pieces = tabletop.pieces
    step = first_step(view.position, pieces.standing, pieces.in_hand, view.record.faults.keys())
    leading = replace(view.leading, missing=disagreement.missing, extra=disagreement.extra)
    # Set-up names the places of all pieces of a kind at once, so that hands need not wait for each.
    is_from_box = step and step.from_square is None and step.letter not in pieces.in_hand
    if view.phase is Phase.SETTING_UP and is_from_box:
        leading = replace(leading, placing=first_placing(view.position, disagreement.missing))
    else:
        leading = replace(leading, repair=step)
    return replace(view, leading=leading)


def hints(
    position: Position, lifted: Sequence[Square]
) -> tuple[frozenset[Square], frozenset[Square]]:
    """Return the squares that a lifted piece may go to, and those where it would capture.

    `lifted` are the squares of the pieces in the air, longest first. With a victim among them only
    its square is left; with nothing but a victim, the captures are the squares of its takers.
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

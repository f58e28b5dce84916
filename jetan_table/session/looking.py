"""Makes the view of a table: what can be seen of its record, its board and the hands over it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rules import Position, Square

from ..board.gestures import Filling
from ..board.hints import hints, is_half_a_ply
from ..board.patience import NOTHING_AMISS, Disagreement, Patience
from ..board.repair import first_placing, first_step
from ..board.tabletop import Tabletop
from ..game.conduct import owed
from ..game.events import Question
from ..game.record import Record
from ..game.rolling import is_roll_due, open_fight, thrown_for
from ..reading.jetan_game import Standing
from ..reading.readings import Belief
from .view import Phase, View


def look(
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
    view = _told(record, position, question, tabletop)
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


def _told(
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


def find_amiss(belief: Belief[Standing] | None, position: Position) -> Disagreement:
    """Return what a hand in the middle of a ply does not explain; nothing where nobody reads."""
    if belief is None:
        return NOTHING_AMISS
    if belief.extra or not is_half_a_ply(position, belief.lifted):
        return Disagreement(belief.missing.union(belief.lifted), belief.extra)
    return NOTHING_AMISS

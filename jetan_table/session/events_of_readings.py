"""What the reader tells, as events of the journal."""

from __future__ import annotations

from rules import Position, format_move, format_square, parse_move

from ..game.events import Answer, Event, Fault, Follows, Ply, Question, Recall, TakeBack, Wander
from ..game.record import Record
from ..reading.jetan_game import Standing
from ..reading.readable_game import Step
from ..reading.readings import (
    Answered,
    Asked,
    Evidence,
    Failed,
    Followed,
    Played,
    Recalled,
    TakenBack,
    ToldOfGame,
    Wandered,
)


def event_of_reading(reading: ToldOfGame[Standing], record: Record) -> Event:
    """Return the event a reading is, in the game `record` holds so far.

    Raises IllegalMove where the two do not agree.
    """
    match reading:
        case Played(number=number, step=step):
            return Ply(number, _move_text(step, None if record.question else record.position))
        case Answered(number=number, step=step):
            is_first = record.question is None or record.question.number == number
            return Answer(number, _move_text(step, record.position if is_first else None))
        case TakenBack(number=number):
            return TakeBack(number, "hands")
        case Asked(number=number, from_square=start, candidates=candidates, to_square=end):
            return Question(
                number,
                None if start is None else format_square(start),
                tuple(map(format_square, candidates)),
                None if end is None else format_square(end),
                is_ply=number > record.last_told,
            )
        case Wandered(after_number=number, step=step):
            return Wander(number, format_square(step.to_square))
        case Recalled(after_number=number):
            return Recall(number)
        case Failed(square=square, kind=kind):
            return Fault(format_square(square), kind.value)
        case Followed(square=square):
            return Follows(format_square(square))


def done_at(reading: ToldOfGame[Standing], touched_at: float) -> float:
    """Return when what a reading tells was done: a ply when its hand was, not when it is told.

    `touched_at` is when the board last changed.
    """
    match reading:
        case Played(evidence=Evidence(landed_at=float(at))):
            return at
        case Played() | Asked():
            return min(touched_at, reading.at)
    return reading.at


def _move_text(step: Step[Standing], position: Position | None) -> str:
    """Return a ply's text, by its squares alone where the position before it is in question."""
    if position is None:
        return format_square(step.from_square) + format_square(step.to_square)
    squares = format_square(step.from_square) + format_square(step.to_square)
    return format_move(parse_move(squares, position), position)


def still_matters(reading: ToldOfGame[Standing], record: Record) -> bool:
    """Whether a reading still matters: after the end only its own undoing and faults do."""
    match reading:
        case TakenBack(number=number) | Recalled(after_number=number) if record.ending:
            return number == record.last_number
        case Failed() | Followed():
            return True
    return record.ending is None

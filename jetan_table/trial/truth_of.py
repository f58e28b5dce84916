"""What a trial leaves behind: a recording of what was seen, and the truth of what was played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from msgspec import UNSET

from hardware.switches import Change, Switch
from rules import MoveKind, Position, format_position, format_rules, parse_rules
from rules.topology import SQUARE_NAMES

from ..journal.recordings import Recording, RecordingHeader, microseconds
from ..reading.occupancy import Occupancy
from ..simulation.generate import LAST_WAIT, result_of, start_rows
from ..simulation.truth import PlyRow, Truth, piece_word
from .leader import DemandDone
from .running import Course
from .script import BACK, RULES, Manner, ScriptedPly, demands, plies

MADE_BY = "jetan trial"


def recording_of(course: Course) -> Recording:
    """Return what the switches showed of the game of a trial, from its beginning."""
    start = Position.start(parse_rules(RULES))
    changes = tuple(_changes(course))
    header = RecordingHeader(
        rules={"text": format_rules(start.rules)},
        start_rows=start_rows(start),
        closed=tuple(SQUARE_NAMES[square] for square in sorted(course.begun_with)),
        t_end_us=microseconds(course.ended_at - course.began_at + LAST_WAIT),
        made_by=MADE_BY,
    )
    return Recording(header, changes)


def _changes(course: Course) -> Iterator[Change]:
    occupancy = Occupancy()
    occupancy.occupied = set(course.begun_with)
    for observation in course.observations:
        at = max(observation.at - course.began_at, 0.0)
        for square, is_occupied in occupancy.update(observation):
            yield Change(at, Switch(square), is_occupied)


def truth_of(course: Course, name: str) -> Truth:
    """Return what was played in a trial, as far as it was; `name` is the recording's file."""
    rows: list[PlyRow] = []
    position = Position.start(parse_rules(RULES))
    done = list(course.played)
    for ply in plies():
        asked = len(list(demands(ply)))
        if len(done) < asked:
            break
        own = [each for each in done[:asked] if each.demand.ply == ply.number]
        done = done[asked:]
        rows += _rows(ply, _since(own, course.began_at))
        position = ply.before.play(ply.move)
    return Truth(
        recording=name,
        board="grid",
        rules=format_rules(position.rules),
        plies=rows,
        juggernaut_moves=[],
        incidents=[],
        fault=None,
        result=result_of(position.outcome),
        final_position=format_position(position),
    )


def _since(done: Sequence[DemandDone], began_at: float) -> list[DemandDone]:
    """Return demands with times from the recording's beginning."""
    return [
        replace(
            each,
            asked_at=each.asked_at - began_at,
            seen_at=tuple(None if at is None else at - began_at for at in each.seen_at),
            done_at=each.done_at - began_at,
        )
        for each in done
    ]


def _rows(ply: ScriptedPly, done: Sequence[DemandDone]) -> list[PlyRow]:
    """Return a ply's row; where it is taken back and made again, two."""
    if ply.manner is not Manner.TAKEN_BACK:
        return [_row(ply, done)]
    back = next(n for n, each in enumerate(done) if each.demand.words == BACK)
    first, again = _row(ply, done[: back - 1]), _row(ply, done[back + 3 :])
    first.taken_back_us = microseconds(_last(done[back + 1]))
    first.takeback = Manner.TAKEN_BACK.value
    return [first, again]


def _row(ply: ScriptedPly, done: Sequence[DemandDone]) -> PlyRow:
    move, before = ply.move, ply.before
    piece, victim = before.piece_at(move.from_square), before.piece_at(move.to_square)
    assert piece is not None
    taken = [
        each
        for each in before.moves()
        if each.from_square == move.from_square and each.kind is MoveKind.CAPTURE
    ]
    is_ambiguous = move.kind is MoveKind.CAPTURE and len(taken) > 1
    own = next(each for each in done if each.demand.squares[:1] != (ply.other,))
    return PlyRow(
        ply=ply.number,
        side=before.side.word,
        piece=piece_word(piece),
        from_=SQUARE_NAMES[move.from_square],
        to=SQUARE_NAMES[move.to_square],
        kind="capture" if victim is not None else "move",
        captured=None if victim is None else piece_word(victim),
        t_lift_us=microseconds(_first(own)),
        t_settled_us=microseconds(_last(done[-1])),
        behaviours=[ply.manner.value],
        ambiguous=is_ambiguous and ply.manner is Manner.AT_ONCE,
        candidates=[SQUARE_NAMES[each.to_square] for each in taken] if is_ambiguous else UNSET,
    )


def _first(done: DemandDone) -> float:
    """Return when the first of it was seen; when it was asked, where nothing was."""
    return next((at for at in done.seen_at if at is not None), done.asked_at)


def _last(done: DemandDone) -> float:
    """Return when the last of it was seen; when people said so, where it was not."""
    last = done.seen_at[-1] if done.seen_at else None
    return done.done_at if last is None else last

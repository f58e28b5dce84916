"""What a trial leaves behind: a recording of what was seen, and the truth of what was played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from msgspec import UNSET

from hardware.ports import Observation
from hardware.switches import Change, Switch
from rules import MoveKind, Position, format_position, format_rules, parse_rules
from rules.topology import SQUARE_NAMES

from ..reading.occupancy import Occupancy
from ..replay.looks import Looks, LooksHeader
from ..replay.recordings import Recording, RecordingHeader, microseconds
from ..simulation.generate import LAST_WAIT, result_of, start_rows
from ..simulation.truth import PlyRow, Truth, piece_word
from .leader import DemandDone
from .running import Course
from .script import REST, RULES, Manner, ScriptedPly

MADE_BY = "jetan trial"


def recording_of(course: Course) -> Recording | Looks:
    """Return what was seen of the game of a trial, from its beginning."""
    start = Position.start(parse_rules(RULES))
    rules = {"text": format_rules(start.rules)}
    t_end_us = microseconds(course.ended_at - course.began_at + LAST_WAIT)
    if course.script.looks:
        first = Observation(0.0, course.begun_with)
        later = (replace(each, at=_since_begun(course, each)) for each in course.observations)
        return Looks(LooksHeader(rules=rules, t_end_us=t_end_us, made_by=MADE_BY), (first, *later))
    header = RecordingHeader(
        rules=rules,
        start_rows=start_rows(start),
        closed=tuple(SQUARE_NAMES[square] for square in sorted(course.standing)),
        t_end_us=t_end_us,
        made_by=MADE_BY,
    )
    return Recording(header, tuple(_changes(course)))


def _since_begun(course: Course, observation: Observation) -> float:
    return max(observation.at - course.began_at, 0.0)


def _changes(course: Course) -> Iterator[Change]:
    occupancy = Occupancy()
    occupancy.occupied = set(course.standing)
    for observation in course.observations:
        for square, is_occupied in occupancy.update(observation):
            yield Change(_since_begun(course, observation), Switch(square), is_occupied)


def truth_of(course: Course, name: str, stirs: Sequence[float] = ()) -> Truth:
    """Return what was played in a trial, as far as it was; `name` is the recording's file.

    `stirs` are the times at which a camera saw something move: hands are gone after the last one.
    """
    rows: list[PlyRow] = []
    position = Position.start(parse_rules(RULES))
    script, done = course.script, list(course.played)
    for ply in script.plies:
        asked = len(list(script.demands(ply)))
        if len(done) < asked:
            break
        own = [each for each in done[:asked] if each.demand.ply == ply.number]
        done = done[asked:]
        timed = [_landed(each, stirs) for each in own] if script.looks else own
        rows += _rows(ply, _since(timed, course.began_at), script.looks)
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


def _landed(done: DemandDone, stirs: Sequence[float]) -> DemandDone:
    """Return what was seen in one look as done when hands had gone, just before that look."""
    first = next((at for at in done.seen_at if at is not None), None)
    if first is None:
        return done
    at = max((each for each in stirs if done.asked_at <= each <= first), default=first)
    return replace(done, seen_at=(at,) * len(done.seen_at))


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


def _rows(ply: ScriptedPly, done: Sequence[DemandDone], looks: bool) -> list[PlyRow]:
    """Return a ply's row; where it is taken back and made again, two: between two rests."""
    if ply.manner is not Manner.TAKEN_BACK:
        return [_row(ply, done, looks)]
    rests = [n for n, each in enumerate(done) if each.demand.words == REST]
    first, again = _row(ply, done[: rests[0]], looks), _row(ply, done[rests[1] + 1 :], looks)
    first.taken_back_us = microseconds(_last(done[rests[1] - 1]))
    first.takeback = Manner.TAKEN_BACK.value
    return [first, again]


def _row(ply: ScriptedPly, done: Sequence[DemandDone], looks: bool) -> PlyRow:
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
        ambiguous=is_ambiguous and ply.manner is Manner.AT_ONCE and not looks,
        candidates=[SQUARE_NAMES[each.to_square] for each in taken] if is_ambiguous else UNSET,
    )


def _first(done: DemandDone) -> float:
    """Return when the first of it was seen; when it was asked, where nothing was."""
    return next((at for at in done.seen_at if at is not None), done.asked_at)


def _last(done: DemandDone) -> float:
    """Return when the last of it was seen; when people said so, where it was not."""
    last = done.seen_at[-1] if done.seen_at else None
    return done.done_at if last is None else last

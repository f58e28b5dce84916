"""What a trial leaves behind: a recording of what was seen with its truth, and what it teaches.

All that was put down or lifted by name is counted for the switches."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from hardware.ports import Change, Observation, Occupancy, Switch, SwitchCounts
from rules import (
    MoveKind,
    Position,
    Square,
    format_position,
    format_rules,
    format_square,
    parse_rules,
)
from rules.board import SQUARE_NAMES
from rules.sentences import _

from ...languages import Language, say_in
from ...people.game import ply_row
from ...people.truth import LAST_WAIT, PlyRow, Truth, result_of, start_rows
from ...reading.scene import UNKNOWN, Rates
from ...replay.recordings import Looks, LooksHeader, Recording, RecordingHeader, microseconds
from ...table.switches import take_up, teach_switches
from .course import REST, RULES, Course, ErrandDone, Manner, ScriptedPly

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
        asked = len(list(script.errands(ply)))
        if len(done) < asked:
            break
        own = [each for each in done[:asked] if each.errand.ply == ply.number]
        done = done[asked:]
        timed = [_landed(each, stirs) for each in own] if script.looks else own
        rows += _rows(ply, timed, script.looks, course.began_at)
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


def _landed(done: ErrandDone, stirs: Sequence[float]) -> ErrandDone:
    """Return what was seen in one look as done when hands had gone, just before that look."""
    first = next((at for at in done.seen_at if at is not None), None)
    if first is None:
        return done
    at = max((each for each in stirs if done.asked_at <= each <= first), default=first)
    return replace(done, seen_at=(at,) * len(done.seen_at))


def _rows(ply: ScriptedPly, done: Sequence[ErrandDone], looks: bool, began: float) -> list[PlyRow]:
    """Return a ply's row; where it is taken back and made again, two: between two rests."""
    if ply.manner is not Manner.TAKEN_BACK:
        return [_row(ply, done, looks, began)]
    rests = [n for n, each in enumerate(done) if each.errand.words == REST]
    first = _row(ply, done[: rests[0]], looks, began)
    again = _row(ply, done[rests[1] + 1 :], looks, began)
    first.taken_back_us = microseconds(_last(done[rests[1] - 1]) - began)
    first.takeback = Manner.TAKEN_BACK.value
    return [first, again]


def _row(ply: ScriptedPly, done: Sequence[ErrandDone], looks: bool, began: float) -> PlyRow:
    own = next(each for each in done if each.errand.squares[:1] != (ply.other,))
    move, before = ply.move, ply.before
    row = ply_row(before, move, _first(own) - began, _last(done[-1]) - began, [ply.manner.value])
    moves = (each for each in before.moves() if each.from_square == move.from_square)
    taken = [SQUARE_NAMES[each.to_square] for each in moves if each.kind is MoveKind.CAPTURE]
    if move.kind is MoveKind.CAPTURE and len(taken) > 1:
        row.candidates = taken
        row.ambiguous = ply.manner is Manner.AT_ONCE and not looks
    return row


def _first(done: ErrandDone) -> float:
    """Return when the first of it was seen; when it was asked, where nothing was."""
    return next((at for at in done.seen_at if at is not None), done.asked_at)


def _last(done: ErrandDone) -> float:
    """Return when the last of it was seen; when people said so, where it was not."""
    last = done.seen_at[-1] if done.seen_at else None
    return done.done_at if last is None else last


TAUGHT = _(
    "Its switches are known by {placed} pieces put down, {missed} of them missed; "
    "before by {was_placed}, {was_missed} missed."
)
ERRED = _("{square}: missed {missed} of {placed}; before {was_missed} of {was_placed}.")
UNDO = _("jetan trial --undo forgets what this trial has taught.")


def counted(course: Course, counts: Mapping[Square, SwitchCounts]) -> dict[Square, SwitchCounts]:
    """Return counts with all that was asked in a trial; what may go unseen counts if it showed.

    What was lit and not named may have been another piece.
    """
    rates = Rates(counts)
    for done in course.done:
        for (square, is_put_down), at in zip(done.errand.wants, done.seen_at, strict=True):
            if at is None and (done.errand.may_hide or done.errand.by_light):
                continue
            if is_put_down:
                rates.put_down(square, is_shown=at is not None)
            elif at is None:
                rates.count_ghost(square)
    return rates.counts


def teach(course: Course, folder: Path, language: Language) -> Iterator[str]:
    """Add what a trial has shown to what is kept in the data folder, and tell both. OSError."""
    before, trouble = take_up(folder)
    if trouble is not None:
        yield say_in(language, _("{why}"), why=trouble)
    after = counted(course, before)
    teach_switches(folder, after)
    yield say_in(language, TAUGHT, **_figures(Rates(after).total, Rates(before).total))
    for square, counts in sorted(after.items()):
        was = before.get(square, UNKNOWN)
        if counts.missed > was.missed:
            name = format_square(square)
            yield say_in(language, ERRED, square=name, **_figures(counts, was))
    yield say_in(language, UNDO)


def _figures(counts: SwitchCounts, was: SwitchCounts) -> dict[str, int]:
    return {
        "placed": counts.placed,
        "missed": counts.missed,
        "was_placed": was.placed,
        "was_missed": was.missed,
    }

"""Scoring: what was told, beside what happened."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from jetan_table.game.events import Question
from jetan_table.people.manners import PROFILES
from jetan_table.people.truth import Happened, ReadingVerdict, happened, read_truth, score
from jetan_table.reading.readings import (
    Evidence,
    Reading,
    Standing,
    Step,
    answering,
    telling,
    undoing,
)
from jetan_table.replay.recordings import seconds
from rules import Position, parse_rules, parse_square
from tests.paths import DATA
from tools.recordings import generate

START = Standing(Position.start(parse_rules("appendix")))


def played(number: int, start: str, end: str, at: float) -> Reading[Standing]:
    return telling(number, step(start, end), Evidence(None, None), at)


def step(start: str, end: str, *, is_ply: bool = True) -> Step[Standing]:
    ends = parse_square(start), parse_square(end)
    return Step(*ends, False, lambda: START, is_ply=is_ply)


def asked(number: int, start: str, ends: list[str], at: float) -> Reading[Standing]:
    return Reading(Question(number, start, tuple(ends)), at)


def perfect(truth: Happened) -> list[Reading[Standing]]:
    """What a reader would tell that makes no mistake, a tenth of a second late."""
    readings: list[Reading[Standing]] = []
    for row in truth.plies:
        readings.append(played(row.ply, row.from_, row.to, seconds(row.t_settled_us) + 0.1))
        if isinstance(row.taken_back_us, int):
            readings.append(undoing(row.ply, True, seconds(row.taken_back_us) + 0.1))
    for moved in truth.juggernaut_moves:
        if moved.from_ != moved.to:
            at = seconds(moved.t_settled_us) + 0.1
            readings.append(
                answering(moved.after_ply, step(moved.from_, moved.to, is_ply=False), at)
            )
    return sorted(readings, key=lambda reading: reading.at)


@pytest.fixture
def truth() -> Happened:
    return read_truth(DATA / "captures.truth.json")


@pytest.fixture
def readings(truth: Happened) -> list[Reading[Standing]]:
    return perfect(truth)


def others(truth: Happened, readings: list[Reading[Standing]]) -> list[tuple[ReadingVerdict, int]]:
    """All verdicts but RIGHT, with the numbers of their plies."""
    lines = score(truth, readings)
    return [
        (line.verdict, line.number) for line in lines if line.verdict is not ReadingVerdict.RIGHT
    ]


@pytest.mark.parametrize("name", ["captures", "hasty", "juggernaut"])
def test_a_perfect_reader_is_right_throughout(name: str) -> None:
    truth = read_truth(DATA / f"{name}.truth.json")
    lines = score(truth, perfect(truth))
    assert {line.verdict for line in lines} == {ReadingVerdict.RIGHT}
    assert len(lines) == len(perfect(truth))
    assert min(line.delay_s or 0.0 for line in lines) == pytest.approx(0.1)


def test_another_ply_in_its_place_is_wrong(
    truth: Happened, readings: list[Reading[Standing]]
) -> None:
    readings[4] = played(5, "a1", "a2", readings[4].at)
    assert others(truth, readings) == [(ReadingVerdict.WRONG, 5)]


def test_a_ply_that_is_not_told_is_never(
    truth: Happened, readings: list[Reading[Standing]]
) -> None:
    del readings[4]
    assert others(truth, readings) == [(ReadingVerdict.NEVER, 5)]


def test_a_ply_that_was_not_there_is_extra(
    truth: Happened, readings: list[Reading[Standing]]
) -> None:
    readings.insert(4, played(5, "a1", "a2", readings[3].at))
    assert others(truth, readings) == [(ReadingVerdict.EXTRA, 5)]


def test_what_the_reader_takes_back_itself_is_amended(
    truth: Happened, readings: list[Reading[Standing]]
) -> None:
    at = readings[3].at
    readings[4:4] = [played(5, "a1", "a2", at + 0.1), undoing(5, True, at + 0.2)]
    assert others(truth, readings) == [(ReadingVerdict.AMENDED, 5)]
    (amended,) = (line for line in score(truth, readings) if line.verdict is ReadingVerdict.AMENDED)
    assert list(amended.behaviours) == truth.plies[4].behaviours


def test_a_question_is_right_only_where_the_board_cannot_tell(
    truth: Happened, readings: list[Reading[Standing]]
) -> None:
    row = truth.plies[4]
    readings[4] = asked(5, row.from_, [row.to, "j10"], readings[4].at)
    assert others(truth, readings) == [(ReadingVerdict.ASKED, 5)]
    row.ambiguous = True
    assert others(truth, readings) == []
    readings[4] = Reading(Question(5, None, (), row.to), readings[4].at)
    assert others(truth, readings) == []
    readings[4] = asked(5, row.from_, ["i9", "j10"], readings[4].at)
    assert others(truth, readings) == [(ReadingVerdict.WRONG, 5)]


def test_what_nothing_shows_is_not_missed_but_right_where_it_is_told(
    truth: Happened, readings: list[Reading[Standing]]
) -> None:
    reading = readings.pop(4)
    assert others(truth, readings) == [(ReadingVerdict.NEVER, 5)]
    truth.plies[4].hidden = True
    before = len(score(truth, readings))
    assert others(truth, readings) == []
    readings.insert(4, reading)
    assert others(truth, readings) == []
    assert len(score(truth, readings)) == before + 1


def test_what_is_told_of_two_alike_is_told_of_the_one_that_shows(
    truth: Happened, readings: list[Reading[Standing]]
) -> None:
    """A capture without a gap is taken back, and made again with one."""
    row = truth.plies[4]
    hidden = msgspec.structs.replace(
        row, hidden=True, taken_back_us=row.t_lift_us - 1, t_settled_us=row.t_lift_us - 2
    )
    truth.plies.insert(4, hidden)
    assert others(truth, readings) == []


def test_a_report_is_timed_from_the_landing_and_from_that_of_the_reply(
    truth: Happened, readings: list[Reading[Standing]]
) -> None:
    late = replace(readings[4], at=readings[5].at)
    (line,) = (line for line in score(truth, [late]) if line.verdict is ReadingVerdict.RIGHT)
    landed = [seconds(row.t_settled_us) for row in truth.plies]
    assert line.delay_s == pytest.approx(late.at - landed[4])
    assert line.reply_delay_s == pytest.approx(late.at - landed[5])


def test_a_ply_told_before_it_began_is_another(
    truth: Happened, readings: list[Reading[Standing]]
) -> None:
    early = seconds(truth.plies[4].t_lift_us) - 0.2
    readings[4] = replace(readings[4], at=early)
    assert sorted(others(truth, readings), key=str) == [
        (ReadingVerdict.EXTRA, 5),
        (ReadingVerdict.NEVER, 5),
    ]


def test_nothing_counts_once_a_fault_shows() -> None:
    truth = happened(generate(PROFILES["dead-switch"], 1, "x", plies=30).truth)
    assert truth.fault is not None
    shown = seconds(truth.fault.t_visible_us)
    readings = [reading for reading in perfect(truth) if reading.at < shown]
    assert others(truth, readings) == []
    assert 0 < len(readings) < len(perfect(truth))

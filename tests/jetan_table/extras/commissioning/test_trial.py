"""Trials of boards: a sound one is called sound, each planted fault is named, and what owners have
sent is read without a mistake: a recording and its truth in `tests/data/trials`.
"""

from pathlib import Path
from random import Random

import pytest

from hardware.ports import Flip, Switch, SwitchCounts
from jetan_table.extras.commissioning.course import (
    LIFT,
    RULES,
    InstructionDone,
    Script,
    Trial,
    TrialLog,
    all_plies,
)
from jetan_table.extras.commissioning.simulated import LedHands, planted
from jetan_table.extras.commissioning.verdict import (
    Verdict,
    is_fit,
    judged,
    recording_of,
    teach,
    truth_of,
)
from jetan_table.extras.commissioning.walk import Instruction
from jetan_table.light.lamps import Lighting
from jetan_table.people.board import TrueWiring, steady_board
from jetan_table.people.truth import ReadingVerdict, read_truth, score
from jetan_table.replay.recordings import read_seen
from jetan_table.replay.replay import advance, replay_of_recording
from jetan_table.table.loop import EagerClock
from jetan_table.table.switches import forget_teaching, keep_switches, read_switches
from rules import SQUARES, Position, Square, parse_rules, parse_square, squares_of
from tests.paths import DATA
from tests.profiles import sampled

RIGHT = {ReadingVerdict.RIGHT, ReadingVerdict.ASKED, ReadingVerdict.AMENDED}


@pytest.mark.parametrize("path", sorted(DATA.glob("trials/*.jsonl")), ids=lambda path: path.stem)
def test_a_board_somewhere_is_read_rightly(path: Path) -> None:
    truth = read_truth(path.with_name(f"{path.stem}.truth.json"))
    replay = replay_of_recording(read_seen(path), path.stem)
    readings = advance(replay.source, replay.reader(), replay.ends_at)
    scores = score(truth, readings)
    assert len([each for each in scores if each.sort == "ply"]) >= len(truth.plies) > 0
    assert [each for each in scores if each.verdict not in RIGHT] == []


ROWS = tuple(map(Switch, SQUARES))
STEP_S = 0.02
"""Slower than a real scan, or the tests were."""


def tried(wiring: TrueWiring, seed: int = 1, plies: int = 4) -> tuple[TrialLog, Verdict]:
    """Try a board, as far as a ply and at every square that is left; return what was seen, and the
    verdict."""
    rng, clock = Random(seed), EagerClock()
    start = Position.start(parse_rules(RULES))
    board = steady_board(squares_of(start.occupied), rng, clock.now(), wiring=wiring)
    hands = LedHands(board, rng, clock.now)
    trial = Trial(
        board=board,
        typed=hands.read,
        hear=hands.hear,
        clock=clock,
        script=Script(plies=all_plies()[:plies]),
        lighting=Lighting(),
        step_s=STEP_S,
        stopwatch=lambda: 0.0,
        cpu=lambda: 0.0,
        hold_off_ms=6.0,
        tell=lambda line: None,
        language="en",
        bouncing=lambda: board.bouncing,
    )
    log = trial.run(is_fit)
    return log, judged(log, recording_of(log), truth_of(log, "trial"))


@pytest.mark.parametrize("seed", sampled(range(3), by_hand=1))
def test_a_sound_board_is_called_sound(seed: int) -> None:
    _course, verdict = tried(planted(()), seed, plies=40)
    assert verdict.faults == {}
    assert (verdict.counts["wrong"], verdict.counts["never"]) == (0, 0)
    assert (verdict.plies, verdict.vain) == (42, 0)
    assert verdict.is_sound


PLANTED = (
    ("dead:e8", ["e8"]),
    ("stuck:e5", ["e5"]),
    ("weak:d2", ["d2"]),
    ("files:d-e", ["d>e", "e>d"]),
    ("ranks:2-3", ["2>3"]),
    ("lamps:snake", ["b2>i2", "c10>h10"]),
    ("dead:f2", ["f2"]),
    ("dead:h5", ["h5"]),
    ("stuck:b1", ["b1"]),
    ("ranks:1-2", ["1>2", "2>1"]),
    ("ranks:4-5", ["4>5", "5>4"]),
)


@pytest.mark.parametrize("which", sampled(PLANTED, by_hand=2), ids=lambda which: which[0])
def test_a_planted_fault_is_named(which: tuple[str, list[str]]) -> None:
    planted_fault, named = which
    _course, verdict = tried(planted([planted_fault]))
    assert verdict.faults == {planted_fault.partition(":")[0]: named}
    assert not verdict.is_sound


def test_a_weak_switch_that_shows_while_a_dead_one_is_asked_for_is_no_exchanged_wire() -> None:
    dead, weak = parse_square("e8"), parse_square("d2")

    def lifted(
        square: Square, seen_at: float | None, *strays: tuple[Flip, float]
    ) -> InstructionDone:
        instruction = Instruction(LIFT, (square,), ((square, False),))
        return InstructionDone(instruction, 1.0, [seen_at], 2.0, list(strays))

    asked_in_vain = lifted(dead, None, (Flip(weak, is_occupied=False), 1.5))

    def checked(*done: InstructionDone) -> TrialLog:
        return TrialLog(Script(), checked=done, begun_with={weak: (-9.0, 0.0, 0.0, -9.0)})

    assert not is_fit(checked(asked_in_vain))
    assert is_fit(checked(asked_in_vain, lifted(weak, 2.5)))
    assert not is_fit(TrialLog(Script()))


def test_a_trial_teaches_what_each_switch_has_shown(tmp_path: Path) -> None:
    (log, _verdict), dead, folder = tried(planted(["dead:f2"])), parse_square("f2"), tmp_path
    keep_switches(folder, {dead: SwitchCounts(7, 0)})
    summary, erred, _undo = teach(log, folder, "en")
    taught = read_switches(folder).counts
    assert taught[dead].missed == taught[dead].placed - 7 > 0
    assert taught[dead].row == taught[dead].missed
    assert [square for square, counts in taught.items() if counts.missed] == [dead]
    assert len(taught) > 80
    assert erred == f"f2: missed {taught[dead].missed} of {taught[dead].placed}; before 0 of 7."
    assert summary.endswith("before by 7, 0 missed.")
    assert forget_teaching(folder)
    assert read_switches(folder).counts == {dead: SwitchCounts(7, 0)}

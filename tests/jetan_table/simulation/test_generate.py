"""Generated games: legal, physically whole, told truly, repeatable, and at any pace."""

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import pairwise
from random import Random

import pytest
from jetan_table.simulation.habits import Person
from jetan_table.simulation.presets import PRESETS

from hardware.switches import FaultKind
from jetan_table.replay.recordings import Recording, microseconds
from jetan_table.simulation.game import SimulatedGame
from jetan_table.simulation.generate import generate_recording
from jetan_table.simulation.hands import Hands
from jetan_table.simulation.truth import PlyRow, Truth
from jetan_table.simulation.world import Magnet, MagnetWorld
from rules import (
    SQUARES,
    Move,
    MoveKind,
    Position,
    Square,
    format_position,
    parse_move,
    parse_rules,
    parse_square,
)

ALL = list(PRESETS)


@cache
def made(
    preset: str, seed: int = 1, pace: float = 1.0, broad: bool = False
) -> tuple[Recording, Truth]:
    chosen = PRESETS[preset]
    habits = replace(chosen.habits, pace=pace)
    chosen = replace(chosen, habits=habits.broad() if broad else habits)
    return generate_recording(chosen, seed, f"{preset}.jsonl")


def tagged(tag: str, *presets: str, seeds: int = 12) -> list[PlyRow]:
    """All plies with a tag, over some games."""
    truths = [made(preset, seed)[1] for preset in presets for seed in range(seeds)]
    return [row for truth in truths for row in truth.plies if tag in row.behaviours]


@pytest.mark.parametrize("preset", ALL)
@pytest.mark.parametrize("broad", [False, True])
def test_the_truth_is_a_legal_game_with_its_takebacks(preset: str, broad: bool) -> None:
    _, truth = made(preset, broad=broad)
    position = Position.start(parse_rules(truth.rules))
    stack: list[Position] = []
    jumps = {row.after_ply: row for row in truth.juggernaut_moves}
    events: list[tuple[int, int, PlyRow]] = []
    for row in truth.plies:
        landed = row.t_landed_us if isinstance(row.t_landed_us, int) else row.t_settled_us
        events.append((landed, 0, row))
        if isinstance(row.taken_back_us, int):
            events.append((row.taken_back_us, 1, row))
    for _, is_takeback, row in sorted(events, key=lambda event: event[:2]):
        if is_takeback:
            position = stack.pop()
            continue
        assert row.ply == position.ply_number
        assert row.side == position.side.word
        stack.append(position)
        move = parse_move(f"{row.from_}{row.to}", position)
        assert move.kind.value == row.kind
        position = position.play(move)
        if row.ply in jumps:
            position = position.move_juggernaut(parse_square(jumps[row.ply].to))
    assert format_position(position) == truth.final_position


@pytest.mark.parametrize("preset", ["01", "03", "05", "08", "09", "11"])
@pytest.mark.parametrize("broad", [False, True])
def test_the_pieces_stand_where_the_game_says_after_every_ply(preset: str, broad: bool) -> None:
    habits = PRESETS[preset].habits
    start = Position.start(parse_rules(PRESETS[preset].rules))
    for seed in range(6):
        game = SimulatedGame(start, habits.broad() if broad else habits, seed)
        while game.outcome is None and len(game.rows) < 60:
            game.play_ply()
            game.go_on()
            standing = {square for square in SQUARES if game.position.occupied >> square & 1}
            assert set(game.world.standing) == standing


@pytest.mark.parametrize("broad", [False, True])
def test_no_square_is_left_before_it_was_reached(broad: bool) -> None:
    for preset in ("03", "05", "07", "12"):
        habits = replace(PRESETS[preset].habits, pace=0.5)
        start = Position.start(parse_rules(PRESETS[preset].rules))
        for seed in range(6):
            game = SimulatedGame(start, habits.broad() if broad else habits, seed)
            magnets = Counter(set(game.world.standing))
            while game.outcome is None and len(game.rows) < 60:
                game.play_ply()
                game.go_on()
            for touch in game.world.take_touches():
                magnets[touch.square] += 1 if touch.near else -1
                assert 0 <= magnets[touch.square] <= 2


def test_nobody_lifts_a_piece_before_it_is_down_however_hurried() -> None:
    habits = replace(PRESETS["05"].habits, fast=1.0, takeback=0, knock=0)
    start = Position.start(parse_rules(PRESETS["05"].rules))
    for seed in range(30):
        game = SimulatedGame(start, habits, seed)
        magnets = Counter(set(game.world.standing))
        while game.outcome is None and len(game.rows) < 60:
            game.play_ply()
        for touch in game.world.take_touches():
            magnets[touch.square] += 1 if touch.near else -1
            assert magnets[touch.square] >= 0


@pytest.mark.parametrize(("share", "first"), [(0.0, "attacker"), (1.0, "victim")])
def test_a_capture_is_undone_one_piece_after_the_other(share: float, first: str) -> None:
    a1, e5 = Square(0), Square(44)
    world = MagnetWorld([a1])
    habits = replace(PRESETS["03"].habits, victim_back_first=share)
    hands = Hands(world, Person(habits, Random(1)))
    victim = Magnet(e5)
    world.put(0.0, e5, world.lift(0.0, a1))
    ended = hands.undo(1.0, Move(a1, e5, MoveKind.CAPTURE), victim)
    lifted, one, other = world.take_touches()[2:]
    assert (lifted.at, lifted.square, lifted.near) == (1.0, e5, False)
    assert lifted.at < one.at < other.at == ended
    assert one.square == (a1 if first == "attacker" else e5)
    assert world.standing == {a1: Magnet(a1), e5: victim}


@pytest.mark.parametrize("preset", ALL)
def test_the_recording_ends_as_the_game_does(preset: str) -> None:
    recording, truth = made(preset)
    closed = list(recording.closed)
    for change in recording.changes:
        closed[change.switch] = change.closed
    rules = parse_rules(truth.rules)
    placement = truth.final_position.split()[0]
    expected = sum(letter.isalpha() or letter == "*" for letter in placement)
    failed = truth.fault is not None
    assert abs(sum(closed) - expected) <= failed
    assert rules["board"].startswith(truth.board[:9])


def test_the_same_seed_makes_the_same_game_and_another_another() -> None:
    first = generate_recording(PRESETS["11"], 5, "x", plies=30)
    again = generate_recording(PRESETS["11"], 5, "x", plies=30)
    other = generate_recording(PRESETS["11"], 6, "x", plies=30)
    assert first == again
    assert first != other


@pytest.mark.parametrize(
    "tag",
    [
        "plain", "slide", "between", "wrong-square-legal", "wrong-square-illegal",
        "wrong-square-moved", "wrong-square-final", "capture-victim-first",
        "capture-attacker-first", "capture-swept", "capture-no-gap", "jadoube", "hesitation",
        "illegal", "knock", "fast", "bounce",
    ],
)  # fmt: skip
def test_every_behaviour_happens(tag: str) -> None:
    assert tagged(tag, "03", "07")


def test_a_move_stands_long_and_a_slip_does_not() -> None:
    for pace in (0.7, 1.0, 1.4):
        for broad in (False, True):
            _, truth = made("07", pace=pace, broad=broad)
            slips = [row for row in truth.incidents if row["type"] == "wrong-square"]
            stood = [int(str(slip["t_end_us"])) - int(str(slip["t_us"])) for slip in slips]
            assert stood
            assert not [us for us in stood if 1.6e6 * pace < us < 2.4e6 * pace - 1]


def test_gaps_and_overlaps_keep_to_their_ranges() -> None:
    for row in tagged("capture-swept", "02", "03"):
        assert isinstance(row.gap_us, int)
        assert 40_000 <= row.gap_us <= 400_001
    gaps = [row.gap_us for row in tagged("capture-no-gap", "02", "03")]
    assert 0 in gaps
    assert all(isinstance(gap, int) and (gap == 0 or 999 <= gap <= 14_501) for gap in gaps)
    for row in tagged("fast", "05"):
        assert isinstance(row.overlap_us, int)
        assert 0 < row.overlap_us <= 150_001


def test_only_a_take_without_gap_and_with_another_target_is_ambiguous() -> None:
    rows = [
        row for preset in ("02", "03") for seed in range(6) for row in made(preset, seed)[1].plies
    ]
    for row in rows:
        several = isinstance(row.candidates, list) and len(row.candidates) > 1
        assert row.ambiguous == (several and "capture-no-gap" in row.behaviours)
        if isinstance(row.candidates, list):
            assert row.to in row.candidates
    assert any(row.ambiguous for row in rows)


def test_a_recapture_may_begin_with_the_piece_that_has_just_landed() -> None:
    found = 0
    for seed in range(12):
        plies = made("02", seed)[1].plies
        for last, row in pairwise(plies):
            found += last.to == row.to and "capture-victim-first" in row.behaviours
    assert found


@pytest.mark.parametrize("preset", ["06", "10"])
def test_a_fault_shows_first_where_a_sound_switch_would_differ(preset: str) -> None:
    by_itself = 0
    for seed in range(12):
        recording, truth = made(preset, seed)
        fault = truth.fault
        assert fault is not None
        sound, _ = generate_recording(replace(PRESETS[preset], fault=None), seed, "sound")
        switch = recording.header.squares.index(fault.square)
        level = fault.kind == FaultKind.STUCK.value

        def own(changes: Recording, after_us: int, of: int = switch) -> list[bool]:
            times = [c for c in changes.changes if c.switch == of and microseconds(c.at) > after_us]
            return [change.closed for change in times]

        assert own(recording, fault.t_fault_us) == []
        assert (not level) in [sound_level(sound, switch, fault.t_visible_us)]
        assert fault.t_fault_us <= fault.t_visible_us <= fault.t_evident_us
        if fault.t_evident_us > fault.t_fault_us:
            (known,) = [row for row in truth.plies if row.t_settled_us == fault.t_evident_us]
            assert fault.square == (known.from_ if level else known.to)
            assert known.kind != "capture" or not level
        by_itself += fault.t_visible_us == fault.t_fault_us
    assert 0 < by_itself < 12


def sound_level(sound: Recording, switch: int, at_us: int) -> bool:
    """What a sound switch settles to after a moment."""
    level = sound.closed[switch]
    for change in sound.changes:
        if change.switch == switch and microseconds(change.at) <= at_us + 6_000:
            level = change.closed
    return level


def test_pace_stretches_the_hands() -> None:
    def in_the_air(pace: float) -> float:
        rows = [
            row
            for seed in range(6)
            for row in made("01", seed, pace)[1].plies
            if "plain" in row.behaviours
        ]
        times = sorted(row.t_settled_us - row.t_lift_us for row in rows)
        return times[len(times) // 2] / 1e6

    assert in_the_air(0.5) < 0.35 < in_the_air(1.0) < 0.7 < in_the_air(2.0)


def test_broad_habits_leave_the_usual_ranges() -> None:
    rows = [
        row
        for seed in range(6)
        for row in made("01", seed, 1.0, True)[1].plies
        if "plain" in row.behaviours
    ]
    times = [row.t_settled_us - row.t_lift_us for row in rows]
    assert min(times) < 150_000
    assert max(times) > 900_000

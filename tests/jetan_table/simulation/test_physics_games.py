"""Games from physics: legal, repeatable, whole, and with the truths that real reeds have."""

from collections import Counter
from functools import cache
from itertools import pairwise
from statistics import median

import pytest

from jetan_table.replay.recordings import format_recording, parse_recording
from jetan_table.simulation.manners import BLITZ, PROFILES, PlayerManner
from jetan_table.simulation.physical import PhysicalRun, generate_physical, run_physical
from jetan_table.simulation.scan_truth import ScanRecord
from jetan_table.simulation.truth import PlyRow
from rules import (
    SQUARES,
    Move,
    MoveKind,
    Position,
    format_position,
    parse_move,
    parse_rules,
    parse_square,
)
from rules.topology import SQUARE_NAMES

pytestmark = pytest.mark.ci

ALL = list(PROFILES)
PLIES = 25


@cache
def played(profile: str, seed: int = 1, plies: int = PLIES) -> PhysicalRun:
    return run_physical(PROFILES[profile], seed, f"{profile}.jsonl", plies)


def scanned(run: PhysicalRun) -> ScanRecord:
    recording = run.recording
    return ScanRecord(recording.closed, recording.changes, recording.ends_at)


def rows_of(tag: str, *profiles: str, seeds: int = 2) -> list[PlyRow]:
    """The plies with a tag, over some games."""
    runs = [played(profile, seed, 60) for profile in profiles for seed in range(seeds)]
    return [row for run in runs for row in run.truth.plies if tag in row.behaviours]


@pytest.mark.parametrize("profile", ALL)
def test_the_truth_is_a_legal_game_with_its_takebacks(profile: str) -> None:
    truth = played(profile).truth
    position = Position.start(parse_rules(truth.rules))
    stack: list[Position] = []
    jumps = {row.after_ply: row for row in truth.juggernaut_moves}
    events: list[tuple[int, int, PlyRow]] = []
    for row in truth.plies:
        events.append((row.t_settled_us, 0, row))
        if isinstance(row.taken_back_us, int):
            events.append((row.taken_back_us, 1, row))
    for _, is_takeback, row in sorted(events, key=lambda event: event[:2]):
        if is_takeback:
            position = stack.pop()
            continue
        assert row.ply == position.ply_number
        assert row.side == position.side.word
        assert row.t_lift_us <= row.t_settled_us
        stack.append(position)
        move = parse_move(f"{row.from_}{row.to}", position)
        assert move.kind.value == row.kind
        position = position.play(move)
        if row.ply in jumps:
            position = position.move_juggernaut(parse_square(jumps[row.ply].to))
    assert format_position(position) == truth.final_position


@pytest.mark.parametrize("profile", ALL)
def test_a_recording_can_be_read_back_and_begins_with_every_piece(profile: str) -> None:
    recording = played(profile).recording
    assert parse_recording(format_recording(recording)) == recording
    start = Position.start(parse_rules(PROFILES[profile].rules))
    assert recording.closed == tuple(bool(start.occupied >> square & 1) for square in SQUARES)


@pytest.mark.parametrize("profile", ["careful", "blitz", "club-night", "juggernaut-disk"])
def test_the_end_shows_where_the_pieces_stand(profile: str) -> None:
    run = played(profile)
    scan = scanned(run)
    occupied = run.game.position.occupied
    wrong = [
        SQUARE_NAMES[square]
        for square in SQUARES
        if scan.is_closed(square, run.recording.ends_at) != bool(occupied >> square & 1)
    ]
    assert len(wrong) <= 1
    standing = {square for square in SQUARES if occupied >> square & 1}
    assert run.game.world.standing.keys() == standing


def test_the_same_seed_writes_the_same_bytes() -> None:
    first, truth = generate_physical(PROFILES["clumsy"], 5, "x", 10)
    second, same = generate_physical(PROFILES["clumsy"], 5, "x", 10)
    other, _ = generate_physical(PROFILES["clumsy"], 6, "x", 10)
    assert format_recording(first) == format_recording(second)
    assert truth == same
    assert format_recording(first) != format_recording(other)


def test_the_scan_looks_at_rows_in_turn() -> None:
    run = played("blitz")
    hertz = run.scan.hertz
    assert 100 <= hertz <= 250
    for change in run.recording.changes:
        sample = change.at * hertz - (change.switch // 10) / 10
        assert sample == pytest.approx(round(sample), abs=1e-3)


def test_a_swept_victim_hardly_ever_leaves_a_gap() -> None:
    """The arriving magnet takes over before the victim's has gone."""
    swept = rows_of("capture-swept", "blitz", "club-night", "draggers", "blitz-disk")
    assert len(swept) > 8
    gapless = [row for row in swept if "capture-no-gap" in row.behaviours]
    assert len(gapless) >= 0.8 * len(swept)
    assert all(row.ambiguous for row in gapless if len(list(row.candidates or [])) > 1)


def test_a_gap_that_is_seen_is_seldom_ambiguous() -> None:
    first = rows_of("capture-victim-first", "careful", "club-night", "weak-magnets")
    assert len(first) > 10
    assert sum(row.ambiguous for row in first) <= 0.1 * len(first)


def test_a_reed_shows_less_of_a_flight_than_there_is_the_more_so_the_quicker_the_hand() -> None:
    """It stays closed through the first part of a lift, and closes before the end of a landing."""
    shares = {}
    for profile in ("careful", "blitz"):
        run = played(profile, 1, 60)
        scan = scanned(run)
        hidden, flights = [], []
        for ply in run.game.plies:
            begun, landed = ply.deed.begun, ply.deed.landed
            opened = [at for at, on in scan.edges(ply.move.from_square, begun, landed) if not on]
            if "plain" in ply.deed.tags and not ply.candidates and opened:
                hidden.append(opened[-1] - begun)
                flights.append(landed - begun)
        assert len(hidden) > 10
        shares[profile] = median(hidden)
        assert 0.1 < median(hidden) / median(flights) < 0.4
    assert shares["blitz"] < shares["careful"]


def test_people_think_in_the_middle_of_a_capture() -> None:
    gaps = [
        row.gap_us
        for row in rows_of("capture-victim-first", "careful", "club-night", "weak-magnets")
        if isinstance(row.gap_us, int)
    ]
    assert 0.3e6 < median(gaps) < 2.5e6
    assert max(gaps) > 2.5 * median(gaps)


def test_a_dragged_piece_closes_the_squares_of_its_path_in_order() -> None:
    run = played("draggers", 3, 1)
    hands, world = run.game._hands[0], run.game.world
    way = ["e2", "e3", "e4", "e5", "e6"]
    squares = [parse_square(name) for name in way]
    magnet = world.standing.pop(squares[0], None)
    magnet = magnet if magnet is not None else next(iter(world.standing.values()))
    at = begun = run.game.settled + 30
    for square in squares[:1]:
        at = hands.carry(at, magnet, world.place(square, 0.0), "plain").ended
    for square in squares[1:]:
        at = hands.carry(at, magnet, world.place(square, 0.05), "slide").ended
    run.bank.run(begun)
    for path in world.take_paths():
        run.bank.await_path(path)
    run.bank.run(at + 1)
    closings = [
        next(at for at, on in run.bank.edges[square] if on and at > begun) for square in squares[1:]
    ]
    assert all(earlier < later for earlier, later in pairwise(closings))


@pytest.mark.parametrize("profile", ["stuck-switch", "dead-switch-disk"])
def test_a_failed_switch_no_longer_changes(profile: str) -> None:
    run = played(profile, 2, 60)
    fault = run.truth.fault
    assert fault is not None
    square = SQUARE_NAMES.index(fault.square)
    later = [
        change.closed
        for change in run.recording.changes
        if change.switch == square and round(change.at * 1e6) > fault.t_fault_us + 20_000
    ]
    assert later == []
    assert fault.t_fault_us <= fault.t_visible_us <= fault.t_evident_us
    assert scanned(run).is_closed(SQUARES[square], run.recording.ends_at) is (
        fault.kind == "stuck-closed"
    )


def test_every_profile_is_of_its_own_kind() -> None:
    def share(tag: str, profile: str) -> float:
        return len(rows_of(tag, profile)) / 120

    assert share("slide", "draggers") > 2 * share("slide", "careful")
    assert share("fast", "blitz") > 0.08
    assert share("fast", "careful") == 0
    assert share("bump", "bumps") > 0.1
    assert share("wrong-square", "clumsy") > share("wrong-square", "careful")
    changes = Counter(
        {name: len(played(name, 1, 60).recording.changes) for name in ("bumps", "careful")}
    )
    assert changes["bumps"] > 1.5 * changes["careful"]


def test_arms_and_thought_have_a_tempo_each() -> None:
    run = played("blitz")
    players = [PlayerManner(BLITZ, run.game.rng) for _ in range(40)]
    arms = [median(player.moves(1.0) for _ in range(60)) for player in players]
    thought = [median(player.thinks() for _ in range(60)) for player in players]
    assert min(arms) < 0.8 * median(arms)
    ranked = sorted(range(40), key=lambda index: arms[index])
    quick = [thought[index] for index in ranked[:20]]
    slow = [thought[index] for index in ranked[20:]]
    assert 0.6 < median(quick) / median(slow) < 1.6


def test_candidates_are_what_the_piece_could_take() -> None:
    run = played("club-night", 1, 60)
    captures = [row for row in run.truth.plies if row.kind == MoveKind.CAPTURE.value]
    assert captures
    for row in captures:
        assert isinstance(row.candidates, list)
        assert row.to in row.candidates
    assert all(isinstance(ply.move, Move) for ply in run.game.plies)

"""Simulated games: legal, repeatable, whole, told truly, and with all that happens at tables."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise
from math import dist
from random import Random
from statistics import median

import pytest

from hardware.build import Turns
from hardware.ports import FaultKind
from jetan_table.people.hands import Hands
from jetan_table.people.manners import BLITZ, CAREFUL, ON_DISK, PROFILES, Manners, PlayerManner
from jetan_table.people.reeds import CROSSED, MAKES
from jetan_table.people.strokes import HandPose, Magnet, Stroke
from jetan_table.people.truth import PlyRow
from jetan_table.people.world import world_of
from jetan_table.replay.recordings import format_recording, microseconds, parse_recording, seconds
from rules import (
    SQUARE_NAMES,
    SQUARES,
    MoveKind,
    Position,
    format_position,
    parse_move,
    parse_rules,
    parse_square,
    squares_of,
)
from tests.profiles import sampled
from tools.recordings import WORDS, Generated, ScanRecord, choose_fault, failed, generate
from tools.simulated_game import SimulatedGame

PLIES = 25

SITTINGS = (
    ("juggernaut-disk", "disk"),
    ("clumsy", "upright"),
    ("blitz", "lying"),
    ("club-night", "careless"),
    ("bumps", "crossed"),
)
"""Every make of board, and both boards."""

FLAT = [name for name, make in MAKES.items() if not make.is_round]
ALL = (
    *SITTINGS,
    *(
        (name, "disk" if name.endswith(ON_DISK) else FLAT[at % len(FLAT)])
        for at, name in enumerate(PROFILES)
    ),
)

over_sittings = pytest.mark.parametrize("sitting", sampled(ALL, len(SITTINGS)), ids="-".join)


@cache
def made(people: str, make: str, seed: int = 1, plies: int = PLIES) -> Generated:
    return generate(PROFILES[people], seed, f"{people}.jsonl", plies, MAKES[make])


def scanned(game: Generated) -> ScanRecord:
    recording = game.recording
    return ScanRecord(recording.closed, recording.changes, recording.ends_at)


def seated(people: str, seed: int = 1, rules: str | None = None, **manners: float) -> SimulatedGame:
    """People at a table of whom nobody takes a recording: they are quick."""
    profile = PROFILES[people]
    start = Position.start(parse_rules(rules or profile.rules))
    rng = Random(f"{people} {seed}")
    habits: Manners = replace(profile.manners, **manners)  # type: ignore[arg-type]
    return SimulatedGame(start, habits, world_of(profile, start, rng), rng)


def played(game: SimulatedGame, plies: int) -> Iterator[SimulatedGame]:
    """Play ply by ply, and hand the game over after each."""
    for number in range(1, plies + 1):
        if game.outcome is None:
            game.play(number)
            yield game


@cache
def evenings() -> list[SimulatedGame]:
    """Some games of all kinds of people, 60 plies each."""
    games = [seated(people) for people in PROFILES]
    for game in games:
        game.play(60)
    return games


def rows_of(*people: str) -> list[PlyRow]:
    games = [seated(name, seed) for name in people for seed in range(2)]
    for game in games:
        game.play(60)
    return [ply.row for game in games for ply in game.plies if isinstance(ply.row, PlyRow)]


# What is recorded


@over_sittings
def test_the_truth_is_a_legal_game_with_its_takebacks(sitting: tuple[str, str]) -> None:
    truth = made(*sitting).truth
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
        if row.kind == MoveKind.CAPTURE.value:
            assert row.to in list(row.candidates or [])
        position = position.play(move)
        if row.ply in jumps:
            position = position.move_juggernaut(parse_square(jumps[row.ply].to))
    assert format_position(position) == truth.final_position


@over_sittings
def test_a_recording_begins_and_ends_as_the_game_does(sitting: tuple[str, str]) -> None:
    game = made(*sitting)
    recording, truth = game.recording, game.truth
    assert parse_recording(format_recording(recording)) == recording
    start = Position.start(parse_rules(truth.rules))
    ends = scanned(game)
    last = tuple(ends.is_closed(square, recording.ends_at) for square in SQUARES)
    for closed, position in ((recording.closed, start), (last, game.game.position)):
        wrong = [s for s in SQUARES if closed[s] != bool(position.occupied >> s & 1)]
        assert len(wrong) <= (2 if sitting[1] in ("crossed", "disk") else 5)


@over_sittings
def test_the_scan_looks_at_rows_in_turn(sitting: tuple[str, str]) -> None:
    game = made(*sitting)
    least, most = MAKES[sitting[1]].scans_hz
    assert least <= game.scan.hertz <= most
    for change in game.recording.changes:
        sample = change.at * game.scan.hertz - (change.switch // 10) / 10
        assert sample == pytest.approx(round(sample), abs=2e-3)


def test_the_same_seed_writes_the_same_bytes() -> None:
    first, again, other = (generate(PROFILES["clumsy"], seed, "x", 4) for seed in (5, 5, 6))
    assert format_recording(first.recording) == format_recording(again.recording)
    assert first.truth == again.truth
    assert format_recording(first.recording) != format_recording(other.recording)
    upright = generate(PROFILES["clumsy"], 5, "x", 4, MAKES["upright"])
    assert format_recording(first.recording) != format_recording(upright.recording)


@pytest.mark.parametrize("kind", FaultKind)
def test_a_fault_shows_first_where_a_sound_switch_would_differ(kind: FaultKind) -> None:
    sound = made("blitz", "crossed", plies=60)
    recording, rows = sound.recording, sound.truth.plies
    level = kind is FaultKind.STUCK
    by_itself = 0
    for seed in range(30):
        fault = choose_fault(kind, recording.closed, recording.changes, rows, Random(seed))
        assert fault is not None
        assert fault.kind == WORDS[kind]
        switch = SQUARE_NAMES.index(fault.square)
        changes = failed(recording.changes, recording.closed, fault, sound.scan)
        assert [one for one in changes if one.switch != switch] == [
            one for one in recording.changes if one.switch != switch
        ]
        ails = ScanRecord(recording.closed, changes, recording.ends_at)
        fails, shows = seconds(fault.t_fault_us), seconds(fault.t_visible_us)
        assert not ails.edges(SQUARES[switch], fails + 1 / sound.scan.hertz, recording.ends_at)
        assert ails.is_closed(SQUARES[switch], recording.ends_at) is level
        assert scanned(sound).is_closed(SQUARES[switch], shows + 1e-6) is not level
        assert fault.t_fault_us <= fault.t_visible_us <= fault.t_evident_us
        if fault.t_evident_us > fault.t_fault_us:
            (known,) = [row for row in rows if row.t_settled_us == fault.t_evident_us]
            assert fault.square == (known.from_ if level else known.to)
            assert known.kind != "capture" or not level
        by_itself += fault.t_visible_us == fault.t_fault_us
    assert 0 < by_itself < 30


def test_what_follows_a_fault_is_marked() -> None:
    truth = made("stuck-switch-disk", "disk").truth
    assert truth.fault is not None
    assert truth.fault.kind == "stuck-closed"
    after = [row.ply for row in truth.plies if "after-fault" in row.behaviours]
    assert after
    assert after[0] == truth.fault.first_ply


@pytest.mark.parametrize(
    ("style", "turns", "gapless"),
    [
        ("capture-swept", (10.0, 15.0), 0.9),
        ("capture-swept", CROSSED.turns, 0.8),
        ("capture-victim-first", CROSSED.turns, 0.0),
    ],
    ids=["swept-sensitive", "swept", "victim-first"],
)
def test_a_mover_that_shoves_its_victim_out_leaves_no_gap(
    style: str, turns: Turns, gapless: float
) -> None:
    """Usual reeds see less far than sensitive ones: some miss both pieces for a few samples."""
    manners = replace(CAREFUL, takes=((style, 1.0),), capture=1.0)
    people = replace(PROFILES["careful"], manners=manners)
    make = replace(CROSSED, turns=turns)
    rows = [row for row in generate(people, 1, "x", 36, make).truth.plies if row.captured]
    hidden = ["capture-no-gap" in row.behaviours for row in rows]
    assert len(rows) >= 8
    assert (sum(hidden) >= gapless * len(rows)) if gapless else not any(hidden)
    for row, is_hidden in zip(rows, hidden, strict=True):
        assert row.ambiguous is (is_hidden and len(list(row.candidates or [])) > 1)


# What is played


@pytest.mark.parametrize("people", sampled(["clumsy", "juggernaut-disk", "bumps", "blitz"], 2))
def test_the_pieces_stand_where_the_game_says_after_every_ply(people: str) -> None:
    for seed in range(4):
        for game in played(seated(people, seed, topple_at_landing=0.1), 60):
            assert game.world.standing.keys() == set(squares_of(game.position.occupied))
            for square, magnet in game.world.standing.items():
                spot = game.world.poses[magnet].spot
                assert dist(spot, game.world.geometry.centres[square]) < 45
                assert game.world.poses[magnet].z == 0


@pytest.mark.parametrize(
    "tag",
    [
        "plain", "low", "slide", "counting", "hover", "edge", "between", "double", "nudge", "fast",
        "wrong-square-legal", "wrong-square-illegal", "wrong-square-moved", "wrong-square-final",
        "capture-victim-first", "capture-attacker-first", "capture-both-hands", "capture-one-hand",
        "capture-swept", "capture-beside", "victim-low", "victim-slid", "jadoube", "hesitation",
        "illegal", "knock", "fidget", "sleeve", "bump",
    ],
)  # fmt: skip
def test_every_behaviour_happens(tag: str) -> None:
    assert any(tag in ply.row.behaviours for game in evenings() for ply in game.plies)


def test_every_incident_says_when_and_where() -> None:
    incidents = [one for game in evenings() for one in game.incidents]
    assert {one["type"] for one in incidents} == {
        "bump", "knock", "sleeve", "fidget", "jadoube", "hesitation", "illegal", "wrong-square",
        "takeback",
    }  # fmt: skip
    for one in incidents:
        assert int(str(one["t_us"])) < int(str(one["t_end_us"]))
        assert bool(one["squares"]) is (one["type"] != "bump")


def test_a_bump_shifts_what_stands_and_dark_lamps_are_mended() -> None:
    game = seated("bumps", bump=1.0, topple=0.0, sleeve=0.0, fidget=0.0, adjust=0.0, put_again=0.0)
    before = dict(game.world.poses)
    game.play(1)
    moved = [dist(before[magnet].spot, pose.spot) for magnet, pose in game.world.poses.items()]
    shifted = [off for off in moved if off > 0]
    assert len(shifted) == len(game.world.standing) == 40
    assert 1.0 < median(shifted) < 6.0
    assert all(map(game.world.is_lit, game.world.standing))


def test_pieces_that_fall_lie_down_and_some_roll_and_all_stand_again() -> None:
    falls = rolls = 0
    for seed in range(12):
        game = seated("bumps", seed, topple=1.0)
        game.play(1)
        lying = [path for path in game.world.take_paths() if path.end.lean > 1.5]
        falls += len(lying)
        rolls += sum(isinstance(path, Stroke) and path.start.lean > 1.5 for path in lying)
        assert all(pose.lean == 0 for pose in game.world.poses.values())
        assert game.plies[0].row.behaviours.count("knock") == 1
    assert falls > 12
    assert 0 < rolls < falls / 2


def test_a_piece_may_fall_right_after_a_landing_and_the_one_that_landed_stands_on() -> None:
    game = seated("careful", topple_at_landing=1.0, takeback=0.0)
    for number in range(1, 12):
        game.play(number)
        ply, fall = game.plies[-1], game.incidents[-1]
        assert fall["type"] == "knock"
        assert ply.row.behaviours[-1] == "knock"
        after = int(str(fall["t_us"])) - microseconds(ply.deed.landed)
        assert 19_999 <= after <= 250_001
        assert SQUARE_NAMES[ply.move.to_square] not in list(fall["squares"])  # type: ignore[call-overload]


def test_a_slip_is_a_ply_only_where_it_was_legal_and_stood() -> None:
    slips = [one for game in evenings() for one in game.incidents if one["type"] == "wrong-square"]
    stood = [(int(str(slip["t_end_us"])) - int(str(slip["t_us"]))) / 1e6 for slip in slips]
    assert not [s for s in stood if 1.36 < s < 2.39]  # never so long that nobody could say
    rows = [ply.row for game in evenings() for ply in game.plies]
    for row, following in pairwise(rows):
        if "wrong-square-moved" in row.behaviours:
            assert isinstance(row, PlyRow)
            assert isinstance(following, PlyRow)
            assert row.takeback == "wrong-square"
            assert (row.ply, row.from_) == (following.ply, following.from_)
            assert "wrong-square-final" in following.behaviours


def test_one_ply_or_two_are_taken_back_and_made_anew() -> None:
    depths = set()
    for seed in range(12):
        game = seated("careful", seed, takeback=0.2)
        before = 1
        for _ in played(game, 30):
            now = game.position.ply_number
            depths.add(before + 1 - now)
            before = now
    assert depths == {0, 1, 2}


@pytest.mark.parametrize(("share", "first"), [(0.0, "mover"), (1.0, "victim")])
def test_a_capture_is_undone_one_piece_after_the_other(share: float, first: str) -> None:
    game = seated("careful", capture=1.0, takeback=0.0, end_early=0.0, victim_back_first=share)
    while not (game.plies and game.plies[-1].move.kind is MoveKind.CAPTURE):
        game.play(len(game.plies) + 1)
    ply = game.plies[-1]
    start, end = ply.move[:2]
    victim, mover = ply.deed.victim, game.world.standing[end]
    assert victim is not None
    game.world.take_paths()
    hands = Hands(game.world, PlayerManner(game.manners, Random(1)))
    ended = hands.undo(game.settled + 5, ply.move, victim)
    paths = game.world.take_paths()
    last = {one: max(p.ended for p in paths if p.magnet == one) for one in (mover, victim)}
    assert last[mover if first == "mover" else victim] < ended
    assert max(last.values()) == ended
    assert paths[0].magnet == mover
    assert (game.world.standing[start], game.world.standing[end]) == (mover, victim)


def test_hurried_replies_overlap_and_nobody_takes_what_another_holds() -> None:
    overlaps = []
    for seed in range(8):
        game = seated("blitz", seed, overlap=1.0, takeback=0.0)
        game.play(60)
        rows = [ply.row for ply in game.plies if "fast" in ply.row.behaviours]
        overlaps += [row.overlap_us for row in rows if isinstance(row, PlyRow)]
        ends: dict[Magnet, float] = {}
        for path in game.world.take_paths():
            assert path.begun >= ends.get(path.magnet, 0.0)
            ends[path.magnet] = path.ended
    assert len(overlaps) > 50
    assert all(isinstance(us, int) and 0 <= us <= 350_001 for us in overlaps)


def test_who_loses_a_fight_as_attacker_goes_and_the_other_piece_stands_again() -> None:
    lost = won = 0
    for seed in range(10):
        game = seated("club-night", seed, "appendix,thoat=jumps,duel=arena", capture=1.0)
        while game.outcome is None and len(game.plies) < 30:
            before, standing = game.position, dict(game.world.standing)
            game.play_ply()
            assert game.world.standing.keys() == set(squares_of(game.position.occupied))
            ply = game.plies[-1]
            fought, victim = ply.move.to_square, ply.deed.victim
            if not before.is_fought(ply.move):
                continue
            attacker = standing[ply.move.from_square]
            is_lost = game.world.standing[fought] == victim
            assert is_lost is (game.position.piece_at(fought) == before.piece_at(fought))
            assert is_lost or game.world.standing[fought] == attacker
            loser = attacker if is_lost else victim
            assert loser is not None
            assert loser not in game.world.standing.values()
            assert not game.world.geometry.is_on_board(game.world.poses[loser].spot)
            lost, won = lost + is_lost, won + (not is_lost)
    assert lost > 3
    assert won > 3


def test_the_juggernaut_is_carried_by_its_die_and_kills_what_it_meets() -> None:
    kills = stays = 0
    for seed in range(6):
        game = seated("juggernaut", seed)
        game.play(60)
        for ply, number in zip(game.juggernaut, range(1, 999), strict=False):
            row = ply.row
            assert not isinstance(row, PlyRow)
            assert row.after_ply == number
            assert row.from_ == row.to or row.die != 9
            stays += row.from_ == row.to
            kills += row.killed is not None
            assert bool(row.killed) is (ply.deed.victim is not None)
    assert kills > 3
    assert stays > 3


def test_all_kinds_of_people_are_of_their_own_kind() -> None:
    rows = {name: rows_of(name) for name in ("draggers", "careful", "blitz", "bumps", "clumsy")}

    def share(tag: str, people: str) -> float:
        return sum(tag in row.behaviours for row in rows[people]) / len(rows[people])

    assert share("slide", "draggers") > 2 * share("slide", "careful")
    assert share("fast", "blitz") > 0.08
    assert share("fast", "careful") == 0
    assert share("bump", "bumps") > 0.1 > share("bump", "clumsy") > share("bump", "careful") == 0
    assert share("wrong-square", "clumsy") > 2 * share("wrong-square", "careful")


def test_arms_and_thought_have_a_tempo_each() -> None:
    players = [PlayerManner(BLITZ, Random(seed)) for seed in range(40)]
    arms = [median(player.moves(1.0) for _ in range(60)) for player in players]
    thought = [median(player.thinks() for _ in range(60)) for player in players]
    assert min(arms) < 0.8 * median(arms)
    ranked = sorted(range(40), key=lambda index: arms[index])
    quick = [thought[index] for index in ranked[:20]]
    slow = [thought[index] for index in ranked[20:]]
    assert 0.6 < median(quick) / median(slow) < 1.6


def test_people_think_in_the_middle_of_a_capture_now_and_then_very_long() -> None:
    player = PlayerManner(PROFILES["careful"].manners, Random(1))
    pauses = sorted(player.pauses() for _ in range(400))
    assert 0.3 < median(pauses) < 1.5
    assert pauses[0] >= 0.05
    assert 10 * median(pauses) < pauses[-1] <= 60


def test_a_dragged_piece_closes_the_squares_of_its_path_in_order() -> None:
    game = made("careful", "crossed", seed=2, plies=1)
    world = world_of(PROFILES["careful"], Position.start(parse_rules("appendix")), Random(1))
    hands = Hands(world, PlayerManner(PROFILES["draggers"].manners, Random(1)))
    way = [parse_square(name) for name in ("e2", "e3", "e4", "e5", "e6")]
    magnet = world.standing[way[0]]
    at = begun = game.recording.ends_at
    for square in way[1:]:
        at = hands.carry(at, magnet, world.place(square, 0.05), "slide").ended
    for path in world.take_paths():
        game.bank.await_path(path)
    game.bank.run(at + 1)
    closings = [
        next(at for at, on in game.bank.edges[square] if on and at > begun) for square in way[1:]
    ]
    assert all(earlier < later for earlier, later in pairwise(closings))
    assert game.bank.edges[way[0]][-1][1] is False


def test_a_pose_that_leans_turns_its_magnet() -> None:
    assert HandPose(0, 0, lean=0.0).axis == (0.0, 0.0, 1.0)
    assert HandPose(0, 0, lean=1.5707963, heading=0.0).axis == pytest.approx((1, 0, 0), abs=1e-6)

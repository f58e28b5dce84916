"""Makes a recording from physics: hands move magnets over reeds, and a scan looks at the reeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from hardware.simulated_contacts import ContactFault
from hardware.switches import Change, Switch
from rules import SQUARES, Position, format_position, format_rules, parse_rules
from rules.topology import SQUARE_NAMES

from ..replay.recordings import Recording, RecordingHeader, microseconds, seconds
from .faults import choose_fault
from .generate import BOARDS, LAST_WAIT, PLIES, result_of, start_rows
from .geometry import geometry_of
from .magnetism import draw_reed, spec_of
from .manners import PhysicalProfile
from .physical_game import PhysicalGame
from .physical_world import PhysicalWorld
from .reed_bank import ReedBank
from .scan import Scan
from .scan_truth import ScanRecord, tell_from_scan
from .truth import FaultRow, JuggernautRow, PlyRow, Truth
from .world import Magnet, MagnetTouch

STRENGTHS = (0.3, 1.25)
"""No magnet is weaker or stronger, as a share of a sound one."""

FAR_WEAKER = 0.45
HARDLY_MM = (9.0, 11.0)
"""The operate radius of a weak switch."""

OFF_CENTRE_AT_START = 0.08


@dataclass(frozen=True, slots=True)
class PhysicalRun:
    """A game that was played: what the scan recorded, its truth, and what made it."""

    recording: Recording
    truth: Truth
    game: PhysicalGame
    bank: ReedBank
    scan: Scan


def generate_physical(
    profile: PhysicalProfile, seed: int, name: str, plies: int = PLIES
) -> tuple[Recording, Truth]:
    """Return a recording and its truth; see `run_physical`."""
    run = run_physical(profile, seed, name, plies)
    return run.recording, run.truth


def run_physical(profile: PhysicalProfile, seed: int, name: str, plies: int = PLIES) -> PhysicalRun:
    """Return a game; the same arguments give the same one.

    `name` is the recording's file, for the truth to name.
    """
    rng = Random(f"physics {profile.name} {seed}")
    start = Position.start(parse_rules(profile.rules))
    world = world_of(profile, start, rng)
    bank = ReedBank(world.geometry.centres, world.specs, rng)
    for magnet, pose in world.starts.items():
        bank.stand(magnet, pose, world.strengths[magnet])
    closed = tuple(bank.closed)
    game = PhysicalGame(start, profile.manners, world, rng)
    game.play(plies)
    for path in world.take_paths():
        bank.await_path(path)
    for shock in world.take_shocks():
        bank.await_shock(shock)
    ends = max([game.settled, *world.free_at.values()]) + LAST_WAIT
    bank.run(ends)
    scan = Scan(rng.uniform(*profile.scans_hz))
    changes = scan.changes(bank.edges, closed, ends)
    tell_from_scan(game.plies, game.juggernaut, ScanRecord(closed, changes, ends))
    fault = None
    if profile.fault:
        fault = _fault(profile.fault, closed, changes, game, rng)
    if fault:
        changes = failed(changes, closed, fault, scan)
    header = RecordingHeader(
        board=BOARDS[start.rules["board"]],
        rules={"text": format_rules(start.rules)},
        start_rows=start_rows(start),
        juggernaut=None if start.juggernaut is None else SQUARE_NAMES[start.juggernaut],
        closed=tuple(SQUARE_NAMES[square] for square in SQUARES if closed[square]),
        t_end_us=microseconds(ends),
        made_by="simulated magnets over simulated reeds, not a real table",
    )
    truth = _truth(name, header, game, fault)
    return PhysicalRun(Recording(header, tuple(changes)), truth, game, bank, scan)


def world_of(profile: PhysicalProfile, start: Position, rng: Random) -> PhysicalWorld:
    """Build a table, and set the pieces of `start` up."""
    geometry = geometry_of(start.rules.topology)
    specs = [
        draw_reed(
            rng, profile.weak_reeds, profile.strong_reeds, pitch, profile.usual_mm, profile.release
        )
        for pitch in geometry.pitches
    ]
    if profile.weak_switch:
        specs[rng.randrange(len(specs))] = spec_of(rng.uniform(*HARDLY_MM), 0.8)
    occupied = [square for square in SQUARES if start.occupied >> square & 1]
    strengths = {}
    for square in occupied:
        median, sigma = profile.magnets
        drawn = median * rng.lognormvariate(0, sigma)
        if rng.random() < profile.weak_magnets:
            drawn *= FAR_WEAKER
        strengths[Magnet(square)] = min(max(drawn, STRENGTHS[0]), STRENGTHS[1])
    world = PhysicalWorld(geometry, specs, strengths, rng)
    world.set_up(occupied, OFF_CENTRE_AT_START)
    return world


def _fault(
    kind: ContactFault,
    closed: Sequence[bool],
    changes: Sequence[Change],
    game: PhysicalGame,
    rng: Random,
) -> FaultRow | None:
    """Choose the switch that fails, by what a sound one would have shown."""
    standing = [square for square in SQUARES if closed[square]]
    touches = [
        MagnetTouch(change.at, SQUARES[change.switch], change.closed, False) for change in changes
    ]
    rows = [ply.row for ply in game.plies if isinstance(ply.row, PlyRow)]
    row = choose_fault(kind, standing, touches, rows, rng)
    for ply in rows:
        if row is not None and ply.t_settled_us >= row.t_visible_us:
            ply.behaviours.append("after-fault")
    return row


def failed(
    changes: Sequence[Change], closed: Sequence[bool], fault: FaultRow, scan: Scan
) -> list[Change]:
    """Return the changes as they are if one switch stays as its fault makes it."""
    switch = Switch(SQUARE_NAMES.index(fault.square))
    fails = seconds(fault.t_fault_us)
    level = closed[switch]
    kept: list[Change] = []
    for change in changes:
        if change.switch != switch:
            kept.append(change)
        elif change.at < fails:
            kept.append(change)
            level = change.closed
    sticks = fault.kind == ContactFault.STUCK_CLOSED.value
    if level != sticks:
        row = switch // 10
        at = scan.time_of(row, scan.sampled(row, fails))
        kept.append(Change(at, switch, sticks))
    return sorted(kept, key=lambda change: (change.at, change.switch))


def _truth(name: str, header: RecordingHeader, game: PhysicalGame, fault: FaultRow | None) -> Truth:
    return Truth(
        recording=name,
        board=header.board,
        rules=str(header.rules["text"]),
        plies=[ply.row for ply in game.plies if isinstance(ply.row, PlyRow)],
        juggernaut_moves=[ply.row for ply in game.juggernaut if isinstance(ply.row, JuggernautRow)],
        incidents=sorted(game.incidents, key=lambda line: str(line["t_us"]).zfill(16)),
        fault=fault,
        result=result_of(game.outcome),
        final_position=format_position(game.position),
    )

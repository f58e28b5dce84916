"""Makes a recording from physics: hands move magnets over reeds, and a scan looks at the reeds."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Protocol

from rules import (
    SQUARES,
    Outcome,
    Position,
    Square,
    format_position,
    format_rules,
    parse_rules,
    squares_of,
)
from rules.board import SQUARE_NAMES

from ..replay.recordings import Board, Recording, RecordingHeader, microseconds
from .faults import choose_fault, failed
from .game import SimulatedGame
from .geometry import geometry_of
from .manners import Profile
from .reed_bank import ReedBank
from .reeds import Make, hardly, usual_make
from .scan import Scan
from .scan_truth import MeantPly, ScanRecord, tell_from_scan
from .strokes import Magnet, MagnetPath
from .truth import FaultRow, JuggernautRow, PlyRow, Truth
from .world import MagnetWorld

PLIES = 130
"""A recording ends after so many plies, if the game has not."""

LAST_WAIT = 12.0
"""Seconds a recording goes on after the last change, so that a reader's timers run out."""

BOARDS: dict[str, Board] = {
    "grid": "grid",
    "ninth-ray-clockwise": "ninth-ray-cw",
    "ninth-ray-counterclockwise": "ninth-ray-ccw",
}


FAR_WEAKER = 0.45
"""A weak magnet's share of a sound one's moment."""

OFF_CENTRE_AT_START = 0.08


class Players(Protocol):
    """Two people at a table, of whatever make: what they did, and what it meant."""

    @property
    def position(self) -> Position: ...
    @property
    def plies(self) -> Sequence[MeantPly]: ...
    @property
    def juggernaut(self) -> Sequence[MeantPly]: ...
    @property
    def incidents(self) -> Sequence[dict[str, object]]: ...
    @property
    def settled(self) -> float: ...

    def play(self, plies: int) -> None:
        """Play until the game ends, or so many plies have been made."""


Sit = Callable[[Position, MagnetWorld, Random], Players]
"""Lets people sit down to a position, at a table on which its pieces are set up."""


@dataclass(frozen=True, slots=True)
class Generated:
    """A game that was played: what the scan recorded, its truth, and what made it."""

    recording: Recording
    truth: Truth
    game: Players
    paths: Sequence[MagnetPath]
    bank: ReedBank
    scan: Scan


def generate(
    profile: Profile,
    seed: int,
    name: str,
    plies: int = PLIES,
    make: Make | None = None,
    sit: Sit | None = None,
) -> Generated:
    """Return a game; the same arguments give the same one.

    `name` is the recording's file, for the truth to name. Without a `make` the board is of the
    usual one. `sit` seats other people than those of the profile at its table.
    ValueError: the make is a disk's, and the profile's board is flat, or the other way round.
    """
    start = Position.start(parse_rules(profile.rules))
    make = make or make_for(profile)
    rng = Random(f"{make.name} {profile.name} {seed}")
    world = world_of(profile, start, rng, make)
    bank = ReedBank(world.geometry.centres, world.switches, rng)
    for magnet, pose in world.starts.items():
        bank.stand(magnet, pose, world.discs[magnet])
    for square in SQUARES:
        if rng.random() < make.worn:
            bank.wear(0.0, square)
    closed = tuple(map(bank.is_closed, SQUARES))
    game = (
        SimulatedGame(start, profile.manners, world, rng) if sit is None else sit(start, world, rng)
    )
    game.play(plies)
    paths = world.take_paths()
    for path in paths:
        bank.await_path(path)
    ends = max([game.settled, *world.free_at.values()]) + LAST_WAIT
    bank.run(ends)
    scan = Scan(rng.uniform(*make.scans_hz))
    changes = scan.changes(bank.edges, closed, ends)
    tell_from_scan(game.plies, game.juggernaut, ScanRecord(closed, changes, ends))
    rows = [ply.row for ply in game.plies if isinstance(ply.row, PlyRow)]
    fault = choose_fault(profile.fault, closed, changes, rows, rng) if profile.fault else None
    if fault:
        changes = failed(changes, closed, fault, scan)
        for row in rows:
            if row.t_settled_us >= fault.t_visible_us:
                row.behaviours.append("after-fault")
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
    return Generated(Recording(header, tuple(changes)), truth, game, paths, bank, scan)


def make_for(profile: Profile) -> Make:
    """Return the make of board on which people play if nobody names another."""
    return usual_make(geometry_of(parse_rules(profile.rules).board).is_round)


def world_of(
    profile: Profile, start: Position, rng: Random, make: Make | None = None
) -> MagnetWorld:
    """Build a table of a make, or of the usual one, and set the pieces of `start` up.

    ValueError: the make is for a board of another shape.
    """
    geometry = geometry_of(start.rules.board)
    make = make or usual_make(geometry.is_round)
    if make.is_round is not geometry.is_round:
        raise ValueError(f"{make.name}: no make of such a board")
    uneven = replace(
        make, weak=make.weak + profile.odd_reeds, strong=make.strong + profile.odd_reeds
    )
    switches = [uneven.drawn(rng, turn) for turn in geometry.turns]
    if profile.weak_switch:
        hard = rng.randrange(len(switches))
        switches[hard] = hardly(switches[hard], rng)
    occupied = list(squares_of(start.occupied))
    share, spread = profile.magnets
    discs = {}
    for square in occupied:
        weaker = FAR_WEAKER if rng.random() < profile.weak_magnets else 1.0
        discs[Magnet(square)] = make.disc(rng, share * weaker, spread)
    world = MagnetWorld(geometry, switches, discs, rng)
    world.set_up(occupied, OFF_CENTRE_AT_START)
    return world


def _truth(name: str, header: RecordingHeader, game: Players, fault: FaultRow | None) -> Truth:
    return Truth(
        recording=name,
        board=header.board,
        rules=str(header.rules["text"]),
        plies=[ply.row for ply in game.plies if isinstance(ply.row, PlyRow)],
        juggernaut_moves=[ply.row for ply in game.juggernaut if isinstance(ply.row, JuggernautRow)],
        incidents=sorted(game.incidents, key=lambda line: str(line["t_us"]).zfill(16)),
        fault=fault,
        result=result_of(game.position.outcome),
        final_position=format_position(game.position),
    )


def start_rows(start: Position) -> dict[str, str]:
    """Return the letters of the ranks where pieces stand, by rank, file a first."""
    rows = {}
    for rank in (1, 2, 9, 10):
        pieces = [start.piece_at(Square(10 * (rank - 1) + file)) for file in range(10)]
        letters = "".join(piece.kind.value if piece else "." for piece in pieces)
        rows[str(rank)] = letters.lower().replace("f", "o")
    return rows


def result_of(outcome: Outcome | None) -> dict[str, str | None]:
    """Return how a game has ended, as a truth says it."""
    if outcome is None:
        return {"winner": None, "why": "recording ends"}
    winner = "draw" if outcome.winner is None else outcome.winner.word
    return {"winner": winner, "why": outcome.termination.value}

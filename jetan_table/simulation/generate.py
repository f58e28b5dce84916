"""Makes a recording and its truth: a simulated game, seen by simulated contacts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from hardware.simulated_contacts import ContactFault, Contacts, Wear
from hardware.switches import Switch
from rules import Outcome, Position, Square, format_position, format_rules, parse_rules
from rules.topology import SQUARE_NAMES

from ..replay.recordings import Board, Recording, RecordingHeader, microseconds, seconds
from .faults import choose_fault
from .game import SimulatedGame
from .presets import SimulationPreset
from .truth import FaultRow, PlyRow, Truth
from .world import Magnet, MagnetTouch

PLIES = 130
"""A recording ends after so many plies, if the game has not."""

LAST_WAIT = 12.0
"""Seconds a recording goes on after the last change, so that a reader's timers run out."""

BOARDS: dict[str, Board] = {
    "grid": "grid",
    "ninth-ray-clockwise": "ninth-ray-cw",
    "ninth-ray-counterclockwise": "ninth-ray-ccw",
}


@dataclass(frozen=True, slots=True)
class Generated:
    """A game: what switches recorded of it, its truth, and every touch from its `start`."""

    recording: Recording
    truth: Truth
    start: Position
    touches: Sequence[MagnetTouch]


def generate_recording(
    preset: SimulationPreset, seed: int, name: str, plies: int = PLIES
) -> tuple[Recording, Truth]:
    """Return a recording and its truth; see `generate`."""
    generated = generate(preset, seed, name, plies)
    return generated.recording, generated.truth


def generate(preset: SimulationPreset, seed: int, name: str, plies: int = PLIES) -> Generated:
    """Return a game; the same arguments give the same one.

    `name` is the recording's file, for the truth to name.
    """
    rng = Random(f"contacts {preset.name} {seed}")
    rules = parse_rules(preset.rules)
    start = Position.start(rules)
    game = SimulatedGame(start, preset.habits, f"{preset.name} {seed}")
    standing = sorted(game.world.standing)
    weak = rng.choice(standing)
    if preset.weak == "magnet":
        game.world.weak = Magnet(weak)
    play_out(game, plies)
    touches = game.world.take_touches()
    ends = game.settled + LAST_WAIT
    fault = None
    if preset.fault:
        fault = choose_fault(preset.fault, standing, touches, game.rows, rng)
    contacts = Contacts(100, rng, Wear(bounce_share=preset.habits.bounce))
    for square in standing:
        contacts.stand(Switch(square), weak=Magnet(square) == game.world.weak)
    if preset.weak == "switch":
        contacts.weaken(Switch(weak))
    if fault:
        switch = Switch(SQUARE_NAMES.index(fault.square))
        contacts.fail(seconds(fault.t_fault_us), switch, ContactFault(fault.kind))
    for touch in touches:
        contacts.move(touch.at, Switch(touch.square), touch.near, touch.weak)
    changes = tuple(contacts.until(game.settled + 1.0))
    _tag(game.rows, preset, fault)
    juggernaut = start.juggernaut
    header = RecordingHeader(
        board=BOARDS[rules["board"]],
        rules={"text": format_rules(rules)},
        start_rows=start_rows(start),
        juggernaut=None if juggernaut is None else SQUARE_NAMES[juggernaut],
        closed=tuple(SQUARE_NAMES[square] for square in standing),
        t_end_us=microseconds(max(ends, changes[-1].at if changes else 0.0)),
        made_by="generated, not a real table",
    )
    truth = Truth(
        recording=name,
        board=header.board,
        rules=format_rules(rules),
        plies=game.rows,
        juggernaut_moves=game.juggernaut_rows,
        incidents=sorted(game.incidents, key=lambda row: str(row["t_us"]).zfill(16)),
        fault=fault,
        result=result_of(game.outcome),
        final_position=format_position(game.position),
    )
    return Generated(Recording(header, changes), truth, start, touches)


def play_out(game: SimulatedGame, plies: int) -> None:
    """Let a game run until it ends or so many plies have been made."""
    while game.outcome is None and len(game.rows) < plies:
        game.play_ply()
        game.go_on()


def _tag(rows: list[PlyRow], preset: SimulationPreset, fault: FaultRow | None) -> None:
    """Name on each ply what the switches did at the time."""
    for row in rows:
        if preset.habits.bounce:
            row.behaviours.append("bounce")
        if preset.weak:
            row.behaviours.append("flicker")
        if fault and row.t_settled_us >= fault.t_visible_us:
            row.behaviours.append("after-fault")


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

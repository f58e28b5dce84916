"""Makes recordings of simulated games, with the truth beside them.

`python -m tools.recordings` writes them; benches and tests ask `generate`. Hands move magnets over
reeds, a scan looks at the reeds, and what the scan shows is told from what the hands meant: when a
ply settled, and what nobody could read from it. A switch may fail in the middle of a game.
"""

import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from random import Random
from typing import Protocol

import click
import msgspec

from hardware.ports import Change, FaultKind, Switch
from jetan_table.people.manners import ON_DISK, PROFILES, Profile
from jetan_table.people.reeds import MAKES, Edge, Make, ReedBank, usual_make
from jetan_table.people.strokes import MagnetPath
from jetan_table.people.truth import (
    LAST_WAIT,
    FaultRow,
    JuggernautRow,
    PlyRow,
    Truth,
    result_of,
    start_rows,
)
from jetan_table.people.world import MagnetWorld, geometry_of, world_of
from jetan_table.replay.recordings import (
    Board,
    Recording,
    RecordingHeader,
    format_recording,
    microseconds,
    seconds,
)
from rules import (
    SQUARE_NAMES,
    SQUARES,
    Move,
    Position,
    Square,
    format_position,
    format_rules,
    parse_rules,
)
from tools.simulated_game import SimulatedGame

PLIES = 130
"""A recording ends after so many plies, if the game has not."""


BOARDS: dict[str, Board] = {
    "grid": "grid",
    "ninth-ray-clockwise": "ninth-ray-cw",
    "ninth-ray-counterclockwise": "ninth-ray-ccw",
}


ROWS = 10


NO_GAP_S = 0.015
"""An opening shorter than this is none: reeds chatter for as long."""


LATE_S = 0.03
"""A landing shows in the scan at the latest so long after the hand has come to rest."""


ALIKE = 1 / 3
"""An opening is like another one that is at most three times as long."""


BY_ITSELF = 1 / 3
"""Share of the faults at which the switch changes, instead of staying as it is."""


WORDS = {FaultKind.STUCK: "stuck-closed", FaultKind.DEAD: "dead"}
"""What a truth calls them."""


Opening = tuple[float, float]


class MeantDeed(Protocol):
    """When a hand first touched something for a ply, and when its mover rested, in seconds."""

    @property
    def begun(self) -> float: ...
    @property
    def landed(self) -> float: ...


class MeantPly(Protocol):
    """A ply, or a move of the Juggernaut, as hands meant it, and its line in the truth.

    `candidates` are the squares on which that piece could take, `others` those from which another
    piece could have come where it went. `undone_at` is when its last piece stood again.
    """

    @property
    def row(self) -> PlyRow | JuggernautRow: ...
    @property
    def move(self) -> Move: ...
    @property
    def deed(self) -> MeantDeed: ...
    @property
    def candidates(self) -> Sequence[Square]: ...
    @property
    def others(self) -> Sequence[Square]: ...
    @property
    def undone_at(self) -> float | None: ...


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
class Scan:
    """The rows are sampled in turn, row 0 first, all of them `hertz` times a second."""

    hertz: float

    def sampled(self, row: int, at: float) -> int:
        """Return the number of the first sample of a row that is not before `at`."""
        return max(0, ceil(at * self.hertz - row / ROWS - 1e-9))

    def time_of(self, row: int, sample: int) -> float:
        """Return when a row is sampled, in seconds, to the microsecond."""
        return seconds(microseconds((sample + row / ROWS) / self.hertz))

    def changes(
        self, edges: Sequence[Sequence[Edge]], closed: Iterable[bool], ends: float
    ) -> list[Change]:
        """Return what the scan sees change until `ends`; `closed` is what it saw at first."""
        changes = []
        for reed, (begun, contact) in enumerate(zip(closed, edges, strict=True)):
            level, row = begun, reed // ROWS
            samples = [self.sampled(row, at) for at, _ in contact]
            for index, (_, closes) in enumerate(contact):
                sample = samples[index]
                is_overtaken = index + 1 < len(samples) and samples[index + 1] == sample
                at = self.time_of(row, sample)
                if not is_overtaken and closes != level and at <= ends:
                    level = closes
                    changes.append(Change(at, Switch(reed), closes))
        return sorted(changes, key=lambda change: (change.at, change.switch))


class ScanRecord:
    """The changes of each square, as scanned, to be asked about a time."""

    def __init__(self, closed: Sequence[bool], changes: Iterable[Change], ends: float) -> None:
        self._closed, self.ends = closed, ends
        self._changes: list[list[tuple[float, bool]]] = [[] for _ in closed]
        for change in changes:
            self._changes[change.switch].append((change.at, change.closed))

    def is_closed(self, square: Square, at: float) -> bool:
        """Return what the scan saw last, as of a time."""
        index = bisect_right(self._changes[square], (at, True))
        return self._changes[square][index - 1][1] if index else self._closed[square]

    def edges(self, square: Square, begins: float, ends: float) -> list[tuple[float, bool]]:
        """Return the changes of a square within a time."""
        return [edge for edge in self._changes[square] if begins <= edge[0] <= ends]

    def openings(self, square: Square, begins: float, ends: float) -> list[Opening]:
        """Return when a square opened and closed again, both within a time."""
        found: list[Opening] = []
        opened: float | None = None
        for at, closes in self.edges(square, begins, ends):
            if not closes:
                opened = at
            elif opened is not None:
                found.append((opened, at))
        return found

    def landed(self, square: Square, begins: float, ends: float) -> float | None:
        """Return the last closing of a square within a time, before its bounce."""
        found = None
        opened = begins
        for at, closes in self.edges(square, begins, ends):
            if not closes:
                opened = at
            elif found is None or at - opened >= NO_GAP_S:
                found = at
        return found


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


def longest(openings: Iterable[Opening]) -> float:
    """Return how long the longest opening is; 0 for none."""
    return max((ends - begins for begins, ends in openings), default=0.0)


def tell_from_scan(
    plies: Sequence[MeantPly], juggernaut: Sequence[MeantPly], scan: ScanRecord
) -> None:
    """Write into every row what the scan shows of it."""
    events = [(ply.deed.landed, False, ply) for ply in (*plies, *juggernaut)]
    events += [(ply.undone_at, True, ply) for ply in plies if ply.undone_at is not None]
    last = 0
    for at, is_undone, ply in sorted(events, key=lambda event: event[:2]):
        shown = _undone(ply, at, scan) if is_undone else _settled(ply, scan)
        last = max(last + 1, microseconds(shown))
        if not is_undone:
            ply.row.t_settled_us = last
            ply.row.behaviours += _traces(ply, scan)
        if isinstance(ply.row, PlyRow) and is_undone:
            ply.row.taken_back_us = last
        elif isinstance(ply.row, PlyRow) and ply.candidates:
            _tell_capture(ply.row, ply, scan)
    for index, ply in enumerate(plies):
        assert isinstance(ply.row, PlyRow)
        following = plies[index + 1 :]
        if "from-stays-closed" in ply.row.behaviours and ply.others:
            until = following[0].deed.landed if following else scan.ends
            ply.row.ambiguous = scan.is_closed(ply.move.from_square, until)
        ply.row.hidden = _is_hidden(ply, following)


def _is_hidden(ply: MeantPly, following: Iterable[MeantPly]) -> bool:
    """Whether all that the scan shows of a ply is that its piece was taken up.

    It took without a gap, and nothing came down after it while it stood: its piece may as well have
    been in the hand all the while.
    """
    until = math.inf if ply.undone_at is None else ply.undone_at
    shown = (one for one in following if "capture-no-gap" not in one.row.behaviours)
    return "capture-no-gap" in ply.row.behaviours and not any(
        one.deed.landed < until for one in shown
    )


def _undone(ply: MeantPly, at: float, scan: ScanRecord) -> float:
    """Return when a ply no longer stood: where it began, or at once if it went on elsewhere."""
    if isinstance(ply.row, PlyRow) and ply.row.takeback == "wrong-square":
        return at
    return scan.landed(ply.move.from_square, ply.deed.landed, at + LATE_S) or at


def _settled(ply: MeantPly, scan: ScanRecord) -> float:
    """Return the last edge of a move; where no switch shows one, when the hand was done."""
    begun, ends = ply.deed.begun, ply.deed.landed + LATE_S
    landed = scan.landed(ply.move.to_square, begun, ends)
    left = [at for at, closes in scan.edges(ply.move.from_square, begun, ends) if not closes]
    return max([at for at in (landed, *left[-1:]) if at is not None], default=ply.deed.landed)


def _traces(ply: MeantPly, scan: ScanRecord) -> list[str]:
    """Name what is unusual in a move's trace."""
    begun, ends = ply.deed.begun, ply.deed.landed + LATE_S
    start, end = ply.move.from_square, ply.move.to_square
    if start == end:
        return []
    traces = []
    others = (square for square in SQUARES if square not in (start, end))
    if any(scan.edges(square, begun, ends) for square in others):
        traces.append("crossed")
    if all(closes for _, closes in scan.edges(start, begun, ends)):
        traces.append("from-stays-closed")
    if not scan.is_closed(end, ends):
        traces.append("unseen-landing")
    return traces


def _tell_capture(row: PlyRow, ply: MeantPly, scan: ScanRecord) -> None:
    """Say how long the victim's square was open, and whether that singles it out."""
    begun, ends = ply.deed.begun, ply.deed.landed + LATE_S
    gap = longest(scan.openings(ply.move.to_square, begun, ends))
    row.gap_us = microseconds(gap)
    if gap < NO_GAP_S:
        row.behaviours.append("capture-no-gap")
    rivals = [
        longest(scan.openings(square, begun, ends))
        for square in ply.candidates
        if square != ply.move.to_square
    ]
    is_alike = any(rival >= max(NO_GAP_S, ALIKE * gap) for rival in rivals)
    hides = gap < NO_GAP_S or "from-stays-closed" in row.behaviours
    row.ambiguous = bool(rivals) and (hides or is_alike)


def choose_fault(
    fault: FaultKind,
    closed: Sequence[bool],
    changes: Sequence[Change],
    rows: Sequence[PlyRow],
    rng: Random,
) -> FaultRow | None:
    """Choose the switch that fails, and when; None where no failure would ever be known.

    `closed` and `changes` are what sound switches show from the start on, `rows` the game as it
    was made.
    """
    failed_at = rng.uniform(0.25, 0.6) * changes[-1].at
    by_itself = rng.random() < BY_ITSELF
    found = []
    for square in rng.sample(SQUARES, len(SQUARES)):
        own = [(change.at, change.closed) for change in changes if change.switch == Switch(square)]
        row = _fault_row(fault, square, failed_at, [(0.0, closed[square]), *own], rows)
        if row is not None:
            if (row.t_evident_us == row.t_fault_us) == by_itself:
                return row
            found.append(row)
    return found[0] if found else None


def _fault_row(
    fault: FaultKind,
    square: Square,
    failed_at: float,
    levels: Sequence[tuple[float, bool]],
    rows: Sequence[PlyRow],
) -> FaultRow | None:
    sticks = fault is FaultKind.STUCK
    before = [closed for at, closed in levels if at <= failed_at][-1]
    later = [at for at, closed in levels if at > failed_at and closed != sticks]
    name = SQUARE_NAMES[square]
    failed_us = microseconds(failed_at)
    if before != sticks:  # it changes by itself
        visible_us = evident_us = failed_us
    else:
        known = [
            row.t_settled_us
            for row in rows
            if row.t_settled_us > failed_us
            and (row.from_ == name and row.kind != "capture" if sticks else row.to == name)
        ]
        if not later or not known:
            return None
        visible_us, evident_us = microseconds(later[0]), min(known)
    shown = [row.ply for row in rows if row.t_settled_us >= visible_us]
    if not shown:
        return None
    return FaultRow(
        square=name,
        kind=WORDS[fault],
        t_fault_us=failed_us,
        t_visible_us=visible_us,
        t_evident_us=evident_us,
        first_ply=shown[0],
    )


def failed(
    changes: Iterable[Change], closed: Sequence[bool], fault: FaultRow, scan: Scan
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
    sticks = fault.kind == WORDS[FaultKind.STUCK]
    if level != sticks:
        row = switch // 10
        at = scan.time_of(row, scan.sampled(row, fails))
        kept.append(Change(at, switch, sticks))
    return sorted(kept, key=lambda change: (change.at, change.switch))


_PROFILES = "\n".join(
    f"  {name}: {profile.meaning}"
    for name, profile in PROFILES.items()
    if not name.endswith(ON_DISK)
)


_MAKES = "\n".join(f"  {make.name}: {make.meaning}" for make in MAKES.values())


@click.command(
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=f"\b\nPeople ({ON_DISK}: on the disk):\n{_PROFILES}\n\n\b\nBoards:\n{_MAKES}",
)
@click.option("--people", type=click.Choice(list(PROFILES)), default="club-night", metavar="NAME")
@click.option("--make", type=click.Choice(list(MAKES)), help="Else the usual one of their board.")
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--count", type=click.IntRange(1), default=1, help="So many, from that seed on.")
@click.option("--plies", type=click.IntRange(1), default=PLIES, show_default=True)
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def main(people: str, make: str | None, seed: int, count: int, plies: int, folder: Path) -> None:
    """Write NAME.jsonl and NAME.truth.json into FOLDER; the same options write the same files."""
    usual = make_for(PROFILES[people])
    chosen = MAKES[make] if make else usual
    if chosen.is_round is not usual.is_round:
        raise click.UsageError(f"{make}: {people} play on another board")
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(seed, seed + count):
        name = f"{chosen.name}-{people}-{number}"
        made = generate(PROFILES[people], number, f"{name}.jsonl", plies, chosen)
        (folder / f"{name}.jsonl").write_text(format_recording(made.recording), encoding="utf-8")
        (folder / f"{name}.truth.json").write_bytes(msgspec.json.encode(made.truth))


if __name__ == "__main__":
    main()

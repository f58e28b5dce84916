"""What the scan shows of each ply: when it settled, and what nobody could read from it.

Nothing here asks what a hand meant to do besides which ply it was.
"""

import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Protocol

from hardware.ports import Change
from rules import SQUARES, Move, Square

from ..replay.recordings import microseconds
from .truth import JuggernautRow, PlyRow

NO_GAP_S = 0.015
"""An opening shorter than this is none: reeds chatter for as long."""

LATE_S = 0.03
"""A landing shows in the scan at the latest so long after the hand has come to rest."""

ALIKE = 1 / 3
"""An opening is like another one that is at most three times as long."""

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

"""The truth beside a recording, row by row, and the score of a reader's report against it.

`score` pairs reports with events, ply by ply.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from math import inf
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from rules import SQUARE_NAMES, Kind, Move, Outcome, Piece, Position, Square, format_square

from ..game.events import Ply, Question, TakeBack, Wander
from ..reading.readings import Reading, Standing
from ..replay.recordings import microseconds, seconds

FORMAT = "jetan-reed-truth/1"

LAST_WAIT = 12.0
"""Seconds that a recording goes on after the last change, so that a reader's timers run out."""

Sort = Literal["ply", "takeback", "juggernaut"]

GAP = 1.0
"""Cost of leaving something out of an alignment, on either side."""

UNMISSED = 0.5
"""The same for an event that nothing showed."""

MISFIT = 1.5
"""Cost of pairing unlike things: more than leaving out one of them, less than both."""

NEAR_FIT = 0.25
"""Cost of pairing a ply with a question that includes it, or take-backs of different plies."""


class PlyRow(msgspec.Struct, rename={"from_": "from"}, kw_only=True):
    """One ply as it was made; `docs/recordings.md` explains each key."""

    ply: int
    side: str
    piece: str
    from_: str
    to: str
    kind: str
    captured: str | None
    t_lift_us: int
    t_settled_us: int
    behaviours: list[str]
    ambiguous: bool
    hidden: bool = False
    candidates: list[str] | UnsetType = UNSET
    gap_us: int | UnsetType = UNSET
    overlap_us: int | UnsetType = UNSET
    t_landed_us: int | UnsetType = UNSET
    taken_back_us: int | UnsetType = UNSET
    takeback: str | UnsetType = UNSET


class JuggernautRow(msgspec.Struct, rename={"from_": "from"}, kw_only=True):
    """A move of the Juggernaut after a ply; `from` equals `to` if it stayed."""

    after_ply: int
    die: int
    from_: str
    to: str
    killed: list[str] | None
    t_settled_us: int
    behaviours: list[str]
    t_lift_us: int


class FaultRow(msgspec.Struct, kw_only=True):
    """The switch that failed: the times of the failure, its first effect, and the first proof."""

    square: str
    kind: str
    t_fault_us: int
    t_visible_us: int
    t_evident_us: int
    first_ply: int


class Truth(msgspec.Struct, kw_only=True):
    """Everything that happened in one recording."""

    format: str = FORMAT
    recording: str
    board: str
    rules: str
    plies: list[PlyRow]
    juggernaut_moves: list[JuggernautRow]
    incidents: list[dict[str, object]]
    fault: FaultRow | None
    result: dict[str, str | None]
    final_position: str


def piece_word(piece: Piece) -> str:
    """Return a kind's name in recordings, where a Flier is an odwar."""
    return "odwar" if piece.kind is Kind.FLIER else piece.kind.word


def start_rows(start: Position) -> dict[str, str]:
    """Return the letters of the four occupied ranks, by rank, file a first."""
    rows = {}
    for rank in (1, 2, 9, 10):
        pieces = [start.piece_at(Square(10 * (rank - 1) + file)) for file in range(10)]
        letters = "".join(piece.kind.value if piece else "." for piece in pieces)
        rows[str(rank)] = letters.lower().replace("f", "o")
    return rows


def result_of(outcome: Outcome | None) -> dict[str, str | None]:
    """Return a game's result as a truth has it."""
    if outcome is None:
        return {"winner": None, "why": "recording ends"}
    winner = "draw" if outcome.winner is None else outcome.winner.word
    return {"winner": winner, "why": outcome.termination.value}


class WanderRow(msgspec.Struct, rename={"from_": "from"}):
    """The Juggernaut's way after a ply, in any truth; `from` equals `to` if it stayed."""

    after_ply: int
    from_: str
    to: str
    t_settled_us: int


class Happened(msgspec.Struct):
    """The part of a truth that a board can show."""

    plies: list[PlyRow]
    juggernaut_moves: list[WanderRow]
    fault: FaultRow | None = None


def read_truth(path: Path) -> Happened:
    """Read the truth beside a recording; other programs' may have more in it, or less."""
    return msgspec.json.decode(path.read_bytes(), type=Happened)


def happened(truth: Truth) -> Happened:
    """Return the part of a generated truth that a board can show."""
    return msgspec.json.decode(msgspec.json.encode(truth), type=Happened)


def landed(row: PlyRow) -> float:
    """Return the time of a ply's landing, in seconds; pieces it knocked over stand again later."""
    return seconds(row.t_settled_us if row.t_landed_us is UNSET else row.t_landed_us)


class ReadingVerdict(Enum):
    """The verdict on one event, or on one report of a reader."""

    RIGHT = "right"
    """Reported as it was; for an ambiguous capture, also a question that includes it."""
    WRONG = "wrong"
    """Reported as something else."""
    ASKED = "asked"
    """Asked without need."""
    NEVER = "never"
    """Not reported."""
    AMENDED = "amended"
    """Reported though it had not happened, and taken back by the reader itself."""
    EXTRA = "extra"
    """Reported though it had not happened."""


@dataclass(frozen=True, slots=True)
class Score:
    """One line of a comparison, in the order of play."""

    verdict: ReadingVerdict
    sort: Sort
    number: int
    """The ply's number, or that of the ply before it."""
    behaviours: tuple[str, ...] = ()
    """The truth's for the ply; of a report without an event, the next ply's."""
    delay_s: float | None = None
    """Seconds from the landing to the report; None without a report."""
    reply_delay_s: float | None = None
    """Seconds from the next ply's landing to the report; None without one of them."""


def score(truth: Happened, readings: Iterable[Reading[Standing]]) -> list[Score]:
    """Return the comparison of a report with the truth, in the order of play.

    It ends with the first effect of a failed switch: nothing is certain from there on. Events that
    nothing showed need not be reported, but are right if they are.
    """
    shown = inf if truth.fault is None else seconds(truth.fault.t_visible_us)
    wanted = [item for item in _wanted(truth) if item.at < shown]
    reported = [item for item in _reported(readings) if item.at < shown]
    pairs = _aligned(wanted, reported)
    # From the last to the first, because a report without an event has the next ply's behaviours.
    amended, withdrawals = _amended([found for item, found in pairs if found and not item])
    scores: list[Score] = []
    behaviours: tuple[str, ...] = ()
    for item, found in reversed(pairs):
        if item is not None and (found or not item.is_hidden):
            behaviours = item.behaviours
            delays = [found.at - at for at in (item.at, item.reply) if found and at < inf]
            scores.append(Score(_verdict(item, found), item.sort, item.number, behaviours, *delays))
        elif found is not None and found not in withdrawals:
            verdict = ReadingVerdict.AMENDED if found in amended else ReadingVerdict.EXTRA
            scores.append(Score(verdict, found.sort, found.number, behaviours))
    return scores[::-1]


@dataclass(frozen=True, slots=True)
class _Item:
    """An event or a report. Times are seconds, squares are names."""

    sort: Sort
    number: int
    at: float
    """Time of the event's end, or of the report."""
    start: str = ""
    """Empty in a question about the start."""
    end: str = ""
    begun: float = 0.0
    """Time of the event's beginning; no report before it is of this event."""
    reply: float = inf
    """Time of the next ply's landing."""
    candidates: tuple[str, ...] = ()
    """A question's squares, instead of `end`."""
    behaviours: tuple[str, ...] = ()
    is_ambiguous: bool = False
    """True for a ply that switches may not tell from others."""
    is_hidden: bool = False
    """True for a ply or take-back that looked like a piece held in the hand."""

    @property
    def squares(self) -> tuple[str, str]:
        return self.start, self.end


def _wanted(truth: Happened) -> list[_Item]:
    """Return a perfect reader's reports, in order."""
    items = []
    landings = [landed(row) for row in truth.plies]
    for row, at, reply in zip(truth.plies, landings, [*landings[1:], inf], strict=True):
        tags = (*row.behaviours, "ambiguous") if row.ambiguous else tuple(row.behaviours)
        begun, marks = seconds(row.t_lift_us), (row.ambiguous, row.hidden)
        squares = row.from_, row.to
        items.append(_Item("ply", row.ply, at, *squares, begun, reply, (), tags, *marks))
        if row.taken_back_us is not UNSET:
            back = seconds(row.taken_back_us)
            undone = ("takeback",)
            items.append(
                _Item("takeback", row.ply, back, begun=at, behaviours=undone, is_hidden=row.hidden)
            )
    for moved in truth.juggernaut_moves:
        if moved.from_ != moved.to:
            at, tags = seconds(moved.t_settled_us), ("juggernaut",)
            after = moved.after_ply
            items.append(_Item("juggernaut", after, at, moved.from_, moved.to, behaviours=tags))
    return sorted(items, key=lambda item: item.at)


def _reported(readings: Iterable[Reading[Standing]]) -> list[_Item]:
    """Return a reader's reports, in order; an answer does not remove its question."""
    items = []
    for reading in readings:
        at, step = reading.at, reading.step
        start, end = map(format_square, step.squares) if step else ("", "")
        match reading.event:
            case Ply(number=number):
                items.append(_Item("ply", number, at, start, end))
            case Question() as asked:
                # It is about the ply's end; with no start named, about the start, and has one end.
                start, to = asked.from_square or "", asked.to_square
                ends = asked.candidates if start or to is None else (to,)
                items.append(_Item("ply", asked.number, at, start, candidates=ends))
            case TakeBack(number=number):
                items.append(_Item("takeback", number, at))
            case Wander(after=number):
                items.append(_Item("juggernaut", number, at, start, end))
    return items


def _misfit(item: _Item, found: _Item) -> float:
    """Return the cost of taking `found` as the report of `item`."""
    if item.sort != found.sort or found.at < item.begun:
        return inf
    if item.sort == "takeback":
        return 0.0 if item.number == found.number else NEAR_FIT
    if found.candidates:
        return NEAR_FIT if _is_named(item, found) else MISFIT
    return 0.0 if item.squares == found.squares else MISFIT


def _aligned(
    wanted: Sequence[_Item], reported: Sequence[_Item]
) -> list[tuple[_Item | None, _Item | None]]:
    """Return pairs of events and reports, both in order, at the least total cost."""
    rows, columns = len(wanted), len(reported)
    missed = [UNMISSED if item.is_hidden else GAP for item in wanted]
    # A sequence alignment: `cost[i][j]` is the least of all from the i-th event and j-th report on.
    cost = [
        [sum(missed[i:]) + GAP * (columns - j) for j in range(columns + 1)] for i in range(rows + 1)
    ]
    for i in reversed(range(rows)):
        for j in reversed(range(columns)):
            gap = min(missed[i] + cost[i + 1][j], GAP + cost[i][j + 1])
            cost[i][j] = min(gap, cost[i + 1][j + 1] + _misfit(wanted[i], reported[j]))
    pairs: list[tuple[_Item | None, _Item | None]] = []
    i = j = 0
    while i < rows or j < columns:
        here = cost[i][j]
        if (
            i < rows
            and j < columns
            and here == cost[i + 1][j + 1] + _misfit(wanted[i], reported[j])
        ):
            pairs.append((wanted[i], reported[j]))
            i, j = i + 1, j + 1
        elif i < rows and here == missed[i] + cost[i + 1][j]:
            pairs.append((wanted[i], None))
            i += 1
        else:
            pairs.append((None, reported[j]))
            j += 1
    return pairs


def _amended(spare: Iterable[_Item]) -> tuple[set[_Item], set[_Item]]:
    """Return the reports that the reader took back itself, and those take-backs."""
    standing: dict[int, _Item] = {}
    amended, withdrawals = set(), set()
    for found in spare:
        if found.sort == "ply":
            standing[found.number] = found
        elif found.sort == "takeback" and found.number in standing:
            amended.add(standing.pop(found.number))
            withdrawals.add(found)
    return amended, withdrawals


def _verdict(item: _Item, found: _Item | None) -> ReadingVerdict:
    if found is None:
        return ReadingVerdict.NEVER
    if item.sort == "takeback" or item.squares == found.squares:
        return ReadingVerdict.RIGHT
    if not found.candidates or not _is_named(item, found):
        return ReadingVerdict.WRONG
    return ReadingVerdict.RIGHT if item.is_ambiguous else ReadingVerdict.ASKED


def _is_named(item: _Item, question: _Item) -> bool:
    return question.start in ("", item.start) and item.end in question.candidates


def ply_row(
    position: Position, move: Move, begun: float, landed: float, behaviours: list[str]
) -> PlyRow:
    """Return a ply's row in the truth, as far as its move determines it; times in seconds."""
    piece, victim = position.piece_at(move.from_square), position.piece_at(move.to_square)
    assert piece is not None
    return PlyRow(
        ply=position.ply_number,
        side=piece.side.word,
        piece=piece_word(piece),
        from_=SQUARE_NAMES[move.from_square],
        to=SQUARE_NAMES[move.to_square],
        kind=move.kind.value,
        captured=piece_word(victim) if victim else None,
        t_lift_us=microseconds(begun),
        t_settled_us=microseconds(landed),
        behaviours=behaviours,
        ambiguous=False,
    )

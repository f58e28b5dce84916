"""The truth beside a recording: what was played, line by line, for scoring."""

import msgspec
from msgspec import UNSET, UnsetType

from rules import Kind, Piece

FORMAT = "jetan-reed-truth/1"


class PlyRow(msgspec.Struct, rename={"from_": "from"}, kw_only=True):
    """One ply as it was made; `docs/recordings.md` says what each key means."""

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
    """What the Juggernaut did after a ply; `from` and `to` are alike where it stayed."""

    after_ply: int
    die: int
    from_: str
    to: str
    killed: list[str] | None
    t_settled_us: int
    behaviours: list[str]
    t_lift_us: int


class FaultRow(msgspec.Struct, kw_only=True):
    """The switch that failed: when it did, when it showed, and when a reader could know."""

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

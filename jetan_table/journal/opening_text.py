"""What game texts say of a game's series, wager and beginning: tags, both ways.

`Series "sunday"`, `Stake "10"`, `Prices "P=1,T=3,..."`, `Heads "12-5"` (what the heads that Black
and Orange have lost cost them), `FirstMove "orange table 4"`, `Bias "clockwise agreed"`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import msgspec

from rules import Side

from ..game.events import Bias, FirstMove
from ..game.record import Record
from ..game.wagers import format_prices

Settled = TypeVar("Settled", FirstMove, Bias)


def preamble_tags(record: Record) -> dict[str, str]:
    """Return the tags of what was agreed and settled before the first ply, and of its account."""
    tags: dict[str, str] = {}
    if record.series is not None:
        tags["Series"] = record.series
    if record.wager is not None and record.account is not None:
        heads = record.account.heads
        tags["Stake"] = str(record.wager.stake)
        tags["Prices"] = format_prices(record.wager.prices)
        tags["Heads"] = f"{heads[Side.BLACK]}-{heads[Side.ORANGE]}"
    if first := record.opening.first_told:
        tags["FirstMove"] = _told(first.side, first)
    if bias := record.opening.bias_told:
        tags["Bias"] = _told(bias.way, bias)
    return tags


def first_of_tags(tags: Mapping[str, str]) -> FirstMove | None:
    """Return who begins as the tags of a game text say; None where they do not."""
    return _read(tags.get("FirstMove", ""), "side", FirstMove)


def bias_of_tags(tags: Mapping[str, str]) -> Bias | None:
    """Return the bias as the tags of a game text say; None where they do not."""
    return _read(tags.get("Bias", ""), "way", Bias)


def _told(what: str, settled: FirstMove | Bias) -> str:
    face = [] if settled.face is None else [str(settled.face)]
    return " ".join((what, settled.by, *face))


def _read(text: str, name: str, kind: type[Settled]) -> Settled | None:
    what, by, *face = (*text.split(), "", "")[:3]
    values = {name: what, "by": by, "face": int(face[0]) if face and face[0].isdecimal() else None}
    try:
        return msgspec.convert(values, kind)
    except msgspec.ValidationError:
        return None

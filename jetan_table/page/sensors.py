"""The board as its sensors see it, for the page and as a report for a question in a forum."""

import platform
from collections.abc import Iterator
from math import exp
from statistics import quantiles
from typing import Any

from hardware.ports import Evidence, SwitchCounts
from hardware.reeds import Bouncing
from rules import SQUARES, Square, format_square

from .. import __version__
from ..languages import Language, said_in, without_folders
from ..table.board import BoardWatch
from ..table.loop import Table
from .state import ADDRESS

MS, HOUR_S = 1000, 3600


def sensors_document(
    table: Table, watch: BoardWatch, scan_hz: float | None, now: float, language: Language
) -> dict[str, Any]:
    """Return what is known of every switch and of the looks at them; nothing of people or places.

    `scan_hz` is how often the board is to be looked at; None where it is no real one.
    """
    lies, bouncing = table.lies, table.board.parts.bouncing
    return {
        "version": __version__,
        "machine": f"{platform.system()} {platform.machine()}, Python {platform.python_version()}",
        "squares": {
            format_square(lies.really[at]): {
                **_square(watch, at, bouncing.get(at), now),
                **_counted(table.board.rates.counts.get(lies.really[at])),
            }
            for at in SQUARES
        },
        "weak": [format_square(lies.really[at]) for at in watch.histories.weak],
        "looks": _looks(list(watch.gaps), scan_hz),
        "troubles": [without_addresses(language, each) for each in _troubles(table)],
    }


def _square(
    watch: BoardWatch, square: Square, bounced: Bouncing | None, now: float
) -> dict[str, Any]:
    history = watch.histories.of[square]
    longest = None if bounced is None else bounced.longest_s
    changed_at, evidence = history.changed_at, watch.evidence.get(square)
    return {
        "on": history.occupied,
        "changes": history.changes,
        "ago_s": None if changed_at is None else round(max(now - changed_at, 0.0), 1),
        "blinks": history.blinks,
        "longest_blink_ms": round(MS * history.longest_blink_s, 1),
        "bounces": 0 if bounced is None else bounced.changes,
        "longest_bounce_ms": None if longest is None else round(MS * longest, 1),
        "belief": None if evidence is None else _belief(evidence),
    }


def _counted(counts: SwitchCounts | None) -> dict[str, Any]:
    """Return what a switch has missed and shown of nobody on all evenings."""
    if counts is None:
        return {}
    hours = round(counts.empty_s / HOUR_S, 1)
    return {
        "placed": counts.placed,
        "missed": counts.missed,
        "ghosts": counts.ghosts,
        "empty_h": hours,
    }


def _belief(evidence: Evidence) -> list[float]:
    """Return how likely empty, black, orange and neutral are, if nothing else is known."""
    most = max(evidence)
    shares = [exp(each - most) for each in evidence]
    return [round(share / sum(shares), 3) for share in shares]


def _looks(gaps: list[float], scan_hz: float | None) -> dict[str, float | None]:
    """Return how often the board is looked at, and how much later than it is to be."""
    wanted_s = None if scan_hz is None else 1 / scan_hz
    if len(gaps) < 2:
        return {"hz": None, "wanted_hz": scan_hz, "rare_ms": None, "latest_ms": None}
    late = sorted(max(gap - (wanted_s or 0.0), 0.0) for gap in gaps)
    rare = quantiles(late, n=100, method="inclusive")[98]
    hz = len(gaps) / sum(gaps) if sum(gaps) else None
    return {
        "hz": None if hz is None else round(hz, 1),
        "wanted_hz": scan_hz,
        "rare_ms": round(MS * rare, 1),
        "latest_ms": round(MS * late[-1], 1),
    }


def _troubles(table: Table) -> Iterator[str]:
    trouble = table.troubles.sensing
    if trouble is not None:
        yield trouble
    yield from (each.line for each in table.view.notices)
    yield from table.view.notes


def without_addresses(language: Language, line: str) -> str:
    """Return a line in words without addresses of cameras and boards: they may hold passwords.

    Nor does it say where files lie.
    """
    return ADDRESS.sub("…", said_in(language, without_folders(line)))

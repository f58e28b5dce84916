"""What a page shows of a game's stakes and beginning, and of the series it belongs to."""

from __future__ import annotations

from typing import Any

import msgspec

from rules import Side
from rules.words import Language

from ..game.record import Record
from ..journal.agreement import Agreement
from ..journal.archive import Archive
from ..journal.series import PlayedSeries, read_series, series_rows
from ..words.words import Speaker
from . import requests as ask


class LedgerState(msgspec.Struct, frozen=True):
    """What a game is played for, and what it has cost so far, in tokens.

    `prices` are by the letters of kinds; `heads` is what the heads that Black and Orange have lost
    cost them, `gain` what Black has gained, which Orange has lost.
    """

    series: str | None
    stake: int
    prices: dict[str, int]
    for_bias: bool
    heads: tuple[int, int]
    gain: int


class OpeningState(msgspec.Struct, frozen=True):
    """How a game begins: what is `due` to be settled (`first` or `bias`), and `by` whom.

    `told` is how it was settled, in words by language.
    """

    due: str | None
    by: str | None
    told: dict[Language, list[str]]


def ledger_of(record: Record) -> LedgerState | None:
    """Return the account of a game; None where it is played for nothing."""
    wager, account = record.wager, record.account
    if wager is None or account is None:
        return None
    return LedgerState(
        record.series,
        wager.stake,
        {kind.value: price for kind, price in wager.prices.items()},
        wager.for_bias,
        (account.heads[Side.BLACK], account.heads[Side.ORANGE]),
        account.balance(Side.BLACK),
    )


def opening_of(record: Record, speakers: dict[Language, Speaker]) -> OpeningState:
    """Return how a game begins."""
    opening = record.opening
    events = [told for told in (opening.first_told, opening.bias_told) if told is not None]
    told = {
        language: [speaker.preamble(event) for event in events]
        for language, speaker in speakers.items()
    }
    return OpeningState(record.unsettled, opening.settler if record.unsettled else None, told)


def agreement_of(request: ask.NewRequest) -> Agreement:
    """Return what a request for a new game says of its stakes and beginning."""
    names = request.black.strip(), request.orange.strip()
    return Agreement(
        series=request.series,
        players=names if all(name not in ("", "?") for name in names) else None,
        stake=request.stake,
        prices=request.prices,
        for_bias=request.for_bias,
        first=request.first,
        bias=request.bias,
    )


def series_document(archive: Archive, name: str) -> dict[str, Any]:
    """Return a series and how it stands."""
    series = read_series(archive, name)
    return {**_standing(series), "games": series_rows(series)}


def all_series(archive: Archive) -> dict[str, Any]:
    """Return how every series stands."""
    return {"series": [_standing(read_series(archive, name)) for name in archive.series()]}


def _standing(series: PlayedSeries) -> dict[str, Any]:
    return {
        "name": series.name,
        "players": series.players,
        "wins": series.wins,
        "balance": series.balance,
        "decided": len(series.ledger.games),
    }

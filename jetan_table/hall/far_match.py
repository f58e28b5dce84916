"""A match between two boards far apart: what both tables agree on, and what each keeps of it."""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec.structs import replace as changed

from rules import Position, parse_position, parse_rules
from rules.game_text import GameText, format_game

from ..game.events import Header, SideName
from ..game.record import Record
from ..game.time_control import parse_time_control
from .payloads import MatchSide, text_hash


class FarState(msgspec.Struct, frozen=True):
    """What a table keeps of a match on its disk: both sides' last words, and its game.

    `started` tells the game in the journal; `own` are all plies of its own that it ever said, with
    how many stood before them.
    """

    side: MatchSide
    far: MatchSide | None = None
    started: float | None = None
    own: frozenset[tuple[int, str]] = frozenset()
    declined: int = 0
    """So many of this side's offers, as the far side has declined them, were ended here."""


def start_of(side: MatchSide) -> Position:
    """Return the position that a match begins from."""
    return parse_position(side.start, parse_rules(side.rules))


def match_text(record: Record) -> str:
    """Return a game as both tables of a match have it: without times, which each measures."""
    tags = {"Event": "Jetan", "Black": record.header.black, "Orange": record.header.orange}
    return format_game(GameText(record.game, tags))


def check_match(rules: str, clock: str) -> None:
    """Raise RulesError or BadTimeControl for rules, or a clock, that are none."""
    parse_rules(rules)
    parse_time_control(clock)


def side_of_match(
    name: str, side: SideName, rules: str, start: str, clock: str, other: str = ""
) -> MatchSide:
    """Return one side before the first ply: for anybody who accepts, or against one who invites."""
    check_match(rules, clock)
    nothing = Record.begin(Header(started=0.0, rules=rules, start=start, version=""))
    return MatchSide(
        rev=1,
        side=side,
        name=name,
        other=other,
        rules=rules,
        start=start,
        clock=clock,
        stands_hash=text_hash(match_text(nothing)),
    )


def accepted(invitation: MatchSide, inviter: str, name: str) -> MatchSide:
    """Return the other side of a match that somebody has invited to."""
    check_match(invitation.rules, invitation.clock)
    side: SideName = "orange" if invitation.side == "black" else "black"
    return changed(
        invitation, rev=1, side=side, name=name, other=inviter, plies=(), stands=0, die=None
    )


def read_state(path: Path) -> FarState | None:
    """Return what was kept of a match; None where this table knows nothing of it."""
    return msgspec.json.decode(path.read_bytes(), type=FarState) if path.is_file() else None

"""The opponent on the page: who is invited, and what it thinks."""

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from rules import Side, _

from ...engine.evaluation import win_probability
from ...game.commands import CommandRefused
from ...page.asked import AskedTable, Handler, PageRequest
from ...page.house import Endpoint, PagePart
from ...session.umpire import allows_help
from .analyst import analysis
from .seat import THINK_S, Invitation, OpponentSeat


class InviteRequest(PageRequest, frozen=True, tag="invite"):
    """Let the opponent play a side from now on, at a level of its own; None: nobody.

    `both`: it plays both sides, to be watched. Where it `ponders`, it thinks on the people's time.
    """

    level: Literal["panthan", "than", "padwar", "dwar", "odwar", "jedwar", "jed", "jeddak"] | None
    side: Literal["black", "orange", "both"] = "orange"
    ponders: bool = False
    guides: bool = False
    """True to show the people a good move each time."""


class ThinkingState(msgspec.Struct, frozen=True):
    """The opponent's thoughts: depth, Black's expected share of the points, and its line.

    `win_in` are the plies to a proven end, negative if the opponent loses by it.
    """

    depth: int
    chance: float
    win_in: int | None
    line: list[str]


class OpponentState(msgspec.Struct, frozen=True):
    """The opponent; `thinks` is None before it has thought, and in tournaments."""

    name: str
    side: str
    ponders: bool
    thinks: ThinkingState | None


class OpponentPart(msgspec.Struct, frozen=True):
    """The opponents there are, and the one that plays."""

    may_invite: bool
    may_hint: bool
    opponent: OpponentState | None


class OpponentPage(PagePart):
    """Invites an opponent, and shows what it thinks."""

    state = OpponentPart

    def handlers(self) -> Mapping[type[PageRequest], Handler]:
        return {InviteRequest: invite}

    def state_of(self, asked: AskedTable) -> OpponentPart:
        seat, helps = asked.table.guest(OpponentSeat), allows_help(asked.table.record)
        if seat is None:
            return OpponentPart(False, False, None)
        return OpponentPart(True, helps, _opponent(seat, helps))

    def ways(self) -> Sequence[Endpoint]:
        what = "what each move of a game kept was worth, and why"
        return [Endpoint("/api/games/{game}/analysis", what, analysis, "Analysis", may=("lang",))]

    def seen(self, asked: AskedTable) -> object:
        seat = asked.table.guest(OpponentSeat)
        return None if seat is None else (seat.guest, seat.thinking)


def invite(asked: AskedTable, request: InviteRequest) -> None:
    """Let an opponent of the table's own take a side, or nobody."""
    seat, level = asked.table.guest(OpponentSeat), request.level
    if seat is None:
        raise CommandRefused(_("simulated people play both sides here"))
    to_move = asked.table.record.position.side
    seat.invite(None if level is None else _invitation(level, request, to_move))
    asked.table.make_way_for(seat)
    asked.pace.is_paused = False  # what was watched before stood still, not this


def _invitation(level: str, request: InviteRequest, to_move: Side) -> Invitation:
    both = request.side == "both"
    side = to_move if both else Side[request.side.upper()]
    return Invitation(level, side, THINK_S, request.ponders, request.guides, plays_both=both)


def _opponent(seat: OpponentSeat, is_open: bool) -> OpponentState | None:
    """Return who plays without hands; where it `is_open`, with what it thinks."""
    guest, info, thinks = seat.guest, seat.thinking, None
    if guest is None:
        return None
    if is_open and info is not None and info.depth:
        own = win_probability(info.score, info.win_in)
        chance = own if guest.side is Side.BLACK else 1 - own
        thinks = ThinkingState(info.depth, round(chance, 3), info.win_in, list(info.line))
    plays = "both" if guest.plays_both else guest.side.word
    return OpponentState(guest.name, plays, guest.ponders, thinks)

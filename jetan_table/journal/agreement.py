"""What two people agree on before a game, made into its header and its first events."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from msgspec.structs import replace as changed

from rules import Position, Rules, parse_position, parse_rules
from rules.ledger import Wager
from rules.sentences import _

from ..game.agreements import parse_prices, wager_event
from ..game.commands import CommandRefused
from ..game.events import (
    Bias,
    Entry,
    Event,
    FirstMove,
    Header,
    OpeningAgreed,
    SeriesAgreed,
    Settler,
    SideName,
    Way,
)
from ..game.record import Record
from ..game.terms import WAY_OF
from .archive import Archive
from .saved_games import Start
from .series import UNKNOWN, BadSeries, PlayedSeries, checked_name, read_series


@dataclass(frozen=True, slots=True)
class Agreement:
    """What people agree on; None leaves it to the series the game belongs to, and to custom."""

    series: str | None = None
    """The name of the series the game belongs to."""
    players: tuple[str, str] | None = None
    """Who has Black, and who Orange."""
    stake: int | None = None
    """The main stake, in whole tokens."""
    prices: str | None = None
    """What heads cost, as `wagers.parse_prices` reads it."""
    for_bias: bool | None = None
    """Whether the winner also says which way the next game on the disk crosses the centre."""
    first: SideName | Literal["roll", "winner"] | None = None
    """Who moves first; or that it is rolled, or left to who has won the choice."""
    bias: Way | Literal["roll", "winner"] | None = None
    """Which way the disk's centre is crossed, likewise."""

    @property
    def is_for_nothing(self) -> bool:
        """Whether nothing at all was agreed on."""
        return self == NOTHING_AGREED

    @property
    def is_series_alone(self) -> bool:
        """Whether nothing but the series was named."""
        return replace(self, series=None).is_for_nothing


NOTHING_AGREED = Agreement()


def agree(
    agreement: Agreement, header: Header, archive: Archive, custom: Agreement = NOTHING_AGREED
) -> Start:
    """Return what the game of a header begins with; `custom` has the stake and prices of new ones.

    In a series sides change after each game, the wager goes on, and the winner of the last one
    says who begins; where there is none, or that game is damaged, it is rolled. A start that is
    not the rules' own says itself who begins. Raises BadSeries, or a RulesError where the wager
    makes no sense.
    """
    past = _past(agreement, archive)
    players = agreement.players or _changed_over(past) or (header.black, header.orange)
    if agreement.series is not None:
        _check_players(agreement.series, players, past)
    header = changed(header, black=players[0], orange=players[1])
    start = parse_position(header.start, parse_rules(header.rules))
    wager = _wager(agreement, past, custom, start.rules)
    events = (
        *([] if agreement.series is None else [SeriesAgreed(checked_name(agreement.series))]),
        *([] if wager is None else [wager_event(wager)]),
        *_opening(agreement, past, players[0], start),
    )
    Record.read(header, (Entry(header.started, event) for event in events))
    return Start(header, events)


def rules_of_next(archive: Archive, series: str) -> str | None:
    """Return the rules text by which a series goes on; None where it has no game yet."""
    games = archive.series().get(series)
    return archive.header(games[-1]).rules if games else None


def _past(agreement: Agreement, archive: Archive) -> PlayedSeries | None:
    name = agreement.series
    if name is None or name not in archive.series():
        return None
    past = read_series(archive, name)
    return past if past.games else None


def _changed_over(past: PlayedSeries | None) -> tuple[str, str] | None:
    """Return the players of a series' next game: who had Orange has Black."""
    if past is None:
        return None
    header = past.games[-1].record.header
    return header.orange, header.black


def _check_players(name: str, players: tuple[str, str], past: PlayedSeries | None) -> None:
    if past is not None and set(players) != set(past.players):
        first, second = past.players
        raise BadSeries(
            _("series {name}: {first} and {second} play it; choose another name for other players"),
            name=name,
            first=first,
            second=second,
        )
    if UNKNOWN in players or "" in players or players[0] == players[1]:
        raise BadSeries(_("a new series needs its two players, by different names"))


def _wager(
    agreement: Agreement, past: PlayedSeries | None, custom: Agreement, rules: Rules
) -> Wager | None:
    """Return what the game is played for: what is told, the rest as in the last game."""
    agreed = agreement.stake, agreement.prices, agreement.for_bias
    last = past.games[-1].record.wager if past else None
    if agreement.series is None and agreed == (None, None, None):
        return None
    prices = agreement.prices or custom.prices
    wager = last or Wager(custom.stake or 0, parse_prices(prices or "1", rules))
    if agreement.stake is not None:
        wager = replace(wager, stake=agreement.stake)
    if agreement.prices is not None:
        wager = replace(wager, prices=parse_prices(agreement.prices, rules))
    return wager if agreement.for_bias is None else replace(wager, for_bias=agreement.for_bias)


def _opening(
    agreement: Agreement, past: PlayedSeries | None, black: str, start: Position
) -> Iterator[Event]:
    """Yield how it is settled who begins, and the bias."""
    ledger = past.ledger if past and not past.is_last_damaged else None
    chooser, prize = (ledger.chooser, ledger.bias_chooser) if ledger else (None, None)
    first, bias = agreement.first, agreement.bias
    is_own = start == Position.start(start.rules, juggernaut=start.juggernaut)
    if first is None and agreement.series is not None and is_own:
        first = "roll" if chooser is None else "winner"
    if bias is None and prize is not None and start.rules["board"] in WAY_OF:
        bias = "winner"
    if bias is not None and start.rules["board"] not in WAY_OF:
        raise CommandRefused(_("the flat board has no centre to cross: a bias belongs to the disk"))
    due = OpeningAgreed(_settler(first, chooser, past, black), _settler(bias, prize, past, black))
    if due != OpeningAgreed():
        yield due
    if first == "black" or first == "orange":
        yield FirstMove(first, "agreed")
    if bias == "clockwise" or bias == "counterclockwise":
        yield Bias(bias, "agreed")


def _settler(
    choice: str | None, winner: int | None, past: PlayedSeries | None, black: str
) -> Settler | None:
    """Return who is to settle something; None where it was told. BadSeries without a winner."""
    if choice == "roll":
        return "roll"
    if choice != "winner":
        return None
    if winner is None or past is None:
        raise BadSeries(_("nobody has won that choice: let it be rolled, or agree"))
    return "black" if past.players[winner] == black else "orange"

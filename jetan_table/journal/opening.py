"""A game begun or taken up in the journal, and what two people agree on before it.

An `Agreement` is made into the header and the first events of a game. What it leaves open is left
to the series the game belongs to: there sides change after each game, the wager goes on, and the
winner of the last one says who begins.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path
from typing import Literal

from msgspec.structs import replace as changed

from rules import Position, Rules, RulesError, Worded, _, parse_position, parse_rules
from rules.ledger import Wager

from ..game.agreements import format_time_control, parse_prices, wager_event
from ..game.commands import CommandRefused, New, NewGame
from ..game.events import (
    BadRecord,
    Bias,
    Entry,
    Event,
    FirstMove,
    GameId,
    Header,
    OpeningAgreed,
    SeriesAgreed,
    Settler,
    SideName,
    Way,
)
from ..game.record import NextGame, Record
from ..game.terms import WAY_OF, agreed
from ..languages import worded
from .archive import Archive
from .game_files import Start, write_game
from .journal import Journal, JournalUnwritable
from .series import UNKNOWN, BadSeries, PlayedSeries, checked_name, read_series

LOOKED_AT = 100
"""So many of the newest games are looked at when a table starts; `games check` reads all."""

MOST_TOLD = 5
"""Damage of more games than these is told by `games list`."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A game that the journal holds and that is to be played; `is_resumed`: it had begun before."""

    game: GameId
    record: Record
    is_resumed: bool
    damage: str | None = None
    """Why games before this one cannot be read; they were set aside."""
    kept: Path | None = None
    """The name that a text is kept under which is not of this game, or has more of it."""


def open_game(
    journal: Journal, header: Header | None, otherwise: Header, events: Sequence[Event] = ()
) -> Opened:
    """Resume the newest game if it is unfinished, unless `header` asks for a new one.

    Without either, the game of the header `otherwise` begins; `events` happen in a new game first.
    A game that cannot be read is set aside, and the table begins anew.
    """
    damage = _set_damaged_aside(journal, otherwise.started)
    unfinished = journal.archive.unfinished()
    if header is None and unfinished is not None:
        try:
            begun = journal.archive.header(unfinished)
            record = Record.read(begun, journal.archive.entries(unfinished))
            journal.check_going_on(unfinished)
            kept = write_game(journal.folder, journal.witness(unfinished), record)
            return Opened(unfinished, record, True, _in_a_line(damage), kept)
        except JournalUnwritable:
            raise
        except (BadRecord, RulesError, ValueError, LookupError) as error:
            why = worded(error)
            if not why.startswith(f"game {unfinished}:"):
                why = Worded(_("game {game}: {why}"), game=unfinished, why=why)
            damage.append(why)
            journal.set_aside(unfinished, otherwise.started, why)
    return replace(begin_game(journal, header or otherwise, events), damage=_in_a_line(damage))


def _set_damaged_aside(journal: Journal, now: float) -> list[str]:
    """Set aside what of the newest games is damaged at a glance; return why, newest last."""
    damage = []
    for summary in journal.archive.games(LOOKED_AT):
        if summary.damage is not None and not journal.archive.is_set_aside(summary.game):
            journal.set_aside(summary.game, now, summary.damage)
            damage.append(summary.damage)
    return damage


def _in_a_line(damage: Sequence[str]) -> str | None:
    """Return why some games are set aside; of many, the newest."""
    more = ["..."] if len(damage) > MOST_TOLD else []
    reasons = [*more, *damage[-MOST_TOLD:]]
    joined = _("{some}; {more}")
    return (
        reduce(lambda some, more: Worded(joined, some=some, more=more), reasons)
        if reasons
        else None
    )


def begin_game(journal: Journal, header: Header, events: Sequence[Event] = ()) -> Opened:
    """Begin a game in the journal, in which `events` have happened already."""
    game = journal.begin(header)
    entries = [Entry(header.started, event) for event in events]
    if entries:
        journal.append(game, entries)
    return Opened(game, Record.read(header, entries), False)


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
    """What heads cost, as `agreements.parse_prices` reads it."""
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


def next_games(archive: Archive, custom: Agreement = NOTHING_AGREED) -> NextGame:
    """Return what begins the game that people want after another.

    What they leave open is as in that one, which `New()` goes on with: the next of its series.
    `custom` is what games of new series are played for.
    """

    def begin(wanted: New, record: Record, now: float) -> NewGame:
        rules = parse_rules(wanted.rules or record.header.rules)
        position = wanted.position
        start = Position.start(rules) if position is None else parse_position(position, rules)
        header = Header.of(start, now)
        names = {"black": wanted.black.strip() or "?", "orange": wanted.orange.strip() or "?"}
        if wanted.rules is None:
            names = {"black": record.header.black, "orange": record.header.orange}
        begun = agree(_agreement(wanted, record), changed(header, **names), archive, custom)
        terms = record.terms
        control = terms.clocks.control if terms.clocks else None
        clock = wanted.clock or format_time_control(control)
        more = agreed(clock, wanted.conduct or terms.conduct.name)
        return NewGame(begun.header, (*begun.events, *more))

    return begin


def _agreement(wanted: New, record: Record) -> Agreement:
    """Return what people say of a new game's stakes and beginning."""
    names = wanted.black.strip(), wanted.orange.strip()
    return Agreement(
        series=record.series if wanted.rules is None else wanted.series,
        players=names if all(name not in ("", "?") for name in names) else None,
        stake=wanted.stake,
        prices=wanted.prices,
        for_bias=wanted.for_bias,
        first=wanted.first,
        bias=wanted.bias,
    )

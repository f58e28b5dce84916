"""A hall: its tables as they are heard, its tournament, and what the arbiter may ask of it.

All of it belongs to one thread, the server's; the broker's words are handed over to that.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias

import msgspec
from msgspec.structs import replace

from rules import RulesError, _, format_rules, parse_rules
from rules.text import format_game, parse_game

from ...files import write_whole
from ...game.agreements import parse_time_control
from ...game.commands import PlayersCommand
from ...game.events import Result
from ...page.stream import Stream
from .broker import BrokerLink, check_name
from .hub import Audience, Delay, HallArchive, Hub, ShownGame, TableHeard
from .payloads import (
    SEAT,
    STANDINGS,
    WORD,
    ArbiterWord,
    Count,
    OfferedSeat,
    Payload,
    SaidStandings,
    Text,
    encode,
    hall_topic,
    round_topic,
)
from .tournament import (
    CannotPair,
    NoSeat,
    SeatedPair,
    Tournament,
    keep_tournament,
    read_tournament,
    results_csv,
    standings_csv,
)


class HallRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """Base of all of them."""


class SayToTable(HallRequest, frozen=True, tag="say"):
    """Tell a table a command; it is refused there where its game has gone on from `rev`."""

    table: Text
    rev: Count
    command: PlayersCommand


class ForgetTable(HallRequest, frozen=True, tag="forget"):
    """Know nothing of a table any more: its journal has been begun anew, or it is gone."""

    table: Text


class BeginTournament(HallRequest, frozen=True, tag="begin"):
    """Leave the tournament, and begin this one."""

    tournament: Tournament


class PairRound(HallRequest, frozen=True, tag="pair"):
    """Pair the next round, and offer the seats."""


class UnpairRound(HallRequest, frozen=True, tag="unpair"):
    """Undo the pairs of the last round."""


class EnterResult(HallRequest, frozen=True, tag="result"):
    """Enter how the game of `black` at a table has ended; `*`: as the table tells."""

    round: Annotated[int, msgspec.Meta(ge=1, le=1000)]
    table: Text
    black: Text
    result: Result


ArbiterRequest: TypeAlias = (
    SayToTable | ForgetTable | BeginTournament | PairRound | UnpairRound | EnterResult
)
"""All that the arbiter may ask."""


TOURNAMENT_FILE: Final = "tournament.json"
EXPORT: Final = "export"
EXPORT_S: Final = 1.0
"""What is exported is written at most so often."""

TOURNAMENT: Final = ":tournament"
"""Under this name the stream tells that the tournament has changed; no table is called so."""


class Hall:
    """A hall that reads a broker; `say` tells it something, if this hall may."""

    def __init__(
        self, folder: Path, delay: Delay, now: Callable[[], float], make_id: Callable[[], str]
    ) -> None:
        """`make_id` returns a word that no other start, and no word of the arbiter, has had."""
        self.folder = folder
        self.hub_archive = HallArchive(folder)
        self.hub = Hub(self.hub_archive)
        self.now = now
        self.public = Audience(Stream(make_id()), delay)
        self.arbiter = Audience(Stream(make_id()))
        self.link: BrokerLink | None = None
        self.tournament = read_tournament(folder / TOURNAMENT_FILE)
        self._make_id = make_id
        self._offered: dict[str, OfferedSeat] = {}
        self._is_export_due, self._exported_at = self.tournament is not None, 0.0
        for audience in (self.public, self.arbiter):
            audience.stream.change({TOURNAMENT: 0})
        for heard in self.hub.tables.values():
            self._changed(heard)

    # What comes from the broker, and with time

    def heard(self, topic: str, content: bytes) -> None:
        """Take in what a table has said."""
        table = self.hub.take_in(topic, content)
        if table is not None:
            self._changed(table)

    def tick(self) -> None:
        """Let time pass: what was delayed is shown, and what has changed is written."""
        now = self.now()
        self._show(self.public, self.public.due(now))
        if self._is_export_due and now >= self._exported_at + EXPORT_S:
            self._is_export_due, self._exported_at = False, now
            self._export()

    def close(self) -> None:
        """Write what is left, and let go of the files."""
        if self._is_export_due:
            self._export()
        self.hub_archive.close()

    def _changed(self, table: TableHeard) -> None:
        for audience in (self.arbiter, self.public):
            self._show(audience, audience.take_in(table, self.now()))
        tournament, game, text = self.tournament, table.said_game, table.text
        if tournament is not None and game is not None and text is not None:
            names = text.tags.get("Black", "?"), text.tags.get("Orange", "?")
            self._set(tournament.after_game(table.name, game.game, names, game.result))

    def _show(self, audience: Audience, changed: list[ShownGame]) -> None:
        if changed:
            self._is_export_due |= self.tournament is not None
            audience.stream.change(
                {game.table.table: msgspec.to_builtins(game.table) for game in changed}
            )

    # What the arbiter asks

    def do(self, request: ArbiterRequest) -> None:
        """Do what the arbiter asks; CannotPair, NoSeat, or another refusal where it cannot be."""
        match request:
            case SayToTable(table=table, rev=rev, command=command):
                if table not in self.hub.tables:
                    raise NoSeat(_("{table}: no such table"), table=table)
                word = ArbiterWord(id=self._make_id(), for_rev=rev, command=command)
                self._say(hall_topic(table, WORD), word)
            case ForgetTable(table=table):
                self.hub.forget(table)
                for audience in (self.arbiter, self.public):
                    audience.forget(table)
                    audience.stream.change({table: None})
            case BeginTournament(tournament=tournament):
                self._set(checked(tournament))
            case PairRound():
                self._set(self._held().next_round(self._games()))
            case UnpairRound():
                self._set(self._held().without_last())
            case EnterResult(round=number, table=table, black=black, result=result):
                self._set(self._held().with_result(number, table, black, result))

    def _held(self) -> Tournament:
        if self.tournament is None:
            raise NoSeat(_("no tournament has been begun"))
        return self.tournament

    def _games(self) -> dict[str, int]:
        games = ((name, table.said_game) for name, table in self.hub.tables.items())
        return {name: game.game for name, game in games if game is not None}

    def _set(self, tournament: Tournament) -> None:
        """Go on with another tournament, or the same one later; it is on the disk first."""
        if tournament == self.tournament:
            return
        keep_tournament(self.folder / TOURNAMENT_FILE, tournament)
        self.tournament, self._is_export_due = tournament, True
        self.say_all()
        for audience in (self.public, self.arbiter):
            audience.stream.change({TOURNAMENT: self._make_id()})

    # What the hall says

    def say_all(self) -> None:
        """Offer the seats, and say the last round and the standings."""
        tournament = self.tournament
        if tournament is None:
            return
        for table in {*tournament.tables, *self._offered}:
            pair = tournament.pair_at(table) if table in tournament.tables else None
            seat = OfferedSeat() if pair is None else _seat(tournament, pair)
            if self._offered.get(table) != seat:
                self._offered[table] = seat
                self._say(hall_topic(table, SEAT), seat)
        if tournament.rounds:
            number = len(tournament.rounds)
            self._say(round_topic(number), tournament.said_round(number))
        self._say(STANDINGS, SaidStandings(standings=tournament.standings()))

    def _say(self, topic: str, payload: Payload) -> None:
        if self.link is not None:
            self.link.say(topic, encode(payload))

    # What it writes for others

    def _export(self) -> None:
        tournament = self.tournament_for(self.public)
        if tournament is None:
            return
        folder = self.folder / EXPORT
        write_whole(folder / "results.csv", results_csv(tournament).encode())
        write_whole(folder / "standings.csv", standings_csv(tournament).encode())
        if tournament.rounds:
            number = len(tournament.rounds)
            path = folder / f"round-{number:02}" / "games.jgn"
            write_whole(path, self.round_text(tournament, number).encode())

    def round_text(self, tournament: Tournament, number: int) -> str:
        """Return the games of a round as spectators may know them by now."""
        texts = []
        for pair in tournament.rounds[number - 1].pairs:
            if text := self._game_of(pair):
                text = text.replace('[Round "-"]', f'[Round "{number}"]', 1)
                texts.append(text.replace('[Site "?"]', f'[Site "{pair.table}"]', 1))
        return "\n".join(texts)

    def _game_of(self, pair: SeatedPair) -> str | None:
        """Return the text of a pair's game, as late as spectators know it."""
        names = pair.black, pair.orange
        shown = self.public.shown.get(pair.table)
        if shown is not None and shown.text is not None and shown.table.game > pair.after:
            if (shown.table.black, shown.table.orange) == names:
                return format_game(shown.text)
            newest = shown.table.game
            for game in reversed(self.hub_archive.games(pair.table)):
                if pair.after < game.game < newest and _names(game.jgn) == names:
                    return game.jgn
        return None

    def tournament_for(self, audience: Audience) -> Tournament | None:
        """Return the tournament as some know it by now: no result before its game is shown."""
        tournament = self.tournament
        if tournament is None or not tournament.rounds or not audience.delay:
            return tournament
        number = len(tournament.rounds)
        for pair in tournament.rounds[-1].pairs:
            shown = audience.shown.get(pair.table)
            is_theirs = shown is not None and shown.table.game > pair.after
            if shown is None or (is_theirs and shown.table.result == "*"):
                tournament = tournament.with_result(number, pair.table, pair.black, "*")
        return tournament

    def document(self, audience: Audience) -> list[dict[str, Any]]:
        """Return all tables, as programs ask for them."""
        names = ("table", "online", "game", "rev", "plies", "hash", "result")
        tables = (shown.table for _name, shown in sorted(audience.shown.items()))
        return [
            {**{name: getattr(table, name) for name in names}, "asks": table.asks is not None}
            for table in tables
        ]


def _names(jgn: str) -> tuple[str, str]:
    """Return the players' names of a game text that was read before."""
    tags = parse_game(jgn).tags
    return tags.get("Black", "?"), tags.get("Orange", "?")


def _seat(tournament: Tournament, pair: SeatedPair) -> OfferedSeat:
    return OfferedSeat(
        black=pair.black,
        orange=pair.orange,
        rules=tournament.rules,
        clock=tournament.clock,
        conduct=tournament.conduct,
        round=len(tournament.rounds),
    )


def checked(tournament: Tournament) -> Tournament:
    """Return a tournament that can be played; a refusal where rules, clock or tables cannot be."""
    try:
        rules = format_rules(parse_rules(tournament.rules))
    except RulesError as error:
        raise CannotPair(_("{why}"), why=error) from error
    parse_time_control(tournament.clock)
    for table in tournament.tables:
        check_name(table)
    if len({*tournament.players}) < len(tournament.players):
        raise CannotPair(_("two players have the same name"))
    return replace(tournament, rules=rules, rounds=())

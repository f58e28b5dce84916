"""A hall: its tables as they are heard, its tournament, what the arbiter may ask, and its server.

All of it belongs to one thread, the server's; the broker's words are handed over to that. Anybody
may watch as late as spectators do; who knows the PIN decides.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias

import msgspec
import uvicorn
from msgspec.structs import replace
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from rules import (
    RECOMMENDED,
    Game,
    RulesError,
    Square,
    _,
    explain,
    format_rules,
    format_square,
    letters,
    parse_rules,
)
from rules.text import format_game, parse_game

from ...files import write_whole
from ...game.agreements import parse_time_control
from ...game.commands import PlayersCommand
from ...game.events import SIDE_NAMES, Result
from ...languages import LANGUAGES, catalogue
from ...page import documents
from ...page.access import (
    FRESH,
    HEADERS,
    IN_A_HALL,
    REFUSALS,
    Access,
    Guard,
    Refused,
    address_of,
    answer,
    download,
    led_here,
    read_body,
)
from ...page.asked import EntryRequest, PageRequest
from ...page.pages import STATIC as WEB_STATIC
from ...page.pages import Figure, draw, page_pieces
from ...page.server import BoundedProtocol, bounded, serve
from ...page.stream import Followers, Stream
from .broker import Broker, BrokerLink, check_name
from .hub import Audience, Delay, HallArchive, Hub, KnownTable, ShownGame, game_document
from .payloads import (
    MOST_PAYLOAD_BYTES,
    OF_ALL_TABLES,
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


class SayToTable(PageRequest, frozen=True, tag="say"):
    """Tell a table a command; it is refused there where its game has gone on from `rev`."""

    table: Text
    rev: Count
    command: PlayersCommand


class ForgetTable(PageRequest, frozen=True, tag="forget"):
    """Know nothing of a table any more: its journal has been begun anew, or it is gone."""

    table: Text


class BeginTournament(PageRequest, frozen=True, tag="begin"):
    """Leave the tournament, and begin this one."""

    tournament: Tournament


class PairRound(PageRequest, frozen=True, tag="pair"):
    """Pair the next round, and offer the seats."""


class UnpairRound(PageRequest, frozen=True, tag="unpair"):
    """Undo the pairs of the last round."""


class EnterResult(PageRequest, frozen=True, tag="result"):
    """Enter how the game of `black` at a table has ended; `*`: as the table tells."""

    round: Annotated[int, msgspec.Meta(ge=1, le=1000)]
    table: Text
    black: Text
    result: Result


ArbiterRequest: TypeAlias = (
    SayToTable | ForgetTable | BeginTournament | PairRound | UnpairRound | EnterResult
)


TOURNAMENT_FILE: Final = "tournament.json"
EXPORT: Final = "export"
EXPORT_S: Final = 1.0
"""Seconds between two writes of the exported files."""

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

    def _changed(self, table: KnownTable) -> None:
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


STATIC: Final = Path(__file__).parent / "static"
SVG: Final = "image/svg+xml"
COOKIE: Final = "jetan-arbiter"
HALL_TICK_S: Final = 0.25

TABLES_OF: Final = {"results": results_csv, "standings": standings_csv}
EMBEDDED: Final = HEADERS["content-security-policy"].replace("ancestors 'none'", "ancestors *")
"""Other sites may show one small board in a frame."""


def make_hall_app(house: HallServer) -> ASGIApp:
    """Return the application that serves a hall."""
    hall = house.hall
    public, arbiter = (
        Followers(audience.stream, hall.now, IN_A_HALL) for audience in (hall.public, hall.arbiter)
    )

    async def events(request: Request) -> Followers:
        """Return the stream of changes."""
        return arbiter if house.is_arbiter(request) else public

    routes: list[BaseRoute] = [
        Route("/", partial(_file, STATIC / "index.html")),
        Route("/favicon.ico", partial(_file, WEB_STATIC / "favicon.svg")),
        Route("/embed/{table}", partial(_file, STATIC / "index.html")),
        Mount("/hall", StaticFiles(directory=STATIC)),
        Mount("/static", StaticFiles(directory=WEB_STATIC)),
        Route("/pieces.svg", _pieces),
        Route("/api/boards/{name}", _outlines),
        Route("/events", events),
        Route("/board/{table}.svg", partial(_board, house)),
        Route("/board/{table}.json", partial(_position, house)),
        Route("/api/hall", partial(_tables, house)),
        Route("/api/hall/{table}", partial(_table, house)),
        Route("/api/tournament", partial(_tournament, house)),
        Route("/api/words/{language}", _words),
        Route("/api/me", partial(_me, house)),
        Route(f"/{EXPORT}/games.jgn", partial(_games, house)),
        Route(f"/{EXPORT}/{{name}}.csv", partial(_csv, house)),
    ]
    if house.has_arbiter:
        routes += [
            Route("/api/token", partial(_token, house), methods=["POST"]),
            Route("/api/do", partial(_do, house), methods=["POST"]),
        ]
    app = Starlette(
        routes=routes, middleware=[Middleware(GZipMiddleware)], exception_handlers=REFUSALS
    )
    return Guard(app, house.access, _headers, COOKIE)


def _headers(path: str) -> Mapping[str, str]:
    """Return what stands in all answers: only some of them may other sites show."""
    shared: dict[str, str] = {}
    if path.startswith("/embed/"):
        shared["content-security-policy"] = EMBEDDED
    if path.startswith("/board/"):
        shared["cross-origin-resource-policy"] = "cross-origin"
    return {**HEADERS, **shared}


async def _file(path: Path, request: Request) -> Response:
    return FileResponse(path, headers=FRESH)


async def _tables(house: HallServer, request: Request) -> Response:
    return answer(house.hall.document(house.audience(request)))


async def _table(house: HallServer, request: Request) -> Response:
    document = game_document(house.shown(request))
    if house.is_arbiter(request):
        heard = house.hall.hub.tables.get(request.path_params["table"])
        if heard is not None:
            asks = None if heard.said_game is None else heard.said_game.asks
            document["candidates"] = [] if asks is None else asks.squares
            document["refused"] = dict(heard.refused)
            document["last_refusal"] = heard.last_refusal
    return answer(document)


async def _tournament(house: HallServer, request: Request) -> Response:
    tournament = house.hall.tournament_for(house.audience(request))
    if tournament is None:
        return answer(None)
    standings = msgspec.to_builtins(tournament.standings())
    return answer({**msgspec.to_builtins(tournament), "standings": standings})


async def _words(request: Request) -> Response:
    language = request.path_params["language"]
    if language not in LANGUAGES:
        raise HTTPException(404, "no such language")
    return answer(catalogue(language))


async def _me(house: HallServer, request: Request) -> Response:
    delay = house.hall.public.delay
    is_arbiter = house.is_arbiter(request)
    return answer(
        {
            "arbiter": is_arbiter,
            "may_enter": house.has_arbiter,
            "languages": documents.about()["languages"],
            "rules": RECOMMENDED,
            "late_plies": 0 if is_arbiter else delay.plies,
            "late_s": 0 if is_arbiter else delay.seconds,
        }
    )


def _played(house: HallServer, request: Request) -> tuple[Game, int, tuple[Square, ...]]:
    """Return a table's game, the number of plies that are asked for, and the last one's way."""
    shown = house.shown(request)
    if shown.text is None:
        raise HTTPException(404, "no game yet")
    game = shown.text.game
    at = request.query_params.get("ply", "")
    count = min(int(at), len(game.plies)) if at.isdecimal() and len(at) < 6 else len(game.plies)
    if not count:
        return game, 0, ()
    start, end = game.plies[count - 1].move[:2]
    return game, count, explain(game.positions[count - 1], start, end).path or (start, end)


async def _position(house: HallServer, request: Request) -> Response:
    game, count, way = _played(house, request)
    position = game.positions[count]
    return answer(
        {
            "board": position.rules.board.name,
            "plies": count,
            "path": [*map(format_square, way)],
            "standing": {format_square(at): each for at, each in letters(position).items()},
        }
    )


async def _board(house: HallServer, request: Request) -> Response:
    game, count, way = _played(house, request)
    position = game.positions[count]
    figure = Figure(
        f"{request.path_params['table']}: {SIDE_NAMES[position.side]}",
        position.rules.board,
        position.pieces(),
        arrows=(way,) if way else (),
        juggernaut=position.juggernaut,
    )
    return Response(draw(figure), media_type=SVG, headers=FRESH)


async def _pieces(request: Request) -> Response:
    return Response(page_pieces(), media_type=SVG, headers=FRESH)


async def _outlines(request: Request) -> Response:
    return answer(documents.board(request.path_params["name"]))


async def _games(house: HallServer, request: Request) -> Response:
    tournament = house.hall.tournament
    text = ""
    if tournament is not None and tournament.rounds:
        text = house.hall.round_text(tournament, len(tournament.rounds))
    return download(text, "games.jgn")


async def _csv(house: HallServer, request: Request) -> Response:
    name = request.path_params["name"]
    tournament = house.hall.tournament_for(house.audience(request))
    if name not in TABLES_OF or tournament is None:
        raise HTTPException(404, "no such table")
    return download(TABLES_OF[name](tournament), f"{name}.csv", "text/csv")


async def _token(house: HallServer, request: Request) -> Response:
    house.access.check_origin(*led_here(request))
    entry = await read_body(request, EntryRequest)
    response = answer({"arbiter": True})
    token = house.access.enter(entry.pin, address_of(request))
    response.set_cookie(COOKIE, token, httponly=True, samesite="strict")
    return response


async def _do(house: HallServer, request: Request) -> Response:
    house.access.check_origin(*led_here(request))
    house.access.check_token(request.cookies.get(COOKIE, ""))
    house.hall.do(await read_body(request, ArbiterRequest))
    return answer({"done": True})


class HallProtocol(BoundedProtocol):
    """A hall has more visitors than a table."""

    room = IN_A_HALL


class HallServer:
    """Serves one hall on a socket that listens."""

    def __init__(
        self, hall: Hall, broker: Broker, access: Access, has_arbiter: bool, name: str
    ) -> None:
        """`name` is what the hall is called at the broker: no other client may have it.

        Without `has_arbiter` nobody is the arbiter here.
        """
        self.hall, self.access, self.has_arbiter = hall, access, has_arbiter
        self._loop: asyncio.AbstractEventLoop | None = None
        self.link = BrokerLink(broker, name, OF_ALL_TABLES, self._hear)
        if has_arbiter:  # who only shows has no right to write
            hall.link = self.link
        self._server = uvicorn.Server(bounded(make_hall_app(self), HallProtocol))

    # What its routes need

    def audience(self, request: Request) -> Audience:
        """Return what this one is shown: all at once to the arbiter, what is due to others."""
        return self.hall.arbiter if self.is_arbiter(request) else self.hall.public

    def is_arbiter(self, request: Request) -> bool:
        """Return True if the request has the arbiter's token."""
        token = request.cookies.get(COOKIE)
        if token is None or not self.has_arbiter:
            return False
        try:
            self.access.check_token(token)
        except Refused:
            return False
        return True

    def shown(self, request: Request) -> ShownGame:
        """Return the table that is asked for; 404 where this one knows none of that name."""
        found = self.audience(request).shown.get(request.path_params["table"])
        if found is None:
            raise HTTPException(404, "no such table")
        return found

    # Serving

    def run(self, listener: socket.socket, steady: Callable[[], float]) -> None:
        """Serve until a signal or `stop`; on the main thread Ctrl-C ends it."""
        asyncio.run(self._run(listener, steady))

    def stop(self) -> None:
        """End soon; may be called from any thread."""
        self._server.should_exit = True

    async def _run(self, listener: socket.socket, steady: Callable[[], float]) -> None:
        self._loop = asyncio.get_running_loop()
        self.hall.say_all()
        with closing(self.link.start(steady)):
            ticking = asyncio.create_task(self._tick())
            await serve(self._server, listener)
            ticking.cancel()

    async def _tick(self) -> None:
        while True:
            self.hall.tick()
            if self._server.should_exit:
                self.hall.public.stream.close()
                self.hall.arbiter.stream.close()
            await asyncio.sleep(HALL_TICK_S)

    def _hear(self, topic: str, content: bytes) -> None:
        """Hand a word over to the hall's own thread; more than any table says is cut."""
        assert self._loop is not None
        content = content[: MOST_PAYLOAD_BYTES + 1]
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.hall.heard, topic, content)

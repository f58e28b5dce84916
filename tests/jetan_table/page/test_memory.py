"""What pages ask for goes from memory again, without waiting for Python to look for rings."""

import asyncio
import gc
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send

from jetan_table.page.server import BoundedProtocol, bounded, serve
from jetan_table.page.state import path_of
from jetan_table.table.loop import Table
from rules import Game, Position, parse_rules
from tests.jetan_table.cli.in_process import run

CONNECTIONS = 200

LAST_PLY = "9q/9C/10/10/10/10/10/10/10/Qc8 b - 9 0 1"
"""One more ply, and the game is drawn."""


@pytest.fixture
def no_looking() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def alive(kind: type) -> int:
    return sum(isinstance(each, kind) for each in gc.get_objects())


@pytest.mark.usefixtures("no_looking")
def test_a_connection_that_has_ended_is_gone() -> None:
    asyncio.run(ask_again_and_again())
    assert alive(BoundedProtocol) <= 1, "the last one may still be said farewell to"


async def ask_again_and_again() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = uvicorn.Server(bounded(greet))
        serving = asyncio.create_task(serve(server, listener))
        for number in range(CONNECTIONS):
            reader, writer = await asyncio.open_connection(*listener.getsockname())
            writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            if number % 2:  # the others hang up before they are answered
                assert b"good day" in await reader.read()
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()
        server.should_exit = True
        await serving


async def greet(scope: Scope, receive: Receive, send: Send) -> None:
    await send(
        {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"8")]}
    )
    await send({"type": "http.response.body", "body": b"good day"})


def random_game(rng: Random, plies: int) -> Game:
    game = Game.begin(Position.start(parse_rules("appendix")))
    for _ in range(plies):
        if game.outcome is None:
            game = game.play(rng.choice(game.position.moves()))
    return game


@pytest.mark.usefixtures("no_looking")
def test_the_ways_of_plies_keep_no_positions() -> None:
    rng, before = Random(3), alive(Position)
    for _ in range(2):
        game = random_game(rng, 30)
        for position, ply in zip(game.positions, game.plies, strict=False):
            way = path_of(position, ply.move)
            assert len(way) >= 2
    del game, position
    assert alive(Position) <= before + 5


@pytest.mark.parts
@pytest.mark.usefixtures("no_looking")
def test_a_game_that_was_shown_on_a_page_is_gone_with_its_table(tmp_path: Path) -> None:
    words = ("play", "--hands", "auto", "--preset", "careful", "--speed", "0", "--games", "4")
    page = ("--no-browser", "--port", "0", "--data", tmp_path / "games", "--position", LAST_PLY)
    before = alive(Table)
    played = run(tmp_path, *words, *page)
    assert played.stdout.count("Game ") == 4, played.stdout
    assert alive(Table) == before

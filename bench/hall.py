"""How many tables a hall holds: ply said to ply shown, CPU and memory, broker and hall apart.

Simulated people play some games at simulated tables; what those tables say is then said by as many
clients as are asked for, each with a connection of its own, a ply each 20 s, to a real Mosquitto
and a real hall. All ends read the same steady clock. `jetan bench hall 1000 60`: tables, seconds;
`jetan bench hall 12 60 300` lets 300 pages watch them meanwhile.
"""

import asyncio
import multiprocessing
import os
import re
import resource
import secrets
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack, closing, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from statistics import median
from threading import Timer

from msgspec.structs import replace

from bench._figures import memory_mb, p99, print_figures
from jetan_table.extras.hall.broker import Broker, BrokerLink
from jetan_table.extras.hall.commands import ended_with, find_mosquitto
from jetan_table.extras.hall.hall import Hall, HallServer
from jetan_table.extras.hall.hub import NO_DELAY
from jetan_table.extras.hall.payloads import (
    GAME,
    ONLINE,
    SaidGame,
    decode,
    encode,
    read_topic,
    table_topic,
)
from jetan_table.extras.hall.teller import said_game
from jetan_table.game.events import Header
from jetan_table.journal.journal import Journal
from jetan_table.page.access import Access
from jetan_table.page.server import listen
from jetan_table.people.manners import PROFILES
from jetan_table.session.session import Certain, Guest
from jetan_table.settings import Settings
from jetan_table.table.games import open_game
from jetan_table.table.loop import EagerClock
from jetan_table.wiring import seat_people
from rules import Position, parse_rules

EVERY_S = 20.0
GAMES = 4
MOST_PLIES = 40
PROCESSES = 4
"""Each waits by `select`, whose 1024 files are 340 links of paho's."""
ADDRESSES = 20
"""Pages come from so many homes."""
SHOWN = re.compile(rb'"table":"(t\d+)"[^{}]*?"rev":(\d+)')
"""A table and how far it is, in what a page is sent."""


class Listener(Guest):
    """Keeps what a table would say, a word for each ply."""

    def __init__(self) -> None:
        self.words: list[SaidGame] = []

    def follow(self, certain: Certain) -> None:
        if not self.words or certain.rev != self.words[-1].rev:
            self.words.append(said_game(certain))


def simulated_words(seed: int, folder: Path) -> list[SaidGame]:
    """Let simulated people play a game, and return all that their table says of it."""
    listener, clock = Listener(), EagerClock()
    with closing(Journal(folder)) as journal:
        start = Position.start(parse_rules("appendix"))
        opened = open_game(journal, Header.of(start, clock.now()))
        people = PROFILES["careful"]
        play = seat_people(journal, opened, Settings(), people, seed, clock, [listener])
        while play.is_going_on() and len(play.table.record.moves) < MOST_PLIES:
            play.table.step(clock.now())
            play.pause()
    return listener.words


def tables(
    port: int, names: Sequence[str], games: Sequence[bytes], run_s: float, out: Connection
) -> None:
    """Be so many tables; tell in the end when each word was said."""
    words = [[decode(word, SaidGame) for word in game.split(b"\n")] for game in games]
    links = [
        BrokerLink(Broker("127.0.0.1", port), name, will=(table_topic(name, "online"), b"0"))
        for name in names
    ]
    rng = Random(names[0])
    said_at: dict[tuple[str, int], float] = {}
    with ExitStack() as ends:
        for link in links:
            ends.enter_context(closing(link.start(time.monotonic)))
        for name, link in zip(names, links, strict=True):
            link.say(table_topic(name, ONLINE), b"1")
        while not all(map(is_all_said, links)):
            time.sleep(0.1)
        out.send("up")
        out.recv()  # plies count once the tables of all processes are in
        began = time.monotonic()
        due = sorted((began + rng.random() * EVERY_S, index, 0) for index in range(len(names)))
        while due and due[0][0] < began + run_s:
            at, index, number = due.pop(0)
            time.sleep(max(0.0, at - time.monotonic()))
            game = words[index % len(words)]
            word = replace(game[number % len(game)], rev=number + 1, game=1 + number // len(game))
            said_at[names[index], word.rev] = time.monotonic()
            links[index].say(table_topic(names[index], GAME), encode(word))
            due.append((at + EVERY_S, index, number + 1))  # all are EVERY_S apart: it stays sorted
        while not all(map(is_all_said, links)):
            time.sleep(0.05)
        out.send(said_at)
        out.recv()


def is_all_said(link: BrokerLink) -> bool:
    """Return True once the broker has acknowledged every word of a link."""
    return link.is_up and not link.due and not link.unacknowledged


def watch_page(port: int, count: int, out: Connection) -> None:
    """Be so many pages that watch; tell in the end when each was first sent each table's word."""
    sent: list[dict[tuple[str, int], float]] = [{} for _ in range(count)]

    async def page(number: int) -> None:
        home = f"127.0.0.{2 + number % ADDRESSES}", 0
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", port, limit=2**24, local_addr=home
        )
        writer.write(b"GET /events HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")
        while line := await reader.readline():
            for name, rev in SHOWN.findall(line):
                sent[number].setdefault((name.decode(), int(rev)), time.monotonic())

    async def watch() -> None:
        pages = []
        for number in range(count):
            pages.append(asyncio.create_task(page(number)))
            await asyncio.sleep(0.01)
        await asyncio.to_thread(out.recv)
        for task in pages:
            task.cancel()

    asyncio.run(watch())
    out.send(sent)


def cpu_s(pid: int) -> float:
    """Return the CPU time of a process so far."""
    parts = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")


def main(json: bool, arguments: Sequence[str] = ()) -> None:
    """Measure, and print a table or one JSON object."""
    asked = [int(one) for one in arguments]
    count, run_s, pages = (*asked, *(1000, 60, 0)[len(asked) :])
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    with tempfile.TemporaryDirectory() as folder:
        print_figures(measure(Path(folder), count, run_s, pages), json)


def measure(folder: Path, count: int, run_s: float, pages: int) -> dict[str, object]:
    """Run broker, hall and tables, and return the figures."""
    with listen("127.0.0.1", 0) as free:
        port = free.getsockname()[1]
    config = folder / "mosquitto.conf"
    lines = [f"listener {port} 127.0.0.1", "allow_anonymous true", "max_inflight_messages 0"]
    config.write_text("\n".join([*lines, f"max_queued_messages {count * 2}", ""]))
    games = [
        b"\n".join(map(encode, simulated_words(seed, folder / f"game{seed}")))
        for seed in range(1, GAMES + 1)
    ]
    with (
        ended_with([find_mosquitto(), "-c", str(config)], folder / "log"),
        closing(Hall(folder / "hall", NO_DELAY, time.time, lambda: secrets.token_hex(8))) as hall,
        listen("127.0.0.1", 0) as listener,
    ):
        access = Access("1", (), time.time, lambda: secrets.token_hex(8))
        server = HallServer(hall, Broker("127.0.0.1", port), access, True, "hall")
        shown_at = noting(hall)
        ends = begin_tables(count, port, games, run_s)
        near = begin_pages(listener.getsockname()[1], pages)
        figures: dict[str, object] = {"tables": count, "pages": pages}

        def watch() -> None:
            try:
                said_at, found = watched(config, ends, hall, shown_at)
                figures.update(found)
                near.send("end")
                figures.update(of_pages(said_at, near.recv()))
            finally:
                server.stop()  # else a measurement that went wrong would never end

        Timer(0.0, watch).start()
        with suppress(KeyboardInterrupt):
            server.run(listener, time.monotonic)
    return figures


def noting(hall: Hall) -> dict[tuple[str, int], float]:
    """Note when each word is shown from now on, by table and rev."""
    shown_at: dict[tuple[str, int], float] = {}
    take_in = hall.heard

    def heard(topic: str, content: bytes) -> None:
        take_in(topic, content)
        of_table = read_topic(topic)
        table = None if of_table is None else hall.hub.tables.get(of_table[0])
        if table is not None and table.said_game is not None:
            shown_at.setdefault((table.name, table.said_game.rev), time.monotonic())

    hall.heard = heard  # type: ignore[method-assign]
    return shown_at


def begin_tables(count: int, port: int, games: Sequence[bytes], run_s: float) -> list[Connection]:
    """Begin the processes that are the tables; return how to hear from them."""
    context, ends = multiprocessing.get_context("spawn"), []
    for number in range(PROCESSES):
        near, far = context.Pipe()
        names = [f"t{index}" for index in range(number, count, PROCESSES)]
        arguments = (port, names, games, run_s, far)
        context.Process(target=tables, args=arguments, daemon=True).start()
        ends.append(near)
    return ends


def begin_pages(port: int, count: int) -> Connection:
    """Begin the process that is the pages; return how to hear from it."""
    context = multiprocessing.get_context("spawn")
    near, far = context.Pipe()
    context.Process(target=watch_page, args=(port, count, far), daemon=True).start()
    return near


def of_pages(
    said_at: dict[tuple[str, int], float], pages: Sequence[dict[tuple[str, int], float]]
) -> dict[str, object]:
    """Return how late each page was sent the words it was sent, and which page lacks a last one."""
    delays = [
        1000 * (at - said_at[key]) for page in pages for key, at in page.items() if key in said_at
    ]
    last = last_revs(said_at)
    lack = [page for page in pages if any((name, rev) not in page for name, rev in last.items())]
    return {"pages_behind": len(lack), **lateness(delays, "page_")} if delays else {}


def lateness(delays_ms: Sequence[float], of: str = "") -> dict[str, object]:
    """Return how late words came, by names that begin with `of`; nothing where none came."""
    if not delays_ms:
        return {}
    return {
        f"{of}median_ms": median(delays_ms),
        f"{of}p99_ms": p99(delays_ms),
        f"{of}slowest_ms": max(delays_ms),
    }


def last_revs(said_at: dict[tuple[str, int], float]) -> dict[str, int]:
    """Return the last word of each table."""
    last: dict[str, int] = {}
    for name, rev in said_at:
        last[name] = max(rev, last.get(name, 0))
    return last


def watched(
    config: Path, ends: Sequence[Connection], hall: Hall, shown_at: dict[tuple[str, int], float]
) -> tuple[dict[tuple[str, int], float], dict[str, object]]:
    """Wait until the tables have said all; return when they did, and what was seen of it."""
    commands = Path("/proc").glob("[0-9]*/cmdline")
    broker = next(int(p.parent.name) for p in commands if str(config) in p.read_text())
    for end in ends:
        end.recv()
    for end in ends:
        end.send("go")
    before, began = [cpu_s(pid) for pid in (broker, os.getpid())], time.monotonic()
    said_at: dict[tuple[str, int], float] = {}
    for end in ends:
        said_at |= end.recv()
    took = time.monotonic() - began
    after = [cpu_s(pid) for pid in (broker, os.getpid())]
    time.sleep(5.0)
    delays = [1000 * (shown_at[key] - at) for key, at in said_at.items() if key in shown_at]
    last = last_revs(said_at)
    known = {name: table.said_game for name, table in hall.hub.tables.items()}
    behind = [n for n, rev in last.items() if (game := known.get(n)) is None or game.rev != rev]
    for end in ends:
        end.send("end")
    return said_at, {
        "plies": len(said_at),
        "plies_not_shown": len(said_at) - len(delays),
        "tables_behind": len(behind),
        "refused": sum(hall.hub.refused.values()),
        **lateness(delays),
        "broker_cpu_percent": 100 * (after[0] - before[0]) / took,
        "hall_cpu_percent": 100 * (after[1] - before[1]) / took,
        "broker_memory_mb": memory_mb(broker),
        "hall_memory_mb": memory_mb(os.getpid()),
    }

"""Broker, hall and tables killed at random moments: in the end the hall shows what the tables have.

The tables are the project's own clients with games of chance; what each would have on its disk is
what it had said last.
"""

import random
import time
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from jetan_table.extras.hall.broker import Broker, BrokerLink
from jetan_table.extras.hall.payloads import GAME, ONLINE, SaidGame, encode, table_topic
from tests.jetan_table.extras.hall.mosquitto import Mosquitto, until
from tests.jetan_table.extras.hall.served import ServedHall, hall_served
from tests.jetan_table.extras.hall.test_hub import game_of, told_game

pytestmark = pytest.mark.needs("mosquitto")

GAMES = [[told_game(game_of(plies, seed), 0) for plies in range(20)] for seed in range(5)]


class Tables:
    """Tables whose disks outlive them."""

    def __init__(self, port: int, count: int) -> None:
        self.port = port
        self.disks: dict[str, list[SaidGame]] = {f"table-{index}": [] for index in range(count)}
        self.links: dict[str, BrokerLink] = {}
        for name in self.disks:
            self.switch_on(name)

    def switch_on(self, name: str) -> None:
        will = (table_topic(name, ONLINE), b"0")
        link = BrokerLink(Broker("127.0.0.1", self.port), name, will=will)
        link.say(table_topic(name, ONLINE), b"1")
        self.links[name] = link.start(time.monotonic)
        if self.disks[name]:
            self.say(name)

    def play(self, name: str) -> None:
        """A ply: on the disk first, then said."""
        disk = self.disks[name]
        number, rev = divmod(len(disk), 20)
        game = GAMES[(hash(name) + number) % 5][rev]
        word = SaidGame(
            game=number + 1,
            rev=len(disk) + 1,
            plies=game.plies,
            hash=game.hash,
            jgn=game.jgn,
            result=game.result,
        )
        disk.append(word)
        self.say(name)

    def say(self, name: str) -> None:
        self.links[name].say(table_topic(name, GAME), encode(self.disks[name][-1]))

    def kill(self, name: str) -> None:
        self.links.pop(name).close()

    def close(self) -> None:
        for name in list(self.links):
            self.kill(name)


def check(served: ServedHall, tables: Tables) -> None:
    """Nothing is shown that no disk has had."""
    for name, heard in list(served.hall.hub.tables.items()):
        if heard.said_game is not None:
            assert heard.said_game in tables.disks[name]


def survive(folder: Path, count: int, run_s: float, seed: int) -> None:
    rng = random.Random(seed)
    with Mosquitto(folder) as mosquitto, ExitStack() as ends:
        tables = ends.enter_context(closing(Tables(mosquitto.port, count)))
        ends_at = time.monotonic() + run_s
        while time.monotonic() < ends_at:
            with hall_served(folder / "hall", mosquitto.broker) as served:
                killed_at = min(ends_at, time.monotonic() + rng.uniform(1, 4))
                while time.monotonic() < killed_at:
                    name = rng.choice(list(tables.disks))
                    if name in tables.links and rng.random() < 0.03:
                        tables.kill(name)
                    elif name not in tables.links:
                        tables.switch_on(name)
                    else:
                        tables.play(name)
                    if rng.random() < 0.003:
                        mosquitto.kill()
                        mosquitto.start()
                    time.sleep(rng.random() * 0.01)
                check(served, tables)
        for name in tables.disks:
            if name not in tables.links:
                tables.switch_on(name)
        with hall_served(folder / "hall", mosquitto.broker) as served:
            last = {name: disk[-1] for name, disk in tables.disks.items() if disk}

            def shown() -> dict[str, SaidGame | None]:
                return {
                    name: heard.said_game
                    for name, heard in served.hall.hub.tables.items()
                    if heard.said_game
                }

            until(lambda: shown() == last)
            until(lambda: all(served.hall.hub.tables[name].online for name in last), 80)
            assert set(served.hall.hub.refused) <= {"old"}


def test_thirty_tables_lose_and_invent_nothing(tmp_path: Path) -> None:
    survive(tmp_path, 30, 4.0, seed=1)
    assert (tmp_path / "hall" / "hall.sqlite").is_file()


@pytest.mark.soak("hall")
@pytest.mark.parametrize("minute", range(10))
def test_ten_minutes_of_killing_lose_nothing(tmp_path: Path, minute: int) -> None:
    survive(tmp_path, 200, 60.0, seed=100 + minute)
    assert (tmp_path / "hall" / "hall.sqlite").is_file()

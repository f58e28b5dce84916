"""A table tells its hall: what is on its disk, whole, and never at the cost of the table."""

import json
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec
import pytest

from jetan_table.extras.hall.broker import Broker, BrokerLink
from jetan_table.extras.hall.payloads import (
    GAME,
    HEALTH,
    HOME,
    ONLINE,
    SEAT,
    WORD,
    ArbiterWord,
    Health,
    OfferedSeat,
    Payload,
    SaidGame,
    decode,
    discovery_topic,
    encode,
    hall_topic,
    table_topic,
    text_hash,
)
from jetan_table.extras.hall.teller import Teller
from jetan_table.game.commands import New, PauseGame, TakeBackLast
from jetan_table.journal.archive import Archive
from jetan_table.journal.journal import game_path
from jetan_table.languages import Language
from jetan_table.light.lamps import LampChoice
from rules import parse_square
from rules.text import parse_game
from tests.jetan_table.extras.hall.mosquitto import Mosquitto, free_port, is_all_said, until
from tests.jetan_table.sitting import Evening, sitting
from tests.profiles import PATIENCE_S

pytestmark = pytest.mark.needs("mosquitto")

ALPHA_GAME = table_topic("alpha", GAME)
ALPHA_ONLINE = table_topic("alpha", ONLINE)


class Ear:
    """Somebody at the broker who keeps what is said there."""

    def __init__(self, mosquitto: Mosquitto) -> None:
        self.heard: dict[str, bytes] = {}
        self.all: list[tuple[str, bytes]] = []
        self.link = BrokerLink(mosquitto.broker, "ear", ("#",), self.hear)

    def hear(self, topic: str, content: bytes) -> None:
        self.heard[topic] = content
        self.all.append((topic, content))

    def say(self, topic: str, payload: Payload) -> None:
        self.link.say(topic, encode(payload))


@contextmanager
def heard(mosquitto: Mosquitto) -> Iterator[Ear]:
    ear = Ear(mosquitto)
    with closing(ear.link.start(time.monotonic)):
        until(lambda: ear.link.is_up)
        yield ear


@contextmanager
def telling_of(evening: Evening, port: int, home: Language | None = None) -> Iterator[Teller]:
    teller = Teller("alpha", "simulated", 0.0, home)
    reads = [hall_topic("alpha", what) for what in (SEAT, WORD)]
    link = BrokerLink(
        Broker("127.0.0.1", port), "jetan-alpha", reads, teller.take_in, (ALPHA_ONLINE, b"0")
    )
    with closing(teller), closing(link.start(time.monotonic)):
        evening.table.welcome(teller.start(link))
        evening.wait(0.1)
        yield teller


@pytest.fixture
def ear(mosquitto: Mosquitto) -> Iterator[Ear]:
    with heard(mosquitto) as ear:
        yield ear


@pytest.fixture
def evening(tmp_path: Path, mosquitto: Mosquitto) -> Iterator[Evening]:
    """A table whose games are in the folder `data`, and which tells its hall."""
    with sitting(tmp_path / "data") as evening, telling_of(evening, mosquitto.port):
        yield evening


def game_said(ear: Ear) -> SaidGame:
    return decode(ear.heard[ALPHA_GAME], SaidGame)


def test_what_is_said_is_the_game_the_disk_has(tmp_path: Path, ear: Ear, evening: Evening) -> None:
    evening.move("d2", "d3")
    until(lambda: ALPHA_GAME in ear.heard and game_said(ear).plies == 1)
    game = game_said(ear)
    text = game_path(tmp_path / "data", evening.table.game).read_text()
    assert text.startswith(f"{game.jgn}%journal ")
    assert game.hash == text_hash(game.jgn)
    assert len(parse_game(game.jgn).game.plies) == 1
    until(lambda: table_topic("alpha", HEALTH) in ear.heard)
    assert decode(ear.heard[table_topic("alpha", HEALTH)], Health).failed == {}
    assert ear.heard[ALPHA_ONLINE] == b"1"
    evening.move("e9", "e8")
    until(lambda: game_said(ear).plies == 2)
    assert game_said(ear).rev > game.rev


def test_each_state_is_on_the_disk_before_it_is_said(
    tmp_path: Path, mosquitto: Mosquitto, evening: Evening
) -> None:
    late: list[int] = []

    class Watcher(Ear):
        def hear(self, topic: str, content: bytes) -> None:
            super().hear(topic, content)
            if topic == ALPHA_GAME:
                game = decode(content, SaidGame)
                with closing(Archive.open(tmp_path / "data")) as archive:
                    if archive.written() < game.rev:
                        late.append(game.rev)

    watcher = Watcher(mosquitto)
    with closing(watcher.link.start(time.monotonic)):
        for start, end in (("d2", "d3"), ("e9", "e8"), ("e2", "e3"), ("d9", "d8")):
            evening.move(start, end)
        until(lambda: ALPHA_GAME in watcher.heard and game_said(watcher).plies == 4)
    assert late == []


def test_a_broker_that_comes_back_empty_is_full_again(tmp_path: Path, mosquitto: Mosquitto) -> None:
    with (
        sitting(tmp_path / "data") as evening,
        telling_of(evening, mosquitto.port) as teller,
    ):
        evening.move("d2", "d3")
        until(lambda: teller.link is not None and is_all_said(teller.link))
        mosquitto.kill()
        until(lambda: teller.link is not None and not teller.link.is_up)
        evening.move("e9", "e8")
        evening.move("e2", "e3")
        mosquitto.start()
        with heard(mosquitto) as ear:
            until(lambda: ALPHA_GAME in ear.heard and game_said(ear).plies == 3)
            assert [topic for topic, _content in ear.all].count(ALPHA_GAME) == 1


def test_a_table_that_is_cut_off_is_said_to_be_gone(
    tmp_path: Path, mosquitto: Mosquitto, ear: Ear
) -> None:
    with sitting(tmp_path / "data") as evening, telling_of(evening, mosquitto.port):
        until(lambda: ear.heard.get(ALPHA_ONLINE) == b"1" and ALPHA_GAME in ear.heard)
    until(lambda: ear.heard.get(ALPHA_ONLINE) == b"0")
    assert game_said(ear).plies == 0


def test_a_broker_that_takes_all_and_answers_nothing_holds_nothing_up(tmp_path: Path) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as deaf,
        sitting(tmp_path / "data") as evening,
        telling_of(evening, deaf.getsockname()[1]) as teller,
    ):
        evening.move("d2", "d3")
        evening.move("e9", "e8")
        assert len(evening.record.game.plies) == 2
        assert teller.link is not None
        assert not teller.link.is_up
        assert evening.view.guest_notes == ()


def test_without_a_broker_nothing_changes(tmp_path: Path) -> None:
    with sitting(tmp_path / "with") as evening, telling_of(evening, free_port()):
        evening.move("d2", "d3")
        view = evening.view
    with sitting(tmp_path / "without") as evening:
        evening.move("d2", "d3")
        assert (view.record.moves, view.guest_notes) == (
            evening.view.record.moves,
            evening.view.guest_notes,
        )


def test_the_arbiter_takes_back_once_and_the_game_text_says_so(ear: Ear, evening: Evening) -> None:
    evening.move("d2", "d3")
    until(lambda: ALPHA_GAME in ear.heard and game_said(ear).plies == 1)
    topic = hall_topic("alpha", WORD)
    word = ArbiterWord(id="a", for_rev=game_said(ear).rev, command=TakeBackLast())
    ear.say(topic, word)
    stepping(evening, lambda: evening.record.game.plies == ())
    until(lambda: game_said(ear).plies == 0)
    assert "[%fix took back 1 Pd2-d3]" in game_said(ear).jgn
    # It stays with the broker, and is heard again by a table that comes back: once is enough.
    evening.hands.move([parse_square("d3"), parse_square("d2")], evening.clock.now())
    evening.wait(3.0)
    evening.move("e2", "e3")
    until(lambda: game_said(ear).plies == 1)
    ear.say(topic, msgspec.structs.replace(word, id="b"))
    stepping(evening, lambda: bool(evening.view.guest_notes))
    assert "the game has gone on since" in evening.view.guest_notes[0]
    assert len(evening.record.game.plies) == 1


def test_the_arbiter_stops_the_clocks_and_that_is_marked(ear: Ear, evening: Evening) -> None:
    until(lambda: ALPHA_GAME in ear.heard)
    word = ArbiterWord(id="a", for_rev=game_said(ear).rev, command=PauseGame())
    ear.say(hall_topic("alpha", WORD), word)
    stepping(evening, lambda: evening.view.record.is_paused)
    until(lambda: "[%fix stopped the clocks]" in game_said(ear).jgn)
    assert evening.record.terms.fixes


def test_a_seat_is_offered_and_the_next_game_is_that_one(ear: Ear, evening: Evening) -> None:
    seat = OfferedSeat(black="Tara", orange="Gahan", rules="appendix", clock="10+5", round=1)
    ear.say(hall_topic("alpha", SEAT), seat)
    stepping(evening, lambda: bool(evening.view.guest_notes))
    assert "Tara" in evening.view.guest_notes[0]
    evening.tell(New())
    header = evening.record.header
    assert (header.black, header.orange) == ("Tara", "Gahan")
    assert evening.record.clocks is not None
    assert evening.view.guest_notes == ()


def test_garbage_from_the_hall_changes_nothing(tmp_path: Path) -> None:
    with sitting(tmp_path) as evening:
        teller = Teller("alpha", "simulated", 0.0)
        evening.table.welcome(teller)
        before = evening.view
        for topic in (hall_topic("alpha", WORD), "hall/table/beta/word", "x"):
            for content in (b"", b"{}", b"\xff", b"[" * 100_000, b"1" * 2_000_000, b'{"v":2}'):
                teller.take_in(topic, content)
        evening.wait(0.1)
        assert evening.view.guest_notes == before.guest_notes


def test_home_assistant_learns_of_the_table(tmp_path: Path, mosquitto: Mosquitto, ear: Ear) -> None:
    with (
        sitting(tmp_path / "data") as evening,
        telling_of(evening, mosquitto.port, "de"),
    ):
        evening.move("d2", "d3")
        home = table_topic("alpha", HOME)
        until(lambda: home in ear.heard and json.loads(ear.heard[home])["side"] == "Orange")
        discovery = json.loads(ear.heard[discovery_topic("alpha")])
        assert discovery["cmps"]["side"]["state_topic"] == home
        assert set(discovery["cmps"]) >= {"online", "side", "move", "question", "die", "brightness"}
        values = {entity.get("value_template") for entity in discovery["cmps"].values()}
        state = json.loads(ear.heard[home])
        assert state["brightness"] == 100
        evening.table.light_by(LampChoice("standard", 0.3))
        stepping(evening, lambda: json.loads(ear.heard[home])["brightness"] == 30)
        assert all(f"{{{{ value_json.{name} }}}}" in values for name in state)


def stepping(evening: Evening, is_so: Callable[[], bool]) -> None:
    """Let the table go on until something is so."""
    ends = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < ends
        evening.wait(0.05)
        time.sleep(0.005)

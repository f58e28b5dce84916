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
from jetan_table.extras.hall.home import SmartHome
from jetan_table.extras.hall.payloads import (
    EVENT,
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
from jetan_table.extras.hall.settings import HallSettings
from jetan_table.extras.hall.teller import Teller, telling
from jetan_table.game.commands import AnswerQuestion, New, PauseGame, Resign, SetClock, TakeBackLast
from jetan_table.journal.archive import Archive
from jetan_table.journal.journal import game_path
from jetan_table.light.lamps import LampChoice
from jetan_table.settings import Settings
from rules import parse_square
from rules.text import parse_game
from tests.jetan_table.extras.hall.mosquitto import Mosquitto, free_port, is_all_said, until
from tests.jetan_table.hands import ASKING, header
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
def telling_of(evening: Evening, port: int, home: SmartHome | None = None) -> Iterator[Teller]:
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
            # What was under way as the broker died comes again; of what waited, the newest alone.
            games = [decode(content, SaidGame) for topic, content in ear.all if topic == ALPHA_GAME]
            assert [game.plies for game in games if game.plies > 1] == [3]


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


def told_at_home(ear: Ear) -> list[dict[str, object]]:
    """Return the events that Home Assistant was told, in order."""
    topic = table_topic("alpha", EVENT)
    return [json.loads(content) for heard, content in ear.all if heard == topic]


def test_home_assistant_learns_of_the_table(tmp_path: Path, mosquitto: Mosquitto, ear: Ear) -> None:
    with (
        sitting(tmp_path / "data") as evening,
        telling_of(evening, mosquitto.port, SmartHome("de")),
    ):
        evening.move("d2", "d3")
        home = table_topic("alpha", HOME)
        until(lambda: home in ear.heard and json.loads(ear.heard[home])["side"] == "Orange")
        parts = json.loads(ear.heard[discovery_topic("alpha")])["cmps"]
        assert parts["side"]["state_topic"] == home
        assert parts["event"]["state_topic"] == table_topic("alpha", EVENT)
        assert parts["hint"] == {"p": "button"}  # the owner has not allowed it
        values = {entity.get("value_template") for entity in parts.values()}
        state = json.loads(ear.heard[home])
        assert (state["brightness"], state["flag"]) == (100, None)
        evening.table.light_by(LampChoice("standard", 0.3))
        stepping(evening, lambda: json.loads(ear.heard[home])["brightness"] == 30)
        assert all(f"{{{{ value_json.{name} }}}}" in values for name in state)
        assert len({part.get("unique_id") for part in parts.values()} - {None}) == len(values) + 1


def test_home_assistant_hears_each_event_once(
    tmp_path: Path, mosquitto: Mosquitto, ear: Ear
) -> None:
    def kinds() -> list[object]:
        return [event["event_type"] for event in told_at_home(ear)]

    with (
        sitting(tmp_path / "data", header(start=ASKING)) as evening,
        telling_of(evening, mosquitto.port, SmartHome("en")) as teller,
    ):
        until(lambda: teller.link is not None and is_all_said(teller.link))
        evening.lift("d5", wait_s=60.0)
        until(lambda: kinds() == ["question"])
        evening.tell(AnswerQuestion("e7"))
        until(lambda: kinds()[-1:] == ["capture"])
        evening.tell(Resign())
        until(lambda: kinds()[-1:] == ["over"])
        evening.tell(New(black="Tara", orange="Gahan"))
        until(lambda: kinds()[-1:] == ["begun"])
        assert teller.link is not None
        teller.link.again_s = 0.1
        before = len(ear.all)
        until(lambda: len(ear.all) > before + 8)  # the state is repeated, and no event
    assert kinds() == ["question", "capture", "over", "begun"]
    question, capture, over, begun = told_at_home(ear)
    assert (capture["move"], capture["side"]) == ("Dd5xe7", "black")
    assert capture["words"] == "Black: Dwar d5 takes on e7."
    assert set(question["squares"]) == {"d8", "e7"}  # type: ignore[call-overload]
    assert over["words"] == "Black wins: Orange has resigned."
    assert (begun["black"], begun["orange"]) == ("Tara", "Gahan")
    with heard(mosquitto) as later:
        until(lambda: table_topic("alpha", HOME) in later.heard)
        assert told_at_home(later) == []


def test_a_house_stops_the_clock_where_its_owner_lets_it(
    tmp_path: Path, mosquitto: Mosquitto, ear: Ear
) -> None:
    hall = HallSettings(
        f"mqtt://127.0.0.1:{mosquitto.port}", "alpha", home_assistant=True, home_buttons=True
    )
    with (
        sitting(tmp_path / "data") as evening,
        telling(Settings(extras=(hall,)), 0.0, time.monotonic) as teller,
    ):
        teller.obey = evening.table.obey
        evening.table.welcome(teller)
        evening.tell(SetClock("10+5"))
        evening.move("d2", "d3")
        home = table_topic("alpha", HOME)
        until(lambda: home in ear.heard and json.loads(ear.heard[home])["flag"])
        parts = json.loads(ear.heard[discovery_topic("alpha")])["cmps"]

        def press(name: str) -> None:
            ear.link.signal(parts[name]["command_topic"], parts[name]["payload_press"].encode())

        press("pause")
        stepping(evening, lambda: evening.view.record.is_paused)
        stepping(evening, lambda: json.loads(ear.heard[home])["flag"] is None)
        assert json.loads(ear.heard[home])["phase"] == "the game is paused"
        events = told_at_home(ear)[-1:]
        press("hint")
        stepping(evening, lambda: told_at_home(ear)[-1:] != events)
        assert told_at_home(ear)[-1]["words"] == "nobody here can give a hint"
        press("resume")
        stepping(evening, lambda: not evening.view.record.is_paused)


def stepping(evening: Evening, is_so: Callable[[], bool]) -> None:
    """Let the table go on until something is so."""
    ends = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < ends
        evening.wait(0.05)
        time.sleep(0.005)

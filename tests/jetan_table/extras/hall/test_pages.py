"""The hall's page: what spectators see, and when; what only the arbiter may."""

import time
from pathlib import Path

import pytest

from jetan_table.extras.hall.hub import Delay
from jetan_table.extras.hall.payloads import GAME, SaidGame, encode, table_topic
from jetan_table.game.commands import New
from rules.text import parse_games
from tests.jetan_table.extras.hall.mosquitto import Mosquitto, until
from tests.jetan_table.extras.hall.served import ServedHall, hall_served
from tests.jetan_table.extras.hall.test_hub import game_of, told_game
from tests.jetan_table.extras.hall.test_teller import stepping, telling_of
from tests.jetan_table.sitting import sitting

pytestmark = pytest.mark.needs("mosquitto")


def say(served: ServedHall, game: SaidGame, table: str = "alpha") -> None:
    """Let a table say its game, as if it came from the broker."""
    served.hear(table_topic(table, GAME), encode(game))


def test_programs_ask_for_all_tables(tmp_path: Path, mosquitto: Mosquitto) -> None:
    with hall_served(tmp_path / "hall", mosquitto.broker) as served:
        game = told_game(game_of(5), 9)
        say(served, game)
        visitor = served.visitor()
        until(lambda: bool(visitor.get("/api/hall")))
        assert visitor.get("/api/hall") == [
            {
                "table": "alpha",
                "online": False,
                "game": 1,
                "rev": 9,
                "plies": 5,
                "hash": game.hash,
                "asks": False,
                "result": "*",
            }
        ]
        assert len(visitor.get("/api/hall/alpha")["moves"]) == 5
        assert len(visitor.get("/api/hall/alpha")["positions"]) == 6
        assert "<svg" in visitor.get("/board/alpha.svg")
        assert visitor.get("/board/alpha.svg?ply=2") != visitor.get("/board/alpha.svg")
        shown = visitor.get("/board/alpha.json?ply=4")
        assert (shown["board"], shown["plies"], len(shown["standing"])) == ("grid", 4, 40)
        assert visitor.get("/board/alpha.json")["path"] != shown["path"]
        assert visitor.status("/api/hall/beta") == 404
        for path in (
            "/",
            "/embed/alpha",
            "/hall/hall.js",
            "/static/board.js",
            "/pieces.svg",
            "/api/boards/grid",
            "/api/words/de",
            "/favicon.ico",
        ):
            assert visitor.status(path) == 200


def test_spectators_are_late_by_plies_and_the_arbiter_is_not(
    tmp_path: Path, mosquitto: Mosquitto
) -> None:
    with hall_served(tmp_path / "hall", mosquitto.broker, Delay(plies=3)) as served:
        visitor, arbiter = served.visitor(), served.visitor(is_arbiter=True)
        for plies in range(1, 7):
            say(served, told_game(game_of(plies), plies))
            until(lambda plies=plies: arbiter.get("/api/hall")[0]["plies"] == plies)  # type: ignore[misc]
            late = visitor.get("/api/hall/alpha")
            assert late["table"]["plies"] == max(plies - 3, 0)
            assert len(late["positions"]) == max(plies - 3, 0) + 1
            assert len(parse_games(late["jgn"])[0].game.plies) == max(plies - 3, 0)
            newest = arbiter.get("/api/hall/alpha")["positions"][-1]
            assert newest not in str(late)
            assert visitor.get(f"/board/alpha.svg?ply={plies}") == visitor.get("/board/alpha.svg")
        for somebody, plies in ((visitor, 3), (arbiter, 6)):
            assert f'"plies":{plies},' in somebody.state_told()
        over = game_of(6)
        ended = over.resign(over.position.side)
        say(served, told_game(ended, 50))
        until(lambda: visitor.get("/api/hall")[0]["result"] != "*")
        assert visitor.get("/api/hall")[0]["plies"] == 6


def test_spectators_are_late_by_time(tmp_path: Path, mosquitto: Mosquitto) -> None:
    with hall_served(tmp_path / "hall", mosquitto.broker, Delay(seconds=1.5)) as served:
        visitor, arbiter = served.visitor(), served.visitor(is_arbiter=True)
        began = time.time()
        say(served, told_game(game_of(2), 2))
        until(lambda: bool(arbiter.get("/api/hall")))
        while not visitor.get("/api/hall"):
            time.sleep(0.02)
        assert time.time() >= began + 1.5


def test_who_does_not_know_the_pin_changes_nothing(tmp_path: Path, mosquitto: Mosquitto) -> None:
    begin = {"do": "begin", "tournament": {"players": ["Tara", "Gahan"], "tables": ["alpha"]}}
    with hall_served(tmp_path / "hall", mosquitto.broker) as served:
        visitor = served.visitor()
        assert visitor.post("/api/do", begin) == 401
        assert visitor.post("/api/token", {"pin": "000000"}) == 403
        arbiter = served.visitor(is_arbiter=True)
        assert arbiter.post("/api/do", begin, origin="http://elsewhere.example") == 403
        assert served.hall.tournament is None
        assert arbiter.post("/api/do", begin) == 200
        assert arbiter.post("/api/do", {"do": "pair", "more": 1}) == 400
        assert arbiter.post("/api/do", {"do": "unpair"}) == 404
        bad = {"do": "begin", "tournament": {"players": ["?", "Gahan"], "tables": ["alpha"]}}
        assert arbiter.post("/api/do", bad) == 400
    with hall_served(tmp_path / "other", mosquitto.broker, has_arbiter=False) as shown:
        assert shown.visitor().post("/api/token", {"pin": "123456"}) in (404, 405)
        assert shown.hall.link is None


def test_a_round_from_its_seats_to_its_export(tmp_path: Path, mosquitto: Mosquitto) -> None:
    with (
        hall_served(tmp_path / "hall", mosquitto.broker) as served,
        sitting(tmp_path / "alpha") as evening,
        telling_of(evening, mosquitto.port),
    ):
        arbiter = served.visitor(is_arbiter=True)
        tournament = {"players": ["Tara", "Gahan"], "tables": ["alpha"], "conduct": "friendly"}
        assert arbiter.post("/api/do", {"do": "begin", "tournament": tournament}) == 200
        until(lambda: bool(arbiter.get("/api/hall")))
        assert arbiter.post("/api/do", {"do": "pair"}) == 200
        stepping(evening, lambda: bool(evening.view.guest_notes))
        evening.tell(New())
        assert evening.record.header.black == "Tara"
        evening.move("d2", "d3")
        until(lambda: arbiter.get("/api/hall")[0]["plies"] == 1)
        rev = arbiter.get("/api/hall")[0]["rev"]
        word = {"do": "say", "table": "alpha", "rev": rev}
        adjudicate = {"do": "adjudicate", "result": "orange"}
        assert arbiter.post("/api/do", {**word, "command": adjudicate}) == 200
        stepping(evening, lambda: evening.record.ending is not None)
        until(lambda: arbiter.get("/api/tournament")["rounds"][0]["pairs"][0]["result"] == "orange")
        assert arbiter.get("/api/tournament")["standings"][0]["player"] == "Gahan"
        path = tmp_path / "hall" / "export" / "round-01" / "games.jgn"
        until(lambda: path.is_file() and "adjudicated orange" in path.read_text())
        assert parse_games(path.read_text())[0].tags["Round"] == "1"
        results = (tmp_path / "hall" / "export" / "results.csv").read_text().splitlines()
        assert results == ["round,table,black,orange,result", "1,alpha,Tara,Gahan,orange"]
        assert visitor_games(served) == path.read_text()


def visitor_games(served: ServedHall) -> str:
    text = served.visitor().get("/export/games.jgn")
    assert isinstance(text, str)
    return text


def test_spectators_hear_of_results_when_they_see_them(
    tmp_path: Path, mosquitto: Mosquitto
) -> None:
    with hall_served(tmp_path / "hall", mosquitto.broker, Delay(seconds=1.0)) as served:
        visitor, arbiter = served.visitor(), served.visitor(is_arbiter=True)
        tournament = {"players": ["Tara", "Gahan"], "tables": ["alpha"]}
        arbiter.post("/api/do", {"do": "begin", "tournament": tournament})
        arbiter.post("/api/do", {"do": "pair"})
        game = game_of(4)
        ended = told_game(game.resign(game.position.side), 9, Black="Tara", Orange="Gahan")
        say(served, ended)

        def result_for(who: object) -> str:
            assert hasattr(who, "get")
            return str(who.get("/api/tournament")["rounds"][0]["pairs"][0]["result"])

        until(lambda: result_for(arbiter) == ended.result)
        assert result_for(visitor) == "*"
        until(lambda: result_for(visitor) == ended.result)
        assert visitor.get("/api/hall")[0]["result"] == ended.result


def test_a_hall_killed_and_begun_again_shows_all_there_is(
    tmp_path: Path, mosquitto: Mosquitto
) -> None:
    game = told_game(game_of(5), 9)
    with hall_served(tmp_path / "hall", mosquitto.broker) as served:
        say(served, game)
        until(lambda: bool(served.visitor().get("/api/hall")))
    with hall_served(tmp_path / "hall", mosquitto.broker) as served:
        assert served.visitor().get("/api/hall")[0]["hash"] == game.hash

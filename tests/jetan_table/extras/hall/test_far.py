"""Two tables far apart: every case of `tests/data/far`, and what only two programs can show."""

import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import click
import pytest
from msgspec.structs import replace

from jetan_table.extras.hall.broker import BrokerFiles
from jetan_table.extras.hall.far_match import accepted, check_match
from jetan_table.extras.hall.options import FarOptions
from jetan_table.extras.hall.payloads import encode, match_topic
from jetan_table.extras.hall.settings import HallSettings
from jetan_table.extras.hall.teller import far_player, proposed_side, telling
from jetan_table.game.agreements import BadTimeControl
from jetan_table.settings import Settings
from rules import Position, RulesError, Worded, parse_rules
from tests.cases import Case, every_case
from tests.jetan_table.extras.hall.far_table import CODE, Match, match
from tests.jetan_table.extras.hall.mosquitto import BadLine, Mosquitto, free_port, until
from tests.jetan_table.sitting import sitting
from tests.profiles import PATIENCE_S

pytestmark = pytest.mark.needs("mosquitto")


@pytest.fixture
def far_match(tmp_path: Path, mosquitto: Mosquitto) -> Iterator[Match]:
    """Two tables at one broker."""
    with match(tmp_path, (mosquitto.port,) * 2, broker=mosquitto) as both:
        yield both


@pytest.mark.parametrize("case", every_case("far"))
def test_what_is_done_at_one_table_is_so_at_the_other(case: Case, far_match: Match) -> None:
    for word, rest in case:
        far_match.do(word, rest)
    far_match.agree()
    assert far_match.tables


@pytest.mark.parametrize("line", ["moves  Pd2-d4", "shows  record.ending draw", "notes  no"])
def test_a_case_that_expects_something_else_fails(far_match: Match, line: str) -> None:
    with pytest.raises(AssertionError):
        far_match.do("alpha", line)


def test_no_clock_pays_for_the_line(tmp_path: Path, mosquitto: Mosquitto) -> None:
    with ExitStack() as ends:
        line = ends.enter_context(closing(BadLine(mosquitto.port, 1, trouble=0.0)))
        far_match = ends.enter_context(match(tmp_path, (mosquitto.port, line.port), clock="10"))
        alpha, beta = far_match.both
        far_match.do("alpha", "plays Pd2-d3")
        far_match.do("beta", "follows")
        # Orange's clock is beta's: what it ran at alpha until the ply was certain is given back.
        far_match.await_that(lambda: alpha.clocks.left.orange == 600.0)
        line.close()
        until(lambda: not beta.link.is_up)
        far_match.do("beta", "plays Pe9-e8")
        left = beta.clocks.left.orange
        # An hour passes at both tables while the line is cut.
        for table in far_match.both:
            for _count in range(36):
                table.evening.clock.sleep(100.0)
                table.step(0.02)
        assert beta.clocks.left.orange == left
        assert alpha.clocks.left.orange == 600.0
        assert alpha.record.ending is None
        assert beta.record.ending is None
        assert not beta.link.is_up
        beta.step()
        beta.do("notes", "no connection")


def test_a_ply_goes_over_the_line_once_its_player_has_pressed(far_match: Match) -> None:
    far_match.clock = "10+5 buttons"
    alpha, beta = far_match.both
    far_match.do("alpha", "plays Pd2-d3")
    for _count in range(20):
        far_match.do("both", "waits 0.1")
        time.sleep(0.01)
    assert beta.view.help.wish is None
    beta.do("refuse", "press: for itself")
    alpha.do("say", "press")
    alpha.do("refuse", "press: for itself")
    far_match.do("beta", "follows")
    far_match.do("soon", "beta shows record.clocks.running orange")
    beta.do("plays", "Pe9-e8")
    beta.do("waits", "30")
    beta.do("shows", "record.clocks.running orange")
    beta.do("say", "press")
    left = beta.clocks.left.orange
    assert left < 600 - 29 + 5
    far_match.do("alpha", "follows")
    far_match.do("soon", "alpha shows record.clocks.running black")
    far_match.await_that(lambda: abs(alpha.clocks.left.orange - left) < 0.02)


def test_an_hourglass_runs_the_same_at_both_tables(far_match: Match) -> None:
    far_match.clock = "hourglass 3"
    alpha, beta = far_match.both
    far_match.do("alpha", "plays Pd2-d3")
    far_match.do("beta", "follows")
    beta.do("waits", "20")
    beta.do("plays", "Pe9-e8")
    far_match.do("alpha", "follows")
    used = 180.0 - beta.clocks.left.orange
    assert used > 19.0
    far_match.await_that(lambda: abs(alpha.clocks.began.orange - (180.0 - used)) < 0.02)
    alpha.do("waits", "30")
    alpha.do("plays", "Pe2-e3")
    far_match.do("beta", "follows")
    black = alpha.clocks.left.black
    assert black < 180.0 + used - 29.0
    far_match.await_that(lambda: abs(beta.clocks.began.black - black) < 0.02)
    assert all(abs(sum(table.clocks.left) - 360.0) < 0.05 for table in far_match.both)


def test_a_third_table_is_not_let_in(far_match: Match) -> None:
    alpha = far_match.both[0]
    third = accepted(alpha.far._state.side, "alpha", "Cluros")
    alpha.far.take_in(match_topic(CODE, "gamma"), encode(third))
    alpha.far.take_in(match_topic(CODE, "beta"), b"garbage")
    far_match.do("alpha", "plays Pd2-d3")
    far_match.do("beta", "follows")
    assert alpha.far._state.side.other == "beta"


def test_a_far_ply_that_cannot_be_stops_the_game(far_match: Match) -> None:
    alpha, beta = far_match.both
    forged = replace(alpha.far._state.side, rev=99, plies=("Pd2-d9",), stands=1)
    mended = replace(forged, rev=100, plies=(), stands=0)
    for word, notes in ((forged, "contradicts"), (mended, "nothing")):
        beta.far.take_in(match_topic(CODE, "alpha"), encode(word))
        beta.step(1.0)
        beta.do("notes", notes)
        assert all(isinstance(note, Worded) for note in beta.view.guest_notes)
        assert beta.record.moves == ()


@pytest.mark.parametrize(
    ("rules", "clock"),
    [("appendix", "10+5 levers"), ("nothing", "none")],
)
def test_what_two_tables_cannot_play_is_refused(rules: str, clock: str) -> None:
    with pytest.raises((BadTimeControl, RulesError)):
        check_match(rules, clock)


def test_a_match_is_invited_to_and_accepted_by_its_code(tmp_path: Path) -> None:
    files = BrokerFiles(tmp_path / "broker")
    for name in ("alpha", "beta"):
        files.seat(name, lambda name=name: f"secret of {name}")  # type: ignore[misc]
    port = free_port()
    files.write_config(port, "127.0.0.1")
    with Mosquitto(tmp_path, files.config, port), ExitStack() as ends:
        players = []
        evenings = []
        for name in ("alpha", "beta"):
            evening = ends.enter_context(sitting(tmp_path / name))
            hall = HallSettings(
                broker=f"mqtt://127.0.0.1:{port}", table=name, password=str(files.secret(name))
            )
            teller = ends.enter_context(telling(Settings(extras=(hall,)), 0.0, time.monotonic))
            evening.table.welcome(teller)
            settings = Settings(extras=(hall,))
            side = proposed_side(
                settings, FarOptions(CODE, "black"), Position.start(parse_rules("appendix"))
            )
            player = far_player(teller, CODE, tmp_path / name, side, time.monotonic)
            evening.table.welcome(player)
            players.append(player)
            evenings.append(evening)
        assert [player.own_side.word for player in players] == ["black", "orange"]
        ends_at = time.monotonic() + PATIENCE_S
        while any(evening.record.header.orange != "beta" for evening in evenings):
            assert time.monotonic() < ends_at
            for evening in evenings:
                evening.wait(0.1)
        evenings[0].move("d2", "d3")
        while evenings[1].view.help.wish is None:
            assert time.monotonic() < ends_at
            evenings[1].wait(0.1)
    assert FarOptions("new", "black").code("ABCDEF") == "ABCDEF"
    for wrong in ("short", "sevenxx", "123456"):
        with pytest.raises(click.UsageError):
            FarOptions(wrong, "black").code("")

"""What is wrong is said on the page, on the terminal's screen, in plain lines and in the log."""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import NamedTuple

import pytest
from msgspec.structs import replace
from playwright.sync_api import expect

from jetan_table.game.events import Entry, Noted, SeriesAgreed
from jetan_table.game.terms import agreed
from jetan_table.journal.journal import Journal
from jetan_table.light.lamps import CHOICE_FILE
from tests.e2e.forked import forked
from tests.e2e.guest import Guest
from tests.e2e.served import Served, served, visiting
from tests.e2e.test_screen import Typist
from tests.e2e.test_serial_board import ODD, answering
from tests.e2e.test_what_happens import playing, read_until, type_in
from tests.e2e.windows import Windows
from tests.e2e.worlds import on_a_pi, with_little_patience
from tests.firmware_bridge.peer import Peer
from tests.jetan_table.cli.in_process import run
from tests.jetan_table.hands import header
from tests.jetan_table.sitting import play_one_move
from tests.profiles import PATIENCE_S
from tests.sentences import all_said

SURFACES = ("page", "terminal", "plain lines")
HANGS = f"command:{sys.executable} -c 'import time; time.sleep(999)'"


class Table(NamedTuple):
    """A table as somebody hears it by one surface."""

    pid: int
    hears: Callable[[str], object]
    play: Callable[[str, str], object]


@contextmanager
def heard(
    surface: str, home: Path, *arguments: str, world: Callable[[], None] | None = None
) -> Iterator[Table]:
    """Begin a table in a world, and listen to it."""
    match surface:
        case "page":
            with served(home, *arguments, world=world) as page:
                page.await_playing()
                yield Table(page.pid, partial(hear_on_page, page), partial(move_on_page, page))
        case "terminal":
            with closing(Typist(home, *arguments, world=world)) as typist:
                typist.await_text("to move")
                yield Table(
                    typist.process.pid,
                    partial(hear_on_terminal, typist),
                    lambda *words: typist.type(f"{' '.join(words)}\r"),
                )
        case _:
            with playing(home, *arguments, world=world) as lines:
                read_until(lines, "to move")
                yield Table(
                    lines.pid,
                    partial(read_until, lines),
                    lambda *words: type_in(lines, " ".join(words)),
                )


def hear_on_page(page: Served, words: str) -> bool:
    until = time.monotonic() + PATIENCE_S
    while words not in (sentences := "\n".join(said_on_page(page, "en"))):
        assert time.monotonic() < until, sentences
        time.sleep(0.2)
    return True


def hear_on_terminal(typist: Typist, words: str) -> bool:
    typist.await_text(words)
    return True


def move_on_page(page: Served, start: str, end: str) -> None:
    guest = Guest(page)
    assert guest.do({"do": "move", "from_square": start, "to_square": end})[0] == 200


@contextmanager
def held_up(pid: int) -> Iterator[None]:
    """Let a process stand still half of the time while the block runs."""
    is_over = Event()

    def hold_up() -> None:
        while not is_over.wait(0.15):
            os.kill(pid, signal.SIGSTOP)
            time.sleep(0.15)
            os.kill(pid, signal.SIGCONT)

    holding = Thread(target=hold_up, daemon=True)
    holding.start()
    try:
        yield
    finally:
        is_over.set()
        holding.join()


@pytest.mark.promises(
    "the machine is too busy to scan a Pi's own pins in time", "page", "terminal", "plain lines"
)
@pytest.mark.parametrize("surface", SURFACES)
def test_a_machine_that_is_too_busy_is_said(surface: str, tmp_path: Path) -> None:
    with (
        heard(surface, tmp_path, "--board", "pins", world=on_a_pi) as table,
        held_up(table.pid),
    ):
        assert table.hears("busy: ")  # a terminal may break the line before it


@pytest.mark.promises("an engine hangs", "page", "terminal", "plain lines")
@pytest.mark.parametrize("surface", SURFACES)
def test_an_engine_that_hangs_is_said_and_given_up(surface: str, tmp_path: Path) -> None:
    hangs = ("--board", "screen", "--opponent", HANGS, "--think", "0.1")
    with heard(surface, tmp_path, *hangs, world=with_little_patience) as table:
        table.play("d2", "d3")
        assert table.hears("hung 3")


@pytest.mark.promises("a board announces or sends something unknown to this program", "terminal")
def test_a_board_of_a_kind_nobody_knows_is_named(tmp_path: Path) -> None:
    with (
        answering(Peer(sensor=ODD, now=time.monotonic())) as port,
        closing(Typist(tmp_path, "--board", port)) as typist,
    ):
        assert hear_on_terminal(typist, "kind (2)")


@pytest.mark.promises("a game is loaded from a pipe, a device or a file without end", "terminal")
def test_a_pipe_is_no_game_to_go_on_from_on_the_screen_either(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "p.jgn")
    with heard("terminal", tmp_path) as table:
        table.play("load", str(tmp_path / "p.jgn"))
        assert table.hears("is no plain")


EVIL = "\x1b]0;mine\x07\x1b[2J\x9b31m"


@pytest.mark.promises("names or texts from elsewhere contain codes for terminals", "terminal")
def test_codes_for_terminals_are_shown_as_what_they_are(tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "games")) as journal:
        begun = replace(header(), black=EVIL, orange=f"{EVIL}2")
        game = journal.begin(begun, [Entry(begun.started, SeriesAgreed(EVIL))])
        journal.append(game, [Entry(begun.started, event) for event in agreed("10", "friendly")])
        journal.append(game, [Entry(begun.started, Noted(EVIL))])
    with closing(Typist(tmp_path)) as typist:
        typist.await_text("�]0;mine")
        typist.type("games\r")
        typist.type("note \x1b]0;mine\x07\x9b\r")
        typist.await_text("> note")
        assert not any(code in typist.seen for code in ("\x1b]", "\x07", "\x9b"))


def damaged_game(games: Path) -> None:
    """Change an event of the game that goes on."""
    journal = games / "journal.sqlite"
    journal.write_bytes(journal.read_bytes().replace(b"Pd2-d3", b"Pd2-d4"))


def longer_text(games: Path) -> None:
    """Play on in the game's text, by whoever's hand."""
    text = games / "games" / "00001.jgn"
    kept = text.read_text().partition("%journal")[0].replace(" *", " Pe9-e8 *")
    text.write_text(kept)


def lost_journal(games: Path) -> None:
    (games / "journal.sqlite").unlink()


def no_journal(games: Path) -> None:
    (games / "journal.sqlite").write_bytes(b"no journal" * 1000)


def no_pin(games: Path) -> None:
    (games / "pin").write_bytes(b"")


def damaged_choice(games: Path) -> None:
    (games / CHOICE_FILE).write_bytes(b"{")


DAMAGED = (
    (damaged_game, "is set aside: game 1: event 1 is not as it was written"),
    (longer_text, "It is kept as {games}/games/00001.kept-1.jgn"),
    (lost_journal, "jetan games salvage {games}/games.lost-1 brings them back"),
    (no_journal, "The journal was damaged. It is kept as {games}/journal.damaged-1.sqlite"),
    (no_pin, "{games}/pin: holds no PIN, which is six digits; for a new one delete it"),
    (damaged_choice, f"it is kept as {{games}}/{Path(CHOICE_FILE).stem}.damaged-1.json"),
)


def said_on_page(page: Served, language: str) -> list[str]:
    """What stands in the status line, and what is listed as amiss."""
    state = page.state()
    found = [each["found"] for each in state["notices"]]
    return all_said([*state["said"], *found], language)


@pytest.mark.promises(
    "a game in the journal is damaged, cut short, or missing",
    "plain lines",
    "log",
)
@pytest.mark.promises(
    "the text of a game differs from the journal's, or is longer", "plain lines", "log"
)
@pytest.mark.promises("the journal is lost", "plain lines", "log")
@pytest.mark.promises("the journal as a whole cannot be written", "plain lines", "log")
@pytest.mark.promises("the file `pin` is damaged or empty", "plain lines", "log")
@pytest.mark.promises(
    "what was learned, the look of the lamps, or an unfinished set-up is damaged",
    "plain lines",
    "log",
)
@pytest.mark.parametrize(
    ("damage", "sentence"), DAMAGED, ids=lambda one: getattr(one, "__name__", "")
)
@pytest.mark.parametrize("surface", ["plain lines", "log"])
def test_what_was_found_damaged_at_the_start_is_said(
    surface: str, damage: Callable[[Path], None], sentence: str, tmp_path: Path
) -> None:
    games = tmp_path / "games"
    play_one_move(games)
    damage(games)
    assert sentence.format(games=games) in at_start(surface, tmp_path)


def at_start(surface: str, home: Path) -> str:
    """Return what the next start says, in plain lines or as a service."""
    data = ("--data", home / "games")
    if surface == "plain lines":
        begun = run(home, "play", "--plain", *data, typed="quit\n")
        assert begun.returncode == 0
        return begun.stdout
    process, log = forked(home, "serve", "--port", "0", *data)
    with log:
        lines = list(iter(log.readline, "Ctrl-C stops; the game goes on next time.\n"))
        process.kill()
        process.join()
    return "".join(lines)


@pytest.mark.promises("a game in the journal is damaged, cut short, or missing", "page")
def test_a_game_that_is_set_aside_is_named_on_the_page_until_the_next_move(tmp_path: Path) -> None:
    games = tmp_path / "games"
    play_one_move(games)
    damaged_game(games)
    with served(tmp_path, "--board", "screen") as page:
        assert hear_on_page(page, "set aside: game 1: event 1 is not as it was written")
        german = "\n".join(said_on_page(page, "de"))
        assert "beiseitegelegt: Partie 1: Ereignis 1 ist" in german
        move_on_page(page, "e2", "e3")
        assert not any("set aside" in line for line in said_on_page(page, "en"))


@pytest.mark.needs("chromium")
def test_what_cannot_be_read_of_a_game_is_not_shown_in_the_list_of_games(
    windows: Windows, tmp_path: Path
) -> None:
    play_one_move(tmp_path / "games")
    damaged_game(tmp_path / "games")
    with served(tmp_path) as page, visiting(windows, page) as guest:
        guest.page.locator("#open-games").click()
        rows = guest.page.get_by_role("dialog").get_by_role("listitem")
        hidden = rows.filter(has_text="damaged")
        expect(hidden).to_have_text("1damaged")
        expect(hidden.locator("img, button")).to_have_count(0)

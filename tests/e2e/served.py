"""A table served on its page, in another process, and visitors to it in a real browser."""

import json
import os
import re
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Protocol
from urllib.request import Request, urlopen

from playwright.sync_api import Locator, Page, expect

from jetan_table.journal.archive import Archive
from rules import RECOMMENDED, parse_square
from tests.e2e.forked import forked
from tests.e2e.windows import OWN_NAME, Windows
from tests.profiles import PATIENCE_S

URL = re.compile(r"http://\S+")


class Site(Protocol):
    """Where a page is served, and by what PIN it takes orders."""

    url: str
    pin: str


class Served:
    """`jetan play` with its page on a free port; `start` again after `kill` serves the same.

    `found` is the state in which those who share it with others find it.
    """

    def __init__(
        self, home: Path, *arguments: str | Path, world: Callable[[], None] | None = None
    ) -> None:
        self.home, self.arguments, self._world = home, arguments, world
        self.port = 0
        self.found: dict[str, Any] = {}
        self._token = ""
        self.start()

    def start(self) -> None:
        words: tuple[str | Path, ...] = (
            "play",
            "--no-browser",
            "--port",
            str(self.port),
            "--data",
            self.home / "games",
        )
        if not {"--board", "--hands", "--camera"} & set(self.arguments):
            words = (*words, "--board", "simulated")
        self._process, self._printed = forked(self.home, *words, *self.arguments, world=self._world)
        printed = ""
        while not URL.search(printed):
            line = self._printed.readline()
            assert line, f"the table did not start: {printed}"
            printed += line
        self.url = URL.findall(printed)[0]
        self.pin = (self.home / "games" / "pin").read_text(errors="replace").strip()
        self.port = int(self.url.rstrip("/").rpartition(":")[2])

    def kill(self) -> None:
        self._process.kill()
        self._end()

    def state(self) -> dict[str, Any]:
        """What a page that has just been opened is told, but the game's number."""
        with urlopen(f"{self.url}events") as stream:
            *_, line = [stream.readline() for _ in range(6)]  # the time, and then the state
        state: dict[str, Any] = json.loads(line.removeprefix(b"data: "))
        del state["game"]
        return state

    def await_playing(self) -> dict[str, Any]:
        """Wait until the board stands right, and return the state."""
        patience = time.monotonic() + PATIENCE_S
        while (state := self.state())["phase"] != "playing":
            assert time.monotonic() < patience, state["said"]
            time.sleep(0.05)
        return state

    def ask(self, path: str, **body: object) -> Any:
        """Post something as whoever knows the PIN, and return the answer."""
        if not self._token and path != "api/token":
            self._token = self.ask("api/token", pin=self.pin)["token"]
        headers = {"content-type": "application/json", "authorization": f"Bearer {self._token}"}
        asked = Request(f"{self.url}{path}", json.dumps(body).encode(), headers)
        with urlopen(asked) as answer:
            return json.loads(answer.read())

    def begin_anew(self, rules: str = RECOMMENDED, **asked: str) -> None:
        """Begin a game like the first one, or by other rules, or from a `position`."""
        terms = {"clock": "none", "conduct": "friendly", "black": "?", "orange": "?"}
        self.ask("api/do", do="new", rules=rules, **{**terms, **asked})
        self.await_playing()

    def leave_exercises(self) -> None:
        """Leave lesson, puzzle, study and opponent, so that two people may begin a game."""
        state = self.state()
        if state["training"] or state["lesson"]:
            self.ask("api/do", do="leave")
        if state["is_study"]:
            self.ask("api/do", do="study", is_wanted=False)
        if state["opponent"]:
            self.ask("api/do", do="invite", level=None, side="orange")

    def await_kept(self, square: str) -> None:
        """Wait until what the switch under a square has said since the start is on the disk."""
        patience = time.monotonic() + PATIENCE_S
        while time.monotonic() < patience:
            with closing(Archive.open(self.home / "games")) as archive:
                observations = list(archive.observations(archive.games()[-1].game))
            if any(parse_square(square) in observation.squares for observation in observations[1:]):
                return
            time.sleep(0.1)
        raise AssertionError(f"nothing that {square} has said was kept")

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int | None:
        """Ask it to stop, as a service manager does, and return its exit code."""
        os.kill(self.pid, number)
        return self._end()

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    def _end(self) -> int | None:
        self._printed.close()
        self._process.join(PATIENCE_S)
        return self._process.exitcode


@contextmanager
def served(
    home: Path, *arguments: str | Path, world: Callable[[], None] | None = None
) -> Iterator[Served]:
    table = Served(home, *arguments, world=world)
    try:
        yield table
    finally:
        table.kill()


@contextmanager
def served_at_broker(folder: Path, port: int, name: str) -> Iterator[Served]:
    """A table without a board, that is called so at the broker of this port."""
    home = folder / name
    home.mkdir()
    config = home / "settings.toml"
    config.write_text(f'[hall]\nbroker = "mqtt://127.0.0.1:{port}"\ntable = "{name}"\n')
    with served(home, "--config", config, "--board", "screen") as table:
        yield table


class Visitor:
    """Somebody at the page; `foreign` are requests that left the table, `errors` the page's own."""

    def __init__(self, page: Page, home: str) -> None:
        self.page = page
        self.foreign: list[str] = []
        self.errors: list[str] = []
        self._ears: dict[Any, Callable[[Any], None]] = {
            "request": lambda asked: self._note(asked.url, home),
            "pageerror": lambda error: self.errors.append(str(error)),
            "console": self._note_refusal,
        }
        for event, hear in self._ears.items():
            page.on(event, hear)

    def leave(self) -> None:
        """Hear nothing of the page any more; it made no error and asked the table alone."""
        for event, hear in self._ears.items():
            self.page.remove_listener(event, hear)
        assert self.errors == []
        assert self.foreign == []

    def await_ready(self) -> None:
        self.page.wait_for_selector("body[data-ready]")

    def await_playing(self, since: str | None = None) -> None:
        """Wait until the board stands right for a game, another than `since` where that is told.

        What is touched before that is no ply.
        """
        other = "" if since is None else f':not([data-ready="{since}"])'
        self.page.wait_for_selector(f'body[data-phase="playing"]{other}')

    def begin(self, **chosen: str) -> None:
        """Begin a new game in the dialog, with what is `chosen` in it by name."""
        before = self.game
        self.page.keyboard.press("n")
        dialog = self.page.get_by_role("dialog")
        for name, value in chosen.items():
            fill_in(dialog, name, value)
        dialog.get_by_role("button", name="Begin").click()
        self.await_playing(since=before)
        expect(dialog).to_be_hidden()

    @property
    def game(self) -> str:
        """The name of the game that the page shows."""
        return self.page.get_attribute("body", "data-ready") or ""

    def square(self, name: str) -> Any:
        return self.page.locator(f"#square-{name}")

    def touch(self, *names: str) -> None:
        """Click squares, one after another."""
        for name in names:
            self.square(name).click(force=True)

    def drag(self, start: str, end: str) -> None:
        """Drag from square to square, as a mouse does."""
        mouse = self.page.mouse
        self._go(start)
        mouse.down()
        self._go(end)
        mouse.up()

    def _go(self, name: str) -> None:
        box = self.square(name).bounding_box()
        middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.mouse.move(*middle, steps=4)

    def is_as_wide_as_its_window(self) -> bool:
        """Whether nothing on the page, or in its dialogs, asks for scrolling sideways."""
        parts = "[document.documentElement, ...document.querySelectorAll('dialog')]"
        return bool(self.page.evaluate(f"{parts}.every((e) => e.scrollWidth <= e.clientWidth)"))

    def assert_moves(self, *moves: str) -> None:
        """Wait until exactly these moves are listed."""
        expect(self.page.locator("#moves [data-ply]")).to_have_text(list(moves))

    def assert_said(self, words: str) -> None:
        expect(self.page.locator("#said")).to_contain_text(words)

    def assert_cue(self, name: str, cue: str) -> None:
        expect(self.square(name)).to_have_attribute("data-cue", cue)

    def assert_piece(self, name: str, words: str) -> None:
        """Wait until a square is called so: `d3, Black Panthan`."""
        expect(self.square(name)).to_have_attribute("aria-label", re.compile(words))

    def _note(self, url: str, home: str) -> None:
        if not url.startswith((home, f"blob:{home}", "data:")):
            self.foreign.append(url)

    def _note_refusal(self, message: Any) -> None:
        if message.type == "error" and "Content Security" in message.text:
            self.errors.append(message.text)


def fill_in(dialog: Locator, name: str, value: str) -> None:
    """Choose something by its name in the dialog of a new game, whatever shape it has there."""
    dialog.evaluate("each => each.querySelectorAll('details').forEach((part) => part.open = true)")
    choice = dialog.locator(f"[name={name}]")
    if name == "preset":
        dialog.locator(f"[name=preset][value={value}]").check(force=True)
    elif name == "conduct":
        choice.select_option(value)
    else:
        if name == "clock":
            dialog.locator("[name=clock-chip][value=other]").check(force=True)
        choice.fill(value)


@contextmanager
def visiting(
    windows: Windows, table: Site, query: str = "", knows_pin: bool = True, **how: Any
) -> Iterator[Visitor]:
    """A visit in which the page makes no error and asks nothing of anybody but the table."""
    url = table.url if knows_pin else table.url.replace("127.0.0.1", OWN_NAME)
    with windows.opened(url, **how) as page:
        guest = Visitor(page, url)
        page.goto(url + query + (f"#pin={table.pin}" if knows_pin else ""))
        guest.await_ready()
        yield guest
        guest.leave()

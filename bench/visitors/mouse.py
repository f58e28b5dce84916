"""Somebody with a mouse: plays both sides of a game to its end, or his own against the computer."""

import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any

from playwright.sync_api import Page

from rules import Kind, Move, Position, format_square, parse_position, parse_rules
from tests.e2e.served import Served, fill_in
from tests.e2e.windows import Windows

READINGS = (
    *("zillions", "appendix", "chapter-two", "abstract-games", "cazaux", "wikipedia-free"),
    *("retired-chief", "friedlander", "manator", "manator-arena", "ninth-ray-clockwise"),
)
COMPUTER = "computer"
"""A game against the computer, as its tile on the first page begins it."""
GAMES = (*READINGS, COMPUTER)
STUCK_S = 20.0
"""Nothing that the page waits for takes so long."""
MOST_PLIES = 240
"""Whoever has played so long resigns."""
LOOKED_AT = 30
"""So many moves come to mind, those that take something first."""
NODS = 0.12
"""How often nobody looks what the answer may be."""
WORTH = (Kind.PRINCESS, Kind.CHIEF, Kind.FLIER, Kind.DWAR)

MIDDLES = """() => Object.fromEntries(
  [...document.querySelectorAll("#board [data-square]")].map((square) => {
    const { e, f } = square.querySelector(".stands").getScreenCTM();
    return [square.dataset.square, [e, f]];
  }))"""
"""Where the middle of each square is on the screen: of a disk's, no box tells it."""
MARKED = """() => [...document.querySelectorAll("#board :is([data-cue=legal], [data-cue=capture])")]
  .map((square) => square.dataset.square)"""
DUE = "#roll-opening, #do-roll:enabled, #do-throw"
"""Buttons that throw what is to be thrown before anybody may move."""


@dataclass
class Visit:
    """A game on the page: how long it was, how it ended, and all that was amiss meanwhile."""

    who: str
    rules: str
    plies: int = 0
    ended: str = ""
    troubles: list[str] = field(default_factory=list)

    def line(self) -> str:
        return f"{self.who:6} {self.rules:20} {self.plies:4} plies  {self.ended}"


class Stuck(Exception):
    """The page or the table does not come to what is waited for."""


def play_by_mouse(
    windows: Windows, table: Served, kinds: Sequence[str], seed: int = 64
) -> Iterator[Visit]:
    """Play games of these kinds one after another in one window, each a reading or COMPUTER."""
    with windows.opened(table.url, reduced_motion="no-preference") as page:
        page.goto(f"{table.url}?play")
        for number, kind in enumerate(kinds):
            visit = Visit("mouse", kind)
            with complaints(page, visit):
                mouse = Mouse(page, table, Random(seed + number))
                mouse.begin(kind)
                mouse.play(visit)
            yield visit


@contextmanager
def complaints(page: Page, visit: Visit) -> Iterator[None]:
    """Note what the page complains of meanwhile, and where it is stuck."""

    def refused(answer: Any) -> None:
        if answer.status >= 400:
            visit.troubles.append(f"refused: {answer.request.post_data}")

    ears: dict[Any, Callable[[Any], None]] = {
        "pageerror": lambda error: visit.troubles.append(f"error: {error}"),
        "response": refused,
    }
    for event, hear in ears.items():
        page.on(event, hear)
    try:
        yield
    except Stuck as stuck:
        visit.troubles.append(f"stuck: {stuck}")
        visit.ended = "stuck"
    finally:
        for event, hear in ears.items():
            page.remove_listener(event, hear)


def await_true(what: str, is_so: Callable[[], Any], patience_s: float = STUCK_S) -> Any:
    """Wait until something is so, and return it; Stuck where it takes too long."""
    end = time.monotonic() + patience_s
    while not (found := is_so()):
        if time.monotonic() > end:
            raise Stuck(what)
        time.sleep(0.02)
    return found


class Mouse:
    """Plays by pressing and dragging; knows the rules, and holds what is lit to them."""

    def __init__(
        self,
        page: Page,
        table: Served,
        rng: Random,
        choose: Callable[[Position, Random], Move] | None = None,
    ) -> None:
        self.page, self.table, self.rng, self.choose = page, table, rng, choose or chosen

    def begin(self, kind: str) -> None:
        """Begin a game by its reading in the dialog of a new game, or by the computer's tile."""
        page = self.page
        page.wait_for_selector("body[data-ready]")
        before = page.get_attribute("body", "data-ready")
        if kind == COMPUTER:
            if page.locator("#start").is_hidden():
                page.locator("#open-start").click()
            page.locator("[data-action=against]").click()
        else:
            page.locator("#open-new").click()
            dialog = page.get_by_role("dialog")
            fill_in(dialog, "preset", kind)
            dialog.get_by_role("button", name="Begin").click()
        page.wait_for_selector(f'body[data-phase=playing]:not([data-ready="{before}"])')
        page.wait_for_selector("#start", state="hidden")

    def play(self, visit: Visit) -> None:
        """Play until the game is over, and look at how the page says so."""
        while not (state := self.table.state())["over"]:
            visit.plies = len(state["moves"])
            if visit.plies >= MOST_PLIES:
                self.resign()
            elif is_due(state):
                self.page.locator(DUE).locator("visible=true").first.click()
            elif state["opponent"] is None or state["opponent"]["side"] != state["side"]:
                visit.troubles += self.move(state, is_dragged=visit.plies % 3 == 2)
            self.await_more(state)
        visit.plies = len(state["moves"])
        card = self.page.locator("#end-card")
        await_true("the end is shown", card.is_visible)
        title = self.page.locator("#end-result").inner_text()
        visit.ended = f"{title}: {state['over']['termination']}"

    def await_more(self, before: dict[str, Any]) -> None:
        """Wait until the game has gone on."""
        known, number = stage(before), len(before["moves"]) + 1
        await_true(f"move {number}", lambda: stage(self.table.state()) != known)

    def move(self, state: dict[str, Any], is_dragged: bool) -> Sequence[str]:
        """Make a move; return what the page has lit that it should not have, or the reverse."""
        position = parse_position(state["position"], parse_rules(state["rules"]))
        move = self.choose(position, self.rng)
        start, end = format_square(move.from_square), format_square(move.to_square)
        moves = [each for each in position.moves() if each.from_square == move.from_square]
        ends = {format_square(each.to_square) for each in moves}
        middles, mouse = self.page.evaluate(MIDDLES), self.page.mouse
        mouse.move(*middles[start])
        mouse.down()
        if not is_dragged:
            mouse.up()
        try:
            await_true("lit", lambda: ends == set(self.page.evaluate(MARKED)), STUCK_S / 2)
            amiss = []
        except Stuck:
            amiss = [f"{start}: lit {sorted(self.page.evaluate(MARKED))}, not {sorted(ends)}"]
        mouse.move(*middles[end], steps=5)
        if not is_dragged:
            mouse.down()
        mouse.up()
        return amiss

    def resign(self) -> None:
        self.page.locator("#do-menu").click()
        self.page.locator("#do-resign").click()
        self.page.get_by_role("dialog").get_by_role("button", name=re.compile("^Resign")).click()


def is_due(state: dict[str, Any]) -> bool:
    """Whether something is to be thrown before a piece may be moved."""
    is_rolled = state["die"] and state["die"]["is_due"]
    return bool(state["fight"] or state["opening"]["due"] or is_rolled)


def stage(state: dict[str, Any]) -> list[Any]:
    """Return how far a game is: it changes with whatever is played, thrown or settled."""
    return [state[name] for name in ("position", "over", "fight", "die", "opening")]


def chosen(position: Position, rng: Random) -> Move:
    """Return a move as of somebody who takes what he can, and mostly looks what that would cost."""
    is_awake = rng.random() > NODS

    def worth(move: Move) -> tuple[bool, bool, float]:
        after, piece = position.play(move), position.piece_at(move.to_square)
        if after.outcome:
            return after.outcome.winner is position.side, False, 0
        taken = [after.piece_at(reply.to_square) for reply in after.moves()] if is_awake else []
        is_safe = not any(each and each.kind in WORTH[:2] for each in taken)
        price = len(WORTH) - WORTH.index(piece.kind) if piece and piece.kind in WORTH else 0
        return False, is_safe, price + (piece is not None)

    moves = list(position.moves())
    rng.shuffle(moves)
    moves.sort(key=lambda move: position.piece_at(move.to_square) is None)
    return max(moves[:LOOKED_AT], key=worth)

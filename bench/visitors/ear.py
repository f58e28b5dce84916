"""Somebody who sees nothing: reads the page by its accessibility tree, and plays by keys.

All that this player knows are roles, names, where the focus is, and what live regions say.
"""

import re
from dataclasses import dataclass
from random import Random
from typing import Any

from playwright.sync_api import Page

from bench.visitors.mouse import COMPUTER, Stuck, Visit, await_true, complaints
from tests.e2e.served import Served
from tests.e2e.windows import Windows

MOST_PLIES = 400
MOST_TABS = 80
TRIED = 4
"""So many pieces are lifted, to hear where they may go, before one of them is moved."""
SQUARE = re.compile(r"([a-j]\d+), (.*)")
WAYS = ("ArrowLeft", "ArrowRight"), ("ArrowDown", "ArrowUp")
PRICES = ("Princess", "Chief", "Flier", "Dwar", "")
OVER = re.compile("You won|You lost|A draw")


@dataclass(frozen=True)
class Heard:
    """An element as it is read out."""

    role: str
    name: str
    is_focused: bool


class Ear:
    """The page, as a reader of the screen has it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._line = page.context.new_cdp_session(page)
        self._line.send("Accessibility.enable")

    def all(self) -> list[Heard]:
        """Return all that is there, in order."""
        return [
            Heard(
                str(node.get("role", {}).get("value", "")),
                str(node.get("name", {}).get("value", "")),
                any(
                    each["name"] == "focused" and each["value"]["value"]
                    for each in node.get("properties", ())
                ),
            )
            for node in self._nodes()
        ]

    def live(self) -> str:
        """Return what the live regions say now."""
        nodes = {node["nodeId"]: node for node in self._nodes()}
        words: list[str] = []
        wanted = [
            node
            for node in nodes.values()
            if any(each["name"] == "live" for each in node.get("properties", ()))
        ]
        while wanted:
            node = wanted.pop(0)
            if node.get("role", {}).get("value") == "StaticText":
                words.append(str(node["name"]["value"]))
            wanted += [nodes[child] for child in node.get("childIds", ()) if child in nodes]
        return " | ".join(words)

    def focused(self) -> Heard:
        """Return what the keys are on."""
        nodes = [node for node in self.all() if node.is_focused and node.role != "RootWebArea"]
        return nodes[-1] if nodes else Heard("", "", True)

    def squares(self) -> dict[str, str]:
        """Return what each square of the board is called."""
        found = (SQUARE.fullmatch(node.name) for node in self.all() if node.role == "gridcell")
        return {square[1]: square[2] for square in found if square}

    def is_said(self, words: str) -> bool:
        """Whether something of this name is there."""
        return any(words in node.name for node in self.all())

    def over(self) -> str:
        """Return the heading that says how the game has ended; empty before."""
        return next((n.name for n in self.all() if n.role == "heading" and OVER.match(n.name)), "")

    def _nodes(self) -> list[dict[str, Any]]:
        tree = self._line.send("Accessibility.getFullAXTree")
        return [node for node in tree["nodes"] if not node.get("ignored")]


class Blind:
    """Plays Black against the computer, as it hears the board."""

    def __init__(self, page: Page, rng: Random) -> None:
        self.page, self.ear, self.rng = page, Ear(page), rng

    def tab_to(self, role: str, name: str = "") -> None:
        """Press Tab until the keys are on something of this role and name."""
        for _press in range(MOST_TABS):
            there = self.ear.focused()
            if there.role == role and there.name.startswith(name):
                return
            self.page.keyboard.press("Tab")
        raise Stuck(f"Tab does not lead to {role} {name}")

    def go(self, square: str) -> None:
        """Go to a square by arrow keys."""
        found = SQUARE.match(self.ear.focused().name)
        if found is None:
            self.tab_to("gridcell")
            found = SQUARE.match(self.ear.focused().name)
        assert found is not None
        for at, ways in enumerate(WAYS):
            by = _place(square)[at] - _place(found[1])[at]
            for _press in range(abs(by)):
                self.page.keyboard.press(ways[by > 0])
        if not self.ear.focused().name.startswith(f"{square},"):
            raise Stuck(f"arrow keys lead to {self.ear.focused().name}, not to {square}")

    def lift(self, square: str) -> dict[str, str]:
        """Lift a piece; return the squares where it may go, each with what stands there."""
        self.go(square)
        self.page.keyboard.press("Enter")
        await_true(f"{square} is lifted", lambda: " lifted: " in self.ear.live())
        heard = self.ear.squares().items()
        return {name: what for name, what in heard if re.search("may (go here|be taken)", what)}

    def move(self) -> None:
        """Try some pieces, and make the dearest capture that was heard of, or any move."""
        own = [name for name, what in self.ear.squares().items() if what.startswith("Black ")]
        self.rng.shuffle(own)
        found: list[tuple[int, str, str]] = []
        for start in own:
            for end, what in self.lift(start).items():
                heard = (at for at, kind in enumerate(PRICES) if f"Orange {kind}" in what)
                found.append((next(heard, len(PRICES)), start, end))
            self.page.keyboard.press("Escape")
            await_true("it is put back", lambda: not self.ear.is_said("lifted from here"))
            if len({start for _price, start, _end in found}) >= TRIED:
                break
        if not found:
            raise Stuck("no piece may go anywhere")
        _price, start, end = min(found, key=lambda each: each[0])
        self.lift(start)
        self.go(end)
        self.page.keyboard.press("Enter")


def _place(square: str) -> tuple[int, int]:
    return "abcdefghij".index(square[0]), int(square[1:])


def play_blind(windows: Windows, table: Served, seed: int = 64) -> Visit:
    """Play a game against the computer without looking."""
    visit = Visit("blind", COMPUTER)
    with windows.opened(table.url) as page, complaints(page, visit):
        page.goto(table.url)
        page.wait_for_selector("body[data-ready]")
        blind = Blind(page, Random(seed))
        if not blind.ear.is_said("Play the computer"):  # a game was played here before
            blind.tab_to("button", "Start page")
            page.keyboard.press("Enter")
        blind.tab_to("button", "Play the computer")
        page.keyboard.press("Enter")
        await_true("a board", lambda: len(blind.ear.squares()) == 100)
        blind.tab_to("gridcell")
        play_on(blind, visit)
    return visit


def play_on(blind: Blind, visit: Visit) -> None:
    """Play until the game is over, as it is heard."""
    ear = blind.ear
    while visit.plies < MOST_PLIES:
        await_true("whose turn it is", lambda: ear.over() or ear.is_said("Black to move"))
        if title := ear.over():
            visit.ended = title
            return
        blind.move()
        visit.plies += 1
        await_true("it has moved", lambda: ear.over() or not ear.is_said("Black to move"))
        visit.plies += not ear.over()
    raise Stuck("the game does not end")

"""Takes the pictures of the page from the running program: `python -m docs.screenshots [NAME...]`.

Needs Debian's chromium-headless-shell and the project's `test` extra.
"""

import tempfile
from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from jetan_table.extras.hall.commands import PLAYERS, table_names
from jetan_table.extras.hall.payloads import ONLINE, table_topic
from tests.e2e.served import Visitor, served, visiting
from tests.e2e.windows import PHONE, Windows, chromium
from tests.jetan_table.extras.hall.mosquitto import Mosquitto
from tests.jetan_table.extras.hall.served import hall_served
from tests.jetan_table.extras.hall.test_hub import game_of, told_game
from tests.jetan_table.extras.hall.test_pages import say

PICTURES: Final = Path(__file__).parent / "pictures"
SCREEN: Final = {"width": 1366, "height": 768}
LYING_PHONE: Final = {"width": 844, "height": 390}
FILMED: Final = {"width": 1100, "height": 760}
FRAME_MS: Final = 250

# Some moves into a game, both Chiefs free.
GRID: Final = (
    "w1d1q2da1/t1pp1ppp1t/1p1f1a1f2/a3p1c1p1/8w1/3P1p4/2A1P1P2A/1P1C1F1D2/T1PF1P1PPT/W1D1Q3DW "
    "b BO - 4 14"
)
DISK: Final = "wadfc1fdaw/tpp1pp1ppt/3p3p2/5q4/10/10/2P3P3/3PF2*2/TP2PP1PPT/WAD1CQFDAW b BO - 2 9"
# Black's Flier goes by e8 to the Princess on d9.
SHORT: Final = "9c/3q6/10/10/4p5/3F1F4/10/10/10/C3Q5 b - - 0 1"

# Black's Padwar on e4 may take on c6 or on g6.
TWO: Final = "9c/q9/10/10/2p3p3/10/4A5/10/10/C3Q5 b - - 0 1"


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture: the served table, the browser's window, and the steps before it is taken."""

    name: str
    options: tuple[str, ...]
    does: Callable[[Visitor], None]
    viewport: Mapping[str, int] = field(default_factory=lambda: SCREEN)
    scheme: str = "light"
    query: str = ""


def lifting(square: str) -> Callable[[Visitor], None]:
    """Return a step that lifts a square's piece and holds it."""

    def lift(guest: Visitor) -> None:
        guest.touch(square)
        guest.assert_cue(square, "lifted")

    return lift


def asked_what(guest: Visitor) -> None:
    """Stay at what a first visitor is asked."""
    guest.page.locator(".choice").first.wait_for()


def hinted(guest: Visitor) -> None:
    """Play two moves against each other, and ask for a hint."""
    guest.page.locator("[data-action=two]").click()
    guest.page.locator("#start").wait_for(state="hidden")
    for start, end in (("d2", "d3"), ("e9", "e8")):
        guest.touch(start, end)
    guest.assert_moves("Pd2-d3", "Pe9-e8")
    guest.page.locator("#do-hint").click()
    guest.page.locator("[data-cue=advice]").first.wait_for()


def chosen(guest: Visitor) -> None:
    """Open a new game's form."""
    guest.page.locator("#open-new").click()
    guest.page.locator("dialog[open]").wait_for()


def won(guest: Visitor) -> None:
    """Take the Princess."""
    guest.page.locator("[data-action=on]").click()
    for start, end in (("d5", "e8"), ("j10", "i10"), ("e8", "d9")):
        guest.touch(start, end)
    guest.page.locator("#end-card").wait_for()


def learning(guest: Visitor) -> None:
    """Open a lesson."""
    guest.page.locator("#open-learn").click()
    guest.page.locator("#lessons button").nth(5).click()
    guest.page.locator("#lesson-card[data-lesson=flier]").wait_for()
    for square in ("e2", "h5"):
        guest.page.locator("#do-hint").click()
        guest.assert_cue(square, "advice")


def carded(guest: Visitor) -> None:
    """Open the cards of the pieces."""
    guest.page.locator("#open-help").click()
    guest.page.wait_for_selector(".move-card")


HERE: Final = ("--board", "screen")
WANTED: Final = (
    Picture(
        "ninth-ray",
        ("--rules", "ninth-ray-clockwise,juggernaut=e5", "--position", DISK),
        lifting("g1"),
        scheme="dark",
    ),
    Picture(
        "phone",
        ("--rules", "appendix", "--position", GRID),
        lifting("d2"),
        PHONE,
        "dark",
        "?lang=de",
    ),
    Picture("start", HERE, asked_what),
    Picture("start-dark", HERE, asked_what, PHONE, "dark", "?lang=de"),
    Picture("playing", HERE, hinted),
    Picture("playing-dark", HERE, hinted, PHONE, "dark"),
    Picture("lying", HERE, hinted, LYING_PHONE),
    Picture("new-game", HERE, chosen, scheme="dark"),
    Picture("end", (*HERE, "--position", SHORT), won),
    Picture("lesson", (), learning),
    Picture("cards", (), carded),
)


def main() -> None:
    """Take all pictures, or those that are named."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    names = parser.parse_args().names
    PICTURES.mkdir(exist_ok=True)
    with chromium() as browser:
        windows = Windows(browser)
        for picture in WANTED:
            if not names or picture.name in names:
                take(windows, picture)
        for wanted in FILMS:
            if not names or wanted.name in names:
                film(windows, wanted)
        if not names or "hall" in names:
            take_hall(windows)


def take_hall(windows: Windows) -> None:
    """Take the picture of a hall of twelve tables that play by chance."""
    with (
        tempfile.TemporaryDirectory() as home,
        Mosquitto(Path(home)) as mosquitto,
        hall_served(Path(home) / "hall", mosquitto.broker) as hall,
    ):
        for index, name in enumerate(table_names(12)):
            black, orange = PLAYERS[2 * index : 2 * index + 2]
            say(hall, told_game(game_of(9 + index, index), 9, Black=black, Orange=orange), name)
            hall.hear(table_topic(name, ONLINE), b"1")
        with windows.opened(hall.url, {"width": 1920, "height": 1080}) as page:
            page.goto(hall.url)
            page.wait_for_selector("#wall li:nth-child(12) .piece")
            page.wait_for_timeout(1000)
            page.screenshot(path=PICTURES / "hall.jpg", type="jpeg", quality=70)


def take(windows: Windows, wanted: Picture) -> None:
    """Serve a table, do what is to be seen, and take the picture."""
    with (
        tempfile.TemporaryDirectory() as home,
        served(Path(home), *wanted.options) as table,
        visiting(
            windows,
            table,
            wanted.query,
            viewport=wanted.viewport,
            color_scheme=wanted.scheme,
            is_mobile=wanted.viewport is not SCREEN,
        ) as guest,
    ):
        wanted.does(guest)
        guest.page.wait_for_timeout(300)
        path = PICTURES / f"{wanted.name}.jpg"
        guest.page.screenshot(path=path, type="jpeg", quality=82)


def repaired(guest: Visitor, look: Callable[[int], None]) -> None:
    """A piece is put where it cannot go, and led back."""
    look(2)
    guest.touch("d2")
    look(4)
    guest.touch("d6")
    guest.assert_cue("d6", "wrong")
    look(10)
    guest.touch("d6")
    look(4)
    guest.touch("d2")
    look(6)


def rolled(guest: Visitor, look: Callable[[int], None]) -> None:
    """After a ply the Juggernaut fades; lifted and put back, it is rolled for, and led."""
    guest.touch("d2", "d3")
    guest.assert_cue("e5", "dice")
    look(8)
    guest.touch("e5")
    look(2)
    guest.touch("e5")
    look(20)


def asked(guest: Visitor, look: Callable[[int], None]) -> None:
    """A piece goes into the box, and what it took stands there still: which one was it?"""
    look(2)
    guest.touch("e4")
    look(4)
    guest.page.locator("#box-tray").click()
    guest.page.locator("[data-cue=question]").first.wait_for()
    look(14)
    guest.touch("c6")
    look(2)
    guest.touch("c6")
    look(8)


# Black's Dwar beside the centre of the disk.
BESIDE: Final = "9c/q9/10/10/10/2D7/10/10/10/C3Q5 b - - 0 1"
BEGIN: Final = (
    "([rules, position]) => import('/static/link.js').then(link => "
    "link.ask({do: 'new', rules, position}))"
)
"""A page's script: another game begins."""


def crossed(guest: Visitor, look: Callable[[int], None]) -> None:
    """The same piece beside the centre may cross it to other squares by the other bias."""
    for way in ("clockwise", "counterclockwise"):
        before = guest.game
        guest.page.evaluate(BEGIN, [f"ninth-ray-{way}", BESIDE])
        guest.await_playing(before)
        look(4)
        guest.touch("c5")
        look(10)
        guest.touch("c5")
        look(3)


@dataclass(frozen=True, slots=True)
class Film:
    """A film: the served table, and the steps in front of the camera."""

    name: str
    options: tuple[str, ...]
    does: Callable[[Visitor, Callable[[int], None]], None]


REAL: Final = ("--board", "simulated")
FILMS: Final = (
    Film("question", (*REAL, "--position", TWO), asked),
    Film("repair", REAL, repaired),
    Film("bias", REAL, crossed),
    Film("die", (*REAL, "--rules", "appendix,juggernaut=e5"), rolled),
)


def film(windows: Windows, wanted: Film) -> None:
    """Serve a table, do what is to be seen, and keep what the page shows meanwhile."""
    frames: list[np.ndarray] = []
    with (
        tempfile.TemporaryDirectory() as home,
        served(Path(home), *wanted.options) as table,
        visiting(windows, table, viewport=FILMED, reduced_motion="no-preference") as guest,
    ):

        def look(count: int) -> None:
            for _ in range(count):
                seen = np.frombuffer(guest.page.screenshot(), np.uint8)
                frame = cv2.imdecode(seen, cv2.IMREAD_COLOR)
                assert frame is not None
                frames.append(frame)
                guest.page.wait_for_timeout(FRAME_MS // 3)

        wanted.does(guest, look)
    moving = cv2.Animation()
    moving.frames, moving.durations = frames, [FRAME_MS] * len(frames)
    path = PICTURES / f"{wanted.name}.webp"
    cv2.imwriteanimation(str(path), moving, [cv2.IMWRITE_WEBP_QUALITY, 75])


if __name__ == "__main__":
    main()

"""Takes the README's pictures of the page from the running program: `python -m docs.screenshots`.

Needs Debian's chromium and the project's `test` extra.
"""

from __future__ import annotations

import tempfile
from argparse import ArgumentParser
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jetan_table.hall.topics import ONLINE, table_topic
from jetan_table.hall.trial import table_names
from tests.e2e.served import PHONE, Visitor, chromium, served, visiting
from tests.jetan_table.hall.mosquitto import Mosquitto
from tests.jetan_table.hall.served import hall_served
from tests.jetan_table.hall.test_hub import game_of, told_game
from tests.jetan_table.hall.test_pages import say

PICTURES: Final = Path(__file__).parent / "pictures"
SCREEN: Final = {"width": 1200, "height": 800}

# Some moves into a game, both Chiefs free.
GRID: Final = (
    "w1d1q2da1/t1pp1ppp1t/1p1f1a1f2/a3p1c1p1/8w1/3P1p4/2A1P1P2A/1P1C1F1D2/T1PF1P1PPT/W1D1Q3DW "
    "b BO - 4 14"
)
DISK: Final = "wadfc1fdaw/tpp1pp1ppt/3p3p2/5q4/10/10/2P3P3/3PF2*2/TP2PP1PPT/WAD1CQFDAW b BO - 2 9"


@dataclass(frozen=True, slots=True)
class Picture:
    """What stands on the table, how it is looked at, and the square whose piece is lifted."""

    name: str
    rules: str
    position: str
    lifted: str
    scheme: str
    viewport: dict[str, int]
    query: str = ""


WANTED: Final = (
    Picture("chief", "appendix", GRID, "d3", "light", SCREEN),
    Picture("ninth-ray", "ninth-ray-clockwise,juggernaut=e5", DISK, "g1", "dark", SCREEN),
    Picture("phone", "appendix", GRID, "d2", "dark", PHONE, "?lang=de"),
)


def main() -> None:
    """Take all pictures."""
    ArgumentParser(description=__doc__).parse_args()
    PICTURES.mkdir(exist_ok=True)
    with chromium() as browser:
        for picture in WANTED:
            options = ("--rules", picture.rules, "--position", picture.position)
            with (
                tempfile.TemporaryDirectory() as home,
                served(Path(home), *options) as table,
                visiting(
                    browser,
                    table,
                    picture.query,
                    viewport=picture.viewport,
                    color_scheme=picture.scheme,
                    is_mobile=picture.viewport is PHONE,
                ) as guest,
            ):
                take(guest, picture)
    take_lessons()
    take_hall()


def take_hall() -> None:
    """Take the pictures of a hall of twelve tables that play by chance: wall, phone, one board."""
    with (
        chromium() as browser,
        tempfile.TemporaryDirectory() as home,
        Mosquitto(Path(home)) as mosquitto,
        hall_served(Path(home) / "hall", mosquitto.broker) as hall,
    ):
        for index, name in enumerate(table_names(12)):
            say(hall, told_game(game_of(9 + index, index), 9), name)
            hall.hear(table_topic(name, ONLINE), b"1")
        for name, viewport in (("hall", {"width": 1920, "height": 1080}), ("hall-phone", PHONE)):
            page = browser.new_page(viewport=viewport, locale="en")  # type: ignore[arg-type]
            page.goto(hall.url)
            page.wait_for_selector("#wall li:nth-child(12) img")
            page.wait_for_timeout(1000)
            page.screenshot(path=PICTURES / f"{name}.jpg", type="jpeg", quality=70)


def take_lessons() -> None:
    """Take the pictures of the course: a lesson, and the cards of the pieces."""
    with (
        chromium() as browser,
        tempfile.TemporaryDirectory() as home,
        served(Path(home)) as table,
        visiting(browser, table, viewport=SCREEN) as guest,
    ):
        guest.page.locator("#open-learn").click()
        guest.page.locator("#lessons button").nth(5).click()
        guest.assert_cue("h5", "advice")
        guest.page.screenshot(path=PICTURES / "lesson.jpg", type="jpeg", quality=82)
        guest.page.locator("#open-help").click()
        guest.page.wait_for_selector(".move-card")
        guest.page.screenshot(path=PICTURES / "cards.jpg", type="jpeg", quality=82)


def take(guest: Visitor, picture: Picture) -> None:
    """Lift the piece, hold it above its square, and take the picture."""
    guest.touch(picture.lifted)
    guest.assert_cue(picture.lifted, "lifted")
    guest.page.wait_for_timeout(300)
    path = PICTURES / f"{picture.name}.jpg"
    guest.page.screenshot(path=path, type="jpeg", quality=82)


if __name__ == "__main__":
    main()

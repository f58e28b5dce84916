"""Set-up on the page: a practice board cut in the middle, a chip, a camera; then a game."""

import json
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import pytest
from playwright.sync_api import Page, expect

from jetan_table.extras.hall.settings import HallSettings
from jetan_table.reading.readings import occupants_of
from jetan_table.settings import read_settings
from rules import grid
from tests.e2e.served import Served, served
from tests.e2e.test_serial_board import START
from tests.e2e.windows import PHONE, Windows, amiss
from tests.profiles import PATIENCE_S
from vision.geometry import layout_of
from vision.painted import Stage, corner_markers

pytestmark = pytest.mark.needs("chromium")

SILENT_S = 12
"""After so long without an answer a switch is taken for dead."""
ASKED = re.compile(r"(Once more, please\. )?(\d+)\. Put one piece on [^.]+\.( \([^)]*\))?$")
"""The walk's last word where it waits for a piece, and its hint, which may be seen later."""


def press(page: Page, action: str) -> None:
    page.locator(f'[data-action="{action}"]').first.click()


def at_step(page: Page, title: str) -> None:
    expect(page.locator("#title")).to_have_text(title)


def leave_steps(page: Page, *actions: str) -> None:
    """Leave one step after another, each by an action; the next has another title."""
    for action in actions:
        title = page.text_content("#title") or ""
        press(page, action)
        expect(page.locator("#title")).not_to_have_text(title)


@contextmanager
def set_up_page(windows: Windows, table: Served, **how: object) -> Iterator[Page]:
    with windows.opened(table.url, **how) as page:
        page.goto(table.url)
        press(page, "setup")
        yield page


def walk_until(page: Page, touch: object, is_enough: object) -> None:
    """Do what the walk along the wires says, until it `is_enough`."""
    assert callable(touch)
    assert callable(is_enough)
    ends, read, since = 0.0, "", 0.0
    answered: set[tuple[str, bool]] = set()
    while not is_enough():
        words = page.text_content("#words") or ""
        if words != read:
            ends, read = time.monotonic() + PATIENCE_S, words
        assert time.monotonic() < ends, words
        asked = ASKED.search(words)
        step = asked and (asked[2], asked[1] is not None)
        if step and step not in answered:
            answered.add(step)
            since = time.monotonic()
            touch()
        elif step and time.monotonic() > since + SILENT_S:
            press(page, "nothing")
            since = time.monotonic()
        page.wait_for_timeout(100)


def is_known(page: Page) -> bool:
    return "known" in (page.text_content("#words") or "")


def tap_what_is_shown(page: Page) -> None:
    page.locator("#squares button.wanted, #squares button.lit").first.click()


def choose_an_order(page: Page) -> None:
    """Choose how the lamps run, and see one lit where it really lies."""
    page.select_option("#order-corner", "a1")
    expect(page.locator('#squares [data-square="a1"]')).to_have_text("1")
    page.select_option("#order-along", "ranks")
    page.select_option("#order-pattern", "snake")
    expect(page.locator('#squares [data-square="j2"]')).to_have_text("11")
    page.locator('#squares [data-square="c4"]').click()
    expect(page.locator("#squares button.lit")).to_have_count(1)
    assert amiss(page) == {}
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_practice_board_cut_in_the_middle_and_gone_on_with(
    windows: Windows, tmp_path: Path
) -> None:
    with served(tmp_path, "--board", "screen") as table:
        with set_up_page(windows, table) as page:
            at_step(page, "Which language should the table speak?")
            press(page, "language-en")
            at_step(page, "What sort of table is it?")
            assert amiss(page) == {}
            press(page, "kind-practice")
            press(page, "walk")
            expect(page.locator("#words")).to_contain_text("Take all pieces")
            press(page, "nothing")
            tapped: list[None] = []

            def touch() -> None:
                tapped.append(None)
                tap_what_is_shown(page)

            walk_until(page, touch, lambda: len(tapped) == 8)
            expect(page.locator("#words")).to_contain_text("off again.")
        table.kill()
        table.start()
        with set_up_page(windows, table, viewport=PHONE) as page:
            at_step(page, "How is it wired?")
            press(page, "walk")
            expect(page.locator("#words")).to_contain_text("9.")
            walk_until(page, lambda: tap_what_is_shown(page), lambda: is_known(page))
            assert amiss(page) == {}
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            press(page, "next")
            choose_an_order(page)
            press(page, "skip")
            at_step(page, "What is this table called?")
            page.fill("#name", "Not A Name!")
            press(page, "next")
            expect(page.locator("#trouble")).not_to_be_empty()
            page.fill("#name", "alpha")
            press(page, "next")
            press(page, "sound-false")
            press(page, "opponent-panthan")
            press(page, "clock-10+5")
            at_step(page, "The table is set up")
            press(page, "examine")
            expect(page.locator("#found")).to_contain_text("python")
            press(page, "finish")
            page.wait_for_url("**/?play")
            page.wait_for_selector('body[data-phase="playing"]')
            page.locator("#square-d2").click(force=True)
            page.locator("#square-d3").click(force=True)
            expect(page.locator("#moves [data-ply]").first).to_have_text("Pd2-d3")
        settings = read_settings(tmp_path / "jetan" / "table.toml")
        assert (settings.table.clock, settings.of(HallSettings).table) == ("10+5", "alpha")
        assert settings.table.board == "screen"
        assert settings.reed.order == "rows"  # what a practice board told is no setting


def test_it_speaks_the_language_asked_for_and_begins_a_game_from_any_step(
    windows: Windows, tmp_path: Path
) -> None:
    with served(tmp_path, "--board", "screen") as table, windows.opened(table.url) as page:
        page.goto(f"{table.url.rstrip('/')}/setup?lang=de")
        press(page, "language-en")
        press(page, "kind-screen")
        at_step(page, "What is this table called?")
        page.reload()
        at_step(page, "Wie heißt dieser Tisch?")
        page.fill("#name", "beta")
        press(page, "finish")
        page.wait_for_url("**/?play")
        settings = read_settings(tmp_path / "jetan" / "table.toml")
        assert settings.of(HallSettings).table == "beta"


def test_a_camera_is_found_and_its_board_shown(windows: Windows, tmp_path: Path) -> None:
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    scene = Stage(layout_of(grid()), 72.0)
    cards, markers = corner_markers(scene.layout), tmp_path / "markers.json"
    cv2.imwrite(
        str(pictures / "start.png"),
        scene.paint(occupants_of(START), 1, markers=cards),
    )
    quads = {number: (quad - 5).tolist() for number, quad in cards.items()}
    markers.write_text(json.dumps({"fiducials": {"board_cm": quads}}))
    with served(tmp_path, "--board", "screen") as table, set_up_page(windows, table) as page:
        press(page, "language-en")
        press(page, "kind-camera")
        page.fill("#source", str(tmp_path / "nothing"))
        press(page, "examine")
        expect(page.locator('#found [data-verdict="fail"]').first).to_be_visible()
        press(page, "step-done")
        press(page, "finish")  # no table begins by a camera that is not there
        expect(page.locator("#trouble")).to_contain_text("nothing")
        press(page, "step-find")
        page.fill("#source", str(pictures))
        page.select_option("#rules", "ninth-ray-clockwise")
        press(page, "examine")
        expect(page.locator("#found")).to_contain_text("a round board is found by markers")
        page.select_option("#rules", "appendix")
        page.fill("#markers", str(markers))
        press(page, "examine")
        expect(page.locator("#found")).to_contain_text("found by its markers")
        expect(page.locator("#picture img")).to_be_visible()
        leave_steps(page, "next", "skip", "skip", "skip", "skip")
        press(page, "finish")
        page.wait_for_url("**/?play")
        settings = read_settings(tmp_path / "jetan" / "table.toml")
        assert (settings.table.board, settings.camera.source) == ("camera", str(pictures))
        assert (settings.camera.markers, settings.table.rules) == (str(markers), "appendix")

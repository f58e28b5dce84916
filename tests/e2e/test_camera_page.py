"""A table that a camera sees, on its page: a picture for who knows the PIN, corners to move."""

import json
from collections.abc import Iterator
from urllib.error import HTTPError
from urllib.request import urlopen

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from jetan_table.reading.readings import occupants_of
from rules import Position, grid, parse_rules
from tests.e2e.served import Served, served
from tests.e2e.windows import Windows
from vision.geometry import layout_of
from vision.painted import Stage

pytestmark = pytest.mark.needs("chromium")

SCENE = Stage(layout_of(grid()), 72.0)
CORNERS = SCENE.view.project(SCENE.layout.corners)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A table whose camera sees the start, and was told corners far from the board's."""
    home = tmp_path_factory.mktemp("table")
    start = Position.start(parse_rules("appendix"))
    picture = home / "start.png"
    cv2.imwrite(str(picture), SCENE.paint(occupants_of(start), 1))
    wrong = ",".join(f"{pixel:.0f}" for pixel in np.add(CORNERS, 60).ravel())
    with served(home, "--camera", picture, "--corners", wrong) as serving:
        yield serving


@pytest.fixture(scope="module")
def page(windows: Windows, table: Served) -> Iterator[Page]:
    with windows.opened(table.url) as page:
        page.goto(f"{table.url}#pin={table.pin}")
        yield page


def test_the_picture_is_for_who_knows_the_pin(table: Served) -> None:
    for path in ("api/camera", "api/camera.jpg", "api/camera/question.jpg"):
        with pytest.raises(HTTPError) as refused:
            urlopen(f"{table.url}{path}")
        assert refused.value.code == 401
        assert json.loads(refused.value.read())["refused"]


def test_corners_are_moved_by_hand_until_the_board_is_found(table: Served, page: Page) -> None:
    page.wait_for_selector("body[data-ready]")
    page.locator("#do-menu").click()
    if not page.locator("#machine[open]").count():
        page.locator("#machine > summary").click()
    page.get_by_role("button", name="Camera").click()
    status = page.locator("#camera-said")
    expect(status).to_contain_text("stand as shown")
    picture = page.locator(".camera-view img")
    expect(picture).to_have_js_property("naturalWidth", 1280)
    box = page.locator(".camera-view").bounding_box()
    assert box is not None
    for name, (x, y) in zip(("a1", "j1", "j10", "a10"), CORNERS, strict=True):
        handle = page.get_by_role("button", name=f"Corner at {name}", exact=True)
        at = handle.bounding_box()
        assert at is not None
        page.mouse.move(at["x"] + at["width"] / 2, at["y"] + at["height"] / 2)
        page.mouse.down()
        page.mouse.move(box["x"] + x / 1280 * box["width"], box["y"] + y / 720 * box["height"])
        page.mouse.up()
    page.get_by_role("button", name="Corner at a1", exact=True).press("ArrowLeft")
    page.get_by_role("button", name="The corners are right").click()
    expect(status).to_contain_text("sees the board")
    expect(page.locator(".camera-view polygon")).to_have_count(100)
    page.get_by_role("button", name="Close").click()


def test_a_phone_scrolls_nothing_sideways(table: Served, page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_selector("body[data-ready]")
    page.locator("#do-menu").click()
    if not page.locator("#machine[open]").count():
        page.locator("#machine > summary").click()
    page.get_by_role("button", name="Camera").click()
    expect(page.locator(".camera-view img")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Close").click()

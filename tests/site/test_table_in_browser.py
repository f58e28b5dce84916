"""The site's own table: it plays, teaches, errs and is cut off in Chromium, and asks nobody."""

import gzip
import shutil
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import FrameLocator, Page, expect

from docs.in_browser import on_post_build
from tests.e2e.windows import chromium
from tests.file_server import serving_files
from tests.paths import ROOT

pytestmark = [
    pytest.mark.ci,
    pytest.mark.needs("chromium"),
    pytest.mark.needs("node"),
    pytest.mark.needs("npm"),
]

MOST_BYTES: Final = 10_000_000
"""So much is fetched at most, as a server of files packs it."""
PATIENCE_MS: Final = 120_000
"""A Python starts, on a machine that does other things, too."""
ASK: Final = """async (asked) => {
  const post = (path, body, more = {}) => fetch(`table${path}`, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", ...more },
  });
  const { token } = await (await post("/api/token", { pin: "" })).json();
  return (await post("/api/do", asked, { authorization: `Bearer ${token}` })).status;
}"""
"""Asks something of the table, as its page does; how it was answered."""
PLIES: Final = ["d2d3", "e9e8", "e2e3", "d9d8"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a site that has nothing but the table."""
    folder = tmp_path_factory.mktemp("site")
    shutil.copytree(ROOT / "docs" / "play", folder / "play")
    on_post_build({"site_dir": str(folder)})
    return folder


def await_table(page: Page) -> FrameLocator:
    """Wait until the table is there, and return its page."""
    page.wait_for_selector("body[data-ready=table]", timeout=PATIENCE_MS)
    table = page.frame_locator("#table")
    table.locator("body[data-ready]").wait_for(timeout=PATIENCE_MS)
    return table


def play(table: FrameLocator, move: str) -> None:
    for square in (move[:2], move[2:]):
        table.locator(f"#square-{square}").click()
    expect(table.locator("#moves")).to_contain_text(f"{move[:2]}-{move[2:]}")


def test_the_table_is_light_enough_to_be_fetched(site: Path) -> None:
    files = [path for path in (site / "play").rglob("*") if path.is_file()]
    assert sum(len(gzip.compress(path.read_bytes())) for path in files) < MOST_BYTES


def test_a_visitor_plays_learns_and_cuts_the_power(site: Path) -> None:
    with serving_files(site) as address, chromium() as browser:
        page = browser.new_page(locale="en-US", reduced_motion="reduce")
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{address}/play/")
        table = await_table(page)
        table.locator("[data-action=two]").click()
        table.locator("body:not(.starting)[data-phase=playing]").wait_for(timeout=PATIENCE_MS)
        for move in PLIES:
            play(table, move)
        saved = page.evaluate(ASK, {"do": "save", "name": "sunday"})
        page.locator("[data-action=cut]").click()
        table.locator("body.away").wait_for(timeout=PATIENCE_MS)
        table.locator("body:not(.away)").wait_for(timeout=PATIENCE_MS)
        play(table, "h2h3")
        for move in PLIES:
            expect(table.locator("#moves")).to_contain_text(f"{move[:2]}-{move[2:]}")
        assert saved == 200
        assert page.evaluate("async () => (await (await fetch('table/api/games')).json()).saved")
        page.locator("[data-action=stick]").click()
        expect(table.locator("#said")).to_contain_text("Take the piece off", timeout=PATIENCE_MS)
        with page.expect_download() as kept:
            page.locator("[data-action=export]").click()
        assert "Pd2-d3" in kept.value.path().read_text()
        assert [url for url in asked if not url.startswith(("http://127.0.0.1:", "blob:"))] == []


def test_a_visitor_takes_a_lesson_and_the_table_replies(site: Path) -> None:
    with serving_files(site) as address, chromium() as browser:
        page = browser.new_page(locale="de-DE", reduced_motion="reduce")
        page.goto(f"{address}/play/")
        table = await_table(page)
        table.locator("[data-action=against]").click()
        table.locator("body:not(.starting)[data-phase=playing]").wait_for(timeout=PATIENCE_MS)
        expect(table.locator("#turn")).to_have_text("Schwarz am Zug")
        play(table, "d2d3")
        expect(table.locator("#moves li")).to_have_count(1)
        expect(table.locator("#said")).to_contain_text("Schwarz ist am Zug", timeout=PATIENCE_MS)
        table.locator("[data-action=learn]").first.click()
        expect(table.locator("#said")).to_contain_text("Tipp", timeout=PATIENCE_MS)

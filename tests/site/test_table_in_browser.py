"""The site's own table: it plays, teaches, errs and is cut off in Chromium, and asks nobody."""

import gzip
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import FrameLocator, Page, expect

from docs.in_browser import files_to_keep, on_post_build
from jetan_table.engine.library import quick_library
from tests.e2e.windows import chromium
from tests.file_server import QuietFiles, serving_files
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


def make_trouble(page: Page, name: str) -> None:
    page.locator("#trouble summary").click()
    page.locator(f"[data-action={name}]").click()


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
        make_trouble(page, "cut")
        table.locator("body.away").wait_for(timeout=PATIENCE_MS)
        table.locator("body:not(.away)").wait_for(timeout=PATIENCE_MS)
        play(table, "h2h3")
        for move in PLIES:
            expect(table.locator("#moves")).to_contain_text(f"{move[:2]}-{move[2:]}")
        assert saved == 200
        assert page.evaluate("async () => (await (await fetch('table/api/games')).json()).saved")
        make_trouble(page, "bump")
        expect(page.locator("#toast")).to_contain_text("Something knocked")
        expect(table.locator("#board > .stands")).to_have_count(1)  # it is seen to fall
        expect(table.locator("#board > .stands")).to_have_count(0, timeout=PATIENCE_MS)
        make_trouble(page, "stick")
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


def test_it_needs_no_network_after_the_first_time_and_fetches_only_what_is_new(
    site: Path, tmp_path: Path
) -> None:
    changed = tmp_path / "site"
    shutil.copytree(site, changed)
    play_css = changed / "play" / "play.css"
    asked: list[str] = []

    class Counted(QuietFiles):
        def do_GET(self) -> None:  # noqa: N802
            asked.append(self.path)
            super().do_GET()

    with chromium() as browser:
        page = browser.new_page(locale="en-US", reduced_motion="reduce")
        with serving_files(changed, Counted) as address:
            page.goto(f"{address}/play/")
            page.wait_for_selector("body[data-ready=table]", timeout=PATIENCE_MS)
            assert any("/core/search.wasm?" in path for path in asked)
            play_css.write_text(f"{play_css.read_text()}body {{ outline: 1px solid; }}\n")
            (changed / "play" / "kept.json").write_text(json.dumps(files_to_keep(changed / "play")))
            asked.clear()
            page.reload()
            page.wait_for_function(
                "() => getComputedStyle(document.body).outlineStyle === 'solid'",
                timeout=PATIENCE_MS,
            )
            page.wait_for_selector("body[data-ready=table]", timeout=PATIENCE_MS)
            assert [path for path in asked if "?" in path and "lang" not in path] == [
                f"/play/play.css?{files_to_keep(changed / 'play')['files']['play.css'][1]}"
            ]
        page.goto(f"{address}/play/")  # nobody answers there any more
        table = await_table(page)
        table.locator("[data-action=two]").click()
        table.locator("body:not(.starting)[data-phase=playing]").wait_for(timeout=PATIENCE_MS)
        play(table, "d2d3")


SEARCHED: Final = """
import { readFileSync } from "node:fs";
const [play, asked] = process.argv.slice(1);
globalThis.fetch = async (path) => new Response(readFileSync(path));
const { loadPyodide } = await import(`${play}/core/pyodide.mjs`);
const module = encodeURIComponent(readFileSync(`${play}/search.js`, "utf8"));
const { loadSearch } = await import(`data:text/javascript,${module}`);
const search = await loadSearch(`${play}/core/search.wasm`);
const python = await loadPyodide({ indexURL: `${play}/core/` });
const packed = new Uint8Array(readFileSync(`${play}/core/table.zip`));
python.unpackArchive(packed, "zip", { extractDir: "/lib/python3.14/site-packages" });
python.globals.set("search", search);
console.log(python.runPython(asked));
process.exit(0);
"""
"""Loads the browser's search, and prints what some Python makes of it."""

FOUND: Final = """
import json
from jetan_table.engine.evaluation import fitted_weights
from jetan_table.engine.search import Limits, Search
from rules import Position, format_move, parse_rules

def found(library):
    rows = []
    for name in ("appendix", "zillions", "ninth-ray-clockwise"):
        position = Position.start(parse_rules(name))
        for nodes in (50, 3_000, 30_000):
            search = Search(position, fitted_weights(), float, Limits(nodes=nodes), library=library)
            thought = search.think()
            rows.append([name, nodes, thought.score, format_move(thought.move, position)])
            position = position.play(thought.move)
    return rows
"""
"""What a search finds, stopped in the middle of it, too."""


def test_its_search_finds_what_the_one_in_c_finds(site: Path) -> None:
    there = f"{FOUND}\nfrom jetan_table.extras.site.engine import ReadySearch\n"
    there += "json.dumps(found(ReadySearch(search).library()))"
    command = ["node", "--input-type=module", "-e", SEARCHED, str(site / "play"), there]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    here: dict[str, Any] = {}
    exec(FOUND, here)
    assert json.loads(printed.splitlines()[-1]) == here["found"](quick_library(os.environ))

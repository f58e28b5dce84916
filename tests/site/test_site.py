"""The pages as a site: built without a warning, and read from the disk without any network."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser

from tests.e2e.windows import PHONE, chromium
from tests.once import once
from tests.paths import ROOT

FETCHED: Final = re.compile(
    r'<(?:script|link|img|source|video|iframe)\b[^>]*\s(?:src|href)="(http|//)'
)


def built(folder: Path) -> str:
    """Build the site below `folder` by the one command, and return where."""
    site = folder / "site"
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", site],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1", "JETAN_SITE_TABLE": "off"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "WARNING" not in done.stderr, done.stderr
    return str(site)


@pytest.fixture(scope="module")
def site(run_folder: Path) -> Path:
    return Path(once(run_folder / "site.json", lambda: built(run_folder)))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 20
    fetching = {page.name: FETCHED.findall(page.read_text(encoding="utf-8")) for page in pages}
    assert {name: found for name, found in fetching.items() if found} == {}


@pytest.mark.needs("chromium")
def test_it_is_searched_from_the_disk(site: Path, browser: Browser) -> None:
    page = browser.new_page()
    foreign: list[str] = []
    page.on("request", lambda asked: foreign.append(asked.url))
    page.goto((site / "index.html").as_uri())
    page.keyboard.press("/")
    page.locator(".md-search__input").press_sequentially("Juggernaut")
    page.locator(".md-search-result__link").first.wait_for()
    page.close()
    assert [url for url in foreign if not url.startswith(("file:", "data:", "blob:"))] == []


@pytest.mark.needs("chromium")
def test_no_page_is_wider_than_a_phone(site: Path, browser: Browser) -> None:
    page = browser.new_page(viewport=PHONE)
    wide = []
    for path in sorted(set(site.rglob("*.html")) - set(site.glob("play/*.html"))):
        page.goto(path.as_uri(), wait_until="commit")
        page.wait_for_selector("footer", state="attached")
        width = page.evaluate("document.documentElement.scrollWidth")
        if width > PHONE["width"]:
            wide.append((path.relative_to(site).as_posix(), width))
    page.close()
    assert wide == []


def test_the_library_s_example_runs() -> None:
    page = (ROOT / "docs" / "api" / "rules.md").read_text(encoding="utf-8")
    example = page.partition("```python\n")[2].partition("```")[0]
    done = subprocess.run(
        [sys.executable, "-c", example], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "d2-d3" in done.stdout

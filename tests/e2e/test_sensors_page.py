"""The page of the sensors: what each switch shows, a lamp for a tap, a report without secrets."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal
from urllib.request import urlopen

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.served import Served, served
from tests.e2e.windows import Windows, amiss

pytestmark = pytest.mark.needs("chromium")


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("table")) as serving:
        serving.await_playing()
        serving.begin_anew()
        yield serving


@pytest.fixture(scope="module")
def page(windows: Windows, table: Served) -> Iterator[Page]:
    with windows.opened(table.url) as page:
        page.goto(f"{table.url}sensors#pin={table.pin}")
        yield page


def document(table: Served) -> dict[str, Any]:
    with urlopen(f"{table.url}api/sensors") as answer:
        read: dict[str, Any] = json.load(answer)
    return read


def test_every_switch_shows_what_it_tells(table: Served, page: Page) -> None:
    expect(page.get_by_role("button", name="a1: closed")).to_be_visible()
    expect(page.get_by_role("button", name="e5: open")).to_be_visible()
    table.ask("api/do", do="lift", square="d2")
    expect(page.get_by_role("button", name="d2: open")).to_be_visible()
    table.ask("api/do", do="put", square="d2")
    page.get_by_role("button", name="d2: closed").click()
    expect(page.locator("#chosen")).to_have_text("d2: closed")
    expect(page.locator("#facts")).to_contain_text("s ago")
    assert document(table)["squares"]["d2"]["changes"] == 2


def test_a_weak_switch_is_named(table: Served, page: Page) -> None:
    table.ask("api/do", do="ail", square="g1", fault="weak")
    expect(page.locator("#weak")).to_contain_text("g1")
    table.ask("api/do", do="ail", square="g1", fault=None)


def test_arrow_keys_go_from_square_to_square(page: Page) -> None:
    page.locator("#squares button[tabindex='0']").focus()
    before = page.locator("#chosen").text_content()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#chosen")).not_to_have_text(before or "")
    assert page.locator("#squares button[tabindex='0']").count() == 1


def test_the_report_names_nobody(table: Served, page: Page) -> None:
    with page.expect_download() as download:
        page.get_by_role("link", name="Download a report").click()
    text = Path(download.value.path()).read_text()
    report = json.loads(text)
    assert len(report["squares"]) == 100
    assert report["looks"]["wanted_hz"] is None  # what is simulated is not looked at all the time
    for secret in (table.pin, str(table.home), str(table.port)):
        assert secret not in text


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(page: Page, scheme: Literal["light", "dark"]) -> None:
    page.emulate_media(color_scheme=scheme)
    expect(page.get_by_role("button", name="a1: closed")).to_be_visible()
    assert amiss(page) == {}

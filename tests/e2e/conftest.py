"""One browser for the tests of a module, and a served table with a visitor for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.served import Served, Visitor, chromium, served, visiting

# Machines differ in speed: what is expected comes at once, or there is a defect.
expect.set_options(timeout=20_000)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path) as running:
        yield running


@pytest.fixture
def visitor(browser: Browser, table: Served) -> Iterator[Visitor]:
    with visiting(browser, table) as guest:
        guest.await_playing()
        yield guest

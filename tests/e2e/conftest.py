"""One browser for the tests of a module."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.served import chromium

# Machines differ in speed: what is expected comes at once, or there is a defect.
expect.set_options(timeout=20_000)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running

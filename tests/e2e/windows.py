"""A real browser, and its windows: they are used again and again, for a new one is dear."""

import shutil
import socket
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final
from urllib.parse import urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, sync_playwright

from tests.needs import NEEDS
from tests.profiles import PATIENCE_S

OWN_NAME: Final = socket.gethostname().lower()
"""Who comes by the machine's name, not by its loopback, is a stranger: a PIN is asked for."""
DESKTOP: Final = {"width": 1280, "height": 860}
PHONE: Final = {"width": 390, "height": 844}
LOOKS: Final[list[dict[str, Any]]] = [{}, {"viewport": PHONE, "color_scheme": "dark"}]
"""How a page is visited: at a desk in the light, on a phone in the dark."""


@contextmanager
def chromium() -> Iterator[Browser]:
    """Debian's own Chromium without its windows, which takes a third less to draw the same."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which(NEEDS["chromium"].program),
            args=["--no-sandbox", f"--host-resolver-rules=MAP {OWN_NAME} 127.0.0.1"],
        )
        yield browser
        browser.close()


class Windows:
    """Windows of one browser: whoever leaves one leaves it to the next, and no trace in it.

    A page takes a third of the computing in a window where one of its site has been before.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: defaultdict[str, list[Page]] = defaultdict(list)

    @contextmanager
    def opened(
        self,
        url: str,
        viewport: Any = DESKTOP,
        color_scheme: Any = "light",
        reduced_motion: Any = "reduce",
        **kind: Any,
    ) -> Iterator[Page]:
        """Open a window for pages of the site of `url`; where its use fails it is used no more."""
        kind = {"locale": "en-US", **kind}
        free = self._free[f"{urlsplit(url).hostname} {sorted(kind.items())}"]
        page = free.pop() if free else self._browser.new_context(**kind).new_page()
        page.set_default_timeout(1000 * PATIENCE_S)
        try:
            page.set_viewport_size(viewport)
            page.emulate_media(color_scheme=color_scheme, reduced_motion=reduced_motion)
            yield page
            page.evaluate("[localStorage, sessionStorage].forEach((kept) => kept.clear())")
            page.context.clear_cookies()
            page.goto("about:blank")
        except BaseException:
            page.context.close()
            raise
        free.append(page)


def amiss(page: Page, within: str | None = None) -> dict[str, str]:
    """What a checker of accessibility finds on a page, or within a part of it, and where first."""
    found = Axe().run(page, within).response["violations"]
    return {each["id"]: each["nodes"][0]["html"] for each in found}

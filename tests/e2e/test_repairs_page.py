"""Repairs on the page: what is amiss, the firmware, the board's line, and the table's update."""

import re
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from firmware_bridge.build import PICO, READY
from firmware_bridge.messages import MAJOR, MINOR, Greet, Hello, Unpacker, format_packet
from hardware.ports import SwitchCounts
from jetan_table.table.switches import keep_switches
from rules import parse_square
from tests.e2e.served import Served, served, visiting
from tests.e2e.test_serial_board import answering
from tests.e2e.windows import PHONE, Windows
from tests.e2e.worlds import with_a_weak_supply
from tests.emulated.pico_board import PicoBoard
from tests.firmware_bridge.peer import Peer
from tests.firmware_bridge.pico_drive import Pico
from tests.needs import PICO_EMULATOR
from tests.packages.laying import two_packages

pytestmark = pytest.mark.ci

SUPPLY, SWITCH, UPDATE = "supply", "switches-d4", "update-0.98"
SIZES: list[dict[str, Any]] = [{"viewport": {"width": 1366, "height": 768}}, {"viewport": PHONE}]
CLIPPED = """() => [...document.querySelectorAll("#menu button, dialog button, #notices b")]
  .filter((each) => each.checkVisibility())
  .filter((each) => {
    const box = each.getBoundingClientRect();
    return each.scrollWidth > each.clientWidth + 1 || box.left < 0 || box.right > innerWidth;
  }).map((each) => each.textContent)"""


def ailing(home: Path, *arguments: str | Path) -> Any:
    """A table whose supply sags, whose switch d4 misses pieces, and for which an update waits."""
    supply, stick = home / "get_throttled", home / "stick"
    supply.write_text("50005\n")
    keep_switches(home / "games", {parse_square("d4"): SwitchCounts(41, 3)})
    stick.mkdir()
    two_packages(stick, "0.98")
    settings = home / "table.toml"
    settings.write_text(f'[update]\nsource = "{stick}"\n')
    world = partial(with_a_weak_supply, supply, home / "pico")
    return served(home, "--config", settings, *arguments, world=world)


def open_machine(page: Page) -> None:
    """Open what is for whoever looks after the table; it opens by itself where an error is."""
    page.locator("#do-menu").click()
    if not page.locator("#machine[open]").count():
        page.locator("#machine > summary").click()


def noticed(page: Page) -> list[str]:
    """The ids that the page lists, once it lists the supply's."""
    expect(page.locator(f"[data-notice={SUPPLY}]")).to_have_count(1)
    found = page.locator("[data-notice]").evaluate_all("all => all.map(one => one.dataset.notice)")
    return [name for name in found if name in (SUPPLY, SWITCH, UPDATE)]


def own(page: Page, table: Served, pin: str | None = None) -> None:
    """Tell the arbiter's PIN, or a wrong one."""
    kept = (table.home / "games" / "arbiter").read_text().strip()
    page.locator("dialog [name=pin]").fill(pin or kept)
    page.locator("dialog [value=ok]").click()


def test_what_is_amiss_is_listed_with_its_mend_and_ignored_for_good(
    windows: Windows, tmp_path: Path
) -> None:
    with ailing(tmp_path) as table:
        for language in ("en", "de"):
            for how in SIZES:
                with visiting(windows, table, f"?lang={language}", **how) as guest:
                    page = guest.page
                    expect(page.locator("#machine-count")).to_have_text(re.compile("[3-9]"))
                    open_machine(page)
                    assert noticed(page) == [SUPPLY, SWITCH, UPDATE]
                    assert not page.evaluate(CLIPPED)
                    page.locator("#open-repairs").click()
                    expect(page.locator("dialog [data-action=flash]")).to_be_visible()
                    assert not page.evaluate(CLIPPED)
        health = {each["id"] for each in table.state()["notices"]}
        assert {SUPPLY, SWITCH, UPDATE} <= health
        with visiting(windows, table) as guest:
            page = guest.page
            open_machine(page)
            assert page.locator(f"[data-notice={SUPPLY}] [data-action=ignore]").count() == 0
            page.locator(f"[data-notice={SWITCH}] [data-action=ignore]").click()
            expect(page.locator(f"[data-notice={SWITCH}]")).to_have_count(0)
        table.kill()
        table.start()
        with visiting(windows, table) as guest:
            page = guest.page
            open_machine(page)
            assert noticed(page) == [SUPPLY, UPDATE]
            page.locator("#open-repairs").click()
            page.locator("dialog [data-action=hear]").click()
            expect(page.locator(f"[data-notice={SWITCH}]")).to_have_count(1)
            page.locator("dialog [data-action=update]").click()
            own(page, table)
            expect(page.locator("#job")).to_contain_text("not installed as a Debian package")


@pytest.mark.needs(*PICO_EMULATOR)
def test_a_chip_is_flashed_from_the_page_and_is_the_tables_board_then(
    windows: Windows, tmp_path: Path
) -> None:
    with ailing(tmp_path) as table, visiting(windows, table) as guest:
        page = guest.page
        open_machine(page)
        page.locator("#open-repairs").click()
        flash = page.locator("dialog [data-action=flash]")
        flash.click()
        own(page, table, "000000")
        expect(page.locator("dialog .refused")).to_contain_text("not the arbiter's PIN")
        flash.click()
        own(page, table)
        expect(page.locator("#job")).to_contain_text("hold BOOTSEL")
        pico = Pico(tmp_path / "pico")
        flash.click()
        own(page, table)
        expect(page.locator("#job")).to_contain_text("Raspberry Pi Pico: flashed")
        image = tmp_path / "taken.uf2"
        image.write_bytes(pico.taken())
        assert image.read_bytes() == READY.read_bytes()
    board = PicoBoard(PICO, image)
    board.run_until(0.3)
    board.send(format_packet(0, Greet(MAJOR, MINOR)))
    board.run_until(1.0)
    packets = Unpacker().feed(bytes(byte for _at, byte in board.receive()))
    board.close()
    assert any(isinstance(message, Hello) for _, message in packets)


def test_the_line_to_a_board_is_watched(windows: Windows, tmp_path: Path) -> None:
    with (
        answering(Peer(now=time.monotonic())) as port,
        served(tmp_path, "--board", port) as table,
        visiting(windows, table) as guest,
    ):
        page = guest.page
        open_machine(page)
        page.locator("#open-repairs").click()
        page.locator("dialog summary").click()
        expect(page.locator("#wire")).to_contain_text("< Pong(")
        expect(page.locator("#wire")).to_contain_text("> Ping(")
        before = page.locator("#wire").text_content()
        expect(page.locator("#wire")).not_to_have_text(before or "")

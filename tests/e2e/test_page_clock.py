"""Clock and conduct on the page, in a real browser."""

import re

import pytest
from playwright.sync_api import expect

from jetan_table.game.events import Fix
from jetan_table.journal.archive import Archive
from tests.e2e.served import Served, Visitor, visiting
from tests.e2e.windows import PHONE, Windows, amiss


def time_of(guest: Visitor, side: str) -> str:
    return guest.page.locator(f"#clock-{side} .clock-time").inner_text()


@pytest.mark.own_table("--speed", "1")
def test_a_clock_is_chosen_runs_stands_and_outlives_a_kill(
    windows: Windows, table: Served, visitor: Visitor
) -> None:
    page = visitor.page
    expect(page.locator("#clocks")).to_be_hidden()
    visitor.begin(clock="10+5", conduct="friendly")
    expect(page.locator("#clock-black .clock-time")).to_have_text("10:00")
    visitor.drag("d2", "d3")
    visitor.assert_moves("Pd2-d3")
    expect(page.locator("#clock-orange")).to_have_class(re.compile("running"))
    expect(page.locator("#clock-orange .clock-mark")).to_have_text("▶")
    expect(page.locator("#clock-orange .clock-time")).to_have_text(re.compile(r"9:5\d"))
    page.locator("#do-pause").click()
    expect(page.locator("#clock-orange .clock-mark")).to_have_text("❚❚")
    visitor.assert_said("The game is paused")
    stood = time_of(visitor, "orange")
    table.await_kept("d3")
    with visiting(windows, table, viewport=PHONE) as other:
        assert time_of(other, "orange") == stood
        assert amiss(other.page) == {}
    table.kill()
    table.start()
    visitor.page.goto(f"{table.url}#pin={table.pin}")
    visitor.await_ready()
    expect(page.locator("#clock-orange .clock-time")).to_have_text(stood)
    page.locator("#do-resume").click()
    expect(page.locator("#clock-orange .clock-mark")).to_have_text("▶")


@pytest.mark.own_table("--speed", "1", "--clock", "0:12")
def test_little_time_is_marked_and_told_and_a_flag_loses(visitor: Visitor) -> None:
    page = visitor.page
    visitor.drag("d2", "d3")
    visitor.assert_moves("Pd2-d3")
    expect(page.locator("#clock-orange .clock-low")).to_have_text("! low")
    expect(page.locator("#spoken")).to_have_text("Orange: little time left")
    visitor.assert_said("Black wins: Orange has run out of time.")
    expect(page.locator("#clock-orange .clock-time")).to_have_text("0:00")
    expect(page.locator("#clock-actions button")).to_have_count(0)


def test_a_tournament_game_is_corrected_by_the_arbiter_alone(
    table: Served, visitor: Visitor
) -> None:
    page = visitor.page
    visitor.begin(clock="none", conduct="tournament")
    expect(page.locator("#do-why")).to_be_disabled()
    visitor.touch("d2")
    visitor.assert_said("In the air: Panthan d2.")
    visitor.assert_cue("d3", "")
    visitor.touch("d3")
    visitor.assert_moves("Pd2-d3")
    refused = page.evaluate("fetch('/api/explain?from=d9&to=d8').then((told) => told.json())")
    assert refused["refused"] == "no help in a tournament game"
    for pin in ("wrong", (table.home / "games" / "arbiter").read_text().strip()):
        page.locator("#do-back").click()
        dialog = page.get_by_role("dialog")
        dialog.locator("[name=pin]").fill(pin)
        dialog.get_by_role("button", name="OK").click()
        if pin == "wrong":
            expect(page.locator("#toast")).to_contain_text("not the arbiter's PIN")
    visitor.assert_moves()
    archive = Archive.open(table.home / "games")
    entries = archive.entries(archive.games()[-1].game)
    archive.close()
    assert Fix("took back 1 Pd2-d3") in [entry.event for entry in entries]

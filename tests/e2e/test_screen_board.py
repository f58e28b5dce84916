"""The board on the screen: a first visit, and games by taps, drags and keys, each move as made."""

import re
from random import Random
from typing import Any

import pytest
from playwright.sync_api import expect

from rules import Position, format_square, parse_position, parse_rules
from tests.e2e.served import Served, Visitor, fill_in, visiting
from tests.e2e.windows import PHONE, Windows, amiss
from tests.profiles import sampled

pytestmark = pytest.mark.needs("chromium")


@pytest.fixture(scope="module")
def options() -> tuple[str, ...]:
    return "--board", "screen"


LYING: dict[str, Any] = {"viewport": {"width": 844, "height": 390}, "color_scheme": "dark"}

# Black's Flier takes a Panthan on e6, or goes by e8 to the Princess on d9.
SHORT_GAME = "9c/3q6/10/10/4p5/3F1F4/10/10/10/C3Q5 b - - 0 1"


def begin(guest: Visitor, action: str) -> None:
    if not guest.page.locator("#start").is_visible():
        guest.page.locator("#open-start").click()
    guest.page.locator(f"#start [data-action={action}]").click()
    expect(guest.page.locator("#start")).to_be_hidden()


def position_of(state: dict[str, Any]) -> Position:
    return parse_position(state["position"], parse_rules(state["rules"]))


def assert_calm(state: dict[str, Any]) -> None:
    """Nothing is asked, led or faulty."""
    wrong = state["asks"], state["is_led"], state["faults"], state["trouble"]
    assert not any(wrong), wrong


def test_a_first_visitor_plays_the_table_by_two_taps_and_no_pin(visitor: Visitor) -> None:
    begin(visitor, "against")
    visitor.touch("d2")
    visitor.assert_cue("d3", "legal")
    visitor.touch("d3")
    expect(visitor.page.locator("#moves [data-ply]")).to_have_count(2)
    expect(visitor.page.locator("#turn")).to_contain_text("Black to move")
    visitor.page.locator("#do-back").click()
    expect(visitor.page.locator("#moves [data-ply]")).to_have_count(0)
    visitor.assert_piece("d2", "d2, Black Panthan")


def test_a_game_against_the_table_to_its_end(windows: Windows, table: Served) -> None:
    table.begin_anew(position=SHORT_GAME)
    with visiting(windows, table) as guest:
        begin(guest, "on")
        table.ask("api/do", do="invite", level="panthan", side="orange")
        rng = Random(3)
        for _ in range(60):
            state = table.state()
            if state["over"]:
                break
            moves = position_of(state).moves()
            takers = [move for move in moves if state["standing"].get(format_square(move[1]))]
            move = (takers or rng.sample(moves, 1))[0]
            guest.touch(*map(format_square, (move.from_square, move.to_square)))
            expect(guest.page.locator("#moves [data-ply]").nth(len(state["moves"]))).to_be_visible()
            guest.page.wait_for_selector("#turn:is(.black, .over)")
            assert_calm(table.state())
        expect(guest.page.locator("#end-card")).to_be_visible()
        expect(guest.page.locator("#do-resign")).to_be_hidden()
        game = guest.game
        guest.page.locator("#do-rematch").click()
        guest.await_playing(since=game)
        expect(guest.page.locator("#end-card")).to_be_hidden()


@pytest.mark.parametrize(
    ("language", "many", "none", "row"),
    [
        (
            "en",
            "Panthan lifted: 5 squares, c5, e5, c6, d6, e6 (Orange Panthan).",
            "Warrior lifted: it may go nowhere.",
            "Row 5",
        ),
        (
            "de",
            "Panthan angehoben: 5 Felder, c5, e5, c6, d6, e6 (Orange Panthan).",
            "Krieger angehoben: kein Feld ist erlaubt.",
            "Reihe 5",
        ),
    ],
)
def test_ears_hear_what_is_lifted_and_where_it_may_go(
    windows: Windows, table: Served, language: str, many: str, none: str, row: str
) -> None:
    table.begin_anew(position="9c/3q6/10/10/4p5/3P6/10/10/9P/C3Q3PW b - - 0 1")
    with visiting(windows, table, f"?play&lang={language}") as guest:
        for square, words in (("d5", many), ("j1", none)):
            guest.square(square).focus()
            guest.page.keyboard.press("Enter")
            expect(guest.page.locator("#spoken")).to_have_text(words)
        expect(guest.page.get_by_role("row", name=row, exact=True)).to_have_count(1)
        snapshot = guest.page.locator("#square-d5").aria_snapshot()
        assert re.fullmatch(r'- gridcell "d5, \w+ Panthan"', snapshot)


def test_of_a_piece_that_is_lifted_in_a_tournament_no_square_is_told(
    windows: Windows, table: Served
) -> None:
    table.begin_anew(conduct="tournament")
    with visiting(windows, table, "?play") as guest:
        guest.touch("d2")
        expect(guest.page.locator("#spoken")).to_have_text("Panthan lifted.")


def test_the_list_of_moves_is_one_stop_of_tab_and_arrows_go_through_it(
    windows: Windows, table: Served
) -> None:
    with visiting(windows, table, "?play") as guest:
        guest.touch("d2", "d3", "e9", "e8", "c2", "c3")
        guest.assert_moves("Pd2-d3", "Pe9-e8", "Pc2-c3")
        page, moves = guest.page, guest.page.locator("#moves [data-ply]")
        page.locator("#tab-moves").focus()
        page.keyboard.press("Tab")
        expect(moves.last).to_be_focused()
        page.keyboard.press("ArrowLeft")
        expect(moves.nth(1)).to_be_focused()
        expect(moves.nth(1)).to_have_accessible_name("Move 1 (Orange): Panthan e9 to e8")
        page.keyboard.press("Home")
        page.keyboard.press("Enter")
        expect(page.locator("#past")).to_have_text("Move 1 (Black) is shown; the table plays on.")
        expect(moves.first).to_be_focused()
        page.keyboard.press("Tab")
        expect(page.locator("#ply-first")).to_be_focused()


def test_what_is_no_move_is_explained_and_the_piece_stays(visitor: Visitor) -> None:
    begin(visitor, "two")
    visitor.touch("d2", "d6")
    expect(visitor.page.locator("#toast")).to_contain_text("A Panthan takes one step forward")
    visitor.assert_piece("d2", "d2, Black Panthan")
    visitor.touch("d2", "d2")
    visitor.assert_cue("d3", "")


def test_of_an_enemy_s_piece_it_is_said_how_it_goes_and_what_it_threatens(
    windows: Windows, table: Served
) -> None:
    table.begin_anew(position="9q/10/10/10/10/10/d9/10/10/Q9 b - - 0 1")
    with visiting(windows, table, "?play") as guest:
        guest.page.keyboard.press("w")
        guest.touch("a4")
        expect(guest.page.locator("#toast")).to_contain_text(
            "A Dwar takes exactly three straight steps, and from there it threatens the Princess"
        )
        expect(guest.page.locator("#do-why")).to_have_attribute("aria-pressed", "false")


LOOKED_FOR = """
async () => {
  const { drawSaid } = await import("/static/panels.js");
  const asked = [];
  drawSaid({
    said: [
      { template: "I am looking for a hint.", values: {} },
      { template: "Black to move.", values: {} },
    ],
    side: "black", opening: {}, touched: [],
  }, (request) => asked.push(request));
  const line = document.querySelector("#said > .looking");
  document.querySelector("#do-hint-off").click();
  return [line.textContent, asked];
}
"""
"""What shows that a hint is looked for, and what is asked by the button beside it."""


def test_a_hint_that_is_looked_for_shows_it_and_can_be_called_off(visitor: Visitor) -> None:
    line, asked = visitor.page.evaluate(LOOKED_FOR)
    assert (line, asked) == ("I am looking for a hint.", [{"do": "hint", "wanted": "off"}])


def test_a_new_game_against_somebody_else_and_a_wrong_value_keeps_the_form(
    visitor: Visitor,
) -> None:
    begin(visitor, "two")
    visitor.page.locator("#open-new").click()
    dialog = visitor.page.get_by_role("dialog")
    dialog.get_by_label("good").check()
    dialog.get_by_label("I play Orange").check()
    fill_in(dialog, "clock", "soon")
    dialog.get_by_role("button", name="Begin").click()
    expect(dialog.locator(".refused")).to_contain_text("soon")
    expect(dialog.locator("[name=level]:checked")).to_have_attribute("value", "odwar")
    dialog.locator("[name=clock]").fill("10")
    dialog.get_by_role("button", name="Begin").click()
    expect(dialog).to_be_hidden()
    expect(visitor.page.locator("#strip-far .who")).to_have_text("The computer Black · good")
    expect(visitor.page.locator("#moves [data-ply]")).to_have_count(1)


@pytest.mark.own_table("--board", "screen")
def test_a_real_table_is_simulated_where_that_is_wanted(visitor: Visitor) -> None:
    begin(visitor, "two")
    visitor.touch("d2", "d3")
    visitor.assert_moves("Pd2-d3")
    visitor.page.locator("#do-menu").click()
    visitor.page.locator("#machine > summary").click()
    visitor.page.get_by_label("Simulate a real table").check()
    expect(visitor.page.locator("#trays")).to_be_visible()
    visitor.await_playing()
    visitor.touch("e9", "e8")
    visitor.assert_moves("Pd2-d3", "Pe9-e8")


@pytest.mark.parametrize("how", sampled([{"viewport": PHONE}, LYING], by_hand=1))
def test_nothing_is_amiss_for_a_checker_on_start_game_and_dialogs(
    windows: Windows, table: Served, how: dict[str, Any]
) -> None:
    with visiting(windows, table, "?lang=de", **how) as guest:
        assert amiss(guest.page) == {}
        begin(guest, "two")
        guest.touch("d2")
        assert amiss(guest.page) == {}
        guest.page.locator("#do-menu").click()
        assert amiss(guest.page) == {}
        assert guest.is_as_wide_as_its_window()
        for opener in ("#open-new", "#open-games"):
            guest.page.locator(opener).click()
            expect(guest.page.get_by_role("dialog")).to_be_visible()
            assert amiss(guest.page, "dialog[open]") == {}
            guest.page.keyboard.press("Escape")

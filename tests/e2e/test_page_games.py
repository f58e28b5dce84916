"""Around the board on the page, in a real browser: plies, games, series, clocks, dice, settings."""

import csv
import io
import re
from pathlib import Path
from urllib.parse import quote
from urllib.request import urlopen

import pytest
from playwright.sync_api import expect

from jetan_table.game.events import Fix
from jetan_table.journal.archive import Archive
from rules import PRESETS, RECOMMENDED, Position, format_position, parse_rules
from tests.e2e.served import Served, Visitor, fill_in, served, visiting
from tests.e2e.windows import DESKTOP, PHONE, Windows, amiss

pytestmark = pytest.mark.needs("chromium")

ARENA = "9q/10/5c4/10/4d5/10/4A5/10/3C6/Q9 b BO - 0 1"
"""Black's Padwar on e4 may enter e6, which a Dwar defends."""


def begin(guest: Visitor, **filled: str) -> None:
    """Begin a game of the series by the new-game dialog."""
    guest.page.keyboard.press("n")
    dialog = guest.page.locator("dialog[open]")
    for name, value in filled.items():
        fill_in(dialog, name, value)
    dialog.locator("button.main").click()


def test_an_evening_for_stakes_on_the_page(table: Served, visitor: Visitor) -> None:
    page = visitor.page
    begin(visitor, black="Tara", orange="Gahan", series="sunday", stake="10")
    visitor.assert_said("Roll for who begins: odd is Black, even is Orange.")
    expect(page.locator("#turn")).to_contain_text("Before the first move")
    page.locator("#roll-opening").click()
    expect(page.locator("#counters")).to_contain_text("begins (the die shows")
    expect(page.locator("#roll-opening")).to_have_count(0)
    loser = "Tara" if "Black to move" in (page.locator("#turn").text_content() or "") else "Gahan"
    page.locator("#do-resign").click()
    page.locator("dialog[open]").locator("button.main").click()
    rows = page.locator("#ledger tbody tr")
    expect(rows.filter(has_text=loser)).to_have_text(f"{loser}0−100−10")
    with urlopen(f"{table.url}api/series/sunday.csv") as answer:
        (row,) = csv.DictReader(io.StringIO(answer.read().decode()))
    assert {row["balance_1"], row["balance_2"]} == {"-10", "10"}
    page.keyboard.press("n")
    dialog = page.locator("dialog[open]")
    expect(dialog.locator("[name=black]")).to_have_value("Gahan")
    expect(dialog.locator("[name=series]")).to_have_value("sunday")
    dialog.locator("button.main").click()
    visitor.assert_said("says who begins")
    page.get_by_role("button", name="Orange begins").click()
    expect(page.locator("#turn")).to_contain_text("Orange to move")
    expect(rows.filter(has_text=loser)).to_have_text(f"{loser}000−10")


@pytest.mark.own_table("--speed", "0.4")  # the second piece is to be lifted soon after the first
def test_who_lifts_chief_and_princess_and_holds_them_gives_up(visitor: Visitor) -> None:
    page = visitor.page
    visitor.touch("e1")
    page.wait_for_timeout(1600)
    visitor.touch("f1")
    visitor.assert_cue("e1", "gesture")
    expect(page.locator("#said")).to_contain_text("Black resigns when the light is full.")
    visitor.assert_cue("f5", "gesture")
    expect(page.locator("#turn")).to_contain_text("Orange won")


def test_a_game_begins_from_what_stands_there_once_each_piece_is_named(visitor: Visitor) -> None:
    page = visitor.page
    visitor.touch("d2", "d5")
    visitor.assert_cue("d5", "wrong")
    page.locator("#open-standing").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Black Chief", exact=True).click()
    dialog.locator("[data-named=d5]").click()
    dialog.get_by_role("button", name="Begin").click()
    expect(dialog.locator(".refused")).to_contain_text("2 of C are named: at most 1")
    dialog.get_by_role("button", name="Black Panthan", exact=True).click()
    dialog.locator("[data-named=d5]").click()
    dialog.locator("[name=side]").select_option("orange")
    dialog.get_by_role("button", name="Begin").click()
    expect(dialog).to_be_hidden()
    expect(page.locator("#turn")).to_contain_text("Orange to move")
    visitor.assert_piece("d5", "d5, Black Panthan")
    visitor.drag("e9", "e8")
    visitor.assert_moves("Pe9-e8")


@pytest.mark.own_table
def test_a_board_that_lies_turned_is_asked_about_and_named_rightly(visitor: Visitor) -> None:
    page = visitor.page
    for start, end in (("e9", "e8"), ("c9", "c8")):  # one move out of turn shows nothing
        visitor.drag(start, end)
        visitor.assert_cue(end, "wrong")
        page.wait_for_timeout(750)
        visitor.drag(end, start)
        page.wait_for_timeout(400)
    visitor.drag("g9", "g8")
    visitor.assert_cue("j10", "question")
    expect(page.locator("#said")).to_contain_text("Is the board turned round?")
    page.get_by_role("button", name="a1 is j10").click()
    visitor.assert_moves("Pd2-d3")
    visitor.drag("e9", "e8")
    visitor.assert_moves("Pd2-d3", "Pe9-e8")


def time_of(guest: Visitor, side: str) -> str:
    return str(guest.page.locator(f"#clock-{side} .clock-time").inner_text())


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
    visitor.assert_said("Lifted: Panthan d2.")
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


def play_three(guest: Visitor) -> None:
    plies = (("d2", "d3", "Pd2-d3"), ("e9", "e8", "Pe9-e8"), ("c2", "c3", "Pc2-c3"))
    played = []
    for start, end, move in plies:
        guest.drag(start, end)
        played.append(move)
        guest.assert_moves(*played)


def test_past_plies_are_looked_at_and_played_on_from(visitor: Visitor) -> None:
    play_three(visitor)
    page = visitor.page
    page.locator("h1").click()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    visitor.assert_piece("e9", "e9, Orange Panthan")
    expect(page.locator("#past")).to_have_text("Move 1 (Black) is shown; the table plays on.")
    page.keyboard.press("Home")
    visitor.assert_piece("d2", "d2, Black Panthan")
    page.keyboard.press("End")
    visitor.assert_piece("c3", "c3, Black Panthan")
    expect(page.locator("#past")).to_be_hidden()
    page.locator("#moves [data-ply='2']").click()
    page.get_by_role("button", name="Play on from here").click()
    visitor.assert_moves("Pd2-d3", "Pe9-e8")
    visitor.assert_piece("c2", "c2, Black Panthan")
    visitor.assert_said("Black to move.")
    visitor.drag("b2", "b3")
    visitor.assert_moves("Pd2-d3", "Pe9-e8", "Pb2-b3")


@pytest.mark.own_table
def test_a_game_is_saved_looked_at_and_loaded(visitor: Visitor) -> None:
    play_three(visitor)
    page = visitor.page
    page.locator("h1").click()
    page.keyboard.press("s")
    page.get_by_role("dialog").get_by_role("textbox").fill("Sunday")
    page.keyboard.press("Enter")
    expect(page.locator("#toast")).to_have_text("Saved as Sunday.")
    visitor.begin()
    visitor.assert_moves()
    page.keyboard.press("l")
    saved = page.get_by_role("dialog").get_by_role("listitem").filter(has_text="Sunday")
    saved.get_by_role("button", name="View").click()
    expect(page.locator("#past")).to_have_text("Game Sunday: Move 2 (Black) of 2.")
    visitor.assert_piece("c3", "c3, Black Panthan")
    page.keyboard.press("Escape")
    visitor.assert_moves()
    page.keyboard.press("l")
    saved.get_by_role("button", name="Play on").click()
    visitor.assert_moves("Pd2-d3", "Pe9-e8", "Pc2-c3")
    page.keyboard.press("l")
    expect(page.get_by_role("dialog").locator(".small-board")).to_have_count(3)


def test_a_new_game_by_other_rules_and_names(visitor: Visitor) -> None:
    page = visitor.page
    page.locator("h1").click()
    visitor.begin(preset="ninth-ray-clockwise", black="Ghek", orange="Tara")
    expect(page.locator("#board.disk")).to_be_visible()
    expect(page.locator("#strip-near .name")).to_have_text("Ghek")
    expect(page.locator("#strip-far .name")).to_have_text("Tara")
    visitor.touch("e2", "e3")
    visitor.assert_moves("Pe2-e3")


def test_a_reading_is_called_on_the_page_as_the_rules_call_it(visitor: Visitor) -> None:
    """So a reading that somebody adds to the rules can be chosen at once."""
    page, reading = visitor.page, PRESETS["manator"]
    visitor.begin(preset="manator", black="Ghek")
    expect(page.locator("#strip-near .name")).to_have_text("Ghek")
    expect(page.locator("#counters")).to_contain_text(reading.title)
    page.locator("#open-new").click()
    card = page.get_by_role("dialog").locator(".reading", has=page.locator("[value=manator]"))
    expect(card.locator("b")).to_have_text(reading.title)
    expect(card.locator("small")).to_have_text(reading.gist)


def test_why_not_and_where_the_princess_is_in_danger(visitor: Visitor) -> None:
    page = visitor.page
    page.get_by_role("button", name="Why?").click()
    visitor.touch("d2", "d5")
    expect(page.locator("#toast")).to_contain_text("A Panthan takes one step forward")
    visitor.touch("d2")
    visitor.square("d6").click(button="right", force=True)
    expect(page.locator("#toast")).to_contain_text("that never leads from d2 to d6")
    visitor.touch("d2")
    page.get_by_role("button", name="Show threats").click()
    visitor.assert_piece("e8", "e8, empty, threatened")


def test_the_juggernaut_is_led_where_the_die_sends_it(windows: Windows, table: Served) -> None:
    table.begin_anew("appendix,juggernaut=e5")
    with visiting(windows, table) as guest:
        guest.touch("d2", "d3")
        guest.assert_cue("e5", "dice")
        table.ask("api/do", do="roll", shown="1")
        expect(guest.page.locator("#drama")).to_contain_text("The Juggernaut steps to e6.")
        guest.touch("e5")
        expect(guest.page.locator("#in-hand").get_by_label("Juggernaut")).to_be_visible()
        expect(guest.page.locator("#toast")).to_be_hidden()


def test_an_entered_square_is_fought_for(windows: Windows, table: Served) -> None:
    table.begin_anew("manator-arena", position=ARENA)
    with visiting(windows, table) as guest:
        page, card = guest.page, guest.page.locator("#fight-card")
        expect(card).to_be_hidden()
        guest.drag("e4", "e6")
        expect(card).to_be_visible()
        guest.assert_cue("e6", "dice")
        guest.assert_said("The Padwar (Black) fights the Dwar for e6")
        expect(page.locator("#fight-sides li")).to_have_text(["Padwar +2", "Dwar +4"])
        page.get_by_label("Our own dice show (Padwar first)").fill("6,4")
        page.locator("#throw-form").get_by_role("button").click()
        guest.assert_said("6 and 4: equal, both throw again.")
        expect(page.get_by_role("button", name="Dwar has won", exact=True)).to_be_disabled()
        page.get_by_label("Our own dice show (Padwar first)").fill("1,9")
        page.locator("#throw-form").get_by_role("button").click()
        expect(card).to_be_hidden()
        guest.assert_said("The piece that entered e6 has lost the fight.")
        guest.assert_cue("e6", "wrong")
        guest.page.get_by_role("button", name="Set the pieces up for me").click()
        guest.assert_said("Orange to move.")
        guest.assert_moves("Ae4xe6 fight lost 3:13")


def test_the_die_is_rolled_and_the_juggernaut_led(windows: Windows, table: Served) -> None:
    table.begin_anew("appendix,juggernaut=e5")
    with visiting(windows, table) as guest:
        page = guest.page
        page.get_by_text("My own die shows").click()
        page.get_by_label("Add a number to its seed").fill("17")
        page.get_by_role("button", name="Add", exact=True).click()
        expect(page.locator("#die-seal")).to_contain_text("Added: 17")
        guest.drag("d2", "d3")
        guest.assert_moves("Pd2-d3")
        guest.assert_said("Roll the die to move the Juggernaut.")
        page.get_by_label("My own die shows").fill("3")
        page.get_by_role("button", name="Enter it").click()
        expect(page.locator("#die-face")).to_have_text("3")
        guest.assert_said("The die shows 3: the Juggernaut goes to f5.")
        guest.assert_cue("f5", "belongs")
        guest.touch("e5", "f5")
        guest.assert_said("Orange to move.")
        guest.drag("e9", "e8")
        page.get_by_role("button", name="Roll", exact=True).click()
        expect(page.locator("#die-history li").last).to_have_text("Move 1 (Black): 3")
        expect(page.locator("#die-history li").first).to_have_text(
            re.compile(r"Move 1 \(Orange\): [\d, ]+$")
        )
        expect(page.locator("#moves [data-ply='2']")).to_have_attribute(
            "aria-label", "Move 1 (Orange): Panthan e9 to e8"
        )


def test_words_are_typed(visitor: Visitor) -> None:
    page = visitor.page
    page.get_by_text("Type a move or a word").click()
    page.get_by_label("d2 d3, or ? for all words").fill("d2 d3")
    page.keyboard.press("Enter")
    visitor.assert_moves("Pd2-d3")
    page.get_by_label("d2 d3, or ? for all words").fill("jump")
    page.keyboard.press("Enter")
    expect(page.locator("#toast")).to_contain_text("jump: no such word")


@pytest.mark.own_table
def test_settings_change_lamps_and_looks(windows: Windows, table: Served) -> None:
    with visiting(windows, table) as guest, visiting(windows, table, knows_pin=False) as other:
        guest.touch("d2")
        other.assert_cue("d3", "legal")
        lamp = other.page.locator("#square-d3 .lamp")
        expect(lamp).to_have_css("fill", "rgb(20, 95, 255)")
        guest.page.locator("#open-settings").click()
        guest.page.get_by_label("Lamps’ colours").select_option("mono")
        expect(lamp).to_have_css("fill", "rgb(255, 255, 255)")
        guest.page.get_by_label("Appearance").select_option("dark")
        guest.page.get_by_label("Sounds").check()
        guest.page.get_by_label("Speak the moves").check()
        expect(guest.page.locator("body")).to_have_css("background-color", "rgb(23, 16, 12)")
        guest.page.keyboard.press("Escape")
        guest.touch("d3")
        guest.assert_moves("Pd2-d3")


def test_a_position_is_copied_out_and_corrected(visitor: Visitor) -> None:
    page = visitor.page
    page.get_by_role("button", name="Position").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("pre").first).to_contain_text("TPPPPPPPPT/WADFCQFDAW b BO - 0 1")
    expect(dialog.locator("pre").last).to_contain_text(f'[Rules "{RECOMMENDED}"]')
    dialog.get_by_label("Position text").fill("q9/10/10/10/10/10/10/10/10/9Q o - - 0 7")
    dialog.get_by_role("button", name="Play on from this position").click()
    expect(page.locator("#turn")).to_have_text("Orange to move")
    page.get_by_role("button", name="Set the pieces up for me").click()
    visitor.assert_piece("a10", "a10, Orange Princess")


def test_a_draw_is_declined_then_agreed_and_the_end_taken_back(visitor: Visitor) -> None:
    page = visitor.page
    visitor.drag("d2", "d3")
    visitor.assert_moves("Pd2-d3")
    for answer in ("Decline", "Accept the draw"):
        page.locator("#do-draw").click()
        page.get_by_role("dialog").get_by_role("button", name="Offer a draw").click()
        visitor.assert_said("Orange offers a draw.")
        page.get_by_role("button", name=answer).click()
        expect(page.locator("#said")).not_to_contain_text("offers a draw")
    visitor.assert_said("A draw: both sides agreed.")
    expect(page.locator("#turn")).to_have_text("A draw")
    page.get_by_role("button", name="Take back").click()
    page.get_by_role("button", name="Set the pieces up for me").click()
    visitor.assert_moves()
    visitor.assert_said("Black to move.")


def test_a_reading_is_pictured_by_its_own_start(table: Served) -> None:
    table.begin_anew(position="q9/10/10/10/10/10/10/10/10/9Q b - - 0 1")

    def drawn(query: str) -> bytes:
        with urlopen(f"{table.url}board.svg{query}") as answer:
            assert answer.headers["content-type"] == "image/svg+xml"
            picture: bytes = answer.read()
            return picture

    pictures = {drawn(query) for query in ("", "?rules=appendix", "?rules=manator")}
    assert len(pictures) == 3
    start = quote(format_position(Position.start(parse_rules("manator"))))
    assert drawn("?rules=manator") == drawn(f"?rules=manator&position={start}")


def test_the_opponent_is_invited_wishes_and_is_obliged(visitor: Visitor) -> None:
    page = visitor.page
    page.get_by_role("button", name="Opponent").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("easiest").check()
    dialog.get_by_label("I play Orange").check()
    dialog.get_by_role("button", name="OK").click()
    visitor.assert_said("I play ")
    expect(page.locator(".level").filter(has_text="easiest")).to_contain_text("Black")
    expect(page.locator("[data-cue=wanted]")).to_have_count(1)
    page.get_by_role("button", name="Make the opponent’s move").click()
    expect(page.locator("#moves [data-ply]")).to_have_count(1)
    expect(page.locator("#turn")).to_contain_text("Orange to move")
    page.get_by_role("button", name="Opponent").click()
    dialog.get_by_label("a friend").check()
    dialog.get_by_role("button", name="OK").click()
    expect(page.locator(".level").filter(has_text="easiest")).to_have_count(0)


@pytest.mark.own_table
def test_what_the_opponent_thinks_is_shown_where_it_is_wanted(visitor: Visitor) -> None:
    page = visitor.page
    page.get_by_role("button", name="Opponent").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("radio", name="easy", exact=True).check()
    dialog.get_by_label("I play Orange").check()
    dialog.get_by_label("It also thinks on my time").check()
    dialog.get_by_role("button", name="OK").click()
    visitor.assert_said("I play ")
    expect(page.locator("#bar")).to_be_hidden()
    expect(page.locator("#thinks")).to_be_hidden()
    page.get_by_role("button", name="Settings").click()
    dialog.get_by_label("Show who is better").check()
    dialog.get_by_label("Show the line").check()
    dialog.get_by_role("button", name="Close").click()
    expect(page.locator("#bar")).to_have_attribute(
        "aria-label", re.compile(r"^Expected score: Black \d+ %, Orange \d+ %$")
    )
    expect(page.locator("#thinks")).to_contain_text(re.compile(r"\d moves? ahead.*[a-j]\d"))
    page.reload()
    visitor.await_ready()
    expect(page.locator("#bar")).to_be_visible()


def test_settings_speak_the_language_that_is_chosen_in_them_at_once(visitor: Visitor) -> None:
    visitor.page.locator("#open-settings").click()
    dialog = visitor.page.get_by_role("dialog", name="Settings")
    dialog.get_by_label("Language").select_option("de")
    german = visitor.page.get_by_role("dialog", name="Einstellungen")
    expect(german.get_by_label("Sprache")).to_have_value("de")
    expect(german.get_by_label("Aussehen")).to_contain_text("hell")
    expect(german.get_by_label("Töne")).to_be_checked()
    expect(german.get_by_role("button", name="Schließen")).to_be_visible()
    german.get_by_label("Sprache").select_option("en")
    expect(dialog.get_by_role("button", name="Close")).to_be_visible()


def test_a_long_name_leaves_room_for_side_and_level(windows: Windows, table: Served) -> None:
    table.begin_anew(black="Ω" * 40, clock="10+5")
    for viewport in (DESKTOP, PHONE):
        with visiting(windows, table, "?play", viewport=viewport) as guest:
            side, who = (guest.page.locator(f"#strip-near .{part}") for part in ("level", "who"))
            expect(side).to_have_text("Black")
            assert side.evaluate("each => each.scrollWidth <= each.clientWidth")
            right = "each => each.getBoundingClientRect().right"
            assert side.evaluate(right) <= who.evaluate(right) + 1
            assert guest.is_as_wide_as_its_window()


def test_a_hint_tells_more_each_time_it_is_asked_for(windows: Windows, table: Served) -> None:
    winning = "q9/10/10/D9/10/10/10/10/10/9Q b - - 0 1"
    table.begin_anew(position=winning)
    with visiting(windows, table) as guest:
        page = guest.page
        page.get_by_role("button", name="Hint").click()
        guest.assert_said("Hint: think about the Dwar a7.")
        expect(page.locator("[data-cue=advice]")).to_have_count(1)
        page.keyboard.press("h")
        guest.assert_said("Hint: Da7xa10.")
        guest.assert_piece("a10", "a10, Orange Princess, the hint")
        page.keyboard.press("h")
        guest.assert_said("The move takes the Princess and wins.")


def test_simulated_people_are_watched(windows: Windows, tmp_path: Path) -> None:
    people = ("--hands", "auto", "--preset", "careful", "--speed", "8")
    with served(tmp_path, *people) as table, visiting(windows, table) as guest:
        guest.page.locator("#moves [data-ply='3']").wait_for()
        expect(guest.page.locator("#trays")).to_be_hidden()
        guest.touch("d2")
        expect(guest.page.locator("#held")).to_be_hidden()

"""The page in a real browser: a newcomer's table, by mouse, finger and keys."""

import pytest
from playwright.sync_api import expect

from tests.e2e.served import Served, Visitor, visiting
from tests.e2e.windows import PHONE, Windows, amiss

pytestmark = pytest.mark.needs("chromium")

# Black's Flier takes a Panthan on e6, or goes by e8 to the Princess on d9.
SHORT_GAME = "9c/3q6/10/10/4p5/3F1F4/10/10/10/C3Q5 b - - 0 1"
# A black Dwar may take on d8 or e7; both stay occupied when it does so without a gap.
ASKING = "5c4/10/3p6/4p5/10/3D6/10/10/10/5QC3 b - - 0 30"


def test_a_piece_is_lifted_and_put_and_the_ply_is_read(visitor: Visitor) -> None:
    visitor.touch("d2")
    visitor.assert_cue("d3", "legal")
    visitor.assert_said("Lifted: Panthan d2.")
    visitor.touch("d3")
    visitor.assert_moves("Pd2-d3")
    visitor.assert_piece("d3", "d3, Black Panthan, last move")
    visitor.drag("e9", "e8")
    visitor.assert_moves("Pd2-d3", "Pe9-e8")


def test_a_whole_game_by_mouse(windows: Windows, table: Served) -> None:
    table.begin_anew(position=SHORT_GAME)
    with visiting(windows, table) as guest:
        guest.drag("d5", "e8")
        guest.assert_moves("Fd5-e8")
        guest.drag("j10", "i10")
        guest.assert_moves("Fd5-e8", "Cj10-i10")
        guest.drag("e8", "d9")
        guest.assert_moves("Fd5-e8", "Cj10-i10", "Fe8xd9")
        guest.assert_said("Black wins: the Princess is taken.")
        expect(guest.page.locator("#turn")).to_have_text("Black won")
        expect(guest.page.locator("#in-box button")).to_have_count(1)


def test_what_the_table_refuses_is_said_in_the_page_s_language(
    windows: Windows, table: Served
) -> None:
    with visiting(windows, table, "?lang=de") as guest:
        guest.page.keyboard.press("b")
        toast = expect(guest.page.locator("#toast"))
        toast.to_have_text("es gibt keinen Zug zum Zurücknehmen")
    with visiting(windows, table, "?lang=de", knows_pin=False) as guest:
        guest.page.keyboard.press("b")
        asked = guest.page.get_by_role("dialog")
        asked.get_by_role("textbox").fill("wrong")
        asked.get_by_role("button", name="Eintreten").click()
        expect(asked.get_by_role("alert")).to_have_text("das ist nicht die PIN des Tisches")


@pytest.mark.parametrize("order", ["attacker first", "victim first"])
def test_a_capture_in_both_orders(windows: Windows, table: Served, order: str) -> None:
    table.begin_anew(position=SHORT_GAME)
    with visiting(windows, table) as guest:
        if order == "attacker first":
            guest.touch("d5", "e6")
        else:
            guest.touch("e6")
            guest.page.locator("#box-tray").click()
            guest.touch("d5", "e6")
        guest.assert_moves("Fd5xe6")
        expect(guest.page.locator("#in-box button")).to_have_count(1)
        expect(guest.page.locator("#in-hand button")).to_have_count(0)


def test_a_wrong_piece_is_led_back_in_words_and_lights(visitor: Visitor) -> None:
    visitor.touch("d2", "d6")
    visitor.assert_cue("d6", "wrong")
    visitor.assert_cue("d2", "belongs")
    visitor.assert_said("A Panthan takes one step forward")
    visitor.assert_said("Put the Panthan from d6 on d2.")
    visitor.touch("d6", "d2")
    visitor.assert_cue("d6", "")
    visitor.touch("c2", "c7")
    visitor.page.get_by_role("button", name="Set the pieces up for me").click()
    visitor.assert_piece("c2", "c2, Black Panthan")
    visitor.touch("d2", "d3")
    visitor.assert_moves("Pd2-d3")


def test_of_a_dozen_squares_none_is_named_and_the_board_answers(
    windows: Windows, table: Served
) -> None:
    table.begin_anew(position="5c4/10/3p6/2p1p5/10/p2D2p3/10/10/10/5QC3 b - - 0 30")
    with visiting(windows, table) as guest:
        guest.touch("d5")
        guest.page.locator("#box-tray").click()
        guest.touch("f10", "f7")
        guest.assert_said("Where does the piece from d5 stand now?")
        expect(guest.page.locator("#said-actions")).to_have_text("Press its square on the board.")
        guest.touch("c7")
        guest.assert_moves("Dd5xc7", "Cf10-f7")


@pytest.mark.parametrize("is_by_button", [True, False])
def test_a_question_is_asked_and_answered(
    windows: Windows, table: Served, is_by_button: bool
) -> None:
    table.begin_anew(position=ASKING)
    with visiting(windows, table) as guest:
        guest.touch("d5")
        guest.page.locator("#box-tray").click()
        guest.touch("f10", "f7")
        guest.assert_said("Where did the piece from d5 go: e7 or d8?")
        guest.assert_cue("d8", "question")
        if is_by_button:
            guest.page.get_by_role("button", name="It was d8").click()
        else:
            guest.touch("d8")
        guest.assert_moves("Dd5xd8", "Cf10-f7")


def test_reload_and_another_browser_in_the_middle(
    windows: Windows, table: Served, visitor: Visitor
) -> None:
    visitor.touch("d2")
    visitor.assert_cue("d3", "legal")
    with visiting(windows, table, knows_pin=False) as other:
        other.assert_cue("d3", "legal")
        visitor.page.reload()
        visitor.await_ready()
        visitor.touch("d3")
        other.assert_moves("Pd2-d3")
        visitor.assert_moves("Pd2-d3")


def test_who_does_not_know_the_pin_watches_until_he_does(windows: Windows, table: Served) -> None:
    with visiting(windows, table, knows_pin=False) as guest:
        guest.touch("d2")
        asked = guest.page.get_by_role("dialog")
        asked.get_by_role("textbox").fill("wrong")
        asked.get_by_role("button", name="Enter").click()
        expect(asked.get_by_role("alert")).to_have_text("that is not the table's PIN")
        guest.assert_piece("d2", "d2, Black Panthan")
        asked.get_by_role("textbox").fill(table.pin)
        asked.get_by_role("button", name="Enter").click()
        guest.assert_cue("d3", "legal")


def test_keys_alone_play(visitor: Visitor) -> None:
    visitor.square("a1").focus()
    press = visitor.page.keyboard.press
    for key in ("ArrowUp", "ArrowRight", "ArrowRight", "ArrowRight", "Enter", "ArrowUp", "Enter"):
        press(key)
    visitor.assert_moves("Pd2-d3")
    expect(visitor.page.locator("#spoken")).to_contain_text("Black: Panthan d2 to d3")
    for key in ("ArrowLeft", "ArrowDown", "Enter"):
        press(key)
    visitor.assert_said("Lifted: Panthan c2.")
    press("Escape")
    visitor.assert_piece("c2", "c2, Black Panthan")
    press("b")
    visitor.assert_said("Put the Panthan from d3 on d2.")


@pytest.mark.own_table
def test_a_faulty_switch_is_named_and_played_around(visitor: Visitor) -> None:
    page = visitor.page
    page.get_by_text("The simulated table").click()
    page.get_by_role("button", name="Jam a switch").click()
    visitor.touch("e5")
    visitor.assert_cue("e5", "wrong")
    page.get_by_role("button", name="I’ve fixed the board").click()
    notice = page.locator("[data-notice=switches-e5]")
    expect(notice).to_contain_text("switch e5 sees a piece that is not there")
    visitor.assert_cue("e5", "fault")
    visitor.drag("d2", "d3")
    visitor.assert_moves("Pd2-d3")


@pytest.mark.own_table
def test_the_table_killed_and_started_again_in_the_middle_of_a_move(
    table: Served, visitor: Visitor
) -> None:
    visitor.drag("d2", "d3")
    visitor.assert_moves("Pd2-d3")
    visitor.touch("e9")
    visitor.assert_cue("e8", "legal")
    table.await_kept("e9")
    table.kill()
    expect(visitor.page.locator("#link")).to_contain_text("no connection")
    table.start()
    expect(visitor.page.locator("#link")).to_have_text("live")
    visitor.assert_said("You were in the middle of Panthan e9")
    visitor.touch("e8")
    visitor.assert_moves("Pd2-d3", "Pe9-e8")
    assert table.stop() == 0


def test_a_phone_needs_no_sideways_scroll_and_takes_fingers(
    windows: Windows, table: Served
) -> None:
    with visiting(
        windows, table, "?lang=de", viewport=PHONE, has_touch=True, is_mobile=True
    ) as guest:
        for name in ("d2", "d3"):
            guest.square(name).tap(force=True)
        guest.assert_moves("Pd2-d3")
        for name in ("#open-new", "#open-games", "#open-settings", "#open-help"):
            guest.page.locator(name).tap()
            expect(guest.page.get_by_role("dialog")).to_be_visible()
            assert guest.is_as_wide_as_its_window()
            guest.page.keyboard.press("Escape")
            expect(guest.page.get_by_role("dialog")).to_be_hidden()
        assert guest.is_as_wide_as_its_window()


@pytest.mark.parametrize(
    ("rules", "scheme"),
    [("appendix", "light"), ("ninth-ray-counterclockwise,juggernaut=e5", "dark")],
)
def test_axe_finds_nothing_serious(
    windows: Windows, table: Served, rules: str, scheme: str
) -> None:
    table.begin_anew(rules)
    with visiting(windows, table, color_scheme=scheme) as guest:
        guest.touch("d2")
        guest.assert_said("Lifted")
        assert amiss(guest.page) == {}
        for dialog in ("#open-new", "#open-games", "#open-settings", "#open-help"):
            guest.page.locator(dialog).click()
            expect(guest.page.get_by_role("dialog")).to_be_visible()
            assert amiss(guest.page, "dialog[open]") == {}
            guest.page.keyboard.press("Escape")
            expect(guest.page.get_by_role("dialog")).to_be_hidden()


def test_german(windows: Windows, table: Served) -> None:
    with visiting(windows, table, locale="de-DE") as guest:
        guest.touch("d2", "d6")
        guest.assert_said("Panthan von d6 nach d2 stellen.")
        expect(guest.page.get_by_role("button", name="Zurücknehmen")).to_be_visible()
        assert guest.page.locator("html").get_attribute("lang") == "de"
        guest.page.reload()
        guest.await_ready()
        guest.assert_said("Panthan von d6 nach d2 stellen.")

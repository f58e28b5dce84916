"""Learning Jetan on the page in a real browser: the course, the cards, by taps and by keys."""

from typing import Any

import pytest
from playwright.sync_api import expect

from jetan_table.extras.lessons.course import GRID, Lesson, course
from jetan_table.languages import say_in
from rules import format_square
from tests.e2e.served import Served, Visitor, visiting
from tests.e2e.windows import LOOKS, Windows, amiss
from tests.profiles import sampled

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.own_table]

WHOLE = course(GRID, may_change=True)
FIRST = WHOLE[0]


def await_lesson(guest: Visitor, lesson: Lesson) -> tuple[str, str]:
    """Wait until a lesson's position stands; return where its ply goes."""
    guest.page.wait_for_selector(f'#lesson-card[data-lesson="{lesson.name}"][data-solved="false"]')
    wanted = lesson.accepted(GRID)[0]
    for square, piece in lesson.start(GRID).pieces().items():
        guest.assert_piece(
            format_square(square), ", Orange " if piece.side else ", (Black|Schwarz) "
        )
    return format_square(wanted.from_square), format_square(wanted.to_square)


def await_solved(guest: Visitor, lesson: Lesson) -> None:
    """Wait until a lesson is listed as solved: the praise for it goes by soon."""
    number = WHOLE.index(lesson) + 1
    guest.page.wait_for_selector(f"#lessons li:nth-child({number}) button.solved")


def open_course(guest: Visitor) -> None:
    guest.page.locator('[data-action="learn"]').first.click()


def test_one_tap_leads_to_the_first_move_and_taps_through_the_course(
    windows: Windows, table: Served
) -> None:
    with visiting(windows, table) as guest:
        open_course(guest)
        for lesson in WHOLE:
            guest.touch(*await_lesson(guest, lesson))
            await_solved(guest, lesson)
        expect(guest.page.locator("#lesson-answer")).to_contain_text("Play your first game")
        expect(guest.page.locator("#lessons button.solved")).to_have_count(len(WHOLE))
        guest.page.locator("#first-game").click()
        guest.page.wait_for_selector("#lesson-card", state="hidden")
        guest.assert_piece("d2", "d2, Black Panthan")
        guest.page.wait_for_selector('[data-cue="advice"]')


def test_a_lesson_shows_how_its_piece_moves_and_where_its_star_lies(
    windows: Windows, table: Served
) -> None:
    with visiting(windows, table) as guest:
        guest.page.locator("#do-menu").click()
        guest.page.locator("#open-learn").click()
        _start, end = await_lesson(guest, FIRST)
        expect(guest.page.locator("#piece-card")).to_contain_text("Panthan")
        guest.assert_piece(end, "empty, star")


def test_wrong_tries_are_answered_and_progress_is_kept(windows: Windows, table: Served) -> None:
    with visiting(windows, table) as guest:
        guest.drag("d2", "d3")
        guest.assert_moves("Pd2-d3")
        open_course(guest)
        await_lesson(guest, FIRST)
        guest.touch("e3", "e2")
        answer = expect(guest.page.locator("#lesson-answer"))
        answer.to_contain_text("it never goes back from e3 to e2.")
        guest.touch("e2", "e3")
        await_lesson(guest, FIRST)
        guest.touch("e3", "e4")
        answer.to_contain_text("But this lesson asks for another move.")
        guest.page.locator("#do-hint").click()
        guest.assert_cue("e3", "advice")
        guest.page.locator("#do-hint").click()
        guest.assert_cue("d4", "advice")
        guest.touch(*await_lesson(guest, FIRST))
        await_solved(guest, FIRST)
    table.kill()
    table.start()
    with visiting(windows, table) as guest:
        guest.touch(*await_lesson(guest, WHOLE[1]))
        await_solved(guest, WHOLE[1])
        guest.page.locator("#leave-course").click()
        guest.page.wait_for_selector("#lesson-card", state="hidden")
        guest.assert_moves("Pd2-d3")
        guest.assert_piece("d3", "d3, Black Panthan")
        open_course(guest)
        await_lesson(guest, WHOLE[2])


@pytest.mark.own_table("--speed", "0.5")  # for the praise goes by soon
def test_keys_alone_play_a_lesson_in_german(windows: Windows, table: Served) -> None:
    with visiting(windows, table, "?lang=de") as guest:
        page = guest.page
        page.locator('[data-action="learn"]').first.focus()
        page.keyboard.press("Enter")
        await_lesson(guest, FIRST)
        expect(page.locator("#lesson-words")).to_contain_text(say_in("de", FIRST.words))
        page.locator("#board").press("Tab")
        page.locator("#square-a1").focus()
        for key in ("ArrowUp", "ArrowUp", *["ArrowRight"] * 4):
            page.keyboard.press(key)
        page.keyboard.press("?")
        expect(page.locator("dialog .move-card")).to_contain_text("Ein Söldner")
        page.keyboard.press("Escape")
        page.locator("#square-e3").focus()
        for key in ("Enter", "ArrowLeft", "ArrowUp", "Enter"):
            page.keyboard.press(key)
        expect(page.locator("#lesson-answer")).to_have_text("Gut gemacht!")


@pytest.mark.parametrize("how", sampled(LOOKS, by_hand=1))
def test_lessons_and_cards_are_open_to_all(
    windows: Windows, table: Served, how: dict[str, Any]
) -> None:
    with visiting(windows, table, **how) as guest:
        open_course(guest)
        await_lesson(guest, FIRST)
        expect(guest.page.locator("#piece-card .move-card")).to_have_attribute("data-card", "P")
        expect(guest.page.locator("#board .goal")).to_have_count(1)
        expect(guest.page.locator("#lesson-words")).not_to_contain_text("d4")
        assert amiss(guest.page) == {}
        assert guest.is_as_wide_as_its_window()
        guest.page.locator("#open-help").click()
        expect(guest.page.locator("dialog .move-card")).to_have_count(8)

"""Puzzles on the page in a real browser: set by one tap, solved by taps and by keys."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from jetan_table.engine.endings import SWITCH
from jetan_table.engine.positions import has_won
from jetan_table.extras.lessons.own import read_mistakes
from jetan_table.extras.lessons.puzzles import Task, judge, read_daily, solutions
from jetan_table.game.commands import Resign
from rules import (
    SQUARES,
    Move,
    Position,
    format_square,
    parse_move,
    parse_position,
    parse_rules,
)
from tests.e2e.served import Served, Visitor, served, visiting
from tests.e2e.windows import LOOKS, Windows, amiss
from tests.jetan_table.extras.endings.tiny import packed
from tests.jetan_table.hands import header
from tests.jetan_table.sitting import sitting
from tests.profiles import sampled

pytestmark = pytest.mark.needs("chromium")

ON_SCREEN = pytest.mark.own_table("--board", "screen")

PUZZLES = read_daily()
WIN_3 = next(puzzle for puzzle in PUZZLES if puzzle.task is Task.WIN_3)


def go_on(guest: Visitor) -> None:
    """Continue the game, where the page asks what one wants."""
    if guest.page.locator('[data-action="on"]').is_visible():
        guest.page.locator('[data-action="on"]').click()


def open_puzzle(guest: Visitor) -> None:
    go_on(guest)
    if not guest.page.locator("#puzzle").is_visible():
        guest.page.locator("#do-menu").click()
    guest.page.locator('[data-action="puzzle"]').click()
    guest.page.wait_for_selector("#training-card:not([hidden])")


def touch(guest: Visitor, position: Position, move: Move) -> None:
    """Play a move once the board stands as it should; its words are there before its pieces."""
    for square in SQUARES:
        piece = position.piece_at(square)
        stands = "empty" if piece is None else f"{piece.side.name.title()} "
        guest.assert_piece(format_square(square), f"^{format_square(square)}, {stands}")
    start, end = format_square(move.from_square), format_square(move.to_square)
    guest.touch(start)
    guest.assert_piece(start, "lifted from here")
    guest.touch(end)


def choose(guest: Visitor, theme: str) -> None:
    guest.page.locator("#puzzle-theme").select_option(theme)


@ON_SCREEN
def test_a_puzzle_is_chosen_answered_and_solved(windows: Windows, table: Served) -> None:
    with visiting(windows, table) as guest:
        open_puzzle(guest)
        choose(guest, "save")
        expect(guest.page.locator("#training-words")).to_contain_text("every move but one")
        choose(guest, "win-3")
        card = guest.page.locator("#training-card")
        expect(guest.page.locator("#training-words")).to_contain_text("wins with the second move")
        puzzle = PUZZLES[int(card.get_attribute("data-puzzle") or 0) - 1]
        assert puzzle.task is Task.WIN_3
        expect(guest.page.locator("#training-rules")).to_have_text(re.compile(r"^Rules: \w+"))
        (key,) = solutions(puzzle.position, puzzle.task)
        wrong = next(move for move in puzzle.position.moves() if move[:2] != key[:2])
        touch(guest, puzzle.position, wrong)
        expect(guest.page.locator("#training-words .answer")).to_contain_text("No: ")
        touch(guest, puzzle.position, key)
        expect(guest.page.locator("#training-words .praise")).to_contain_text("Good: ")
        reply = judge(puzzle.position, puzzle.task, 3, key).reply
        assert reply is not None
        after = puzzle.position.play(key).play(reply)
        touch(guest, after, next(move for move in after.moves() if has_won(after.play(move), 0)))
        expect(guest.page.locator("#training-words")).to_contain_text("wins: solved.")
        expect(guest.page.locator("#training-actions")).to_contain_text("1 of ")
        guest.page.locator("#puzzle-next").click()
        expect(card).to_have_attribute("data-over", "false")
        guest.page.locator("#leave-training").click()
        guest.page.wait_for_selector("#training-card", state="hidden")
        guest.assert_piece("d2", "d2, Black Panthan")


@ON_SCREEN
@pytest.mark.parametrize("how", sampled(LOOKS, by_hand=1))
def test_a_puzzle_is_open_to_all_in_german(
    windows: Windows, table: Served, how: dict[str, Any]
) -> None:
    with visiting(windows, table, "?lang=de", **how) as guest:
        open_puzzle(guest)
        expect(guest.page.locator("#training-heading")).to_contain_text("Rätsel")
        assert amiss(guest.page) == {}
        assert guest.is_as_wide_as_its_window()


def play_badly(home: Path) -> None:
    """Keep a game in which Black does not take the Princess, and Orange resigns."""
    start = "q9/10/10/D9/10/10/10/10/9p/9Q b - - 0 1"
    with sitting(home / "games", header(start=start)) as evening:
        for way in (("j1", "i3"), ("a10", "c9"), ("a7", "d7")):
            evening.move(*way)
        evening.tell(Resign())
        assert len(evening.table.record.moves) == 3


def test_mistakes_of_games_that_were_played_become_puzzles(
    windows: Windows, tmp_path: Path
) -> None:
    play_badly(tmp_path)
    with (
        served(tmp_path, "--board", "screen", "--rules", "appendix") as table,
        visiting(windows, table) as guest,
    ):
        page = guest.page
        open_puzzle(guest)
        choose(guest, "own")
        expect(page.locator("#training-heading")).to_contain_text("From your game 1, move")
        *_older, mistake = read_mistakes(tmp_path / "games").found
        position = parse_position(mistake.position, parse_rules(mistake.rules))
        expect(page.locator("#training-words")).to_contain_text(
            f"Black played {mistake.played}, and could have won at once."
        )
        touch(guest, position, parse_move(mistake.played, position))
        answer = page.locator("#training-words .answer")
        expect(answer).to_contain_text("is what was played; there is better.")
        touch(guest, position, parse_move(mistake.best, position))
        expect(page.locator("#training-words .praise")).to_contain_text("Yes: ")
        page.locator("#puzzle-next").click()
        expect(page.locator("#training-card")).to_have_attribute("data-puzzle", "1.1")
        expect(page.locator("#puzzle-theme")).to_have_value("own")


@ON_SCREEN
def test_who_has_no_mistakes_yet_is_told_so(windows: Windows, table: Served) -> None:
    with visiting(windows, table) as guest:
        open_puzzle(guest)
        choose(guest, "own")
        expect(guest.page.locator("body")).to_contain_text("there are no mistakes in your games")
        expect(guest.page.locator("#puzzle-theme")).to_have_value("")


@pytest.mark.needs("cc")
def test_an_ending_with_proof_is_set_by_its_theme_and_by_its_address(
    windows: Windows, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = packed(tmp_path, "zillions")
    monkeypatch.setenv(SWITCH, str(folder))
    with (
        served(tmp_path, "--board", "screen") as table,
        visiting(windows, table) as guest,
    ):
        page, card = guest.page, guest.page.locator("#training-card")
        open_puzzle(guest)
        choose(guest, "proved")
        expect(card).to_have_attribute("data-puzzle", re.compile(r"proved-\d+"))
        expect(page.locator("#training-words")).to_contain_text("whatever is replied")
        page.evaluate("location.hash = 'puzzle/proved-3'")
        expect(card).to_have_attribute("data-puzzle", "proved-3")
        page.locator("#puzzle-next").click()
        expect(card).to_have_attribute("data-puzzle", "proved-4")
        expect(page.locator("#puzzle-theme")).to_have_value("proved")
        for file in folder.iterdir():
            file.unlink()
        page.locator("#puzzle-next").click()
        expect(page.locator("body")).to_contain_text("jetan endings make zillions")
        expect(card).to_have_attribute("data-puzzle", "proved-4")


def look_at_first(guest: Visitor) -> None:
    go_on(guest)
    guest.page.locator("#open-games").click()
    rows = guest.page.locator(".games li").filter(has_text="1. ")
    rows.get_by_role("button", name=re.compile("View|Ansehen")).last.click()
    guest.page.wait_for_selector("#analysis-card:not([hidden])")


@pytest.mark.parametrize("how", sampled(LOOKS, by_hand=1))
def test_a_kept_game_is_analysed_and_its_graph_walked_by_keys(
    windows: Windows, tmp_path: Path, how: dict[str, Any]
) -> None:
    play_badly(tmp_path)
    with (
        served(tmp_path, "--board", "screen", "--rules", "appendix") as table,
        visiting(windows, table, **how) as guest,
    ):
        page = guest.page
        look_at_first(guest)
        page.locator('[data-action="analyse"]').click()
        walk = page.locator("#chances")
        expect(walk).to_be_focused(timeout=30_000)
        page.keyboard.press("Home")
        expect(walk).to_have_attribute("aria-valuetext", "Start")
        page.keyboard.press("PageDown")
        expect(walk).to_have_attribute("aria-valuetext", re.compile(r"^1\. Qj1-i3 \?\?: "))
        guest.assert_piece("i3", "i3, Black Princess")
        expect(page.locator(".turns")).to_contain_text("Here Black could have won at once.")
        page.keyboard.press("ArrowRight")
        expect(walk).to_have_attribute("aria-valuenow", "2")
        page.locator('[data-turn="1"]').click()
        expect(walk).to_have_attribute("aria-valuenow", "1")
        assert amiss(page) == {}
        assert guest.is_as_wide_as_its_window()


@pytest.mark.parametrize(
    ("exercise", "card", "says"), [("puzzle", "training", "Puzzle"), ("learn", "lesson", "Panthan")]
)
def test_a_kept_game_is_looked_at_in_the_middle_of_an_exercise(
    windows: Windows, tmp_path: Path, exercise: str, card: str, says: str
) -> None:
    play_badly(tmp_path)
    with (
        served(tmp_path, "--board", "screen", "--rules", "appendix") as table,
        visiting(windows, table) as guest,
    ):
        page, shown = guest.page, guest.page.locator(f"#{card}-card")
        go_on(guest)
        if exercise == "puzzle":
            page.locator("#do-menu").click()
        page.locator(f'[data-action="{exercise}"]').click()
        expect(shown).to_contain_text(says)
        look_at_first(guest)
        expect(shown).to_be_hidden()
        expect(page.locator("#analyse")).to_be_visible()
        page.locator("#ply-first").click()
        expect(page.locator("#past")).to_have_text("Game 1: the start.")
        guest.assert_piece("a7", "a7, Black Dwar")
        page.locator("#to-live").click()
        expect(shown).to_contain_text(says)
        expect(page.locator("#moves-card")).to_be_hidden()
        expect(page.locator("#past")).to_be_hidden()
        guest.assert_piece("a7", "empty")


def test_the_moves_of_a_kept_game_are_guessed_on_the_page(windows: Windows, tmp_path: Path) -> None:
    play_badly(tmp_path)
    with (
        served(tmp_path, "--board", "screen", "--rules", "appendix") as table,
        visiting(windows, table) as guest,
    ):
        look_at_first(guest)
        guest.page.locator("#ply-first").click()
        guest.page.locator("#guess-black").click()
        guest.page.wait_for_selector("#training-card:not([hidden])")
        guest.touch("a7", "d7")
        expect(guest.page.locator("#training-words")).to_contain_text("was not played here.")
        guest.touch("j1", "i3")
        expect(guest.page.locator("#training-words")).to_contain_text("the reply was")
        guest.assert_piece("c9", "c9, Orange Princess")
        guest.touch("a7", "d7")
        expect(guest.page.locator("#training-words")).to_contain_text("1 of 2 moves were found")

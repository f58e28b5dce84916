"""What each frame shows while pieces move: the moved piece, once, until it has landed."""

from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from rules import Move, Position, format_square, parse_position, parse_rules
from tests.e2e.served import Served, Visitor, visiting
from tests.e2e.windows import Windows

pytestmark = pytest.mark.needs("chromium")


@pytest.fixture(scope="module")
def options() -> tuple[str, ...]:
    return "--board", "screen"


LOG_FRAMES = """
() => {
  const seen = (piece) => {
    for (let at = piece; at && at !== document; at = at.parentNode) {
      const { visibility, opacity, display } = getComputedStyle(at);
      if (visibility === "hidden" || display === "none" || Number(opacity) < 0.5) return false;
    }
    return piece.getBoundingClientRect().width > 1;
  };
  const letterOf = (piece) => piece.querySelector(".letter")?.textContent ?? "*";
  window.frames_seen = [];
  window.walkers_seen = new Set();
  const log = () => {
    const drawn = {};
    for (const piece of document.querySelectorAll(".stands .piece, .walker .piece, #held .piece")) {
      if (seen(piece)) drawn[letterOf(piece)] = (drawn[letterOf(piece)] ?? 0) + 1;
    }
    const walkers = document.querySelectorAll(".walker");
    for (const walker of walkers) window.walkers_seen.add(walker);
    window.frames_seen.push({ drawn, walks: walkers.length });
    requestAnimationFrame(log);
  };
  requestAnimationFrame(log);
}
"""

LOG_CHANGES = """
() => {
  window.changed_beside = [];
  window.animated_on_board = [];
  const note = (changes) => window.changed_beside.push(...changes.map(({ target }) => target.id));
  for (const each of document.querySelectorAll(".side, .strip")) {
    const all = { childList: true, characterData: true, subtree: true };
    new MutationObserver(note).observe(each, all);
  }
  new MutationObserver(() => {
    const animated = document.getAnimations().map(({ effect }) => effect.target);
    const within = animated.filter((each) => each.closest("#board"));
    window.animated_on_board.push(within.map((each) => each.getAttribute("class")));
  }).observe(document.querySelector(".air"), { childList: true });
}
"""
"""Notes what changes beside the board, and what is animated within it when something walks."""

NO_WALK = "() => document.querySelectorAll('.walker, .victim').length === 0"


def frames(page: Page) -> list[dict[str, Any]]:
    """Return what the frames since the last call have shown."""
    shown: list[dict[str, Any]] = page.evaluate("() => window.frames_seen.splice(0)")
    return shown


def position_of(table: Served) -> Position:
    state = table.state()
    return parse_position(state["position"], parse_rules(state["rules"]))


def chosen(position: Position, rng: Random) -> Move:
    """A move: every third time one that takes, where there is any."""
    moves = position.moves()
    takers = [move for move in moves if position.piece_at(move.to_square)]
    return rng.choice(takers if takers and rng.random() < 0.4 else moves)


@pytest.mark.ci
def test_the_moved_piece_is_drawn_once_in_each_frame_of_eight_moves(
    windows: Windows, table: Served
) -> None:
    table.begin_anew("ninth-ray-clockwise")
    rng, walked = Random(5), 0
    with visiting(windows, table, "?play", reduced_motion="no-preference") as guest:
        guest.page.evaluate(LOG_FRAMES)
        for number in range(8):
            position = position_of(table)
            if position.outcome:
                break
            shown = played(guest, number, position, chosen(position, rng))
            walked += shown
    assert walked


def played(guest: Visitor, number: int, position: Position, move: Move) -> int:
    """Play a move by taps or a drag; return in how many frames a piece has walked."""
    page, is_dragged = guest.page, number % 2 == 1
    piece = position.piece_at(move.from_square)
    assert piece is not None
    names = format_square(move.from_square), format_square(move.to_square)
    frames(page)
    (guest.drag if is_dragged else guest.touch)(*names)
    expect(page.locator("#moves [data-ply]")).to_have_count(number + 1)
    page.wait_for_function(NO_WALK)
    shown = frames(page)
    count = sum(each == piece for each in position.pieces().values())
    drawn = [frame["drawn"].get(piece.letter, 0) for frame in shown]
    assert set(drawn) == {count}, (names, is_dragged, drawn)
    walks: int = sum(frame["walks"] > 0 for frame in shown)
    assert not (is_dragged and walks), (names, "it went once more")
    return walks


@pytest.mark.ci
def test_nothing_is_drawn_anew_that_a_pick_or_a_walk_has_not_changed(
    windows: Windows, table: Served
) -> None:
    """A slow machine has no time for it: a press is answered, and a walk shown, before that."""
    table.begin_anew()
    with visiting(windows, table, "?play", reduced_motion="no-preference") as guest:
        page = guest.page
        guest.touch("d2")
        expect(page.locator("#piece-card")).to_contain_text("Panthan")
        page.evaluate(LOG_CHANGES)
        guest.touch("e2")
        guest.assert_cue("e3", "legal")
        assert page.evaluate("() => window.changed_beside") == []
        guest.touch("e3")
        page.wait_for_function("() => window.animated_on_board.length")
        page.wait_for_function(NO_WALK)
        # The way appears by its opacity alone, which asks for no drawing.
        assert {*page.evaluate("() => window.animated_on_board.flat()")} == {"trail moving"}


@pytest.mark.ci
def test_the_table_answers_when_the_piece_has_landed(windows: Windows, table: Served) -> None:
    table.begin_anew()
    with visiting(windows, table, "?play", reduced_motion="no-preference") as guest:
        guest.page.evaluate(
            "async () => (await import('/static/link.js')).ask({do: 'invite', level: 'panthan'})"
        )
        guest.page.evaluate(LOG_FRAMES)
        guest.touch("d2", "d3")
        expect(guest.page.locator("#moves [data-ply]")).to_have_count(2)
        guest.page.wait_for_function("() => window.walkers_seen.size === 2")
        guest.page.wait_for_function(NO_WALK)
        assert max(frame["walks"] for frame in frames(guest.page)) == 1

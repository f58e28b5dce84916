"""What happens is shown: which walks lead to it, both throws of a fight, the die, and the end."""

from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, Request, expect

from jetan_table.game.events import DieRoll, DuelReport, Entry, Event, Header, Ply
from jetan_table.game.record import Record
from jetan_table.light.news import WON_BY
from jetan_table.page.documents import game_document
from rules import CENTRE, Position, format_move, format_square, parse_rules
from tests.e2e.served import Served, Visitor, visiting
from tests.e2e.windows import PHONE, Windows, amiss

pytestmark = pytest.mark.needs("chromium")


@pytest.fixture(scope="module")
def options() -> tuple[str, ...]:
    return "--board", "screen"


LAPTOP = {"width": 1366, "height": 768}

SHORT_GAME = "9c/3q6/10/10/4p5/3F1F4/10/10/10/C3Q5 b - - 0 1"
ENTERED = ("d1-e4", "e9-e8", "e4-f7", "d9-d8", "f7-e10")
"""Black's Flier fights Orange's Chief in the arena of Manator."""

SCENES = """
async (game) => {
  const { scenesBetween } = await import("/static/motion.js");
  const { standingOf } = await import("/static/moves.js");
  const squares = (standing) => Object.keys(standing).map((name) => name + standing[name][0]);
  const text = (standing) => squares(standing).sort().join();
  const viewOf = (at) => ({
    standing: standingOf(game.placements[at]), path: at ? game.paths[at - 1] : [], isPast: true,
    fought: game.duels.find(({ number }) => number === game.first_number + at - 1) ?? null,
  });
  const told = [];
  for (let at = 0; at < game.moves.length; at++) {
    const [here, there] = [viewOf(at), viewOf(at + 1)];
    const [on, back] = [scenesBetween(here, there), scenesBetween(there, here)];
    const leads = (scenes, to) => text(scenes.at(-1)?.standing ?? {}) === text(to.standing);
    told.push({
      move: game.moves[at],
      isOn: leads(on, there),
      isBack: leads(back, here) || (there.fought !== null && !back.length),
      path: on[0]?.path ?? null,
    });
  }
  return told;
}
"""


COVERED = """
() => ["a1", "j1", "a10", "j10", "e5", "f5", "d9", "e8"].filter((name) => {
  const square = document.getElementById(`square-${name}`);
  const { left, top, width, height } = square.getBoundingClientRect();
  const there = document.elementFromPoint(left + width / 2, top + height / 2);
  return there?.closest("[data-square]")?.dataset.square !== name;
})
"""
"""Which of some squares something else lies over."""

ENDINGS_TOLD = """
async (terminations) => {
  const { linesOf } = await import("/static/words.js");
  const told = (termination, result) => linesOf({
    said: [{ template: "neutral", values: {} }], over: { result, termination }, trouble: null,
    far: null, opponent: { side: "orange" },
  })[0];
  const both = (why) => ["black", "orange"].map((side) => told(why, side));
  return Object.fromEntries(terminations.map((why) => [why, both(why)]));
}
"""
"""What is said to who plays Black against the table, by each way to win: won, and lost."""


def random_record(rules: str, seed: int, plies: int) -> Record:
    """A game of random moves, rolls and throws."""
    rng = Random(seed)
    record = Record.begin(Header.of(Position.start(parse_rules(rules)), 0.0))

    def told(event: Event) -> None:
        nonlocal record
        record = record.after(Entry(1.0, event))

    if "juggernaut" in rules:
        square = format_square(CENTRE[0])
        told(DieRoll(0, f"10,{'abcdefghij'.index(square[0]) + 1},{square[1:]} hand"))
    for _ in range(plies):
        if record.game.outcome:
            break
        position = record.position
        moves = position.moves()
        takers = [move for move in moves if position.piece_at(move.to_square)]
        move = rng.choice(takers if takers and rng.random() < 0.4 else moves)
        number = position.ply_number
        told(Ply(number, format_move(move, position)))
        while record.fight is not None:
            told(DuelReport(number, f"{rng.randint(1, 10)},{rng.randint(1, 10)} hand"))
        while record.game.awaits_roll and not record.game.outcome:
            told(DieRoll(number, f"{rng.randint(1, 9)} hand"))
    return record


@pytest.mark.parametrize(
    "rules", ["appendix", "appendix+juggernaut", "manator-arena", "ninth-ray-clockwise"]
)
def test_walks_lead_from_each_position_of_a_game_to_the_next_and_back(
    visitor: Visitor, rules: str
) -> None:
    for seed in range(3):
        document = game_document(random_record(rules, seed, 80))
        steps = visitor.page.evaluate(SCENES, document)
        assert [each for each in steps if not (each["isOn"] and each["isBack"])] == []
        walked = zip(steps, document["paths"], document["moves"], strict=True)
        assert all(each["path"] == path for each, path, _move in walked)


def fight(guest: Visitor, table: Served, throw: str) -> None:
    guest.touch(*(square for move in ENTERED for square in move.split("-")))
    drama = guest.page.locator("#drama")
    expect(drama).to_contain_text("The fight for e10")
    expect(guest.page.locator("#throw-form")).to_be_hidden()  # who plays on a screen has no dice
    table.ask("api/do", do="duel", told=throw)


def test_both_throws_of_a_fight_are_shown_and_who_won_stays_in_the_list(
    windows: Windows, table: Served
) -> None:
    table.begin_anew("manator-arena")
    with visiting(windows, table, "?play") as guest:
        fight(guest, table, "2,5")
        drama = guest.page.locator("#drama")
        expect(drama).to_contain_text("The Orange Chief holds e10.")
        expect(drama.locator(".die-number")).to_have_text(["2", "5"])
        expect(drama.locator(".sum")).to_have_text(["= 6", "= 15"])
        expect(drama.locator(".fighter.lost")).to_have_count(1)
        listed = guest.page.locator("#moves [data-ply]").nth(4)
        expect(listed).to_have_text("Ff7xe10 fight lost 6:15")
        guest.assert_piece("e10", "Orange Chief")
        guest.page.reload()
        guest.await_ready()
        expect(listed).to_have_text("Ff7xe10 fight lost 6:15")
        guest.touch("c9", "c8")
        expect(guest.page.locator("#drama")).to_have_count(0)


def is_throw(asked: Request) -> bool:
    return '"duel"' in (asked.post_data or "")


def test_a_fight_that_is_thrown_for_at_once_leaves_the_board_right(
    windows: Windows, table: Served
) -> None:
    """Somebody drags a piece into it while the one before still walks, and presses twice."""
    table.begin_anew("manator-arena")
    with visiting(windows, table, "?play", reduced_motion="no-preference") as guest:
        for start, end in (("g1", "f4"), ("g10", "f7"), ("d1", "g4")):
            table.ask("api/do", do="move", from_square=start, to_square=end)
        guest.drag("f7", "g4")
        thrown: list[Request] = []
        guest.page.on("request", lambda asked: thrown.append(asked) if is_throw(asked) else None)
        presses, fights = 0, True
        while fights:  # equal throws leave it open, one in ten
            with guest.page.expect_response(lambda answered: is_throw(answered.request)) as answer:
                guest.page.locator("#do-throw").dblclick()
            assert answer.value.ok
            presses += 1
            fights = table.state()["fight"] is not None
            if fights:
                expect(guest.page.locator("#fight-sides li")).to_have_count(2 + presses)
        assert len(thrown) == presses
        expect(guest.page.locator("#moves [data-ply]")).to_have_count(4)
        expect(guest.page.locator("#moves [data-ply]").nth(3)).to_contain_text("fight")
        expect(guest.page.locator("#toast")).to_be_hidden()
        guest.touch("e2")
        guest.assert_cue("e2", "lifted")


def test_a_roll_of_the_die_is_shown_and_said(windows: Windows, table: Served) -> None:
    table.begin_anew("appendix,juggernaut=e5")
    with visiting(windows, table, "?play") as guest:
        guest.touch("d2", "d3")
        expect(guest.page.locator("#do-roll")).to_be_enabled()
        expect(guest.page.locator("#own-die")).to_be_hidden()
        table.ask("api/do", do="roll", shown="10,6,9")
        drama = guest.page.locator("#drama")
        expect(drama).to_contain_text("The Juggernaut crushes the Orange Panthan on f9.")
        expect(drama.locator(".die-number")).to_have_text(["0", "6", "9"])
        guest.assert_piece("f9", "Juggernaut")
        guest.touch("a9", "b8")
        expect(drama).to_be_hidden()


WATCH_WORDS = """
() => {
  window.spoiled = [];
  const heard = [...document.querySelectorAll(".side > *, #spoken")];
  const note = () => {
    if (!document.querySelector(".d10.rolling")) return;
    window.spoiled.push(heard.map((each) => each.innerText).join(" "));
  };
  const all = { childList: true, characterData: true, subtree: true };
  for (const each of heard) new MutationObserver(note).observe(each, all);
}
"""
"""Notes what changes beside the board while a die still rolls over it."""


def test_nothing_tells_what_dice_show_before_they_lie_still(
    windows: Windows, table: Served
) -> None:
    table.begin_anew("appendix,juggernaut=e5")
    with visiting(windows, table, "?play", reduced_motion="no-preference") as guest:
        page, face = guest.page, guest.page.locator("#die-face")
        guest.touch("d2", "d3")
        expect(face).to_have_text("?")
        page.evaluate(WATCH_WORDS)
        table.ask("api/do", do="roll", shown="4")
        expect(face).to_have_text("4")
        assert page.evaluate("() => window.spoiled") == []
        table.begin_anew("manator-arena")
        guest.assert_piece("d1", "Black Odwar")
        fight(guest, table, "2,5")
        expect(page.locator("#moves")).to_contain_text("fight lost 6:15")
        assert page.evaluate("() => window.spoiled") == []


@pytest.mark.parametrize("viewport", [LAPTOP, PHONE])
def test_the_end_is_a_card_beside_the_board_for_keys_and_readers(
    windows: Windows, table: Served, viewport: Any
) -> None:
    table.begin_anew(position=SHORT_GAME)
    with visiting(windows, table, "?play", viewport=viewport) as guest:
        guest.touch("d5", "e8", "j10", "i10", "e8", "d9")
        card = guest.page.get_by_role("region", name="Black won")
        expect(card).to_contain_text("The Princess is taken.")
        expect(card).to_be_in_viewport()
        assert guest.page.evaluate(COVERED) == []
        expect(guest.page.locator("#said .ending")).to_have_text(
            "Black wins: the Princess is taken."
        )
        expect(guest.page.locator("#end-result")).to_be_focused()
        assert amiss(guest.page) == {}
        assert guest.is_as_wide_as_its_window()
        guest.page.keyboard.press("Escape")
        expect(card).to_be_hidden()
        guest.page.keyboard.press("Enter")
        expect(card).to_be_visible()
        for name in ("Analyse", "Guess the moves", "Share"):
            expect(card.get_by_role("button", name=name)).to_be_visible()
        game = guest.game
        card.get_by_role("button", name="Play again").click()
        guest.await_playing(since=game)
        expect(card).to_be_hidden()


def test_a_card_of_the_end_that_was_closed_stays_closed(windows: Windows, table: Served) -> None:
    table.begin_anew(position=SHORT_GAME)
    with visiting(windows, table, "?play") as guest:
        page, card = guest.page, guest.page.locator("#end-card")
        guest.touch("d5", "e8", "j10", "i10", "e8", "d9")
        page.locator("#end-analyse").click()
        expect(card).to_be_hidden()
        expect(page.locator("#chances")).to_be_visible()
        page.reload()
        guest.await_ready()
        expect(page.get_by_role("button", name="Show the result")).to_be_visible()
        expect(card).to_be_hidden()
        page.get_by_role("button", name="Show the result").click()
        expect(card).to_be_visible()
        page.reload()
        guest.await_ready()
        expect(card).to_be_visible()


@pytest.mark.parametrize(
    ("language", "name", "lost"),
    [
        ("en", "You", "You lost: you have resigned."),
        ("de", "Du", "Du hast verloren: Du hast aufgegeben."),
    ],
)
def test_who_plays_the_table_is_told_of_the_end_as_you(
    windows: Windows, table: Served, language: str, name: str, lost: str
) -> None:
    table.begin_anew()
    table.ask("api/do", do="invite", level="panthan", side="orange")
    with visiting(windows, table, f"?play&lang={language}") as guest:
        page = guest.page
        expect(page.locator("#strip-near .name")).to_have_text(name)
        endings = page.evaluate(ENDINGS_TOLD, [*WON_BY])
        neutral = [why for why, lines in endings.items() if "neutral" in lines]
        assert endings.keys() == WON_BY.keys()
        assert neutral == []
        table.ask("api/do", do="resign", side="black")
        expect(page.locator("#said .ending")).to_have_text(lost)
        title = lost.partition(":")[0]
        expect(page.locator("#end-result")).to_have_text(title)
        expect(page.locator("#turn")).to_have_text(title)


def kept(page: Page, name: str, folder: Path) -> Path:
    with page.expect_download() as started:
        page.locator(f"[data-keeps='{name}']").click()
    path = folder / name
    started.value.save_as(path)
    return path


def test_the_end_is_kept_as_a_picture_and_its_last_moves_as_an_animation(
    windows: Windows, table: Served, tmp_path: Path
) -> None:
    table.begin_anew(position=SHORT_GAME)
    with visiting(windows, table, "?play") as guest:
        guest.touch("d5", "e8", "j10", "i10", "e8", "d9")
        guest.page.locator("#end-show").click()
        picture = cv2.imread(str(kept(guest.page, "jetan.png", tmp_path)))
        assert picture is not None
        assert picture.shape[1] == 1080
        read, moving = cv2.imreadanimation(str(kept(guest.page, "jetan.gif", tmp_path)))
        assert read
        first, last = (np.asarray(moving.frames[at])[..., :3] for at in (0, -1))
        assert len(moving.frames) > 3 * 2
        # Both show the end: what the animation ends with is the picture, but for its few colours.
        small = cv2.resize(picture, last.shape[1::-1], interpolation=cv2.INTER_AREA)
        assert np.mean(np.abs(last.astype(int) - small)) < 6
        assert np.abs(last.astype(int) - first).max() > 100


def test_a_game_that_is_watched_is_paused_and_goes_faster(visitor: Visitor) -> None:
    page = visitor.page
    page.locator("[data-action=watch]").click()
    page.locator("[data-action=faster]").click()
    expect(page.locator("#watch")).to_contain_text("0.5 s")
    expect(page.locator("#moves [data-ply]").nth(2)).to_be_visible()
    page.locator("[data-action=halt]").click()
    expect(page.locator("[data-action=halt]")).to_have_text("Resume")
    count = page.locator("#moves [data-ply]").count()
    page.locator("[data-action=slower]").click()
    expect(page.locator("#watch")).to_contain_text("1 s")
    expect(page.locator("#moves [data-ply]")).to_have_count(count)
    page.locator("[data-action=halt]").click()
    expect(page.locator("#moves [data-ply]").nth(count)).to_be_visible()
    page.locator("[data-action=halt]").click()
    page.locator("#open-start").click()
    page.locator("[data-action=watch]").click()
    expect(page.locator("#start")).to_be_hidden()
    expect(page.locator("[data-action=halt]")).to_have_text("Pause")


COUNT_SOUNDS = """
() => {
  window.sounds = 0;
  const own = AudioContext.prototype.createBufferSource;
  AudioContext.prototype.createBufferSource = function () {
    window.sounds++;
    return own.call(this);
  };
}
"""


def test_a_landing_sounds_from_the_first_touch_on_until_nobody_wants_it(
    windows: Windows, table: Served
) -> None:
    table.begin_anew()
    with visiting(windows, table, "?play") as guest:
        guest.page.evaluate(COUNT_SOUNDS)
        guest.touch("d2", "d3")
        guest.page.wait_for_function("() => window.sounds > 0")
        guest.page.locator("#open-settings").click()
        guest.page.get_by_role("dialog").get_by_label("Sounds").uncheck()
        guest.page.keyboard.press("Escape")
        guest.page.evaluate("() => { window.sounds = 0; }")
        guest.touch("e9", "e8")
        guest.assert_moves("Pd2-d3", "Pe9-e8")
        assert guest.page.evaluate("() => window.sounds") == 0

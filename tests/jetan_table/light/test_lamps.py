"""What squares mean, that everybody can see it, and that docs and page tell it rightly."""

from dataclasses import replace
from itertools import combinations, product
from pathlib import Path
from xml.etree import ElementTree

import pytest

from bench.lamps import EYES, UNLIMITED_MA, most_ma, palette_distance, rhythm_distance
from docs.lamp_scenes import BOARDS, SCENES
from docs.lamps_page import FACE, FOLDER, PAGE, pictures, texts
from hardware.ports import RGB, capped, current_ma
from jetan_table.game.events import Ply, Question, Way
from jetan_table.game.terms import BOARD_OF
from jetan_table.light.figures import arrow, figure
from jetan_table.light.lamps import (
    MEANINGS,
    OFF,
    PALETTES,
    Cue,
    Lamp,
    Lighting,
    PaletteName,
    cues,
    lights,
    lit,
)
from jetan_table.session.tabletop import HandMove, Placing
from jetan_table.session.view import LeadingView, Phase
from jetan_table.table.loop import FIGURE_COLOUR
from rules import Position, Square, parse_rules, parse_square
from tests.jetan_table.hands import seen

EVERY_SCENE = list(product(BOARDS, SCENES))


def test_the_pictures_are_as_their_script_draws_them() -> None:
    kept = {path.name: path.read_text() for path in FOLDER.glob("*.svg")}
    assert kept == pictures(), "look at what has changed, and run python -m docs.lamps_page"


@pytest.mark.parametrize(("path", "text"), texts().items(), ids=lambda it: getattr(it, "name", ""))
def test_what_copies_the_programs_words_is_as_their_script_writes_it(path: Path, text: str) -> None:
    assert path.read_text() == text, "run python -m docs.lamps_page"


@pytest.mark.parametrize("board", BOARDS)
def test_every_meaning_has_a_scene(board: str) -> None:
    shown = {cue for look in SCENES.values() for cue in cues(look(BOARDS[board])).values()}
    assert shown == set(Cue)


def test_every_picture_has_a_board_for_each_palette_and_is_on_the_page() -> None:
    page = PAGE.read_text()
    for name, text in pictures().items():
        groups = ElementTree.fromstring(text).findall("{http://www.w3.org/2000/svg}g")
        assert [group.get("class") for group in groups] == list(PALETTES)
        assert f"(lamps/{name})" in page


@pytest.mark.parametrize(("board", "scene"), EVERY_SCENE)
def test_a_scene_is_lit_undimmed_within_what_the_supply_gives(board: str, scene: str) -> None:
    view = SCENES[scene](BOARDS[board])
    for palette in PALETTES:
        usual = Lighting(palette)
        drawn = most_ma(view, usual)
        assert drawn == most_ma(view, replace(usual, limit_ma=UNLIMITED_MA))
        assert drawn <= usual.limit_ma


@pytest.mark.parametrize("way", BOARD_OF)
def test_the_arrows_of_the_bias_are_within_what_the_supply_gives(way: Way) -> None:
    drawn = dict.fromkeys(arrow(way), FIGURE_COLOUR)
    shown = lit(drawn, Lighting())
    assert shown == lit(drawn, Lighting(limit_ma=UNLIMITED_MA))
    assert current_ma(shown) <= Lighting().limit_ma


@pytest.mark.parametrize("board", BOARDS)
def test_the_figure_of_the_die_is_within_what_the_supply_gives(board: str) -> None:
    drawn = dict.fromkeys(figure(FACE, BOARDS[board]), FIGURE_COLOUR)
    shown = lit(drawn, Lighting())
    assert shown == lit(drawn, Lighting(limit_ma=UNLIMITED_MA))
    assert current_ma(shown) <= Lighting().limit_ma


START = Position.start(parse_rules("appendix"))
LEAST_RHYTHM = 0.09
LEAST_DISTANCE = {"standard": 0.12, "red-green": 0.15}
"""As `docs/lamps.md` promises."""

LAMP_OF = tuple(Lamp(99 - square) for square in range(100))
BRIGHT = Lighting("standard", LAMP_OF, limit_ma=100_000)


def names(*wanted: str) -> frozenset[Square]:
    return frozenset(map(parse_square, wanted))


@pytest.mark.parametrize(("one", "other"), list(combinations(Cue, 2)))
def test_any_two_meanings_differ_by_rhythm_alone(one: Cue, other: Cue) -> None:
    assert rhythm_distance(MEANINGS[one].rhythm, MEANINGS[other].rhythm) > LEAST_RHYTHM


@pytest.mark.parametrize(
    ("palette", "eye"),
    [
        *(("standard", eye) for eye in EYES),
        *(("red-green", eye) for eye in ("normal", "protan", "deutan")),
    ],
)
def test_two_meanings_have_one_colour_or_two_that_the_eye_tells_apart(
    palette: PaletteName, eye: str
) -> None:
    assert palette_distance(palette, eye) > LEAST_DISTANCE[palette]


def test_mono_is_one_colour() -> None:
    assert len({meaning.colour("mono") for meaning in MEANINGS.values()}) == 1


def test_of_two_meanings_the_more_urgent_is_shown() -> None:
    view = seen(
        START,
        lifted=(parse_square("d2"),),
        legal=names("d3", "e3"),
        leading=LeadingView(repair=HandMove("P", parse_square("e3"), parse_square("d2"))),
    )
    assert cues(view) == {
        parse_square("e3"): Cue.WRONG,
        parse_square("d2"): Cue.BELONGS,
        parse_square("d3"): Cue.LEGAL,
    }


def test_the_last_move_is_dark_while_a_piece_is_in_the_air() -> None:
    last = (parse_square("d2"), parse_square("d3"))
    at_rest = seen(START, Ply(1, "Pd2-d3"))
    assert cues(at_rest) == dict.fromkeys(last, Cue.LAST_MOVE)
    lifted = seen(START, Ply(1, "Pd2-d3"), lifted=(parse_square("e9"),))
    assert cues(lifted) == {parse_square("e9"): Cue.LIFTED}


def test_set_up_shows_all_squares_of_the_kind_to_be_put_and_no_others() -> None:
    placing = Placing("W", (parse_square("a1"), parse_square("j1")), 2)
    view = seen(
        START,
        phase=Phase.SETTING_UP,
        leading=LeadingView(missing=names("a1", "j1", "e1"), placing=placing),
    )
    assert cues(view) == dict.fromkeys(names("a1", "j1"), Cue.BELONGS)


def test_candidates_take_turns() -> None:
    question = Question(1, "d5", ("d8", "e7"))
    asked = dict.fromkeys(names(*question.candidates), Cue.QUESTION)
    bright = []
    for at in (0.1, 0.7):
        shown = lights(asked, BRIGHT, at)
        bright.append({square for square in asked if any(shown[LAMP_OF[square]])})
    assert bright in ([names("d8"), names("e7")], [names("e7"), names("d8")])


def test_lamps_are_lit_where_they_are_wired_and_dimmed_by_night() -> None:
    shown = lights({Square(0): Cue.LEGAL}, BRIGHT, 0.0)
    assert [index for index, colour in enumerate(shown) if any(colour)] == [99]
    night = lights({Square(0): Cue.LEGAL}, replace(BRIGHT, brightness=0.2), 0.0)
    assert 0 < sum(night[99]) <= 0.21 * sum(shown[99])


def test_a_lamp_shows_its_colour_as_red_green_and_blue() -> None:
    shown = lit({Square(0): (200.0, 100.0, 50.0)}, replace(BRIGHT, brightness=0.5))
    assert shown[99] == (100, 50, 25)
    for palette in PALETTES:
        looks = replace(BRIGHT, palette=palette)
        (colour,) = set(lights({Square(0): Cue.LEGAL}, looks, 0.0)) - {OFF}
        assert colour == tuple(round(0.6 * part) for part in MEANINGS[Cue.LEGAL].colour(palette))


@pytest.mark.parametrize("limit_ma", [50.0, 150.0, 700.0, 5900.0])
def test_the_lamps_never_draw_more_than_the_supply_gives(limit_ma: float) -> None:
    white: list[RGB] = [(255, 255, 255)] * 90 + [(1, 1, 1)] * 10
    shown = capped(white, limit_ma)
    assert current_ma(shown) <= max(limit_ma, 100.0)
    assert (limit_ma < 150) or any(any(colour) for colour in shown)


def test_every_meaning_has_a_mark_of_its_own() -> None:
    assert list(MEANINGS) == list(Cue)
    assert len({meaning.mark for meaning in MEANINGS.values()}) == len(Cue)

"""The pictures of what the lamps show: as the program shows it, one for each meaning."""

from dataclasses import replace
from itertools import product
from pathlib import Path
from xml.etree import ElementTree

import pytest

from bench.lamps import UNLIMITED_MA, most_ma
from docs.lamp_scenes import BOARDS, SCENES
from docs.lamps_page import FACE, FOLDER, PAGE, pictures, texts
from hardware.ports import current_ma
from jetan_table.game.events import Way
from jetan_table.game.terms import BOARD_OF
from jetan_table.light.figures import arrow, figure
from jetan_table.light.lamps import PALETTES, Cue, Lighting, cues, lit
from jetan_table.table.loop import FIGURE_COLOUR

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

"""The templates to drill by, and which reeds fit which magnet."""

import pytest

from docs import building
from hardware.magnetism import MOMENT, moment_of
from jetan_table.simulation.reeds import CROSSED, MAKES


def test_templates_and_table_are_as_their_script_makes_them() -> None:
    for name, content in building.templates().items():
        assert (building.FOLDER / name).read_bytes() == content, "run python -m docs.building"
    page = building.PAGE.read_text(encoding="utf-8")
    assert page == building.with_table(page), "run python -m docs.building"
    assert page.count("**99 %") >= 5


def test_a_page_of_the_template_goes_on_a4() -> None:
    sheet = building.template(4, 6)
    assert sheet.width <= 210
    assert sheet.height <= 297


def test_reeds_lie_as_they_do_on_the_simulated_boards() -> None:
    assert building.one_lying(8.0) == MAKES["lying"].reeds
    assert building.two_crossed(8.0) == CROSSED.reeds


def test_two_crossed_reeds_are_recommended_and_one_is_not() -> None:
    def recommended(make: str, turns: tuple[float, float]) -> bool:
        reeds, (least, most) = MAKES[make].reeds, turns
        return building.is_recommended(
            building.seen(reeds, MOMENT, most), building.held(reeds, MOMENT, least)
        )

    assert recommended("crossed", CROSSED.turns)
    assert not any(recommended("lying", turns) for turns in building.CLASSES)
    assert not recommended("careless", CROSSED.turns)


def test_a_weaker_magnet_is_seen_less_and_holds_less() -> None:
    reeds, moment, weaker = building.two_crossed(8.0), moment_of(10, 3), 0.7
    held = building.held(reeds, moment, 10)
    assert building.held(reeds, weaker * moment, 10) == pytest.approx(weaker * held)
    assert building.seen(reeds, weaker * moment, 20) < building.seen(reeds, moment, 20)


def test_only_what_is_recommended_is_marked() -> None:
    rows = [line.strip("| ").split(" | ") for line in building.table()][2:]
    assert len(rows) == len(building.DISCS_MM) * len(building.DEPTHS_MM)
    for row in rows:
        for text in row[1:]:
            share, held = text.strip("*").split(" %, ")
            assert text.startswith("**") is (int(share) >= 99 and float(held) <= 0.5)

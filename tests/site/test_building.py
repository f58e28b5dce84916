"""The templates to drill by, and which reeds fit which magnet."""

import pytest

from docs import building
from jetan_table.simulation.geometry import SQUARE_MM
from jetan_table.simulation.magnetism import MOMENT, NARROW, RELEASE, standing_induction


def test_templates_and_table_are_as_their_script_makes_them() -> None:
    for name, content in building.templates().items():
        assert (building.FOLDER / name).read_bytes() == content, "run python -m docs.building"
    page = building.PAGE.read_text(encoding="utf-8")
    assert page == building.with_table(page), "run python -m docs.building"


def test_a_page_of_the_template_goes_on_a4() -> None:
    sheet = building.template(4, 6)
    assert sheet.width <= 210
    assert sheet.height <= 297


def test_a_disc_of_ten_by_two_and_a_half_is_the_simulation_s_magnet() -> None:
    assert building.moment_of(10, 2.5) == pytest.approx(MOMENT, rel=0.1)


def test_a_reed_that_fits_closes_for_its_own_piece_alone_and_opens_again() -> None:
    least, greatest = building.fits(MOMENT, 5.0)
    assert greatest == pytest.approx(standing_induction(18.0))
    assert least >= standing_induction(NARROW * SQUARE_MM)
    assert least * RELEASE[0] >= building.surrounded(MOMENT, 5.0) > standing_induction(45.0)

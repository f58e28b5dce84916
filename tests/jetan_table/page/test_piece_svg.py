"""The page and every drawing of a board take their pieces from the same signs."""

import re
from xml.etree import ElementTree

import pytest

from hardware.signs import LETTERS
from jetan_table.page.pages import Figure, draw, page_pieces, sign_paths
from rules import Position, parse_rules, parse_square
from rules.board import JUGGERNAUT_LETTER

SVG = "{http://www.w3.org/2000/svg}"


def test_the_page_finds_a_token_for_each_side_and_every_sign() -> None:
    drawn = {symbol.attrib["id"] for symbol in ElementTree.fromstring(page_pieces())}
    assert drawn == {
        *("token-black", "token-orange", "token-neutral"),
        *(f"emblem-{letter}" for letter in LETTERS if letter != JUGGERNAUT_LETTER),
        "emblem-juggernaut",
    }
    for letter in LETTERS:
        assert "".join(sign_paths(letter, 'class="emblem"', 'class="emblem-hole"')) in page_pieces()


@pytest.mark.parametrize(("unit", "signs"), [(42, 40 + 1), (20, 1)])
def test_a_board_shows_signs_where_they_can_be_seen(unit: float, signs: int) -> None:
    start = Position.start(parse_rules("appendix"))
    figure = Figure(
        "start", start.rules.board, start.pieces(), juggernaut=parse_square("e5"), unit=unit
    )
    text = draw(figure)
    uses = [use.attrib["href"] for use in ElementTree.fromstring(text).iter(f"{SVG}use")]
    assert len(uses) == signs
    assert {use.removeprefix("#") for use in uses} <= set(re.findall(r'<g id="([^"]+)"', text))
    assert text.count(">P<") == 8, "a letter is there at every size"

"""The pages that explain the rules show what `rules/` plays."""

from xml.etree import ElementTree

import pytest

from docs.rules_page import DOCS, PAGES, figures, with_tables
from jetan_table.page.pages import Figure, SquareMark, draw
from rules import (
    OPTIONS,
    PIECES,
    PRESETS,
    TELEPORT,
    Kind,
    Position,
    Roll,
    grid,
    parse_rules,
    parse_square,
)
from rules.game import destination


def test_the_figures_are_as_their_script_draws_them() -> None:
    kept = {path.name: path.read_text() for path in (DOCS / "figures").glob("*.svg")}
    assert kept == figures(), "run python -m docs.rules_page"


@pytest.mark.parametrize("name", PAGES)
def test_the_tables_are_as_their_script_writes_them(name: str) -> None:
    page = (DOCS / name).read_text()
    assert page == with_tables(page), "run python -m docs.rules_page"


@pytest.mark.parametrize("name", PAGES)
def test_every_figure_is_well_formed_and_shown(name: str) -> None:
    page = (DOCS / name).read_text()
    for file, text in figures().items():
        ElementTree.fromstring(text)
        if file.startswith(("move-", "crossing-")):
            assert f"(figures/{file})" in page


def test_every_preset_option_and_value_is_in_the_tables() -> None:
    page = (DOCS / "rules.md").read_text()
    for name, preset in PRESETS.items():
        assert f"| `{name}` | {preset.source} |" in page
    for option in OPTIONS.values():
        row = next(line for line in page.splitlines() if f"`{option.name}`" in line.split(" | ")[0])
        assert all(f"`{value}`" in row for value in option.values)


def test_tables_come_from_the_presets_and_not_from_the_page() -> None:
    stale = "before\n<!-- presets -->\nTHE OLD\n<!-- end of presets -->\nafter\n"
    written = with_tables(stale)
    assert "THE OLD" not in written
    assert written.startswith("before\n<!-- presets -->\n| preset |")
    assert written.endswith("<!-- end of presets -->\nafter\n")


def _shapes(drawn: str, name: str) -> str:
    """Return what a drawing defines under a name."""
    return drawn.partition(f'<g id="{name}">')[2].partition("</g>")[0]


def test_a_drawing_tells_sides_and_marks_apart_by_shape() -> None:
    black, orange = parse_square("a1"), parse_square("b1")
    sides = draw(Figure("sides", grid(), {black: PIECES["W"], orange: PIECES["w"]}))
    assert ">W<" in sides
    assert ">w<" in sides
    tokens = {name: _shapes(sides, f"token-{name}") for name in ("black", "orange")}
    assert all(sides.count(f'href="#token-{name}"') == 1 for name in tokens)
    assert "<circle" in tokens["black"]
    assert sides.count("<circle") == tokens["black"].count("<circle"), "only Black's are round"
    drawn = {mark: draw(Figure("mark", grid(), marks={black: mark})) for mark in SquareMark}
    assert len(set(drawn.values())) == len(SquareMark)


def test_the_juggernaut_ends_four_games_in_a_thousand_plies() -> None:
    """The page's 0.4 % a ply: every throw from e5, where nobody royal is near."""
    start = Position.start(parse_rules("appendix"), juggernaut=parse_square("e5"))
    royal = {
        at for at, piece in start.pieces().items() if piece.kind in (Kind.CHIEF, Kind.PRINCESS)
    }
    walks = [destination(start, Roll(face)) in royal for face in range(1, TELEPORT)]
    teleports = [
        destination(start, Roll(TELEPORT, file, rank)) in royal
        for file in range(1, 11)
        for rank in range(1, 11)
    ]
    assert sum(walks) / 10 + sum(teleports) / 1000 == 0.004
    page = (DOCS / "rules.md").read_text()
    assert "**0.4 % a ply**" in page

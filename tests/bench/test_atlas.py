"""The atlas: its games go on where they stopped, its fit finds what is planted, and its page says
what its summary says.
"""

import csv
from io import StringIO
from pathlib import Path

import click
import msgspec
import numpy as np
import pytest

from bench.atlas import fit, main, played, read_games, wilson
from docs.atlas_page import END, Atlas, Reading, pictures, recommended, sheet, with_figures
from jetan_table import __version__
from jetan_table.files import find_checkout
from rules import PRESETS, RECOMMENDED

DOCS = find_checkout() / "docs"
ATLAS = msgspec.json.decode((DOCS / "atlas.json").read_bytes(), type=Atlas)
FAIR = Reading((0.5, 0.4, 0.6), (0.4, 0.3, 0.5), (80, 60, 90), (0, 0, 0), {}, {}, {}, {})
SURE = (0.9, 0.8, 1.0)


def test_the_page_is_made_of_the_summary_and_so_is_what_is_recommended_to_strangers() -> None:
    page = (DOCS / "atlas.md").read_text()
    assert page == with_figures(page, ATLAS), "run python -m docs.atlas_page"
    kept = {file.name: file.read_text() for file in (DOCS / "atlas").iterdir()}
    assert kept == pictures(ATLAS), "docs/atlas: run python -m docs.atlas_page"
    assert (DOCS / "atlas.csv").read_text() == sheet(ATLAS), "run python -m docs.atlas_page"
    assert recommended(ATLAS) == RECOMMENDED
    assert f"**Play `{RECOMMENDED}`**" in page
    assert ATLAS.readings.keys() <= PRESETS.keys(), (
        "rules/options.py lacks what docs/atlas.json has"
    )


def test_the_sheet_has_a_figure_of_each_reading_and_says_what_it_is() -> None:
    rows = {row["reading"]: row for row in csv.DictReader(StringIO(sheet(ATLAS)))}
    assert rows.keys() == ATLAS.readings.keys()
    book, arena = rows["appendix"], ATLAS.readings["manator-arena"]
    assert float(book["decided_high"]) == ATLAS.readings["appendix"].decided[2]
    assert int(rows["manator-arena"]["plies_median"]) == arena.plies[0]
    assert book["worth_chief"] == ""
    wins = sum(int(value) for name, value in book.items() if name.startswith(("won: ", "drawn: ")))
    assert wins == ATLAS.games
    described = (DOCS / "atlas.md").read_text().partition("## The data")[2]
    for name in book:
        plain = name.removesuffix("_low").removesuffix("_high")
        is_told = (
            plain == "reading"
            or plain.startswith(("won: ", "drawn: ", "worth_"))
            or f"`{plain}`" in described
        )
        assert is_told, plain


def test_whoever_cites_it_cites_this_version() -> None:
    assert f"version: {__version__}\n" in (DOCS.parent / "CITATION.cff").read_text()


@pytest.mark.parametrize(
    ("name", "changed", "expected"),
    [
        ("zillions", {"decided": SURE}, "zillions"),
        ("zillions", {"decided": (0.9, 0.5, 1.0)}, "appendix"),
        ("zillions", {"decided": SURE, "points": (0.7, 0.56, 0.8)}, "appendix"),
        ("zillions", {"decided": SURE, "points": (0.3, 0.2, 0.44)}, "appendix"),
        ("zillions", {"decided": SURE, "plies": (201, 90, 300)}, "appendix"),
        ("manator-arena", {"decided": SURE}, "appendix"),
        ("ninth-ray-clockwise", {"decided": SURE}, "appendix"),
        ("manator", {"decided": SURE}, "manator"),
    ],
)
def test_what_is_recommended_keeps_to_the_rule(
    name: str, changed: dict[str, object], expected: str
) -> None:
    readings = dict.fromkeys(PRESETS, FAIR) | {name: msgspec.structs.replace(FAIR, **changed)}
    assert recommended(Atlas(100, 1000, 1, {}, readings)) == expected


def test_the_fit_finds_what_was_planted() -> None:
    chance, planted = np.random.default_rng(1), np.array([0.1, 0.3, 0.0, 0.6])
    more = chance.integers(-3, 4, size=(8000, 4)).astype(float)
    odds = 1 / (1 + np.exp(-(more @ planted + 0.2)))
    points = (chance.random(8000) < odds).astype(float)
    assert fit(more, points, np.ones(8000)) == pytest.approx(planted, abs=0.05)
    twice = np.repeat(np.array([1.0, 0.0]), 4000)  # the other half counts for nothing
    points[4000:] = 1 - points[4000:]
    assert fit(more, points, twice) == pytest.approx(planted, abs=0.08)


def test_intervals_are_those_of_wilson() -> None:
    assert wilson(0, 10) == (0, 0, 0.278)
    assert wilson(50, 100) == (0.5, 0.404, 0.596)


@pytest.mark.parts
def test_a_run_goes_on_where_it_stopped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games, page = tmp_path / "games", tmp_path / "atlas.md"
    page.write_text((DOCS / "atlas.md").read_text())
    asked = ["--nodes", "100", "--out", str(games), "--docs", str(tmp_path)]
    asked += ["--reading", "appendix", "--reading", "zillions"]
    main(True, ["--games", "1", *asked])
    before = {file: file.read_bytes() for file in games.iterdir()}
    torn = games / "zillions-100-1.jsonl"
    torn.write_bytes(before[torn] + b'{"points":1.0,"end')
    main(True, ["--games", "2", *asked])
    assert all(file.read_bytes().startswith(text) for file, text in before.items())
    assert [len(read_games(file)) for file in before] == [2, 2]
    assert read_games(torn)[1] == played("zillions", 1, 100, 1)
    assert msgspec.json.decode((tmp_path / "atlas.json").read_bytes(), type=Atlas).games == 2
    assert "These are 2 games of each of 2 readings" in page.read_text()
    assert page.read_text().endswith((DOCS / "atlas.md").read_text().partition(END)[2])
    assert '"recommended": "appendix"' in capsys.readouterr().out


@pytest.mark.parts
def test_where_mate_ends_the_game_a_draw_is_not_had_by_an_illegal_move() -> None:
    assert played("friedlander", 9, 4000, 1).ending == "few pieces"


def test_some_readings_alone_do_not_write_over_the_page_of_all() -> None:
    for also in ((), ("--docs", "docs")):
        with pytest.raises(click.UsageError, match="so that the page of all readings stays"):
            main(False, ["--reading", "zillions", *also])

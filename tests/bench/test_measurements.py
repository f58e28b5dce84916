"""The measurements of one module each: what they find is right, and within the table's limits."""

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bench import checkouts, hall, journal, page, pi
from bench.lamps import EYES, Shown, distance
from hardware.ports import Observation
from jetan_table.cli import main
from jetan_table.game.events import Ending, Entry, Ply
from jetan_table.journal.archive import Archive
from jetan_table.journal.backup import check_journal
from jetan_table.journal.journal import Journal
from rules import parse_square
from tests.jetan_table.hands import header

BLACK, WHITE, GREY, RED, GREEN = (0, 0, 0), (255,) * 3, (128,) * 3, (255, 0, 0), (0, 255, 0)


def measured(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["bench", *words, "--json"]) == 0
    figures: dict[str, Any] = json.loads(capsys.readouterr().out)
    return figures


def test_what_another_checkout_answers_otherwise_is_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JETAN_BENCH_PAIRS", "0")
    monkeypatch.setattr(checkouts, "COMMANDS", (("settings", "show"), ("--help",)))
    package = tmp_path / "jetan_table"
    package.mkdir()
    (package / "__init__.py").touch()
    known = checkouts.answer(checkouts.HERE, ("--help",))[1].decode()
    (package / "__main__.py").write_text(f"print({known!r}, end='')\n")
    assert measured(capsys, "checkouts", str(tmp_path)) == {"asked": 2, "differing": 1}
    assert main(["bench", "checkouts"]) == 2
    assert "name the folder of another checkout" in capsys.readouterr().err


def test_a_game_is_kept_over_and_over(tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "played")) as kept:
        game = kept.begin(header())
        for number, move in enumerate(("Pd2-d3", "Pe9-e8"), 1):
            kept.observe(game, [Observation(float(number), {parse_square("d3"): None})])
            kept.append(game, [Entry(float(number), Ply(number, move))])
        kept.append(game, [Entry(3.0, Ending("draw", "agreed"))])
    assert journal.keep_over_and_over(tmp_path / "played", tmp_path / "many", 5) == 2
    with closing(Archive.open(tmp_path / "many")) as archive:
        games = archive.games()
        assert [game.plies for game in games] == [2] * 5
        assert len({game.header.started for game in games}) == 5
        assert len(list(archive.batches(games[-1].game))) == 1
        assert check_journal(archive) == {}


@pytest.mark.parametrize(
    ("delays", "figures"),
    [
        ([], {}),
        ([2.0], {"median_ms": 2.0, "p99_ms": 2.0, "slowest_ms": 2.0}),
        ([1.0, 3.0], {"median_ms": 2.0, "p99_ms": 3.0, "slowest_ms": 3.0}),
    ],
)
def test_a_hall_in_which_little_was_played_is_measured_too(
    delays: list[float], figures: dict[str, float]
) -> None:
    assert hall.lateness(delays) == figures


def test_colours_are_as_far_apart_as_eyes_see_them() -> None:
    for eye in EYES:
        assert distance(BLACK, WHITE, eye, Shown.LAMP) == pytest.approx(1.0, abs=1e-3)
    lamp, screen = (distance(BLACK, GREY, "normal", shown) for shown in Shown)
    assert lamp == pytest.approx((128 / 255) ** (1 / 3), abs=1e-3)
    assert screen < lamp
    by_eye = {eye: distance(RED, GREEN, eye, Shown.SCREEN) for eye in EYES}
    assert by_eye["deutan"] < 0.6 * by_eye["normal"]
    assert by_eye["tritan"] > by_eye["deutan"]


def test_the_page_is_within_its_limits(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "LIFTS", 3)
    monkeypatch.setattr(page, "WATCHERS", 5)
    figures = measured(capsys, "page")
    assert 0 < figures["first_paint_vs_limit"] < 1
    assert 0 < figures["memory_vs_limit"] < 1
    assert 0 < figures["lift_to_lit_median_ms"] <= figures["lift_to_lit_p95_ms"]


def test_owners_of_a_pi_see_theirs_beside_those_of_the_docs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pi, "PLIES", 4)
    monkeypatch.setenv("JETAN_QUICK_SEARCH", "off")
    assert main(["bench", "pi"]) == 0
    lines = capsys.readouterr().out.splitlines()
    for name, published in pi.PUBLISHED.items():
        (line,) = (line for line in lines if name in line)
        here, docs, *times = line.removeprefix(name).split()
        assert docs == f"{published:.3g}"
        is_missing = name.startswith("search in C")
        assert (here == "-") == is_missing
        if not is_missing:
            assert float(times[0]) == pytest.approx(float(here) / published, abs=0.1, rel=0.1)

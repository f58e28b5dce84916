"""The log that a helper asks for: which areas, how much, and in which form."""

import io
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from jetan_table import logs
from jetan_table.logs import AREAS, BadLog, log_as, wanted
from tests.paths import ROOT
from tests.profiles import SHORT_GAME


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    """Loggers belong to the process: each is left as it was found."""
    loggers = [logging.getLogger(f"jetan_table.{area}") for area in AREAS]
    kept = [(each.level, each.propagate, list(each.handlers)) for each in loggers]
    yield
    for each, (level, propagate, handlers) in zip(loggers, kept, strict=True):
        each.setLevel(level)
        each.propagate, each.handlers = propagate, handlers


def test_areas_and_levels_are_read() -> None:
    assert wanted("reading:info, page") == {"reading": logging.INFO, "page": logging.DEBUG}
    assert wanted("all:warning,table:debug") == {
        **dict.fromkeys(AREAS, logging.WARNING),
        "table": logging.DEBUG,
    }
    assert wanted("") == {}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("reding", "JETAN_LOG: reding: no such area, did you mean reading\\?; there are engine,"),
        ("page:debig", "JETAN_LOG: debig: no such level, did you mean debug\\?; there are debug,"),
    ],
)
def test_what_is_no_area_or_level_is_refused_with_those_there_are(text: str, why: str) -> None:
    with pytest.raises(BadLog, match=why):
        log_as(text, under_systemd=False)


@pytest.mark.parametrize("under_systemd", [False, True])
def test_lines_are_written_for_people_or_for_the_journal(
    under_systemd: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = io.StringIO()
    monkeypatch.setattr(sys, "stderr", written)
    log_as("table:info", under_systemd)
    log = logging.getLogger("jetan_table.table.loop")
    log.debug("too fine")
    log.info("asked for %s", "a roll")
    log.warning("no room")
    first, second = written.getvalue().splitlines()
    if under_systemd:
        assert first == "<6>jetan_table.table.loop: asked for a roll"
        assert second == "<4>jetan_table.table.loop: no room"
    else:
        assert first.endswith(" INFO jetan_table.table.loop: asked for a roll")
        assert second.endswith(" WARNING jetan_table.table.loop: no room")


@pytest.mark.parts
def test_a_table_logs_what_it_saw_and_what_it_made_of_it(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "jetan_table", "play", *SHORT_GAME, "--terminal"]
    done = subprocess.run(
        [*command, "--data", tmp_path],
        cwd=ROOT,
        env={**os.environ, "JETAN_LOG": "reading:debug"},
        capture_output=True,
        text=True,
        check=True,
    )
    lines = [line for line in done.stderr.splitlines() if "jetan_table.reading" in line]
    assert any(" DEBUG " in line and " e5:-" in line for line in lines), done.stderr
    assert [line for line in lines if " INFO " in line and "Ply(number=121" in line]


def test_every_area_has_lines_on_the_page_about_trouble() -> None:
    page = (ROOT / "docs" / "trouble.md").read_text()
    assert logs.VARIABLE in page
    assert [area for area in AREAS if f"| `{area}` |" not in page] == []

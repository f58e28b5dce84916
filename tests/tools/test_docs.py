"""`jetan docs`: where all pages are, and what is said where they are not built."""

from pathlib import Path

import pytest

from tests.jetan_table.cli.in_process import Jetan
from tools import commands


def test_the_first_place_that_has_the_pages_is_named(
    jetan: Jetan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lacking, built = tmp_path / "package", tmp_path / "checkout"
    built.mkdir()
    monkeypatch.setattr(commands, "PLACES", (lacking, built))
    assert "mkdocs build" in jetan("docs --no-browser", code=2)
    (built / "index.html").write_text("<p>")
    assert (built / "index.html").as_uri() in jetan("docs --no-browser")

"""`jetan docs`: where all pages are, and what is said where they are not built."""

from pathlib import Path

import pytest

from jetan_table.cli import docs, main


def test_the_first_place_that_has_the_pages_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lacking, built = tmp_path / "package", tmp_path / "checkout"
    built.mkdir()
    monkeypatch.setattr(docs, "PLACES", (lacking, built))
    assert main(["docs", "--no-browser"]) == 2
    assert "mkdocs build" in capsys.readouterr().err
    (built / "index.html").write_text("<p>")
    assert main(["docs", "--no-browser"]) == 0
    assert (built / "index.html").as_uri() in capsys.readouterr().out

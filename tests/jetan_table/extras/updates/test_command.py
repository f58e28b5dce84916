"""`jetan update` without a package, and the packages that a table which cannot start names."""

from pathlib import Path

import pytest

from jetan_table import __version__
from jetan_table.cli import page
from tests.jetan_table.cli.in_process import Jetan


@pytest.mark.parametrize("words", [(), ("--back",), ("--sha256", "0" * 64)])
def test_a_table_that_is_no_package_says_how_it_is_updated(
    jetan: Jetan, words: tuple[str, ...]
) -> None:
    assert "docs/service.md says how to update it" in jetan("update", *words, code=2)


def test_other_versions_than_this_one_are_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for version in ("0.0.9", __version__, "9.0.0"):
        (tmp_path / f"jetan-table_{version}_arm64.deb").touch()
    monkeypatch.setattr(page, "PACKAGES", (tmp_path / "nowhere", tmp_path))
    names = [path.name for path in page.other_packages()]
    assert names == ["jetan-table_0.0.9_arm64.deb", "jetan-table_9.0.0_arm64.deb"]

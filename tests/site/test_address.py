"""The repository's address: in pyproject.toml alone, and shown once it is there."""

import importlib.metadata
from collections.abc import Iterator
from email.message import Message
from pathlib import Path
from typing import Any

import pytest

from docs import address, outside
from jetan_table import files
from jetan_table.files import repository
from tests.paths import ROOT

HOME = "https://example.org/people/jetan-table"


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The module as if its package lay in this folder."""
    monkeypatch.setattr(files, "__file__", str(tmp_path / "jetan_table" / "files.py"))
    repository.cache_clear()
    yield tmp_path
    repository.cache_clear()


def test_a_checkout_has_it_in_its_own_file(elsewhere: Path) -> None:
    kept = elsewhere / "pyproject.toml"
    kept.write_text(f'[project]\nname = "x"\n[project.urls]\nRepository = "{HOME}"\n')
    assert repository() == HOME
    repository.cache_clear()
    kept.write_text('[project]\nname = "x"\n')
    assert repository() == ""


@pytest.mark.usefixtures("elsewhere")
def test_an_installed_table_has_it_in_what_it_knows_of_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = Message()
    known["Project-URL"] = "Changes, https://example.org/changes"
    monkeypatch.setattr(files, "metadata", lambda _name: known)
    assert repository() == ""
    repository.cache_clear()
    known["Project-URL"] = f"Repository, {HOME}"
    assert repository() == HOME


@pytest.mark.usefixtures("elsewhere")
def test_files_that_nobody_installed_have_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(name: str) -> None:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(files, "metadata", unknown)
    assert repository() == ""


def test_pages_name_the_address_of_today() -> None:
    for path, text in address.texts(repository()).items():
        assert path.read_text(encoding="utf-8") == text, "run python -m docs.address"


def test_pages_say_how_to_fetch_it_once_it_has_an_address() -> None:
    pages = address.texts(HOME)
    assert {path.relative_to(ROOT).as_posix() for path in pages} == {
        "README.md",
        "docs/CONTRIBUTING.md",
    }
    for text in pages.values():
        assert f"`git clone {HOME}`, and `cd jetan-table`" in text
    for text in address.texts("").values():
        assert "git clone" not in text


def test_the_site_leads_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    config: dict[str, Any] = {"repo_url": None}
    monkeypatch.setattr(outside, "repository", lambda: HOME)
    outside.on_config(config)
    assert config["repo_url"] == HOME
    monkeypatch.setattr(outside, "repository", lambda: "")
    outside.on_config(config)
    assert not config["repo_url"]

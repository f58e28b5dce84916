"""`jetan settings show`: every option, its origin, and a text that is a settings file again."""

import json
from pathlib import Path

import pytest

from jetan_table.cli import main
from jetan_table.settings import Settings, parse_settings
from tests.jetan_table.cli.in_process import Jetan

FILE = """
[table]
rules = "cazaux,juggernaut=e5"

[lamps]
order = "snake"  # as it is soldered
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "table.toml"
    path.write_text(FILE)
    return path


def test_each_option_says_where_it_comes_from(jetan: Jetan, file: Path) -> None:
    shown = jetan("settings show --json --config", file)
    rows = list(map(json.loads, shown.splitlines()))
    values = {(row["section"], row["option"]): (row["value"], row["from"]) for row in rows}
    assert values["table", "rules"] == ("cazaux,juggernaut=e5", str(file))
    assert values["lamps", "order"] == ("snake", str(file))
    assert values["table", "language"] == ("en", "default")
    assert sum(source == str(file) for _, source in values.values()) == 2


def test_what_is_shown_is_a_settings_file(jetan: Jetan, file: Path) -> None:
    assert parse_settings(jetan("settings show --config", file)) == parse_settings(FILE)


def test_without_a_file_the_places_looked_at_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("JETAN_CONFIG", raising=False)
    assert main(["settings", "show"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"# no file: neither {tmp_path}/jetan/table.toml nor /etc/")
    assert parse_settings(out) == Settings()


def test_the_environment_names_a_file(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("JETAN_CONFIG", str(file))
    main(["settings", "show"])
    assert f'rules = "cazaux,juggernaut=e5"   # {file}' in capsys.readouterr().out

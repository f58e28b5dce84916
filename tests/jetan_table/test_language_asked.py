"""Which language is asked for, and what the system's own errors are called in it."""

from pathlib import Path

import pytest

from jetan_table.cli import main
from jetan_table.languages import environment_language, refused_in


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "de"}, "de"),
        ({"LANG": "de_AT@euro"}, "de"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LC_ALL": "en_GB.UTF-8", "LANG": "de_DE.UTF-8"}, "en"),
        ({"LC_ALL": "", "LC_MESSAGES": "de_DE", "LANG": "en_US"}, "de"),
    ],
)
def test_the_environment_asks_for_a_language(environment: dict[str, str], language: str) -> None:
    assert environment_language(environment) == language


def test_the_systems_errors_name_the_file_in_every_language() -> None:
    error = FileNotFoundError(2, "No such file or directory", "here.jgn")
    assert refused_in("en", error) == "here.jgn: No such file or directory"
    assert refused_in("de", error) == "here.jgn: gibt es nicht"


def test_a_command_speaks_as_it_is_told_else_as_settings_say_else_as_the_environment(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings, missing = tmp_path / "table.toml", str(tmp_path / "no.jgn")

    def refused(*more: str) -> str:
        assert main(["games", "check", missing, *more]) == 2
        return capsys.readouterr().err.rstrip()

    monkeypatch.setenv("JETAN_CONFIG", str(settings))
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    settings.write_text("")
    assert refused().endswith("gibt es nicht")
    settings.write_text('[table]\nlanguage = "en"\n')
    assert refused().endswith("No such file or directory")
    assert refused("--lang", "de").endswith("gibt es nicht")


def test_help_is_in_the_language_that_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "check", "--help", "--lang", "de"]) == 0
    german = capsys.readouterr().out
    assert german.startswith("Aufruf: jetan games check")
    assert "FILES mit Partien prüfen" in german
    assert "Beispiele:\n    jetan games check\n" in german
    assert main(["games", "check", "--help", "--lang", "en"]) == 0
    english = capsys.readouterr().out
    assert english.startswith("Usage: jetan games check")
    assert "Check FILES of games; without any, the games kept here." in english

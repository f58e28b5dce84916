"""The table's voice: the real one into a file, and how a slow or missing one is borne."""

import os
import time
import wave
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from jetan_table.cli import main
from jetan_table.languages import Language
from jetan_table.light.speech import Voice, can_speak


def await_until(is_done: Callable[[], bool]) -> None:
    patience = time.monotonic() + 20
    while not is_done():
        assert time.monotonic() < patience, "the voice says nothing"
        time.sleep(0.02)


def seconds(file: Path) -> float:
    """How long a sound file is; 0 while there is none that can be read."""
    try:
        with wave.open(str(file)) as sound:
            return float(sound.getnframes() / sound.getframerate())
    except (FileNotFoundError, EOFError, wave.Error):
        return 0.0


def program(folder: Path, script: str) -> None:
    """Put a program of the voice's name into a folder."""
    path = folder / "espeak-ng"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder where programs are looked for first."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return folder


@pytest.mark.needs("espeak-ng")
@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "Black: Panthan d2 to d3."), ("de", "Schwarz: Fürstin von d2 nach d3.")],
)
def test_a_sentence_is_spoken(tmp_path: Path, language: Language, words: str) -> None:
    file = tmp_path / "said.wav"
    with closing(Voice(language, ("-w", str(file)))) as voice:
        voice.say(words)
        await_until(lambda: seconds(file) > 1.0)
    assert can_speak()


def test_of_what_waits_the_newest_is_said(tmp_path: Path, path: Path) -> None:
    spoken, go_on = tmp_path / "said", tmp_path / "go on"
    program(
        path,
        f"cat >> '{spoken}'; echo >> '{spoken}'; while [ ! -e '{go_on}' ]; do sleep 0.02; done",
    )
    with closing(Voice("en")) as voice:
        voice.say("first")
        await_until(lambda: spoken.exists() and spoken.read_text() == "first\n")
        for words in ("second", "third", "fourth"):
            voice.say(words)
        go_on.touch()
        await_until(lambda: spoken.read_text().count("\n") == 2)
    assert spoken.read_text() == "first\nfourth\n"


def test_a_voice_falls_silent_in_the_middle_of_a_sentence(tmp_path: Path, path: Path) -> None:
    number = tmp_path / "number"
    program(path, f"echo $$ > '{number}'; exec sleep 60")
    with closing(Voice("de")) as voice:
        voice.say("a long story")
        await_until(lambda: number.exists() and number.read_text().strip() != "")
    with pytest.raises(ProcessLookupError):
        os.kill(int(number.read_text()), 0)


def test_a_table_whose_voice_has_gone_plays_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not can_speak()
    with closing(Voice("en")) as voice:
        voice.say("nobody hears this")
        voice.say("nor that")


def test_play_says_what_happens_in_the_words_of_the_rules(
    tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    spoken = tmp_path / "said"
    program(path, f"echo \"$*\" >> '{spoken}'; cat >> '{spoken}'; echo >> '{spoken}'")
    lines = tmp_path / "lines"
    lines.write_text("d1 g4\n")
    with lines.open() as typed:
        monkeypatch.setattr("sys.stdin", typed)
        options = ["--rules", "manator", "--lang", "de", "--data", str(tmp_path / "games")]
        assert main(["play", "--plain", "--speak", *options]) == 0
    assert "Schwarz: Odwar d1 nach g4." in spoken.read_text()
    assert "--stdin -v de" in spoken.read_text()


def test_a_table_that_cannot_speak_says_so_in_writing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = tmp_path / "table.toml"
    settings.write_text("[sound]\nspeak = true\n")
    monkeypatch.setenv("PATH", str(tmp_path))
    options = ["--config", str(settings), "--data", str(tmp_path / "games")]
    with Path(os.devnull).open() as nothing:
        monkeypatch.setattr("sys.stdin", nothing)
        assert main(["play", "--plain", *options]) == 0
        assert "The table cannot speak: espeak-ng is not installed." in capsys.readouterr().out
        assert main(["play", "--plain", "--no-speak", *options]) == 0
        assert "cannot speak" not in capsys.readouterr().out

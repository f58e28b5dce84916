"""What is said aloud at a table, and its voice: the real one, a slow one, and none."""

import os
import time
import wave
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from jetan_table.cli import main
from jetan_table.game.commands import Resign, RollDie, TakeBackLast
from jetan_table.languages import Language
from jetan_table.light.speech import Announcer, Voice, can_speak
from jetan_table.light.words import Speaker
from rules import parse_rules, parse_square
from tests.jetan_table.hands import header
from tests.jetan_table.sitting import Evening, sitting

# A black Dwar may take on d8 or e7; both stay occupied when it does so without a gap.
ASKING = "5c4/10/3p6/4p5/10/3D6/10/10/10/5QC3 b - - 0 30"


class Ears:
    """Somebody who hears all that is said, in a language."""

    def __init__(self, evening: Evening, language: Language = "en") -> None:
        self.heard: list[str] = []
        evening.table.welcome(Announcer(self.heard.append, Speaker(language)))


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", ["Black: Panthan d2 to d3.", "Orange: Flier d10 to g7."]),
        ("de", ["Schwarz: Panthan d2 nach d3.", "Orange: Flieger d10 nach g7."]),
    ],
)
def test_plies_are_said_and_neither_turns_nor_hands(
    evening: Evening, language: Language, expected: list[str]
) -> None:
    ears = Ears(evening, language)
    evening.wait(1.0)
    evening.move("d2", "d3")
    evening.move("d10", "g7")
    assert ears.heard == expected
    evening.tell(TakeBackLast())
    evening.hands.set_up(evening.table.view.position, evening.clock.now())
    evening.wait(20.0)
    before = len(ears.heard)
    evening.wait(3.0)
    assert len(ears.heard) == before, "nothing is said twice"


def test_an_odwar_is_called_so(tmp_path: Path) -> None:
    with sitting(tmp_path, header(parse_rules("manator"))) as evening:
        ears = Ears(evening)
        evening.move("d1", "g4")
        assert ears.heard == ["Black: Odwar d1 to g4."]


def test_questions_and_the_end_are_said(tmp_path: Path) -> None:
    with sitting(tmp_path, header(start=ASKING)) as evening:
        ears = Ears(evening)
        evening.hands.take(parse_square("d5"), evening.clock.now())
        evening.wait(3.0)
        evening.move("f10", "f7")
        assert any(words.startswith("Where did the piece from d5 go: ") for words in ears.heard)
        evening.tell(Resign("orange"))
        assert ears.heard[-1] == "Black wins: Orange has resigned."


def test_a_wrong_piece_is_led_back_aloud(evening: Evening) -> None:
    ears = Ears(evening)
    evening.move("d2", "d6")
    (sentence,) = ears.heard
    assert sentence.startswith("A Panthan takes one step forward")
    assert sentence.endswith("Put the Panthan from d6 on d2.")


def test_the_die_is_asked_for_and_what_it_shows_is_said(tmp_path: Path) -> None:
    rules = parse_rules("appendix,juggernaut=e5")
    with sitting(tmp_path, header(rules)) as evening:
        ears = Ears(evening)
        evening.move("d2", "d3")
        assert ears.heard == ["Black: Panthan d2 to d3. Roll the die to move the Juggernaut."]
        evening.tell(RollDie())
        assert "the Juggernaut goes to" in " ".join(ears.heard[1:])


def test_a_check_is_said_where_the_rules_know_one(tmp_path: Path) -> None:
    start = "9q/9p/10/5f4/10/10/10/10/10/C8Q o - - 0 1"
    for folder, preset in (("mate", "friedlander"), ("capture", "appendix")):
        rules = parse_rules(preset)
        with sitting(tmp_path / folder, header(rules, start)) as evening:
            ears = Ears(evening)
            evening.move("f7", "g4")
            (sentence,) = ears.heard
            assert ("Black to move, and in check" in sentence) == (preset == "friedlander")


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

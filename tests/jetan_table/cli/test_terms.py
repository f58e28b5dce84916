"""Clock and conduct on the command line, in the settings, and in what is typed."""

from pathlib import Path

import pytest

from jetan_table.cli import main
from tests.jetan_table.cli.in_process import run

PLAY = ("play", "--plain", "--data")


def test_a_game_begins_with_clock_and_conduct_and_keeps_them(tmp_path: Path) -> None:
    data = tmp_path / "games"
    asked = ("--clock", "3+2", "--conduct", "strict")
    first = run(tmp_path, *PLAY, data, *asked, typed="d2 d3\npause\n")
    assert "Clock: Black 3:00, > Orange 2:5" in first.stdout
    assert "(the clock is stopped)" in first.stdout
    again = run(tmp_path, *PLAY, data, typed="resume\nnew\nclock none\nposition\n")
    assert "goes on after 1 moves" in again.stdout
    assert "The pause is over." in again.stdout
    assert "Clock: Black 3:00, Orange 3:00" in again.stdout
    text = (data / "games" / "00002.jgn").read_text()
    assert '[Conduct "strict"]' in text
    assert "TimeControl" not in text


def test_settings_have_a_clock_and_a_conduct_for_new_games(tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    config.write_text('[table]\nclock = "hourglass 1"\nconduct = "tournament"\nlanguage = "de"\n')
    done = run(tmp_path, *PLAY, tmp_path / "games", "--config", config, typed="why d2 d3\n")
    assert "Die PIN des Schiedsrichters steht in" in done.stdout
    assert "Uhr: Schwarz 1:00, Orange 1:00" in done.stdout
    assert "in einer Turnierpartie gibt es keine Hilfe" in done.stdout
    assert (tmp_path / "games" / "arbiter").stat().st_mode & 0o077 == 0


def test_the_arbiter_types_a_pin_and_what_to_do(tmp_path: Path) -> None:
    data = tmp_path / "games"
    run(tmp_path, *PLAY, data, "--conduct", "tournament", typed="d2 d3\nback\n")
    pin = (data / "arbiter").read_text().strip()
    done = run(tmp_path, *PLAY, data, typed=f"back\narbiter {pin}\narbiter {pin} back\n")
    assert "only the arbiter does that" in done.stdout
    assert "such as arbiter 123456 back" in done.stdout
    assert "taken back 1" in done.stdout
    assert "corrected by hand: took back 1 Pd2-d3" in done.stdout


REFUSED = {
    "clock ten": "clock 'ten': write as in 10",
    "conduct strikt": "strikt: say friendly, strict or tournament, did you mean strict?",
    "times 5:00": "such as times 5:00 4:30",
    "times 5:00 4:30": "without a clock",
    "resume": "the game is not paused",
    "release": "nothing is touched",
    "adjust": "may be touched freely",
    "press": "without a clock",
    "arbiter 1 back": "not the arbiter's PIN",
}


def test_what_makes_no_sense_is_refused_in_words(tmp_path: Path) -> None:
    lines = "".join(f"{words}\n" for words in REFUSED)
    printed = run(tmp_path, *PLAY, tmp_path / "games", typed=lines).stdout
    assert [why for why in REFUSED.values() if why not in printed] == []
    assert printed.count("without a clock") == 2


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--clock", "ten"), "--clock 'ten': write as in 10 (minutes)"),
        (("--clock", "5", "--load", "Sunday"), "brings its own rules"),
    ],
)
def test_what_cannot_be_asked_for_gets_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], why: str
) -> None:
    assert main([*PLAY, str(tmp_path), *options]) == 2
    assert why in capsys.readouterr().err

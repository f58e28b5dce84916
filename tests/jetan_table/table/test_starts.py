"""Starts: counted where a service manager starts a table anew, and good after a minute."""

from pathlib import Path

import pytest

from jetan_table.cli import main
from jetan_table.table.supervision import GOOD_S, MOST_BAD, RUNTIME_FOLDER, Starts
from tests.jetan_table.sitting import sitting


def at(folder: Path) -> Starts:
    return Starts({RUNTIME_FOLDER: str(folder)})


def test_bad_starts_are_counted_with_what_they_ended_with(tmp_path: Path) -> None:
    for number in range(1, MOST_BAD + 1):
        assert at(tmp_path).bad == number - 1
        at(tmp_path).begin()
        assert at(tmp_path).why == ""
        at(tmp_path).failed("no board,\nnowhere")
    assert (at(tmp_path).bad, at(tmp_path).why) == (MOST_BAD, "no board, nowhere")
    at(tmp_path).give_one_more()
    assert (at(tmp_path).bad, at(tmp_path).why) == (MOST_BAD - 1, "no board, nowhere")
    at(tmp_path).good()
    assert (at(tmp_path).bad, at(tmp_path).why) == (0, "")


def test_a_start_is_good_after_a_minute_at_the_table(tmp_path: Path) -> None:
    starts = at(tmp_path)
    starts.begin()
    with sitting(tmp_path / "games") as evening:
        evening.table.welcome(starts)
        evening.wait(0.1)
        assert at(tmp_path).bad == 1
        evening.clock.sleep(GOOD_S)
        evening.wait(0.1)
        assert at(tmp_path).bad == 0


@pytest.mark.parametrize("text", [b"", b"many\n", b"-1\n", b"9" * 5000, b"\xff\xfe", b"\xb2\n"])
def test_a_damaged_count_is_none(text: bytes, tmp_path: Path) -> None:
    (tmp_path / "starts").write_bytes(text)
    assert at(tmp_path).bad == 0
    at(tmp_path).begin()
    assert at(tmp_path).bad == 1


@pytest.mark.parametrize(
    "environment", [{}, {RUNTIME_FOLDER: ""}, {RUNTIME_FOLDER: "/nowhere/at/all"}]
)
def test_without_a_folder_nothing_is_counted(environment: dict[str, str]) -> None:
    starts = Starts(environment)
    starts.begin()
    starts.failed("no board")
    starts.good()
    assert (starts.bad, starts.why) == (0, "")


@pytest.mark.parametrize(
    ("error", "why"),
    [(KeyError(2), "KeyError: 2"), (FileNotFoundError(2, "Gone", "/dev/x"), "/dev/x: Gone")],
)
def test_a_driver_that_raises_is_named_with_what_it_raised(
    error: Exception, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def play(*_: object) -> int:
        raise error

    monkeypatch.setattr("jetan_table.cli.at_table.play_there", play)
    monkeypatch.setenv(RUNTIME_FOLDER, str(tmp_path))
    if isinstance(error, KeyError):
        with pytest.raises(KeyError):
            main(["serve", "--data", str(tmp_path)])
    else:
        assert main(["serve", "--data", str(tmp_path)]) == 2
    assert (at(tmp_path).bad, at(tmp_path).why) == (1, why)

"""`jetan die`: what it says of honest, bent and unfinished games, and of many throws."""

import json
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from jetan_table.cli.options import EXIT_PROBLEM
from jetan_table.journal.archive import Archive
from tests.jetan_table.cli.in_process import Jetan

TYPED = "number 17\nd2 d3\nroll\ntidy\ne9 e8\nroll\ntidy\ne2 e3\nroll 9\nresign\n"


@pytest.fixture
def game(jetan: Jetan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder with one game that was rolled by the table and by hand."""
    monkeypatch.setattr("os.urandom", bytes)  # rolls that touch none of the pieces typed
    out = jetan("play --plain --rules appendix,juggernaut=e5 --data", tmp_path, typed=TYPED)
    assert out.index("Its SHA-256:") < out.index("die after 1:")
    return tmp_path


def verified(jetan: Jetan, *arguments: str) -> dict[str, object]:
    answer: dict[str, object] = json.loads(jetan("die verify", *arguments, "--json"))
    return answer


def test_a_game_rolled_by_the_table_is_fair(jetan: Jetan, game: Path) -> None:
    file = str(game / "games" / "00001.jgn")
    for arguments in (["1", "--data", str(game)], [file]):
        answer = verified(jetan, *arguments)
        assert (answer["fair"], answer["by_table"], answer["by_hand"]) == (True, 2, 1)
        assert "2 of 2 rolls by the table are as the seed tells." in jetan("die verify", *arguments)


def test_a_bent_roll_in_a_game_text_is_found(jetan: Jetan, game: Path) -> None:
    file = game / "games" / "00001.jgn"
    text = file.read_text()
    first = text.index("[%die ")
    end = text.index("]", first)
    bent = game / "bent.jgn"
    wrong = "1" if text[first:end] != "[%die 1" else "2"
    bent.write_text(f"{text[:first]}[%die {wrong}{text[end:]}")
    found = jetan("die verify", bent, code=EXIT_PROBLEM)
    assert f"after move 1 Pd2-d3: the record tells {wrong}, the seed" in found


def test_a_game_that_goes_on_keeps_its_secret(
    jetan: Jetan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.urandom", Random(1).randbytes)  # a roll may end a game
    rolled = "d2 d3\nroll\n"
    jetan("play --plain --rules appendix,juggernaut=e5 --data", tmp_path, typed=rolled)
    assert "not shown before the game is over" in jetan("die verify 1 --data", tmp_path, code=2)


def test_many_throws_are_counted(jetan: Jetan) -> None:
    answer = json.loads(jetan("die test --rolls 20000 --seed 00ff --json"))
    assert sum(answer["counts"]) == 20000
    assert min(answer["counts"]) > 1800
    assert 0.001 < answer["share"] < 0.999


def test_a_loaded_die_is_told(jetan: Jetan, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jetan_table.cli.games.throw", lambda seed, message: 1 + len(message) % 10)
    assert "0.00% of such tests" in jetan("die test --rolls 5000", code=EXIT_PROBLEM)


def test_a_juggernaut_begins_where_the_die_says(jetan: Jetan, tmp_path: Path) -> None:
    starts = set()
    for _ in range(6):
        jetan("play --plain --rules appendix+juggernaut --data", tmp_path, typed="roll\n")
    with closing(Archive.open(tmp_path)) as archive:
        for summary in archive.games():
            starts.add(archive.record(summary.game).position.juggernaut)
    assert None not in starts
    assert len(starts) > 1


@pytest.mark.soak("kill")
def test_a_million_throws_are_fair(jetan: Jetan) -> None:
    assert sum(json.loads(jetan("die test --json"))["counts"]) == 1_000_000

"""Analyses for the page: made in processes of their own, and refused where no help is allowed."""

import asyncio
import json
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from jetan_table.web.analyst import AnalysisFailed, Analyst
from tests.e2e.command import run
from tests.e2e.served import served

TYPED = "d2 d3\ne9 e8\nresign\nquit\n"


def test_a_kept_game_is_analysed_in_words_of_a_language(tmp_path: Path) -> None:
    words = ("play", "--plain", "--position", "q9/10/10/D9/10/10/10/10/9p/9Q b - - 0 1")
    typed = "j1 i3\nresign\nquit\n"
    assert run(tmp_path, *words, "--data", tmp_path, typed=typed).returncode == 0
    analyst = Analyst(tmp_path)
    (row,) = asyncio.run(analyst.rows(1, 1, "de"))
    assert (row["played"], row["mark"]) == ("Qj1-i3", "??")
    assert row["explained"][0] == "Hier hätte Schwarz sofort gewinnen können."


def test_where_there_is_no_game_the_process_says_so(tmp_path: Path) -> None:
    with pytest.raises(AnalysisFailed, match="7: no such game"):
        asyncio.run(Analyst(tmp_path).rows(7, 1, "en"))


def test_nothing_is_analysed_beside_a_tournament_game(tmp_path: Path) -> None:
    data = tmp_path / "games"
    assert run(tmp_path, "play", "--plain", "--data", data, typed=TYPED).returncode == 0
    with served(tmp_path, "--conduct", "tournament") as table:
        with pytest.raises(HTTPError) as refused:
            urlopen(f"{table.url}api/games/1/analysis")
        assert refused.value.code == 409
        assert "no help in a tournament game" in json.loads(refused.value.read())["refused"]

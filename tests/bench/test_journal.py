"""`jetan bench journal`: what kept games cost, on a small sample."""

from contextlib import closing
from pathlib import Path

import pytest

from bench import journal
from hardware.ports import Observation
from jetan_table.game.events import Ending, Entry, Ply
from jetan_table.journal.archive import Archive
from jetan_table.journal.backup import check_journal
from jetan_table.journal.journal import Journal
from rules import parse_square
from tests.jetan_table.hands import header


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """A journal of one game of two plies."""
    with closing(Journal(tmp_path / "played")) as kept:
        game = kept.begin(header())
        for number, move in enumerate(("Pd2-d3", "Pe9-e8"), 1):
            kept.observe(game, [Observation(float(number), {parse_square("d3"): None})])
            kept.append(game, [Entry(float(number), Ply(number, move))])
        kept.append(game, [Entry(3.0, Ending("draw", "agreed"))])
    return tmp_path / "played"


def test_a_game_is_kept_over_and_over(played: Path, tmp_path: Path) -> None:
    assert journal.keep_over_and_over(played, tmp_path / "many", 5) == 2
    with closing(Archive.open(tmp_path / "many")) as archive:
        games = archive.games()
        assert [game.plies for game in games] == [2] * 5
        assert len({game.header.started for game in games}) == 5
        assert len(list(archive.batches(games[-1].game))) == 1
        assert check_journal(archive) == {}

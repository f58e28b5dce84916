"""Trials of boards, as their owners sent them: what was played there is read without a mistake.

A recording and its truth that are put into `tests/data/trials` are read by this.
"""

from pathlib import Path

import pytest

from jetan_table.people.truth import ReadingVerdict, read_truth, score
from jetan_table.replay.recordings import read_seen
from jetan_table.replay.replay import advance, replay_of_recording
from tests.paths import DATA

RIGHT = {ReadingVerdict.RIGHT, ReadingVerdict.ASKED, ReadingVerdict.AMENDED}


@pytest.mark.parametrize("path", sorted(DATA.glob("trials/*.jsonl")), ids=lambda path: path.stem)
def test_a_board_somewhere_is_read_rightly(path: Path) -> None:
    truth = read_truth(path.with_name(f"{path.stem}.truth.json"))
    replay = replay_of_recording(read_seen(path), path.stem)
    readings = advance(replay.source, replay.reader(), replay.ends_at)
    scores = score(truth, readings)
    assert len([each for each in scores if each.sort == "ply"]) >= len(truth.plies) > 0
    assert [each for each in scores if each.verdict not in RIGHT] == []

"""Whole matches of two tables far apart: clumsy hands and a bad line leave one game."""

import time
from contextlib import ExitStack, closing
from pathlib import Path
from random import Random

import pytest

from jetan_table.extras.hall.far_match import match_text, needs_die
from jetan_table.game.record import Record
from jetan_table.journal.archive import Archive
from jetan_table.table.dice import judge, rolls_of_journal
from tests.jetan_table.extras.hall.far_table import FarTable, match
from tests.jetan_table.extras.hall.mosquitto import BadLine, Mosquitto

pytestmark = pytest.mark.needs("mosquitto")


def play_match(
    folder: Path,
    seed: int,
    trouble: float,
    most: int = 6,
    rules: str = "appendix",
    clock: str = "none",
) -> tuple[str, str]:
    """Play one match over a bad line with clumsy hands; return what both disks have of it."""
    rng = Random(seed)
    with Mosquitto(folder) as mosquitto, ExitStack() as ends:
        lines = [
            ends.enter_context(closing(BadLine(mosquitto.port, seed * 2 + side, trouble)))
            for side in range(2)
        ]
        ports = lines[0].port, lines[1].port
        far_match = ends.enter_context(match(folder, ports, rules, clock))
        tables = alpha, beta = far_match.both
        alpha.clumsiness = beta.clumsiness = 0.25
        until_at = time.monotonic() + 600
        while not (alpha.record.ending and beta.record.ending):
            assert time.monotonic() < until_at, far_match.differences()
            for table in tables:
                table.live(rng)
                is_long = len(table.record.game.plies) >= most
                has_spoken = bool(table.far._state.side.says)
                if is_long and table.is_own_turn() and not (table.record.ending or has_spoken):
                    table.say("resign")
            time.sleep(0.002)
        far_match.agree()
        if alpha.record.die is not None:
            far_match.await_that(lambda: all(map(is_die_shown, tables)))
        texts = []
        for name, table in zip(("alpha", "beta"), tables, strict=True):
            with closing(Archive.open(folder / name)) as archive:
                texts.append(match_text(archive.record(table.evening.table.game)))
        return texts[0], texts[1]


def is_die_shown(table: FarTable) -> bool:
    return table.record.die is not None and table.record.die.seed is not None


@pytest.mark.parametrize(
    ("seed", "rules", "clock"),
    [
        (0, "appendix", "none"),
        (6, "manator-arena", "none"),
        pytest.param(7, "appendix", "30+10 buttons", marks=pytest.mark.ci),
        pytest.param(8, "cazaux,juggernaut=centre", "30+10 buttons", marks=pytest.mark.ci),
        *(pytest.param(seed, "appendix", "none", marks=pytest.mark.release) for seed in (4, 5)),
    ],
)
def test_clumsy_hands_and_a_bad_line_leave_one_game(
    tmp_path: Path, seed: int, rules: str, clock: str
) -> None:
    one, other = play_match(tmp_path, seed, 0.15, rules=rules, clock=clock)
    assert one == other
    assert "1. " in one
    for name in ("alpha", "beta"):
        with closing(Archive.open(tmp_path / name)) as archive:
            game = max(archive.numbers())
            header, entries = archive.header(game), archive.entries(game)
        record = Record.read(header, entries)
        has_dice = needs_die(record.game.start)
        assert (record.die is not None) is has_dice
        if has_dice:
            verdict = judge(record.die, rolls_of_journal(header, entries))
            # An arena sees no fight in a short game where nothing is taken.
            has_thrown = any(ply.rolls or ply.duel is not None for ply in record.game.plies)
            assert verdict.is_fair
            assert not verdict.by_hand
            assert bool(verdict.by_table) == has_thrown


@pytest.mark.soak("hall")
@pytest.mark.parametrize("fifty", range(20))
def test_a_thousand_matches_leave_one_game(tmp_path: Path, fifty: int) -> None:
    for seed in range(50):
        folder = tmp_path / str(seed)
        folder.mkdir()
        one, other = play_match(folder, 1000 + fifty * 50 + seed, trouble=0.2)
        assert one == other

"""Hints at a simulated table: a real engine, real scan and reading; cases of `tests/data/hints`."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from jetan_table.engine.why import Merit
from jetan_table.extras.opponent.seat import EngineAdviser
from jetan_table.game.commands import Help
from jetan_table.light.words import Speaker
from jetan_table.session.session import Guest
from jetan_table.session.view import Advice
from rules import Side, _
from tests.cases import Case, every_case
from tests.jetan_table.cli.in_process import run
from tests.jetan_table.hands import advising, header
from tests.jetan_table.sitting import Evening, sitting
from tests.jetan_table.tables import AtTable, assert_holds

WINNING = "q9/10/10/D9/10/10/10/10/10/9Q b - - 0 1"
"""Black's Dwar takes the Princess at once."""


def new_adviser(wait_s: float = 20.0, think_s: float = 0.1) -> EngineAdviser:
    return EngineAdviser(advising, wait_s, think_s=think_s)


class Advised(AtTable):
    """A table with an adviser; it begins where Black wins at once."""

    start = WINNING

    def guests(self) -> Sequence[Guest]:
        return [self.ends.enter_context(closing(new_adviser()))]


@pytest.mark.parametrize("case", every_case("hints"))
def test_what_is_asked_for_is_shown(case: Case, tmp_path: Path) -> None:
    assert_holds(Advised(tmp_path), case)


@contextmanager
def advised(folder: Path, adviser: EngineAdviser) -> Iterator[Evening]:
    """Sit down where Black wins at once, with that adviser."""
    with closing(adviser), sitting(folder, header(start=WINNING)) as evening:
        evening.table.welcome(adviser)
        yield evening


def advice(evening: Evening) -> Advice:
    found = evening.view.help.advice
    assert found is not None
    return found


def test_who_guides_advises_without_being_asked(tmp_path: Path) -> None:
    adviser = new_adviser()
    adviser.guides = Side.BLACK
    with advised(tmp_path, adviser) as evening:
        evening.wait(1.0)
        assert advice(evening).help is Help.WHY
        assert [point.merit for point in advice(evening).points] == [Merit.TAKES_PRINCESS]


def test_until_it_is_found_the_table_says_that_it_thinks(tmp_path: Path) -> None:
    with advised(tmp_path, new_adviser(wait_s=0.0, think_s=60.0)) as evening:
        evening.type("hint")
        assert advice(evening).move is None
        assert evening.lit == {}
        german = Speaker("de")
        assert german.say(_("I am looking for a hint.")) in german.sentences(evening.view)


def test_a_hint_that_is_looked_for_is_called_off_and_asked_for_again(tmp_path: Path) -> None:
    adviser = new_adviser(wait_s=0.0, think_s=60.0)
    with advised(tmp_path, adviser) as evening:
        evening.type("hint", "hint off")
        assert evening.view.help.advice is None
        adviser.guides = Side.BLACK
        evening.wait(1.0)
        assert evening.view.help.advice is None
        adviser._wait_s, adviser._think_s = 20.0, 0.1
        evening.type("hint")
        assert advice(evening).help is Help.PIECE
        assert advice(evening).move is not None


def test_a_hint_in_the_terminal(tmp_path: Path) -> None:
    words = ("play", "--plain", "--data", tmp_path, "--position", WINNING)
    done = run(tmp_path, *words, typed="hint\nhint why\nhint moves\nquit\n")
    assert done.returncode == 0, done.stderr
    assert "Hint: think about the Dwar a7." in done.stdout
    assert "The move takes the Princess and wins." in done.stdout
    assert "did you mean move?" in done.stdout

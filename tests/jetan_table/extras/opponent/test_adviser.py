"""Hints at a simulated table: a real engine, real scan and reading, typed hands."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from jetan_table.engine.process import start_engine
from jetan_table.engine.why import Merit
from jetan_table.extras.opponent.adviser import EngineAdviser
from jetan_table.game.commands import AskAdvice, CommandRefused, Help, NewGame, Resign
from jetan_table.game.events import ConductAgreed
from jetan_table.light.cues import Cue, cues
from jetan_table.light.words import Speaker
from jetan_table.session.view import Advice
from rules import Side, format_square, parse_rules, parse_square
from rules.sentences import _
from tests.jetan_table.cli.in_process import run
from tests.jetan_table.hands import header
from tests.jetan_table.sitting import Evening, sitting

WINNING = "q9/10/10/D9/10/10/10/10/10/9Q b - - 0 1"
"""Black's Dwar takes the Princess at once."""


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    rules = parse_rules("appendix")
    with sitting(tmp_path, header(rules, WINNING)) as table:
        adviser = EngineAdviser(lambda: start_engine("jeddak", rules, 1), wait_s=20.0, think_s=0.1)
        table.table.welcome(adviser)
        with closing(adviser):
            yield table


def advice(evening: Evening) -> Advice:
    found = evening.view.help.advice
    assert found is not None
    return found


def test_who_asks_again_is_told_more(evening: Evening) -> None:
    speaker = Speaker("en")
    expected = {
        Help.PIECE: ({"a7": Cue.ADVICE}, "Hint: think about the Dwar a7."),
        Help.MOVE: ({"a7": Cue.ADVICE, "a10": Cue.ADVICE}, "Hint: Da7xa10."),
        Help.WHY: ({"a7": Cue.ADVICE, "a10": Cue.ADVICE}, "The move takes the Princess and wins."),
    }
    for lit, sentence in expected.values():
        evening.tell(AskAdvice())
        shown = cues(evening.view)
        assert {format_square(at): cue for at, cue in shown.items()} == lit
        assert speaker.sentences(evening.view)[-1] == sentence
    assert [point.merit for point in advice(evening).points] == [Merit.TAKES_PRINCESS]


def test_all_can_be_asked_at_once(evening: Evening) -> None:
    evening.tell(AskAdvice("move"))
    assert advice(evening).help is Help.MOVE


def test_the_advised_square_stands_out_among_those_a_lifted_piece_may_go_to(
    evening: Evening,
) -> None:
    evening.tell(AskAdvice("move"))
    evening.lift("a7", wait_s=1.0)
    shown = cues(evening.view)
    assert shown[parse_square("a10")] is Cue.ADVICE
    assert shown[parse_square("a7")] is Cue.LIFTED
    assert Cue.LEGAL in shown.values()


def test_advice_is_for_one_position(evening: Evening) -> None:
    evening.tell(AskAdvice())
    evening.move("j1", "i4")
    assert evening.view.help.advice is None
    evening.tell(AskAdvice())
    assert advice(evening).help is Help.PIECE


def test_until_it_is_found_the_table_says_that_it_thinks(tmp_path: Path) -> None:
    rules = parse_rules("appendix")
    with sitting(tmp_path) as evening:
        adviser = EngineAdviser(lambda: start_engine("jeddak", rules, 1), wait_s=0.0, think_s=60.0)
        evening.table.welcome(adviser)
        with closing(adviser):
            evening.tell(AskAdvice())
            assert advice(evening).move is None
            assert cues(evening.view) == {}
            assert Speaker("de").say(_("I am looking for a hint.")) in Speaker("de").sentences(
                evening.view
            )


def test_a_hint_that_is_looked_for_is_called_off_and_asked_for_again(tmp_path: Path) -> None:
    rules = parse_rules("appendix")
    with sitting(tmp_path, header(rules, WINNING)) as evening:
        adviser = EngineAdviser(lambda: start_engine("jeddak", rules, 1), wait_s=0.0, think_s=60.0)
        evening.table.welcome(adviser)
        with closing(adviser):
            evening.tell(AskAdvice())
            evening.tell(AskAdvice("off"))
            assert evening.view.help.advice is None
            adviser.guides = Side.BLACK
            evening.wait(1.0)
            assert evening.view.help.advice is None
            adviser._wait_s, adviser._think_s = 20.0, 0.1
            evening.tell(AskAdvice())
            assert advice(evening).help is Help.PIECE
            assert advice(evening).move is not None


def test_where_nobody_can_move_there_is_no_hint(evening: Evening) -> None:
    evening.tell(Resign("black"))
    with pytest.raises(CommandRefused, match="no move to suggest"):
        evening.tell(AskAdvice())


def test_a_tournament_game_has_no_hints(evening: Evening) -> None:
    begun = header(parse_rules("appendix"), WINNING)
    evening.tell(NewGame(begun, (ConductAgreed("tournament"),)))
    with pytest.raises(CommandRefused, match="no help"):
        evening.tell(AskAdvice())


def test_where_nobody_advises_it_is_said(tmp_path: Path) -> None:
    with sitting(tmp_path) as evening, pytest.raises(CommandRefused, match="nobody here"):
        evening.tell(AskAdvice())


def test_a_hint_in_the_terminal(tmp_path: Path) -> None:
    words = ("play", "--plain", "--data", tmp_path, "--position", WINNING)
    done = run(tmp_path, *words, typed="hint\nhint why\nhint moves\nquit\n")
    assert done.returncode == 0, done.stderr
    assert "Hint: think about the Dwar a7." in done.stdout
    assert "The move takes the Princess and wins." in done.stdout
    assert "did you mean move?" in done.stdout


def test_who_guides_advises_without_being_asked(tmp_path: Path) -> None:
    rules = parse_rules("appendix")
    adviser = EngineAdviser(lambda: start_engine("jeddak", rules, 1), wait_s=20.0, think_s=0.1)
    adviser.guides = Side.BLACK
    with closing(adviser), sitting(tmp_path, header(rules, WINNING)) as evening:
        evening.table.welcome(adviser)
        evening.wait(1.0)
        assert advice(evening).help is Help.WHY

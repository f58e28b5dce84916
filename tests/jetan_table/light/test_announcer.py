"""What is said aloud at a table, and what is not."""

from pathlib import Path

import pytest

from jetan_table.game.commands import Resign, RollDie, TakeBackLast
from jetan_table.languages import Language
from jetan_table.light.speech import Announcer
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

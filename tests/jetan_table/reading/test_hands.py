"""What hands do on a board, and what is read from it: every case of `tests/data/hands`."""

import re
from dataclasses import dataclass, field

import pytest

from hardware.ports import FaultKind
from jetan_table.reading.readings import JetanGame, Standing
from jetan_table.reading.switch_reader import SwitchReader
from rules import Position, Square, parse_position, parse_rules, parse_square
from tests.cases import Case, case_of, every_case
from tests.jetan_table.reading.hand import FACING, RULES, Table, line


@dataclass
class Evening:
    """A board, the hands at it, and what was told by the last that they did."""

    rules: str = ""
    board: str = "start"
    dead: list[Square] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    _hand: Table | None = None

    def hand(self) -> Table:
        """The hands at the board; they begin where the board was set up anew."""
        if self._hand is None:
            rules = parse_rules(self.rules) if self.rules else RULES
            text = FACING if self.board == "facing" else self.board
            start = Position.start(rules) if text == "start" else parse_position(text, rules)
            faults = dict.fromkeys(self.dead, FaultKind.DEAD)
            self._hand = Table(SwitchReader(JetanGame(), Standing(start), faults=faults))
        return self._hand

    def do(self, word: str, rest: str) -> None:
        """Do what a line of a case says, or hold the reader to it."""
        match word, rest.split():
            case "again", []:
                self._hand = None
            case "board", _:
                self.board, self._hand = rest, None
            case "rules", _:
                self.rules, self._hand = rest, None
            case "dead", squares:
                self.dead, self._hand = list(map(parse_square, squares)), None
            case "hands", [*script, "until", until]:
                self.told = self.hand().hands(" ".join(script), float(until))
            case "hands", _:
                self.told = self.hand().hands(rest)
            case "answer", [number, square]:
                answered = self.hand().reader.answer(int(number), parse_square(square))
                self.told = [line(reading) for reading in answered]
            case "choose", [board]:
                hand = self.hand()
                stood = hand.reader.stands(int(board), hand.at)
                self.told = [line(reading) for reading in stood]
            case "refuse", [board]:
                with pytest.raises(ValueError, match=f"no board {board} was shown"):
                    self.hand().reader.stands(int(board), self.hand().at)
            case "refuse", [number, square]:
                with pytest.raises(ValueError, match="no candidate"):
                    self.hand().reader.answer(int(number), parse_square(square))
            case _:
                self.check(word, rest)

    def check(self, word: str, rest: str) -> None:
        belief = self.hand().reader.belief
        match word, rest.split():
            case "told", _ if "..." in rest:
                assert re.fullmatch(re.escape(rest).replace(r"\.\.\.", ".*"), "; ".join(self.told))
            case "told", _:
                assert ("; ".join(self.told) or "nothing") == rest
            case "never", _:
                assert [part for part in rest.split("; ") if part in "; ".join(self.told)] == []
            case "stands", [letter, square]:
                piece = belief.position.position.piece_at(parse_square(square))
                assert piece is not None
                assert piece.letter == letter
            case "extra", squares:
                assert belief.extra == set(map(parse_square, squares))
            case "lifted", squares:
                assert belief.lifted == tuple(map(parse_square, squares))
            case "failed", ["none"]:
                assert belief.faults == {}
            case "failed", [kind, square]:
                assert belief.faults == {parse_square(square): FaultKind(kind)}
            case "boards", [count]:
                assert len(self.hand().reader.shown) == int(count)
            case "number", [number]:
                assert belief.number == int(number)
            case _:
                pytest.fail(f"no line of a case: {word} {rest}")


def assert_holds(case: Case) -> None:
    evening = Evening()
    for word, rest in case:
        evening.do(word, rest)


@pytest.mark.parametrize("case", every_case("hands"))
def test_what_hands_do_is_read(case: Case) -> None:
    assert_holds(case)


def test_a_case_that_expects_something_else_fails() -> None:
    case = case_of(["    hands  1.0-d2 1.5+d3", "    told   1 d2-d4"])
    with pytest.raises(AssertionError, match="1 d2-d4"):
        assert_holds(case)

"""What sources print, and rulings that they leave open: every case of `tests/data/rulings`."""

import re
from dataclasses import dataclass

import pytest

from rules import (
    PIECES,
    SQUARE_NAMES,
    Game,
    IllegalMove,
    MoveKind,
    Position,
    Side,
    explain,
    format_move,
    format_position,
    format_square,
    parse_move,
    parse_position,
    parse_rules,
    parse_square,
    squares_of,
)
from rules.text import parse_roll
from tests.cases import Case, case_of, every_case


@dataclass
class Ruling:
    """A game from a position by some rules."""

    rules: str = "appendix"
    _begun: Game | None = None

    @property
    def game(self) -> Game:
        if self._begun is None:
            self.begin(Position.start(parse_rules(self.rules)))
        assert self._begun is not None
        return self._begun

    def begin(self, position: Position) -> None:
        self._begun = Game.begin(position)

    def do(self, word: str, rest: str) -> None:
        """Do what a line of a case says, or hold the rules to it."""
        words = rest.split()
        match word:
            case "rules" | "start" | "board" | "stand" | "orange":
                self.set_up(word, rest)
            case "juggernaut":
                square = parse_square(rest)
                if self.game.plies:
                    self._begun = self.game.move_juggernaut(square)
                else:
                    self.begin(self.game.position.move_juggernaut(square))
            case "play":
                for text in words:
                    self._begun = self.game.play(parse_move(text, self.game.position))
            case "back":
                self._begun = self.game.take_back()
            case "roll":
                self._begun = self.game.roll(parse_roll(rest))
            case "refuse":
                text, _, why = rest.partition(": ")
                with pytest.raises(IllegalMove, match=why):
                    self.game.play(parse_move(text, self.game.position))
            case "why":
                start, end, *english = words
                answer = explain(self.game.position, parse_square(start), parse_square(end))
                assert re.search(" ".join(english), f"{answer}")
            case _:
                self.check(word, words)

    def set_up(self, word: str, rest: str) -> None:
        """Begin from another position, or by other rules."""
        match word:
            case "rules":
                self.rules, self._begun = rest, None
            case "start":
                self.begin(Position.start(parse_rules(self.rules), Side[rest.upper()]))
            case "board":
                self.begin(parse_position(rest, parse_rules(self.rules)))
            case "stand" | "orange":
                men = {parse_square(each[1:]): PIECES[each[0]] for each in rest.split()}
                side = Side.BLACK if word == "stand" else Side.ORANGE
                self.begin(Position.of(parse_rules(self.rules), men, side, escapes=frozenset()))

    def check(self, word: str, words: list[str]) -> None:
        position = self.game.position
        match word:
            case "flees":
                fled = ends(position, words[0], escapes=True)
                assert all((each[1:] in fled) is (each[0] == "+") for each in words[2:])
                assert len(fled) == int(words[1])
            case "ends" | "some" | "never" | "reached":
                self.check_ends(word, words[0], set(words[1:]) - {"none"})
            case "threatened":
                found = {format_square(square) for square in squares_of(position.threats())}
                assert not found if words == ["none"] else found >= {*words}
            case "takes":
                taking = [move for move in position.moves() if move.kind is MoveKind.CAPTURE]
                assert {format_move(move) for move in taking} == {*words}
            case "stands":
                at = {format_square(square): piece for square, piece in position.pieces().items()}
                assert all((each[1:] in at) is (each[0] == "+") for each in words)
            case "outcome":
                assert self.outcome() == " ".join(words)
                assert (position.moves() == ()) is (position.outcome is not None)
            case "counts":
                counters = position.few_counter, position.quiet_plies
                assert [str(each).lower() for each in counters] == words
            case "at":
                assert position.juggernaut == parse_square(words[0])
            case "looks":
                assert format_position(position) == " ".join(words)
            case "escapes":
                assert position.escapes == {Side[each.upper()] for each in words if each != "none"}
            case "awaits":
                assert self.game.awaits_roll is (words == ["roll"])
            case _:
                pytest.fail(f"no line of a case: {word} {words}")

    def check_ends(self, word: str, square: str, wanted: set[str]) -> None:
        """Hold a piece to where it may go, or a square to which pieces may come there."""
        position = self.game.position
        match word:
            case "ends":
                assert ends(position, square) == wanted
            case "some":
                assert wanted <= ends(position, square)
            case "never":
                assert not wanted & ends(position, square)
            case "reached":
                assert {name for name in SQUARE_NAMES if square in ends(position, name)} == wanted

    def outcome(self) -> str:
        """How the game has ended, in words."""
        outcome = self.game.outcome
        if outcome is None:
            return "none"
        winner = "draw" if outcome.winner is None else outcome.winner.name.lower()
        return f"{winner} {outcome.termination.value}"


def ends(position: Position, square: str, escapes: bool = False) -> set[str]:
    """Where the piece on a square may go by its steps, or by an escape."""
    moves = position.moves_from(parse_square(square))
    return {
        format_square(move.to_square) for move in moves if (move.kind is MoveKind.ESCAPE) is escapes
    }


def assert_holds(case: Case) -> None:
    ruling = Ruling()
    for word, rest in case:
        ruling.do(word, rest)


@pytest.mark.parametrize("case", every_case("rulings"))
def test_the_rules_are_as_they_are_ruled(case: Case) -> None:
    assert_holds(case)


def test_a_ruling_that_is_none_fails() -> None:
    for wrong in ("ends   a1 b4 d2", "some   a1 e5", "outcome draw agreed", "threatened b1"):
        with pytest.raises(AssertionError):
            assert_holds(case_of(["stand  Fa1 Qj1 qa10", wrong]))

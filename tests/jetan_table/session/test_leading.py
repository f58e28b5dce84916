"""Hands that do what the lamps say always end at the right board, whatever stood there before."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from jetan_table.game.commands import TakeBackLast
from jetan_table.game.record import Record
from jetan_table.light.lamps import Cue, cues
from jetan_table.session.session import Session
from jetan_table.session.tabletop import UNKNOWN_PIECE
from jetan_table.session.view import Phase, View
from rules import (
    SQUARES,
    Position,
    Square,
    format_square,
    letters,
    parse_position,
    parse_rules,
    parse_square,
)
from tests.jetan_table.hands import Hands, header

RULES = parse_rules("appendix,juggernaut=e5")
START = Position.start(RULES)
EMPTY = parse_position("/".join(["10"] * 10) + " b - - 0 1", parse_rules("appendix"))
MOST_STEPS = 150


class Obedient:
    """Hands that know the pieces, and do what the table tells until it is content."""

    def __init__(self, hands: Hands, standing: dict[Square, str]) -> None:
        self.hands, self.standing = hands, standing
        self.held: list[str] = []

    @property
    def view(self) -> View:
        return self.hands.session.view

    def obey(self) -> int:
        """Do one thing after another; return how many it took."""
        for count in range(MOST_STEPS):
            if self.view.phase is Phase.PLAYING and self.view.leading.repair is None:
                return count
            self.do_next()
        raise AssertionError(f"led in circles: {self.view}")

    def do_next(self) -> None:
        step, placing = self.view.leading.repair, self.view.leading.placing
        shown = cues(self.view)
        if step is not None and step.from_square is not None:
            assert shown[step.from_square] is Cue.WRONG
            self.lift(step.from_square)
            return
        if step is not None and step.to_square is not None:
            assert step.letter in self.held or self.view.phase is Phase.PLAYING
            self.put(step.to_square, step.letter)
            return
        assert placing is not None
        assert {s for s in shown if shown[s] is Cue.BELONGS} == set(placing.squares)
        self.put(placing.squares[0], placing.letter)

    def lift(self, square: Square) -> None:
        self.held.append(self.standing.pop(square))
        self.hands.lift(format_square(square))
        self.hands.wait(1.0)

    def put(self, square: Square, letter: str) -> None:
        assert square not in self.standing
        if letter in self.held:
            self.held.remove(letter)
        self.standing[square] = letter
        self.hands.put(format_square(square))
        self.hands.wait(1.0)


def scrambled(rng: Random, share: float) -> dict[Square, str]:
    """A board of which a share of the pieces stands anywhere, or lies in the box."""
    standing: dict[Square, str] = dict(letters(START))
    for square in [square for square in standing if rng.random() < share]:
        letter = standing.pop(square)
        elsewhere = rng.choice(SQUARES)
        if elsewhere not in standing and rng.random() < 0.7:
            standing[elsewhere] = letter
    return standing


@given(st.integers(0, 10_000), st.sampled_from([0.05, 0.3, 1.0]))
def test_a_board_set_up_anyhow_is_led_to_the_start(seed: int, share: float) -> None:
    standing = scrambled(Random(seed), share)
    session = Session(Record.begin(header(RULES)))
    hands = Hands(session, EMPTY)
    for square in standing:
        hands.put(format_square(square))
    obedient = Obedient(hands, standing)
    obedient.obey()
    assert standing.keys() == letters(START).keys()
    assert hands.news == []


def test_hands_that_clear_the_board_without_a_pause_are_not_read_meanwhile() -> None:
    hands = Hands(Session(Record.begin(header(RULES))))
    hands.move("d2", "d3")
    for name in ("a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1", "i1", "j1"):
        assert hands.session.view.phase is Phase.PLAYING
        hands.lift(name)
    assert hands.session.view.phase is Phase.SETTING_UP


@given(st.integers(0, 10_000), st.integers(1, 8))
def test_pieces_moved_about_in_play_are_led_home_each_to_its_own_square(
    seed: int, moves: int
) -> None:
    rng = Random(seed)
    session = Session(Record.begin(header(RULES)))
    hands = Hands(session)
    obedient = Obedient(hands, dict(letters(START)))
    hands.move("d2", "d3")
    session.obey(TakeBackLast(), hands.at)
    obedient.standing[parse_square("d3")] = obedient.standing.pop(parse_square("d2"))
    for _ in range(moves):
        square = rng.choice(sorted(obedient.standing))
        obedient.lift(square)
        free = [other for other in SQUARES if other not in obedient.standing]
        obedient.put(rng.choice(free), obedient.held[-1])
        if session.view.phase is Phase.PLAYING:
            break
    obedient.obey()
    assert UNKNOWN_PIECE not in session.view.standing.values()
    assert obedient.standing == letters(session.record.position)

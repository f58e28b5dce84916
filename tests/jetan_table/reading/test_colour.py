"""Whose a piece is, told by a sensor that sees it, settles what switches cannot."""

from hardware.ports import Evidence, Observation
from jetan_table.reading.jetan_game import JetanGame, Standing
from jetan_table.reading.scene import Colours
from jetan_table.reading.switch_reader import SwitchReader
from rules import Occupant, Position, Square, parse_move, parse_position, parse_square
from tests.jetan_table.reading.hand import FACING, RULES, Table, line


def seen(occupant: int, doubt: float = 18.0) -> Evidence:
    empty, black, orange, neutral = (0.0 if each == occupant else -doubt for each in Occupant)
    return empty, black, orange, neutral


def picture(position: Position, covered: str = "") -> dict[Square, Evidence | None]:
    """What a camera shows of a whole position, but for squares that are covered."""
    squares = JetanGame().occupants(Standing(position))
    found: dict[Square, Evidence | None] = {
        Square(square): seen(occupant) for square, occupant in enumerate(squares)
    }
    found.update(dict.fromkeys(map(parse_square, covered.split())))
    return found


def played(*texts: str) -> list[Position]:
    """The positions of a game from FACING, one after another."""
    positions = [parse_position(FACING, RULES)]
    for text in texts:
        positions.append(positions[-1].play(parse_move(text, positions[-1])))
    return positions


class Onlooker:
    """A camera at rest, and a hand at the switches, before one reader."""

    def __init__(self, *texts: str) -> None:
        self.positions = played(*texts)
        self.hand = Table(SwitchReader(JetanGame(), Standing(self.positions[0])))
        self.look(0.0, 0)

    def look(self, at: float, index: int, covered: str = "") -> list[str]:
        """Let the camera see the position of that index."""
        news = self.hand.wait(at)
        evidence = picture(self.positions[index], covered)
        news += self.hand.reader.observe(Observation(at, evidence))
        news += self.hand.wait(at + 1.0)
        return [line(reading) for reading in news]


def test_a_camera_alone_shows_moves_and_captures() -> None:
    camera = Onlooker("d2d3", "b9b8", "e5e8")
    lines = [camera.look(2.0 * index, index) for index in (1, 2, 3)]
    assert lines == [["1 d2-d3"], ["2 b9-b8"], ["3 e5-e8"]]


def test_plies_between_two_looks_are_told_in_turn() -> None:
    camera = Onlooker("d2d3", "b9b8", "e5e8")
    assert camera.look(2.0, 2) == ["1 d2-d3", "2 b9-b8"]
    assert camera.look(4.0, 3) == ["3 e5-e8"]


def test_a_take_back_is_seen() -> None:
    camera = Onlooker("e5e8")
    assert camera.look(2.0, 1) == ["1 e5-e8"]
    assert camera.look(4.0, 0) == ["back 1"]


def test_a_covered_square_says_nothing() -> None:
    camera = Onlooker("d2d3")
    assert camera.look(2.0, 1, covered="d2 d3") == []
    assert camera.look(3.0, 1) == ["1 d2-d3"]


def test_colour_settles_what_a_swept_piece_took() -> None:
    camera = Onlooker("e5h5")
    assert camera.hand.hands("1.0-e5", until=2.0) == []  # e8 or h5: no switch has shown it
    assert camera.look(2.5, 1) == ["1 e5-h5"]


def test_colour_corrects_which_of_two_victims_was_taken() -> None:
    """Both were empty while the hand was there, and the switches took the longer for it."""
    camera = Onlooker("e5h5")
    script = "1.0-e5 1.436-e8 1.506+e8 1.510-h5 1.516+h5"
    assert camera.hand.hands(script, until=3.0) == ["1 e5-e8"]
    lines = camera.look(3.5, 1) + [line(reading) for reading in camera.hand.wait(6.0)]
    assert lines == ["back 1", "1 e5-h5"]


def test_one_piece_taken_for_the_other_sides_stops_no_game() -> None:
    camera = Onlooker("d2d3", "b9b8")
    wrong = {parse_square("c9"): seen(Occupant.BLACK)}
    for index, expected in ((1, "1 d2-d3"), (2, "2 b9-b8")):
        after = picture(camera.positions[index]) | wrong
        news = camera.hand.reader.observe(Observation(2.0 * index, after))
        news += camera.hand.wait(2.0 * index + 1)
        assert [line(reading) for reading in news] == [expected]


def test_a_switch_says_nothing_of_colours() -> None:
    colours = Colours()
    reed = (-6.2, 0.0, 0.0, 0.0)
    assert not colours.take(Square(0), reed, 0.0)
    assert not colours
    assert not colours.take(Square(0), seen(Occupant.BLACK), 1.0)
    assert not colours.take(Square(0), reed, 2.0)  # a hand hides it: whose it is stays known
    assert colours.take(Square(0), seen(Occupant.ORANGE), 3.0)


def test_a_piece_that_left_and_another_that_came_are_no_change_unseen() -> None:
    colours = Colours()
    for at, occupant in enumerate((Occupant.BLACK, Occupant.EMPTY, Occupant.ORANGE)):
        assert not colours.take(Square(0), seen(occupant), float(at))

"""What people answer goes to whoever reads looks, though play has gone on since it was asked."""

from collections.abc import Mapping

from hardware.ports import Evidence, Observation
from jetan_table.game.commands import AnswerQuestion
from jetan_table.game.record import Record
from jetan_table.reading.jetan_game import occupants_of
from jetan_table.reading.table_reader import by_looks
from jetan_table.session.session import Session
from jetan_table.session.view import Phase
from rules import Position, Square, parse_move, parse_rules, parse_square
from tests.jetan_table.hands import header

SURELY: list[Evidence] = [
    (0.0, -20.0, -20.0, -20.0),
    (-20.0, 0.0, -20.0, -20.0),
    (-20.0, -20.0, 0.0, -20.0),
    (-20.0, -20.0, -20.0, 0.0),
]
HARDLY: Evidence = (0.0, -20.0, -20.0, -2.0)
"""Of what stands on a square, as `Occupant`; and of a Juggernaut that is hardly seen."""


def look(at: float, position: Position, unseen: Mapping[str, Evidence]) -> Observation:
    """A look that shows a position surely, but for some squares."""
    squares = {Square(n): SURELY[who] for n, who in enumerate(occupants_of(position))}
    return Observation(at, squares | {parse_square(name): each for name, each in unseen.items()})


def test_where_the_juggernaut_went_is_answered_while_play_goes_on() -> None:
    record = Record.begin(header(parse_rules("appendix,juggernaut=e5")))
    session = Session(record, read_by=by_looks)
    position, at = record.position, 1.0
    session.observe(look(at, position, {}))
    position = position.play(parse_move("d2d3", position))
    session.observe(look(at := at + 5, position, {}))
    position = position.move_juggernaut(parse_square("e6"))
    unseen = dict.fromkeys(("e6", "f5"), HARDLY)
    session.observe(look(at := at + 1, position, unseen))
    position = position.play(parse_move("d9d8", position))
    while session.view.question is None and at < 100:
        session.observe(look(at := at + 1, position, unseen))
    session.obey(AnswerQuestion("e6"), at)
    session.observe(look(at + 1, position, unseen))
    assert session.view.phase is Phase.PLAYING
    assert session.record.position == position

"""What is remembered of plies asked about, and of the Juggernaut's moves after them."""

from hardware.switches import FaultKind
from jetan_table.reading.history import History
from jetan_table.reading.jetan_game import JetanGame, Standing
from jetan_table.reading.readable_game import Step
from jetan_table.reading.worlds import World
from rules import Position, parse_square
from tests.jetan_table.reading.hand import RULES

START = Standing(Position.start(RULES))
WANDER = Step(parse_square("e5"), parse_square("d8"), True, lambda: START, is_ply=False)
PLY = Step(parse_square("e5"), parse_square("d8"), True, lambda: START)


def history(step: Step[Standing]) -> History[Standing]:
    """Return one with a world in which `step` was taken when number 3 was asked about."""
    found = History(JetanGame(), START, ignored=0)
    found.anchor.worlds = [World(START, 0.0, ((3, step),))]
    return found


def test_an_answer_keeps_what_it_means() -> None:
    assert history(PLY).settle(3, lambda step: True, now=1.0)
    assert not history(PLY).settle(3, lambda step: False, now=1.0)


def test_an_answer_about_a_ply_says_nothing_of_the_juggernaut_after_it() -> None:
    assert history(WANDER).settle(3, lambda step: False, now=1.0)


def test_a_switch_that_was_named_is_supposed_to_have_failed_by_nothing_any_more() -> None:
    """It is left out of account, in every world; else it would be named again."""
    dead = parse_square("e5"), FaultKind.DEAD
    found = history(PLY)
    found.anchor.worlds = [world.supposing(dead) for world in found.anchor.worlds]
    found.ignore(dead[0])
    assert [world.failed for world in found.anchor.worlds] == [()]

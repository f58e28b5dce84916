"""What is remembered of plies asked about, and of the Juggernaut's moves after them."""

from dataclasses import replace
from math import inf

from hardware.ports import FaultKind
from jetan_table.reading.accounts import Hypothesis, WayBack, World
from jetan_table.reading.cost import weigh
from jetan_table.reading.history import History
from jetan_table.reading.readings import JetanGame, Standing, Step
from jetan_table.reading.scene import Scene, Trace
from rules import Position, parse_square
from tests.jetan_table.reading.hand import RULES

START = Standing(Position.start(RULES))
WANDER = Step(parse_square("e5"), parse_square("d8"), True, lambda: START, is_ply=False)
DEAD_E5 = parse_square("e5"), FaultKind.DEAD
STUCK_C3 = parse_square("c3"), FaultKind.STUCK
STUCK_D8 = parse_square("d8"), FaultKind.STUCK
PLY = Step(parse_square("e5"), parse_square("d8"), True, lambda: START)


def history(step: Step[Standing]) -> History:
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
    found = history(PLY)
    found.anchor.worlds = [world.supposing(DEAD_E5) for world in found.anchor.worlds]
    found.ignore(DEAD_E5[0])
    assert [world.failed for world in found.anchor.worlds] == [()]


def test_a_way_goes_on_where_a_piece_was_never_seen_that_should_stand_there() -> None:
    found, d2 = History(JetanGame(), START, ignored=0), parse_square("d2")
    level = JetanGame().occupied(START) & ~(1 << d2)
    found.trace = Trace(level, level)
    found.resume([WayBack(0, START, 0.0)])
    assert found.trace.differences(JetanGame().occupied(START), 0) == ([d2], [])
    assert len(found.trace.changes[d2]) == 1


def nothing_played() -> Hypothesis:
    """Return the account by which nothing has been played, and no switch has failed."""
    level = JetanGame().occupied(START)
    scene = Scene(Trace(level, level), 1.0, 1.0, 0, 1.0)
    found = weigh(JetanGame(), 0, START, (), scene, 0, (), inf)
    assert found is not None
    return found


def test_a_world_is_split_once_by_what_accounts_suppose_of_a_switch() -> None:
    found, sound = History(JetanGame(), START, ignored=0), nothing_played()
    found.anchor.worlds = [world.supposing(DEAD_E5) for world in found.anchor.worlds]
    assert found.split_worlds([sound, replace(sound, fault=STUCK_D8)])
    before = list(found.anchor.worlds)
    assert [world.failed for world in before] == [(DEAD_E5,), (DEAD_E5, STUCK_D8)]
    assert not found.split_worlds([sound, replace(sound, fault=STUCK_D8), replace(sound, world=1)])
    assert found.anchor.worlds == before


def test_what_accounts_suppose_by_turns_splits_no_world_for_ever() -> None:
    """Each split is searched anew, and what was split before may seem likely again by that."""
    found, sound = History(JetanGame(), START, ignored=0), nothing_played()
    found.anchor.worlds = [world.supposing(DEAD_E5) for world in found.anchor.worlds]
    by_turns = [[sound, replace(sound, fault=fault)] for fault in (STUCK_D8, STUCK_C3)]
    assert [found.split_worlds(turn) for turn in 3 * by_turns] == [True, True] + 4 * [False]


def test_switches_that_fail_in_either_order_make_one_world() -> None:
    found, sound = History(JetanGame(), START, ignored=0), nothing_played()
    each = [found.anchor.worlds[0].supposing(fault) for fault in (DEAD_E5, STUCK_D8)]
    found.anchor.worlds = each
    both = [replace(sound, fault=STUCK_D8), replace(sound, world=1, fault=DEAD_E5)]
    assert found.split_worlds(both)
    assert [world.failed for world in found.anchor.worlds] == [(DEAD_E5, STUCK_D8)]


def test_a_world_that_lacks_what_every_account_supposes_is_true_no_more() -> None:
    found, sound = History(JetanGame(), START, ignored=0), nothing_played()
    assert found.split_worlds([replace(sound, fault=DEAD_E5)])
    assert [world.failed for world in found.anchor.worlds] == [(DEAD_E5,)]

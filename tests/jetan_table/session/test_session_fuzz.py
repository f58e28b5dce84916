"""Whatever hands do, the session's events rebuild its record, and its view can be shown."""

from typing import TypeAlias

from hypothesis import given
from hypothesis import strategies as st

from hardware.ports import Observation
from jetan_table.game.agreements import TimeExtra
from jetan_table.game.commands import (
    AgreeDraw,
    AnswerQuestion,
    BoardIsRight,
    Command,
    CommandRefused,
    DecideFight,
    PauseGame,
    PressClock,
    ResumeGame,
    RollDie,
    SayAdjust,
    SetClock,
    SetClockTimes,
    SetConduct,
    TakeBackLast,
)
from jetan_table.game.events import ConductName, Entry
from jetan_table.game.record import Record
from jetan_table.light.lamps import cues
from jetan_table.light.words import Speaker
from jetan_table.session.session import Session
from jetan_table.session.umpire import NOTE_S
from jetan_table.session.view import View
from rules import Square, format_square, parse_rules
from tests.jetan_table.hands import EVIDENCE, Hands, hands_at, header

WITH_JUGGERNAUT = "10/10/3p6/4p5/5c*3/3D6/4C5/10/3q6/5Q4 b BO - 0 30"
FEW = "10/10/3p6/4p5/5c4/3D6/4C5/10/3q6/5Q4 b BO - 0 30"
MEN = [Square(number) for number in (5, 13, 34, 43, 55, 64, 73, 44, 53, 63)]
TOUCHES = st.tuples(st.sampled_from(MEN), st.booleans(), st.sampled_from([0.02, 0.3, 1.0, 4.0]))
COMMANDS = st.sampled_from([TakeBackLast(), AgreeDraw(), BoardIsRight()]) | st.builds(
    AnswerQuestion, st.sampled_from(MEN).map(format_square)
)


TELEPORTS = st.sampled_from([f"10,{square % 10 + 1},{square // 10 + 1}" for square in MEN])
ROLLS = st.builds(RollDie, st.integers(1, 9).map(str) | TELEPORTS)
THROWS = st.tuples(st.integers(1, 10), st.integers(1, 10)).map("{0[0]} {0[1]}".format)
FIGHTS = st.builds(DecideFight, st.sampled_from(["won", "lost"]) | THROWS)
PLIES = st.integers(0, 99)
Step: TypeAlias = tuple[Square, bool, float] | Command | int


def assert_shown(view: View) -> None:
    """The view can be lit and told, and leads only by steps that hands can do."""
    assert len(cues(view)) <= 100
    assert all(Speaker(language).sentences(view) for language in ("en", "de"))
    if view.leading.repair and view.leading.repair.from_square is not None:
        assert view.standing[view.leading.repair.from_square] in (view.leading.repair.letter, "?")
    if view.leading.repair and view.leading.repair.to_square is not None:
        assert view.leading.repair.to_square not in view.standing


def do(hands: Hands, step: Step) -> None:
    if isinstance(step, int):
        moves = hands.session.view.position.moves()
        if moves:
            move = moves[step % len(moves)]
            hands.move(format_square(move.from_square), format_square(move.to_square))
        return
    if isinstance(step, tuple):
        square, is_occupied, seconds = step
        hands.at += 0.01
        observation = Observation(hands.at, {square: EVIDENCE[is_occupied]})
        hands.news += hands.session.observe(observation)
        hands.wait(seconds)
        return
    try:
        hands.news += hands.session.obey(step, hands.at)
    except CommandRefused:
        hands.wait(0.1)


def assert_rebuilt(start: str, steps: list[Step], rules: str = "appendix") -> None:
    """The record that follows from the events is the session's own."""
    begun = header(parse_rules(rules), start)
    hands = Hands(Session(Record.begin(begun)))
    for step in steps:
        do(hands, step)
        assert_shown(hands.session.view)
    entries = [entry for entry in hands.news if isinstance(entry, Entry)]
    assert Record.read(begun, entries) == hands.session.record


@given(st.lists(PLIES | TOUCHES | COMMANDS, max_size=10))
def test_events_rebuild_the_record(steps: list[Step]) -> None:
    assert_rebuilt(FEW, steps)


@given(st.lists(PLIES | TOUCHES | COMMANDS | ROLLS, max_size=12))
def test_events_rebuild_the_record_of_a_game_with_a_die(steps: list[Step]) -> None:
    assert_rebuilt(WITH_JUGGERNAUT, steps)


@given(st.lists(PLIES | TOUCHES | COMMANDS | FIGHTS, max_size=12))
def test_events_rebuild_the_record_of_a_game_in_the_arena(steps: list[Step]) -> None:
    assert_rebuilt(FEW, steps, "manator-arena")


@given(st.lists(PLIES | TOUCHES | COMMANDS | ROLLS | FIGHTS, max_size=12))
def test_events_rebuild_the_record_of_an_arena_with_a_juggernaut(steps: list[Step]) -> None:
    assert_rebuilt(WITH_JUGGERNAUT, steps, "manator-arena")


CLOCKS = st.sampled_from(["0:30", "5+2", "5d3", "5b3", "hourglass 1", "5+2 buttons"])
TERMS = st.sampled_from(
    [PauseGame(), ResumeGame(), PressClock(), SetClockTimes("50", "40"), SayAdjust()]
)


@given(
    CLOCKS,
    st.sampled_from(["friendly", "strict", "tournament"]),
    st.lists(PLIES | TOUCHES | COMMANDS | ROLLS | TERMS, max_size=14),
)
def test_events_rebuild_the_clocks(clock: str, conduct: ConductName, steps: list[Step]) -> None:
    assert_rebuilt(WITH_JUGGERNAUT, [SetClock(clock), SetConduct(conduct), *steps])


@given(CLOCKS, st.lists(PLIES | TOUCHES | COMMANDS | TERMS, max_size=8))
def test_a_power_cut_at_any_moment_costs_nobody_time(clock: str, steps: list[Step]) -> None:
    hands = hands_at(FEW)
    for step in [SetClock(clock), *steps]:
        do(hands, step)
    before = hands.session.record
    again = Hands(Session(before), at=hands.at + 1e6)
    again.wait(2.0)
    after = again.session.record
    assert before.clocks is not None
    assert after.clocks is not None
    assert (after.ending is None) == (before.ending is None)
    shown = before.clocks.until(hands.at).left
    gained = [now - then for now, then in zip(after.clocks.left, shown, strict=True)]
    assert -1e-6 <= sum(gained) <= NOTE_S + 0.1
    if (
        before.clocks.control.extra is not TimeExtra.HOURGLASS
    ):  # where one's loss is the other's gain
        assert min(gained) >= -1e-6

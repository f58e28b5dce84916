"""A board that lies turned or mirrored is found out, asked about once, and named rightly.

What hands show of it in a game is in `tests/data/tables/orientation.txt`.
"""

from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.ports import Evidence
from jetan_table.boards.screen import typed_hands
from jetan_table.game.commands import TurnBoard
from jetan_table.journal.journal import Journal
from jetan_table.light.lamps import LAMP_OF, Cue
from jetan_table.session.orientation import (
    AS_WIRED,
    Orientation,
    OrientationFinder,
    orientation_by,
    orientations,
    shown_by_standing,
)
from jetan_table.session.session import Session
from jetan_table.session.view import Phase
from jetan_table.settings import Settings
from jetan_table.table.games import open_game
from jetan_table.table.loop import EagerClock, Table
from jetan_table.wiring import kept_orientation, lighting_of
from rules import (
    SQUARES,
    Occupant,
    Position,
    Rules,
    Square,
    format_square,
    letters,
    parse_rules,
    parse_square,
)
from tests.jetan_table.hands import EVIDENCE, header
from tests.jetan_table.sitting import Evening, sitting

GRID, DISK = parse_rules("appendix"), parse_rules("ninth-ray-clockwise")
HALF, QUARTER, MIRROR, ACROSS = ("j10", "i10"), ("j1", "j2"), ("j1", "i1"), ("a1", "a2")


def lying(rules: Rules, *ends: str) -> Orientation:
    a1, b1 = map(parse_square, ends)
    found = orientation_by(rules.board, a1, b1)
    assert found is not None
    return found


@pytest.mark.parametrize(("rules", "count"), [(GRID, 8), (DISK, 40)])
def test_every_way_a_board_can_lie_keeps_neighbours_and_is_told_by_two_squares(
    rules: Rules, count: int
) -> None:
    found = orientations(rules.board)
    assert len({each.ends for each in found}) == len(found) == count
    assert found[0] == AS_WIRED
    beside = [{s for s in row if s is not None} for row in rules.board.neighbours]
    rim = [s for s in SQUARES if s // 10 in (0, 9)]
    for each in found:
        assert sorted(each.actual) == list(SQUARES)
        for square in rim:
            there = each.actual[square]
            assert {each.actual[other] for other in beside[square]} == beside[there]


@given(st.sampled_from([GRID, DISK]), st.integers(0, 39), st.integers(0, 39))
def test_turns_follow_each_other(rules: Rules, one: int, other: int) -> None:
    ways = orientations(rules.board)
    first, second = ways[one % len(ways)], ways[other % len(ways)]
    both = second.after(first)
    assert both in ways
    for square in SQUARES:
        assert both.actual[square] == second.actual[first.actual[square]]
        assert both.seen(both.actual[square]) == square
    assert first.reordered(SQUARES)[first.actual[12]] == 12


def occupied(position: Position, lies: Orientation) -> dict[Square, Evidence]:
    standing = letters(position)
    return {s: EVIDENCE[lies.actual[s] in standing] for s in SQUARES}


def three_state(position: Position, lies: Orientation) -> dict[Square, Evidence]:
    """What switches tell that know black from orange."""
    evidence = {}
    for square in SQUARES:
        there = position.occupant_at(lies.actual[square])
        evidence[square] = tuple(0.0 if each is there else -6.0 for each in Occupant)
    return evidence  # type: ignore[return-value]


def test_a_quarter_turn_shows_at_set_up_and_a_half_turn_does_not() -> None:
    start = Position.start(GRID)
    quarter = shown_by_standing(start, occupied(start, lying(GRID, *QUARTER)), ())
    assert lying(GRID, *QUARTER) in quarter
    assert len(quarter) == 4
    assert shown_by_standing(start, occupied(start, lying(GRID, *HALF)), ()) == ()
    assert shown_by_standing(start, occupied(start, AS_WIRED), ()) == ()


@pytest.mark.parametrize("rules", [GRID, DISK])
def test_colours_show_a_half_turn_at_once(rules: Rules) -> None:
    start = Position.start(rules)
    half = next(o for o in orientations(rules.board) if o.actual[0] == 99 or o.actual[0] == 90)
    assert half in shown_by_standing(start, three_state(start, half), ())


def asked(evening: Evening) -> set[str]:
    return set(map(format_square, evening.view.corners))


def set_up_lying(evening: Evening, lies: Orientation) -> None:
    """Set the pieces up as for a board that lies so."""
    start = evening.record.position
    pieces = {lies.seen(square): piece for square, piece in start.pieces().items()}
    evening.hands.set_up(Position.of(start.rules, pieces, start.side), evening.clock.now())
    evening.clock.sleep(6.0)
    evening.wait(4.0)


@pytest.mark.parametrize(
    ("ends", "touches"), [(QUARTER, {"j1": set()}), (ACROSS, {"a1": {"b1", "a2"}, "a2": set()})]
)
def test_a_board_set_up_along_the_other_edges_is_asked_about_at_once(
    tmp_path: Path, ends: tuple[str, str], touches: dict[str, set[str]]
) -> None:
    """The second lies so that a1 is where it should be, and b1 above it: that takes two touches."""
    with closing(Journal(tmp_path)) as journal:
        evening = Evening(journal)
        set_up_lying(evening, lying(GRID, *ends))
        assert asked(evening) == {"a1", "j1", "a10", "j10"}
        assert {each for each, cue in evening.lit.items() if cue is Cue.QUESTION} == asked(evening)
        for touched, then in touches.items():
            evening.move(touched, touched)
            assert asked(evening) == then
        assert evening.view.phase is Phase.PLAYING
        evening.move("d2", "d3")
        assert evening.record.moves == ("Pd2-d3",)


def test_what_was_said_is_kept_for_the_board(evening: Evening) -> None:
    evening.tell(TurnBoard(*QUARTER))
    evening.tell(TurnBoard(*MIRROR))
    lies = kept_orientation(evening.journal, GRID)
    assert lies == lying(GRID, *MIRROR).after(lying(GRID, *QUARTER))
    assert kept_orientation(evening.journal, DISK) == AS_WIRED


def test_a_disk_is_asked_about_its_rim(tmp_path: Path) -> None:
    with sitting(tmp_path, header(DISK)) as evening:
        lies = lying(DISK, "a10", "b10")
        for column in "bcd":
            assert asked(evening) == set()
            ends = (format_square(lies.seen(parse_square(f"{column}{row}"))) for row in (2, 3))
            start, end = ends
            evening.move(start, end, 6.0)
            if column != "d":
                evening.move(end, start, 4.0)
        assert "a10" in asked(evening)
        evening.move("a10", "a10")
        assert evening.table.orientation == lies
        assert asked(evening) == set()
        assert evening.record.last_played == 1


def test_a_table_that_knows_how_its_board_lies_reads_and_lights_it_so(tmp_path: Path) -> None:
    lies = lying(GRID, *HALF)
    with closing(Journal(tmp_path)) as journal:
        opened = open_game(journal, header())
        hands = typed_hands(journal, opened, seed=1)
        lighting = lighting_of(Settings(), LAMP_OF)
        session = Session(opened.record)
        finder, clock = OrientationFinder(lies), EagerClock()
        table = Table(hands.board, lighting, journal, opened.game, session, finder=finder)
        for start, end in (("g9", "g8"), ("f2", "f3")):
            hands.move([parse_square(start), parse_square(end)], clock.now())
            for _ in range(300):
                table.step(clock.now())
                clock.sleep(0.01)
        assert table.record.moves == ("Pd2-d3", "Pe9-e8")
        lit = {format_square(Square(lamp)) for lamp, rgb in enumerate(table.lights) if any(rgb)}
        assert lit == {"f2", "f3"}

"""What the scan shows of a ply, and what nobody could read from it: edges set by hand."""

from hardware.ports import Change, Switch
from jetan_table.people.game import SimulatedPly
from jetan_table.people.hands import HandDeed
from jetan_table.people.scan_truth import ScanRecord, tell_from_scan
from jetan_table.people.truth import PlyRow
from rules import Move, MoveKind, parse_square

ENDS = 60.0


def ply(
    number: int, start: str, end: str, at: float, *others: str, takes: bool = False
) -> SimulatedPly:
    """A ply lifted at a time and down half a second later."""
    squares = parse_square(start), parse_square(end)
    kind = MoveKind.CAPTURE if takes else MoveKind.MOVE
    row = PlyRow(
        ply=number,
        side="black",
        piece="warrior",
        from_=start,
        to=end,
        kind=kind.name.lower(),
        captured=None,
        t_lift_us=0,
        t_settled_us=0,
        behaviours=[],
        ambiguous=False,
    )
    deed = HandDeed(at, at + 0.5, at + 0.5)
    targets = (squares[1],) if takes else ()
    return SimulatedPly(row, Move(*squares, kind), deed, targets, tuple(map(parse_square, others)))


def told(
    plies: list[SimulatedPly], occupied: str, edges: list[tuple[float, str, bool]]
) -> list[PlyRow]:
    """Return the rows as the scan tells them: when which square closed, and at first."""
    closed = [False] * 100
    for name in occupied.split():
        closed[parse_square(name)] = True
    changes = [Change(at, Switch(parse_square(name)), closes) for at, name, closes in edges]
    tell_from_scan(plies, [], ScanRecord(closed, changes, ENDS))
    return [one.row for one in plies if isinstance(one.row, PlyRow)]


def test_a_capture_without_a_gap_is_hidden_until_the_reply_is_down() -> None:
    """Who still holds the piece makes the same edges."""
    taking = [(1.0, "d4", False)]
    assert told([ply(1, "d4", "e5", 1.0, takes=True)], "d4 e5", taking)[0].hidden
    reply = [*taking, (3.1, "g7", False), (3.4, "g6", True)]
    plies = [ply(1, "d4", "e5", 1.0, takes=True), ply(2, "g7", "g6", 3.0)]
    assert not any(row.hidden for row in told(plies, "d4 e5 g7", reply))


def test_a_capture_without_a_gap_that_is_undone_before_the_reply_is_hidden() -> None:
    back = [(1.0, "d4", False), (2.0, "e5", False), (2.3, "d4", True), (2.6, "e5", True)]
    later = [*back, (3.1, "g7", False), (3.4, "g6", True)]
    plies = [ply(1, "d4", "e5", 1.0, takes=True), ply(1, "g7", "g6", 3.0)]
    plies[0].undone_at = 2.6
    assert [row.hidden for row in told(plies, "d4 e5 g7", later)] == [True, False]


def test_a_gap_hides_nothing() -> None:
    gap = [(1.0, "d4", False), (1.2, "e5", False), (1.5, "e5", True)]
    (row,) = told([ply(1, "d4", "e5", 1.0, takes=True)], "d4 e5", gap)
    assert (row.hidden, row.gap_us) == (False, 300_000)


def test_a_move_from_a_switch_that_stays_closed_is_ambiguous_where_another_could_have_come() -> (
    None
):
    edges = [(1.4, "e5", True), (3.1, "g7", False), (3.4, "g6", True)]

    def first(*others: str, opens_at: float = 9.0) -> PlyRow:
        plies = [ply(1, "d4", "e5", 1.0, *others), ply(2, "g7", "g6", 3.0)]
        return told(plies, "d4 g7", sorted([*edges, (opens_at, "d4", False)]))[0]

    assert first("f4").ambiguous
    assert not first().ambiguous
    assert not first("f4", opens_at=2.5).ambiguous  # before the reply was down
    assert not first("f4", opens_at=1.1).ambiguous


def test_what_is_odd_in_a_trace_is_named() -> None:
    edges = [(1.0, "d4", False), (1.2, "d5", True), (1.3, "d5", False), (1.5, "e5", True)]

    def behaviours(*others: tuple[float, str, bool], without: str = "") -> list[str]:
        shown = sorted([*(edge for edge in edges if edge[1] != without), *others])
        return told([ply(1, "d4", "e5", 1.0)], "d4", shown)[0].behaviours

    assert behaviours() == ["crossed"]
    assert behaviours(without="d5") == []
    assert behaviours(without="d4") == ["crossed", "from-stays-closed"]
    assert behaviours(without="e5") == ["crossed", "unseen-landing"]
    assert behaviours((1.51, "e5", False)) == ["crossed", "unseen-landing"]


def test_a_ply_settles_with_its_last_edge_before_its_bounce() -> None:
    landing = [(1.0, "d4", False), (1.4, "e5", True), (1.401, "e5", False), (1.402, "e5", True)]
    assert told([ply(1, "d4", "e5", 1.0)], "d4", landing)[0].t_settled_us == 1_400_000
    assert told([ply(1, "d4", "e5", 1.0)], "d4", landing[:1])[0].t_settled_us == 1_000_000
    assert told([ply(1, "d4", "e5", 1.0)], "", [])[0].t_settled_us == 1_500_000

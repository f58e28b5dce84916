"""Recordings of simulated games: their files, and what the scan shows of a ply.

The edges of the latter are set by hand.
"""

import json
from pathlib import Path

from click.testing import CliRunner

from hardware.ports import Change, Switch
from jetan_table.people.hands import HandDeed
from jetan_table.people.manners import ON_DISK, PROFILES
from jetan_table.people.reeds import MAKES
from jetan_table.people.truth import PlyRow, read_truth
from jetan_table.replay.recordings import parse_recording
from rules import Move, MoveKind, parse_square
from tools.recordings import ScanRecord, main, tell_from_scan
from tools.simulated_game import SimulatedPly

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


def test_it_writes_recordings_and_their_truth(tmp_path: Path) -> None:
    words = "--people blitz-disk --make disk --seed 4 --count 2 --plies 4"
    assert CliRunner().invoke(main, f"{words} {tmp_path / 'new'}").exit_code == 0
    names = sorted(path.name for path in (tmp_path / "new").iterdir())
    assert names == [
        f"disk-blitz-disk-{seed}.{end}" for seed in (4, 5) for end in ("jsonl", "truth.json")
    ]
    text = (tmp_path / "new" / "disk-blitz-disk-4.truth.json").read_text()
    truth = json.loads(text)
    recording = parse_recording((tmp_path / "new" / truth["recording"]).read_text())
    assert recording.header.board == truth["board"] == "ninth-ray-cw"
    assert truth["plies"][0]["from"] in recording.header.closed
    assert recording.changes
    assert not {"overlap_us", "t_landed_us", "taken_back_us"} & truth["plies"][0].keys()
    rows = read_truth(tmp_path / "new" / "disk-blitz-disk-4.truth.json").plies
    assert [row.from_ for row in rows] == [row["from"] for row in truth["plies"]]


def test_nobody_sits_at_a_make_of_another_board(tmp_path: Path) -> None:
    for people, make in (("blitz-disk", "lying"), ("blitz", "disk")):
        result = CliRunner().invoke(main, ["--people", people, "--make", make, str(tmp_path)])
        assert result.exit_code == 2
        assert f"{make}: {people} play on another board" in result.output
    assert not list(tmp_path.iterdir())


def test_the_same_options_write_the_same_files(tmp_path: Path) -> None:
    for folder in ("one", "other"):
        CliRunner().invoke(main, ["--plies", "2", str(tmp_path / folder)])
    one, other = (tmp_path / folder / "crossed-club-night-1.jsonl" for folder in ("one", "other"))
    assert one.read_bytes() == other.read_bytes()


def test_its_help_names_all_people_and_boards_and_others_are_refused(tmp_path: Path) -> None:
    words = CliRunner().invoke(main, ["--help"]).output
    people = [name for name in PROFILES if not name.endswith(ON_DISK)]
    assert all(f"  {name}: " in words for name in [*people, *MAKES])
    for option, name, known in (("--people", "13", people), ("--make", "wooden", MAKES)):
        result = CliRunner().invoke(main, [option, name, str(tmp_path)])
        assert result.exit_code == 2
        assert f"{option}': '{name}'" in result.output  # in whatever language was spoken last
        assert all(f"'{each}'" in result.output for each in known)

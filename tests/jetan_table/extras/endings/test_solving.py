"""Endings with three men, and small ones of a disk: solved, held to the rules, packed and found."""

from pathlib import Path

import pytest

from jetan_table.engine.endings import Endings, Worth, parse_material, rules_for, turned
from jetan_table.engine.evaluation import fitted_weights
from jetan_table.engine.search import Limits, Search
from jetan_table.extras.endings.solving import (
    CannotSolve,
    Solver,
    symmetries,
)
from rules import SQUARES, Kind, Position, Side, parse_position, parse_rules
from rules.movement import law_of

pytestmark = pytest.mark.needs("cc")

RULES = parse_rules("retired-chief")
"""Here a Chief may be lost, so that there are endings with three men."""


def begun(folder: Path, rules: str = "retired-chief") -> Solver:
    return Solver(parse_rules(rules), folder / rules, folder)


@pytest.fixture(scope="module")
def solver(tmp_path_factory: pytest.TempPathFactory) -> Solver:
    """All endings of Chief and Princess against a Princess, with their escapes and without."""
    made = begun(tmp_path_factory.mktemp("endings"))
    for group in made.in_order([parse_material("CQ~-Q~")]):
        made.solve(group, lambda: 0.0)
    return made


@pytest.fixture(scope="module")
def packed(solver: Solver) -> Endings:
    every = [each for group in solver.in_order([parse_material("CQ~-Q~")]) for each in group]
    solver.pack(every, solver.folder.parent / "retired.jetan-endings")
    return Endings([solver.folder.parent])


def test_the_tables_agree_with_the_rules(solver: Solver) -> None:
    for group in solver.in_order([parse_material("CQ~-Q~")]):
        for material in group:
            assert solver.check(material, 200, seed=1) == 0, material.text


def test_a_chief_and_princess_always_win_against_a_princess_whose_escape_is_spent(
    solver: Solver,
) -> None:
    shares = solver.shares(parse_material("CQ-Q"))
    assert shares == (100 * 99 * 98, 0, 0, 5)
    assert solver.shares(parse_material("Q-CQ")) == (0, 100 * 99 * 98, 0, 6)
    assert solver.shares(parse_material("Q-Q")) == (0, 0, 100 * 99, 0)


def test_what_leads_to_what_is_solved_first(solver: Solver) -> None:
    order = [each.text for group in solver.in_order([parse_material("CQ~-Q~")]) for each in group]
    texts = "Q-Q Q~-Q Q-Q~ Q~-Q~ CQ-Q Q-CQ CQ~-Q Q-CQ~ CQ-Q~ Q~-CQ CQ~-Q~ Q~-CQ~"
    assert sorted(order) == sorted(texts.split())
    for number, material in enumerate(map(parse_material, order)):
        mates = {material.text, material.after.text}
        before = {each.text for each in solver.leads_to(material)} - mates
        assert before <= set(order[:number])


def test_a_table_that_is_wrong_is_found_out(solver: Solver, tmp_path: Path) -> None:
    other = begun(tmp_path)
    (group,) = other.in_order([parse_material("Q-Q")])
    other.solve(group, lambda: 0.0)
    values = other.values(group[0])
    values[:] = bytes([3]) * len(values)
    assert other.check(group[0], 50, seed=1) == 50


def test_a_run_that_was_broken_off_goes_on(tmp_path: Path, solver: Solver) -> None:
    class Broken(Exception):
        pass

    def breaks(name: str, depth: int, settled: int) -> None:
        if name == "CQ-Q" and depth == 2:
            raise Broken

    passes: list[int] = []

    def tell(_name: str, depth: int, _settled: int) -> None:
        passes.append(depth)

    for group in begun(tmp_path).in_order([parse_material("CQ-Q")]):
        if group[0].movers == "Q":
            begun(tmp_path).solve(group, lambda: 0.0)
            continue
        with pytest.raises(Broken):
            begun(tmp_path).solve(group, lambda: 0.0, breaks)
        assert not begun(tmp_path).is_solved(group[0])
        begun(tmp_path).solve(group, lambda: 0.0, tell)
        assert passes[0] == 2
    again = begun(tmp_path)
    for material in map(parse_material, ("CQ-Q", "Q-CQ")):
        assert again.values(material)[:] == solver.values(material)[:]


def test_a_file_says_what_the_tables_say_for_both_sides(solver: Solver, packed: Endings) -> None:
    text = "4q5/10/10/10/10/10/10/2C7/10/4Q5"
    black = parse_position(f"{text} b - - 0 1", RULES)
    worth = packed.worth(black)
    assert worth == solver.worth(parse_material("CQ-Q"), [22, 4, 94])
    assert worth is not None
    assert worth.result == 1
    mirrored = {
        SQUARES[turned(square)]: piece._replace(side=piece.side.other)
        for square, piece in black.pieces().items()
    }
    orange = Position.of(RULES, mirrored, Side.ORANGE, escapes=frozenset())
    assert packed.worth(orange) == worth
    answers = packed.answers(black)
    assert answers is not None
    assert set(answers) == set(black.moves())
    assert next(iter(answers.values())) == worth
    line = list(packed.line(black))
    assert len(line) == worth.plies
    after = black
    for move in line:
        after = after.play(move)
    assert after.outcome is not None
    assert after.outcome.winner is Side.BLACK


def test_the_search_needs_no_search_where_a_table_tells(packed: Endings) -> None:
    position = parse_position("4q5/10/10/10/10/10/10/2C7/10/4Q5 b - - 0 1", RULES)
    given = fitted_weights(), lambda: 0.0, Limits(nodes=1)
    thought = Search(position, *given, endings=packed).think()
    worth = packed.worth(position)
    assert worth is not None
    assert thought.win_in == worth.plies == len(thought.line)
    lost = position.play(thought.move)
    assert Search(lost, *given, endings=packed).think().win_in == 1 - worth.plies
    drawn = parse_position("4q5/10/10/10/10/10/10/10/10/4Q5 b - - 0 1", RULES)
    assert Search(drawn, *given, endings=packed).think().win_in is None


def test_a_count_of_plies_makes_a_slow_win_a_draw_where_captures_end_the_game(
    solver: Solver, packed: Endings
) -> None:
    text = "4q5/10/10/10/10/10/10/2C7/10/4Q5 b - {few} 0 1"
    fast = packed.worth(parse_position(text.format(few="5"), RULES))
    assert fast is not None
    assert fast == packed.worth(parse_position(text.format(few="-"), RULES))
    late = parse_position(text.format(few=11 - fast.plies), RULES)
    assert packed.worth(late) is None  # a capture that ends nothing may begin the count anew
    (path,) = packed.files
    magic, head, rest = path.read_bytes().split(b"\n", 2)
    final = solver.folder.parent / "final"
    final.mkdir()
    final_head = head.replace(b'"is_final":false', b'"is_final":true')
    (final / path.name).write_bytes(b"\n".join((magic, final_head, rest)))
    assert Endings([final]).worth(late) == Worth(0, 0)


def test_a_file_that_is_none_is_not_heard_of(tmp_path: Path) -> None:
    for number, content in enumerate((b"", b"jetan endings 1\n{", b"something else\n{}\n")):
        (tmp_path / f"{number}.jetan-endings").write_bytes(content)
    assert not Endings([tmp_path, tmp_path / "nowhere"]).files


def test_no_table_tells_of_other_rules_or_men(packed: Endings) -> None:
    text = "4q5/10/10/10/10/10/10/2C7/10/4Q5 b - - 0 1"
    assert packed.worth(parse_position(text, parse_rules("retired-chief,thoat=jumps")))
    assert packed.worth(parse_position(text, parse_rules("retired-chief,chief=line"))) is None
    assert packed.worth(parse_position(text, parse_rules("retired-chief,duel=arena"))) is None
    assert packed.worth(parse_position(text.replace("2C7", "2C1D5"), RULES)) is None
    assert packed.worth(parse_position(text.replace("2C7", "2C*6"), RULES)) is None


def test_readings_that_differ_elsewhere_have_tables_in_common() -> None:
    four = parse_material("CQ-CQ")
    assert rules_for(parse_rules("manator"), four) == rules_for(parse_rules("appendix"), four)
    assert rules_for(parse_rules("zillions"), four) != rules_for(parse_rules("appendix"), four)
    thoat = parse_material("CQT-CQ")
    assert rules_for(parse_rules("manator"), thoat) != rules_for(parse_rules("appendix"), thoat)


def test_boards_have_the_symmetries_they_have() -> None:
    flat, disk = law_of(parse_rules("appendix")), law_of(parse_rules("ninth-ray-clockwise"))
    assert len(symmetries(flat, [Kind.CHIEF, Kind.PRINCESS])) == 8
    assert len(symmetries(flat, [Kind.PANTHAN])) == 2
    assert len(symmetries(disk, [Kind.DWAR])) == 20
    assert len(symmetries(disk, [Kind.PANTHAN])) == 1


@pytest.mark.parametrize(
    ("rules", "men", "why"),
    [
        ("manator-arena", "CQ-CQ", "duel = arena"),
        ("zillions+juggernaut", "CQ-CQ", "juggernaut = random-empty"),
        ("zillions", "C-CQ", "each side has a Princess"),
        ("zillions", "CCQ-CQ", "at most one Chief"),
        ("zillions", "CQTT-CQTT", "at most 6 men"),
        ("cazaux", "CQT-CQ", "at most four men"),
    ],
)
def test_what_cannot_be_solved_is_refused(rules: str, men: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(CannotSolve, match=why):
        begun(tmp_path, rules).in_order([parse_material(men)])


@pytest.mark.ci
@pytest.mark.parametrize(
    "rules",
    [
        "cazaux",
        "friedlander",
        "wikipedia-free,chief-taken-by-other=play-on",
        "chapter-two,chief-taken-by-other=play-on",
        "ninth-ray-clockwise,chief-taken-by-other=play-on",
        "appendix,chief-taken-by-other=play-on,escape=when-threatened,no-move=draw",
    ],
)
def test_other_readings_agree_with_the_rules(rules: str, tmp_path: Path) -> None:
    solver = begun(tmp_path, rules)
    for group in solver.in_order([parse_material("CQ~-Q~")]):
        solver.solve(group, lambda: 0.0)
        for material in group:
            assert solver.check(material, 150, seed=2) == 0, material.text

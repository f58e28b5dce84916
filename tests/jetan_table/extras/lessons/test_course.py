"""The lessons as data: the rules solve them, on every board and in both languages, and shortly; and
a card for each piece.
"""

import pytest

from docs.lessons_sheet import PAGE, page
from jetan_table.extras.lessons.course import DISK, GRID, Lesson, course
from jetan_table.extras.lessons.exercise import INVITATION
from jetan_table.languages import Language, say_in
from jetan_table.page.documents import cards, find_card
from rules import (
    PRESETS,
    Kind,
    MoveKind,
    Termination,
    UnknownName,
    explain,
    parse_rules,
    parse_square,
)
from rules.words import Reason

APPENDIX = parse_rules("appendix")


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("language", ["en", "de"])
def test_every_reading_has_a_card_of_two_sentences_for_every_piece(
    preset: str, language: Language
) -> None:
    of_all = cards(parse_rules(f"{preset}+juggernaut"), language)
    assert "".join(card.letter for card in of_all) == "PTWADFCQ*"
    for card in of_all:
        assert card.sentences.count(".") == 2
        assert "{" not in card.sentences


def test_a_card_says_how_the_piece_moves_under_the_rules_in_play() -> None:
    jumps = "jumps over pieces"
    assert jumps not in find_card("thoat", APPENDIX, "en").sentences
    assert jumps in find_card("thoat", parse_rules("cazaux"), "en").sentences
    assert "flees once" in find_card("Q", APPENDIX, "en").sentences
    assert "flees" not in find_card("Q", parse_rules("chapter-two"), "en").sentences
    assert find_card("flier", parse_rules("manator"), "en").name == "Odwar"


def test_the_figure_is_the_book_s() -> None:
    assert "one feather" in find_card("panthan", APPENDIX, "en").sentences
    assert "three blades" in find_card("F", APPENDIX, "en").sentences
    assert "ten jewels" in find_card("Anführer", APPENDIX, "en").sentences
    assert "einem Juwel" in find_card("princess", APPENDIX, "de").sentences


def test_no_such_piece() -> None:
    with pytest.raises(UnknownName, match="panthan"):
        find_card("panthar", APPENDIX, "en")


BOARDS = (GRID, DISK, "ninth-ray-counterclockwise")
WHOLE = course(GRID, may_change=True)
BY_NAME = {lesson.name: lesson for lesson in WHOLE}
ROUND = "disk"

MOST_MOVES, MOST_WORDS = 14, 350


@pytest.mark.parametrize("lesson", WHOLE, ids=lambda lesson: lesson.name)
@pytest.mark.parametrize("board", BOARDS)
def test_the_rules_solve_every_lesson_on_every_board(lesson: Lesson, board: str) -> None:
    start = lesson.start(board)
    assert start.outcome is None
    for move in lesson.accepted(board):
        start.play(move)


def test_the_core_course_is_short() -> None:
    assert len(WHOLE) <= MOST_MOVES, "a lesson more takes the place of another"
    for language in ("en", "de"):
        assert words_in(language) <= MOST_WORDS


def words_in(language: Language) -> int:
    """How many words there are to read from the first lesson to the invitation."""
    texts = [text for lesson in WHOLE for text in (lesson.title, lesson.words)]
    return sum(len(say_in(language, text).split()) for text in (*texts, INVITATION))


def test_every_kind_has_a_lesson_in_which_it_moves() -> None:
    movers = set[Kind]()
    for lesson in WHOLE:
        piece = lesson.start(GRID).piece_at(lesson.accepted(GRID)[0].from_square)
        assert piece is not None
        movers.add(piece.kind)
    assert movers == set(Kind)


def test_names_are_one_of_each() -> None:
    assert len(BY_NAME) == len(WHOLE)


@pytest.mark.parametrize(
    ("name", "start", "end", "reason"),
    [
        ("panthan", "e3", "e2", Reason.BACKWARD),
        ("warrior", "d3", "d5", Reason.BLOCKED),
        ("padwar", "f3", "f4", Reason.COLOUR),
        ("princess", "b1", "e2", Reason.THREATENED),
        ("escape", "c3", "e2", Reason.PRINCESS_TAKES_NOTHING),
        ("juggernaut", "d3", "d4", Reason.JUGGERNAUT_STANDS),
    ],
)
def test_a_wrong_try_is_explained(name: str, start: str, end: str, reason: Reason) -> None:
    position = BY_NAME[name].start(GRID)
    assert explain(position, parse_square(start), parse_square(end)).reason is reason


def test_what_a_lesson_is_about_happens_in_it() -> None:
    def outcome(name: str) -> Termination | None:
        lesson = BY_NAME[name]
        ended = lesson.start(GRID).play(lesson.accepted(GRID)[0]).outcome
        return None if ended is None else ended.termination

    assert outcome("chief-takes-chief") is Termination.CHIEF_BY_CHIEF
    assert outcome("princess-taken") is Termination.PRINCESS_TAKEN
    draws = BY_NAME["chief-takes-chief"].start(GRID)
    others = [move for move in draws.moves() if move.to_square == parse_square("g4")]
    assert len(others) > 1, "only the Chief can take: nobody can try the draw"
    assert BY_NAME["taking"].accepted(GRID)[0].kind is MoveKind.CAPTURE
    assert {move.kind for move in BY_NAME["escape"].accepted(GRID)} == {MoveKind.ESCAPE}
    fled = BY_NAME["escape"].start(GRID)
    assert fled.threats() >> BY_NAME["escape"].accepted(GRID)[0].from_square & 1


def test_the_flier_must_jump() -> None:
    lesson = BY_NAME["flier"]
    path = explain(lesson.start(GRID), *lesson.accepted(GRID)[0][:2]).path
    assert any(lesson.start(GRID).piece_at(square) for square in path[1:-1])


def test_the_sheet_on_the_page_is_the_lessons_own() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert page(text) == text


def test_a_real_grid_leaves_out_the_lesson_that_needs_a_disk() -> None:
    assert ROUND not in {lesson.name for lesson in course(GRID, may_change=False)}
    assert ROUND in {lesson.name for lesson in course(DISK, may_change=False)}

"""The camera reader: whole boards into plies, with doubt, correction, questions and taking back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import pytest

from hardware.ports import Evidence as Likelihoods
from hardware.ports import Observation
from jetan_table.game.events import Answer, Ply, Question, Recall, TakeBack, Wander
from jetan_table.reading.camera_beam import (
    BEAM,
    MOST_OF_A_SQUARE,
    TELLING_MARGIN,
    haste,
)
from jetan_table.reading.camera_reader import CameraReader
from jetan_table.reading.readings import Reading, Step, undoing
from rules import Square, format_square

SIDE = 8

LESSON = 10.0
"""From so many nats on what is believed of a square teaches."""

Position = tuple[int, ...]
"""What stands on each of 64 squares, and last whose turn it is: a game no package knows."""

START: Position = (*[1] * 16, *[0] * 32, *[2] * 16, 1)


class OneStep:
    """Every piece goes one square onward, straight or aslant, and takes there."""

    def occupants(self, position: Position) -> Position:
        return position[:-1]

    def placement(self, position: Position) -> Position:
        return position

    def steps(self, position: Position, squares: Iterable[Square]) -> Iterator[Step[Position]]:
        turn = position[-1]
        for square in squares:
            if position[square] == turn:
                for to in _onward(square, 1 if turn == 1 else -1):
                    if position[to] != turn:
                        yield _step(position, square, to)


def _onward(square: int, up: int) -> Iterator[int]:
    rank, file = divmod(square, SIDE)
    for on in (-1, 0, 1):
        if 0 <= rank + up < SIDE and 0 <= file + on < SIDE:
            yield (rank + up) * SIDE + file + on


def _step(position: Position, square: int, to: int) -> Step[Position]:
    def make() -> Position:
        after = list(position)
        after[to], after[square], after[-1] = after[square], 0, 3 - position[-1]
        return tuple(after)

    return Step(Square(square), Square(to), bool(position[to]), make)


def after(position: Position, *moves: tuple[int, int]) -> Position:
    """The position after moves."""
    for square, to in moves:
        position = _step(position, square, to).after
    return position


class WithNeutral(OneStep):
    """... and a piece of neither side goes one square onward between any two of their turns."""

    def steps(self, position: Position, squares: Iterable[Square]) -> Iterator[Step[Position]]:
        yield from super().steps(position, squares)
        for square in squares:
            if position[square] == 3:
                for to in _onward(square, 1):
                    if not position[to]:
                        yield _walk(position, square, to)


def _walk(position: Position, square: int, to: int) -> Step[Position]:
    def make() -> Position:
        after = list(position)
        after[to], after[square] = 3, 0
        return tuple(after)

    return Step(Square(square), Square(to), False, make, is_ply=False)


class Sitting:
    """A camera reader, and looks at a board from one moment to the next."""

    def __init__(self, start: Position = START, game: OneStep | None = None) -> None:
        self.reader = CameraReader(game or OneStep(), start)
        self.now = 0.0

    def look(
        self,
        position: Position,
        sure: float = 20.0,
        covered: tuple[int, ...] = (),
        unlike: Mapping[int, tuple[float, float, float, float]] | None = None,
    ) -> list[Reading[Position]]:
        """Show the board: each square's occupant is `sure` nats likelier than the others."""
        squares: dict[Square, tuple[float, float, float, float] | None] = {}
        for square in range(64):
            nats = [-sure] * 4
            nats[position[square]] = 0.0
            squares[Square(square)] = (nats[0], nats[1], nats[2], nats[3])
        for square, evidence in (unlike or {}).items():
            squares[Square(square)] = evidence
        for square in covered:
            squares[Square(square)] = None
        self.now += 1.0
        return self.reader.observe(Observation(self.now, squares))


def moves_of(readings: list[Reading[Position]]) -> list[tuple[int, int]]:
    return [r.step.squares for r in readings if r.step]


def test_a_board_that_stays_tells_nothing() -> None:
    sitting = Sitting()
    assert [sitting.look(START) for _ in range(5)] == [[]] * 5
    assert sitting.reader.makes_sense


def test_plies_are_told_as_they_are_seen() -> None:
    sitting = Sitting()
    moves = [(11, 19), (52, 44), (19, 27), (44, 36), (27, 36)]
    position, readings = START, []
    for move in moves:
        position = after(position, move)
        readings += sitting.look(position)
        assert sitting.reader.believed is not None
        assert sitting.reader.believed.occupants == position[:64]
    assert moves_of(readings) == moves
    assert [r.event.number for r in readings if isinstance(r.event, Ply)] == [1, 2, 3, 4, 5]
    assert sitting.reader.number == 6


def test_two_plies_between_two_looks() -> None:
    sitting = Sitting()
    assert moves_of(sitting.look(after(START, (11, 19), (52, 44)))) == [(11, 19), (52, 44)]


def test_a_look_that_shows_nothing_proposes_nothing() -> None:
    sitting = Sitting()
    sitting.look(START, covered=tuple(range(64)))
    assert len(sitting.reader._candidates) == 1


def test_thin_evidence_is_gathered() -> None:
    sitting = Sitting()
    position = after(START, (11, 19))
    thin = (0.0, -3.0, -9.0, -20.0)
    rather = (-2.0, 0.0, -9.0, -20.0)
    first = sitting.look(position, unlike={11: thin, 19: rather})
    assert first == []
    assert sitting.reader.believed is not None
    margins = sitting.reader.believed.margins
    assert {square for square in range(64) if margins[square] < TELLING_MARGIN} == {11, 19}
    assert moves_of(sitting.look(position)) == [(11, 19)]


def test_one_misread_square_changes_nothing() -> None:
    sitting = Sitting()
    wrong = (-20.0, 0.0, -20.0, -20.0)  # a black piece where nobody can be
    assert moves_of(sitting.look(after(START, (11, 19)), unlike={36: wrong})) == [(11, 19)]
    assert sitting.reader.belief.extra == {36}


def test_nothing_is_told_of_a_board_that_nothing_explains() -> None:
    sitting = Sitting()
    nonsense = (*START[:64][::-1], 1)
    assert sitting.look(nonsense) == []
    assert not sitting.reader.makes_sense
    assert sitting.look(START) == []
    assert sitting.reader.makes_sense


def test_a_lamp_that_makes_pieces_look_like_the_other_sides_ends_no_game() -> None:
    sitting = Sitting()
    moves = [(11, 19), (52, 44), (12, 20)]
    tinged = dict.fromkeys((55, 57, 60, 61, 63), (-20.0, 0.0, -4.0, -20.0))
    readings: list[Reading[Position]] = []
    for count in range(4):
        readings += sitting.look(after(START, *moves[:count]), unlike=tinged if count else None)
        assert sitting.reader.makes_sense
    assert moves_of(readings) == moves


def test_a_covered_square_waits() -> None:
    sitting = Sitting()
    position = after(START, (11, 19))
    assert sitting.look(position, covered=(19, 18, 20)) == []
    assert moves_of(sitting.look(position)) == [(11, 19)]


def test_what_was_told_wrongly_is_taken_back_in_words() -> None:
    sitting = Sitting()
    seems, true = after(START, (11, 19)), after(START, (11, 18))
    assert moves_of(sitting.look(seems)) == [(11, 19)]
    readings = sitting.look(true) + sitting.look(true)
    assert isinstance(readings[0].event, TakeBack)
    assert moves_of(readings) == [(11, 18)]


def test_hands_take_back() -> None:
    sitting = Sitting()
    one = after(START, (11, 19))
    two = after(one, (52, 44))
    sitting.look(one)
    sitting.look(two)
    readings = sitting.look(START)
    assert [type(reading.event) for reading in readings] == [TakeBack, TakeBack]
    assert [r.event.number for r in readings if isinstance(r.event, TakeBack)] == [2, 1]
    assert sitting.reader.number == 1


def test_a_step_taken_back_and_another_made_between_two_looks_is_told_unasked() -> None:
    sitting = Sitting()
    moves = [(11, 19), (52, 44), (14, 22)]
    for count in range(1, 4):
        assert sitting.look(after(START, *moves[:count]))
    sitting.now += 20.0  # time enough for four steps there and back
    otherwise = after(START, *moves[:2], (9, 17))
    readings = sitting.look(otherwise) + sitting.look(otherwise)
    assert [type(reading.event) for reading in readings] == [TakeBack, Ply]
    assert moves_of(readings) == [(9, 17)]
    assert sitting.reader.number == 4


def test_an_order_that_was_told_stands_while_nothing_speaks_for_another() -> None:
    sitting = Sitting()
    moves = [(11, 19), (52, 44), (14, 22), (49, 41)]
    before = after(START, *moves)
    steps = moves_of(sitting.look(before) + sitting.look(before))
    assert sorted(steps) == sorted(moves)
    sitting.look(after(before, (9, 17)))
    otherwise = after(before, (10, 18))
    readings = sitting.look(otherwise) + sitting.look(otherwise) + sitting.look(otherwise)
    assert [type(reading.event) for reading in readings] == [TakeBack, Ply]


def test_steps_back_and_forth_that_hands_had_no_time_for_cost_what_is_rare() -> None:
    """A look by when nothing had changed tells how long the hands have had."""
    costs = []
    for pause_s in (1.0, 30.0):
        sitting = Sitting()
        sitting.look(START)
        sitting.now += pause_s
        sitting.look(after(START, (11, 19), (52, 44), (14, 22)))
        costs.append(-sitting.reader._candidates[0].score)
    assert costs[0] - costs[1] == pytest.approx(haste(2, 2.0) - haste(2, 31.0))


def undecided() -> tuple[Sitting, list[Reading[Position]]]:
    """A sitting in which a piece went behind another, on one of two squares."""
    sitting = Sitting()
    unclear = (-1.0, -1.0, -20.0, -20.0)
    position = after(START, (11, 19))
    readings: list[Reading[Position]] = []
    for _ in range(3):
        readings += sitting.look(position, unlike={19: unclear, 20: unclear})
    return sitting, readings


def asking(start: int, *ends: int, at: float) -> Reading[Position]:
    """Where the first ply's piece went, from one square to others."""
    names = tuple(format_square(Square(end)) for end in ends)
    return Reading(Question(1, format_square(Square(start)), names), at)


def test_what_cannot_be_seen_is_asked() -> None:
    _, readings = undecided()
    assert readings == [asking(11, 19, 20, at=2.0)]


def test_where_a_square_stays_unexplained_it_may_be_none_of_what_is_asked() -> None:
    sitting = Sitting()
    unclear, strange = (-1.0, -1.0, -20.0, -20.0), (0.0, -5.0, -20.0, -20.0)
    position = after(START, (11, 19))
    readings: list[Reading[Position]] = []
    for _ in range(3):
        readings += sitting.look(position, unlike={19: unclear, 20: unclear, 2: strange})
    assert [each.event for each in readings] == [asking(11, 19, 20, 11, at=2.0).event]
    sitting.reader.answer(1, Square(11))
    assert sitting.reader.belief.question is None


def test_an_answer_settles_it() -> None:
    sitting, _ = undecided()
    assert moves_of(sitting.reader.answer(1, Square(20))) == [(11, 20)]
    assert sitting.reader.belief.question is None


@pytest.mark.parametrize("square", [21, 11])
def test_an_answer_that_is_none_is_refused(square: int) -> None:
    sitting, _ = undecided()
    with pytest.raises(ValueError, match="not asked about"):
        sitting.reader.answer(1, Square(square))


def test_a_question_is_closed_before_the_step_that_it_followed_is_taken_back() -> None:
    sitting = Sitting()
    sitting.look(after(START, (11, 19)))
    unclear = (-1.0, -20.0, -1.0, -20.0)
    asked: list[Reading[Position]] = []
    for _ in range(4):
        unsure = {44: unclear, 45: unclear}
        asked += sitting.look(after(START, (11, 19), (52, 44)), unlike=unsure)
    assert [type(reading.event) for reading in asked] == [Question]
    readings = sitting.look(START) + sitting.look(START)
    assert [each.event for each in readings] == [TakeBack(2, "hands"), TakeBack(1, "hands")]
    assert not sitting.reader.questions


def test_later_looks_answer_too() -> None:
    sitting, _ = undecided()
    readings = sitting.look(after(START, (11, 20)))
    assert [type(reading.event) for reading in readings] == [Answer]
    assert moves_of(readings) == [(11, 20)]


def test_a_wrong_turn_is_found_out_later() -> None:
    """Two pieces may have gone to a square; the one that goes on shows which it was."""
    sitting = Sitting()
    unclear = (-6.0, 0.0, -20.0, -20.0)
    leaves = (0.0, -1.0, -20.0, -20.0)
    position = after(START, (11, 19))
    for _ in range(2):
        sitting.look(position, unlike={11: leaves, 10: leaves, 19: unclear})
    assert moves_of(sitting.look(after(position, (52, 44))))[-1] == (52, 44)
    assert sitting.reader.number == 3


def test_a_shorter_way_that_earlier_looks_denied_stays_denied() -> None:
    """One ply less explains the board now, too; but not what was seen in between."""
    sitting = Sitting()
    one = after(START, (11, 19))
    moves_of(sitting.look(one))
    sitting.look(after(one, (52, 44)))
    position = after(one, (52, 44), (10, 18))
    sitting.look(position)
    for _ in range(6):
        assert sitting.look(position) == []
    assert sitting.reader.number == 4


def test_a_rival_that_the_squares_hardly_deny_is_weighed() -> None:
    """Where a man may have come unseen, it is neither told nor learned that nothing has happened.

    What follows shows that he has: only after him is it the other side's turn.
    """
    sitting = Sitting()
    position = after(START, (11, 19))
    stays, hidden = (-0.5, 0.0, -20.0, -20.0), (0.0, -1.0, -20.0, -20.0)
    assert sitting.look(position, unlike={11: stays, 19: hidden}) == []
    believed = sitting.reader.believed
    assert believed is not None
    assert max(believed.margins[11], believed.margins[19]) < LESSON
    later = sitting.look(after(position, (52, 44)), unlike={11: stays, 19: hidden})
    assert moves_of(later) == [(11, 19), (52, 44)]


def test_many_steps_in_one_look_are_told_when_another_shows_them_too() -> None:
    sitting = Sitting()
    position = after(START, (11, 19), (52, 44), (14, 22))
    assert sitting.look(position) == []
    moves = moves_of(sitting.look(position))
    assert moves[1] == (52, 44)
    assert sorted(moves) == [(11, 19), (14, 22), (52, 44)]


def test_many_steps_are_taken_back_when_another_look_shows_it_too() -> None:
    """A hand may look as if an old way had been the right one."""
    sitting, moves = Sitting(), [(11, 19), (52, 44), (12, 20), (53, 45)]
    for count in range(1, 5):
        assert moves_of(sitting.look(after(START, *moves[:count]))) == [moves[count - 1]]
    once = after(START, moves[0])
    assert sitting.look(once) == []
    assert [type(reading.event) for reading in sitting.look(once)] == [TakeBack] * 3


def test_a_wrong_move_told_before_the_next_is_found_out() -> None:
    """The look after the next ply denies what was told: the truth comes back, without a chain."""
    sitting = Sitting()
    sitting.look(after(START, (11, 18)))
    readings = sitting.look(after(START, (11, 19), (52, 44)))
    readings += sitting.look(after(START, (11, 19), (52, 44)))
    assert isinstance(readings[0].event, TakeBack)
    assert moves_of(readings) == [(11, 19), (52, 44)]


def crossed() -> tuple[Sitting, list[Reading[Position]]]:
    """A sitting in which two pieces alike went onward, or aslant, each to the other's place."""
    sitting = Sitting()
    position = after(START, (11, 19), (52, 44), (10, 18))
    return sitting, [each for _ in range(4) for each in sitting.look(position)]


def test_of_two_ways_to_one_position_none_is_told_unasked_and_what_follows_is_unsure() -> None:
    _, readings = crossed()
    assert isinstance(readings[0].event, Question)
    assert moves_of(readings) == [(52, 44)]
    assert all(each.is_unsure for each in readings if isinstance(each.event, Ply))


def test_play_that_goes_on_past_a_question_is_told_and_the_question_can_still_be_answered() -> None:
    sitting, readings = crossed()
    position = after(START, (11, 19), (52, 44), (10, 18), (53, 45), (14, 22))
    readings += [each for _ in range(3) for each in sitting.look(position)]
    assert moves_of(readings)[-2:] == [(53, 45), (14, 22)]
    asked = next(each.event for each in readings if isinstance(each.event, Question))
    assert sitting.reader.belief.question == asked
    answered = sitting.reader.answer(asked.number, asked.squares[0])
    assert asked.means(asked.candidates[0], *map(Square, moves_of(answered)[0]))
    assert not any(isinstance(each.event, TakeBack) for each in answered)
    assert sitting.reader.number == 6
    assert not sitting.reader.questions
    assert moves_of(sitting.look(after(position, (54, 46)))) == [(54, 46)]


def wandering() -> tuple[Sitting, list[tuple[int, int]], Mapping[int, Likelihoods]]:
    """A sitting in which a neutral piece may have gone from 27 to 35 after the first ply.

    It is asked about, and three plies have been played since.
    """
    start = (*START[:27], 3, *START[28:])
    sitting, moves = Sitting(start, WithNeutral()), [(11, 19), (52, 44), (9, 17), (50, 42)]
    sitting.look(start)
    sitting.look(after(start, moves[0]))
    open_squares = {27: (-4.0, -20.0, -20.0, 0.0), 35: (-4.0, -20.0, -20.0, 0.0)}
    readings: list[Reading[Position]] = []
    for count in (1, 1, 1, 1, 2, 3, 4):
        position = after(start, *moves[:count])
        readings += sitting.look(position, unlike=open_squares)
    asked = [each.event for each in readings if isinstance(each.event, Question)]
    assert [(each.number, each.is_ply, each.candidates) for each in asked] == [
        (1, False, (format_square(Square(35)), format_square(Square(27))))
    ]
    assert moves_of(readings) == moves[1:]
    assert all(each.is_unsure for each in readings if isinstance(each.event, Ply))
    return sitting, moves, open_squares


def test_an_open_question_about_the_neutral_piece_stops_nobodys_plies() -> None:
    sitting, moves, _ = wandering()
    position = after((*START[:27], 3, *START[28:]), *moves)
    (closing,) = sitting.look(position)
    assert closing == undoing(1, False, closing.at)
    assert not sitting.reader.questions
    assert sitting.reader.likeliest == moves
    (following,) = sitting.look(after(position, (10, 18)))
    assert moves_of([following]) == [(10, 18)]
    assert not following.is_unsure


@pytest.mark.parametrize("square", [27, 35])
def test_people_say_where_the_neutral_piece_is_and_are_believed_while_it_looks_so(
    square: int,
) -> None:
    sitting, moves, open_squares = wandering()
    (closing,) = sitting.reader.answer(1, Square(square))
    assert closing.event == (Wander(1, format_square(Square(35))) if square == 35 else Recall(1))
    start = (*START[:27], 3, *START[28:])
    position = after(start, *moves)
    for count in range(4):  # it looks as open as before: nothing is asked again
        position = _step(position, *[(10, 18), (53, 45), (12, 20), (49, 41)][count]).after
        (following,) = sitting.look(position, unlike=open_squares)
        assert isinstance(following.event, Ply)
        assert not following.is_unsure


def test_what_later_looks_show_of_an_open_step_closes_its_question() -> None:
    sitting, _ = undecided()
    unclear = (-1.0, 0.0, -20.0, -20.0)
    readings = [
        each
        for _ in range(2)
        for each in sitting.look(
            after(START, (11, 20), (52, 44), (10, 18)), unlike={19: unclear, 20: unclear}
        )
    ]
    assert moves_of(readings) == [(52, 44), (10, 18)]
    readings = sitting.look(after(START, (11, 20), (52, 44), (10, 18)))
    assert [type(each.event) for each in readings] == [Answer]
    assert moves_of(readings) == [(11, 20)]


def test_what_players_have_said_is_not_read_otherwise_later() -> None:
    sitting, readings = crossed()
    asked = readings[0].event
    assert isinstance(asked, Question)
    answer = asked.squares[-1]
    first = moves_of(sitting.reader.answer(asked.number, answer))
    assert answer in first[0]
    position = after(START, (11, 19), (52, 44), (10, 18), (53, 45))
    later = [each for _ in range(3) for each in sitting.look(position)]
    assert not any(isinstance(each.event, TakeBack) for each in later)
    assert sitting.reader.likeliest[0] == first[0]


def test_a_square_where_nothing_else_can_be_is_believed_so_though_it_looks_otherwise() -> None:
    """A piece who left from behind another: the square seems full, but where it went it is seen."""
    alone = (*[0] * 11, 1, *[0] * 40, 2, *[0] * 11, 1)
    sitting, full = Sitting(alone), (-10.0, 0.0, -20.0, -20.0)
    sure = []
    for position in (after(alone, (11, 19)), after(alone, (11, 19), (52, 44))):
        sitting.look(position, unlike={11: full})
        believed = sitting.reader.believed
        assert believed is not None
        sure.append(believed.occupants[11] == 0 and believed.margins[11] > LESSON)
    assert sure == [False, True]


def test_over_a_missing_man_nothing_is_told_that_may_be_otherwise() -> None:
    """A rival who is six nats behind or a little more counts, where a man is missing by ten."""
    bare = (0.0, -10.0, -20.0, -20.0)
    thin = {11: (0.0, -13.0, -20.0, -20.0), 19: (-13.0, 0.0, -20.0, -20.0)}
    position = after(START, (11, 19))
    assert moves_of(Sitting().look(position, unlike=thin)) == [(11, 19)]
    assert moves_of(Sitting().look(position, unlike={**thin, 3: bare})) == []


def test_what_is_misread_again_and_again_is_charged_once() -> None:
    """However often a square is misread, he who has it otherwise pays no more than it says."""
    sitting = Sitting()
    wrong, much = (-14.0, 0.0, -14.0, -14.0), (-20.0, 0.0, -20.0, -20.0)
    for _ in range(20):
        sitting.look(START, unlike={36: wrong, 37: much})
    assert sitting.reader._candidates[0].score > -14.0 - MOST_OF_A_SQUARE - 0.1


def test_more_ways_stay_alive_while_none_explains_what_is_seen() -> None:
    """A man has gone and nobody has come: which ply was missed later looks may tell."""
    sitting, bare = Sitting(), (0.0, -18.0, -20.0, -20.0)
    position = START
    for move in ((8, 16), (48, 40), (9, 17), (49, 41)):
        position = after(position, move)
        sitting.look(position, unlike={12: bare})
    assert len(sitting.reader._candidates) > BEAM + 1
    sitting.look(after(position, (12, 20)))
    assert len(sitting.reader._candidates) <= BEAM + 1


def test_a_step_that_is_found_late_owes_what_looks_before_said_against_it() -> None:
    """A man's square looks empty for two looks; from another, surely empty, he did not go on."""
    sitting = Sitting()
    left, unseen, gone = (
        (0.0, -8.0, -20.0, -20.0),
        (0.0, -7.0, -20.0, -20.0),
        (0.0, -13.0, -20, -20),
    )
    moves = [(11, 19), (52, 44), (19, 27)]
    sitting.look(after(START, *moves[:1]), unlike={11: left, 19: unseen})
    sitting.look(after(START, *moves[:2]), unlike={19: gone})
    readings = sitting.look(after(START, *moves))
    assert sitting.reader.likeliest == moves
    assert moves_of(readings) in ([], moves)


def test_a_man_who_was_seen_standing_all_the_while_did_not_go_first() -> None:
    """A taken man's square looks as if he stood there still, until his own side takes it back."""
    start = (*after(START, (11, 27), (52, 36), (53, 45))[:64], 1)
    sitting, unlike = Sitting(start), (-9.0, -18.0, 0.0, -20.0)
    moves = [(27, 36), (60, 52), (8, 16), (61, 53), (16, 24), (48, 40), (9, 17), (45, 36)]
    readings: list[Reading[Position]] = []
    for count in range(1, len(moves)):
        readings += sitting.look(after(start, *moves[:count]), unlike={36: unlike})
    assert moves_of(readings) == moves[1:-1]
    readings = [reading for _ in range(3) for reading in sitting.look(after(start, *moves))]
    assert sitting.reader.likeliest == moves
    assert moves_of(readings) == [moves[0], moves[-1]]


def test_what_some_ways_hold_before_what_all_hold_is_asked_about_first() -> None:
    """Two plies may have gone before one that was surely played; what is told stands in order."""
    sitting = Sitting()
    leaves, comes = (0.0, -2.0, -2.0, -20.0), (-2.0, 0.0, 0.0, -20.0)
    unclear = {8: leaves, 16: comes, 48: leaves, 40: comes}
    position = after(START, (11, 19))
    boards = (START, position, position, position)
    readings = [each for board in boards for each in sitting.look(board, unlike=unclear)]
    assert readings == [asking(8, 16, 8, at=4.0)]
    sitting.reader.answer(1, Square(8))
    assert moves_of(sitting.look(position)) == [(11, 19)]


def test_a_question_that_later_looks_overtake_is_asked_anew() -> None:
    sitting = Sitting()
    unclear, empty = (-1.0, -1.0, -20.0, -20.0), (0.0, -9.0, -20.0, -20.0)
    position = after(START, (11, 18))
    for _ in range(3):
        sitting.look(position, unlike={18: empty, 19: unclear, 20: unclear})
    readings = sitting.look(
        position, unlike={18: (-10.0, 0.0, -20.0, -20.0), 20: (0.0, -3.0, -20.0, -20.0)}
    )
    assert readings == [undoing(1, True, 4.0), asking(11, 18, 20, at=4.0)]


def tangled() -> tuple[Sitting, Question]:
    """A sitting in which one of two pieces went to one of two squares, and what is asked."""
    sitting = Sitting()
    leaves, comes = (0.0, -5.0, -20.0, -20.0), (-4.0, 0.0, -20.0, -20.0)
    unclear = {10: leaves, 11: leaves, 18: comes, 19: comes}
    (asked,) = [each for _ in range(4) for each in sitting.look(START, unlike=unclear)]
    assert isinstance(asked.event, Question)
    return sitting, asked.event


def test_where_too_much_is_open_two_steps_are_asked_about() -> None:
    _, asked = tangled()
    assert [asked.denies(each) for each in asked.candidates] == [False, False, True]


def test_an_answer_is_about_the_piece_that_was_asked_about() -> None:
    """Another that may have gone to the same square leaves nothing open any more."""
    sitting, asked = tangled()
    (move,) = moves_of(sitting.reader.answer(1, asked.squares[0]))
    assert asked.means(asked.candidates[0], *map(Square, move))


def test_players_are_believed_where_no_way_that_is_alive_has_what_they_say() -> None:
    sitting, _ = undecided()
    alive = sitting.reader._candidates
    sitting.reader._candidates = [each for each in alive if each.occupants[20] == 0]
    assert moves_of(sitting.reader.answer(1, Square(20))) == [(11, 20)]
    assert moves_of(sitting.look(after(START, (11, 20), (52, 44)))) == [(52, 44)]

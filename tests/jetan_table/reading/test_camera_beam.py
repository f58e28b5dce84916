"""The beam of positions: what may have happened between two looks, and what it costs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace

import pytest

from jetan_table.game.events import Ply, TakeBack
from jetan_table.reading.camera_beam import (
    BoardLook,
    Candidate,
    Node,
    Weighing,
    candidate_at,
    haste,
)
from jetan_table.reading.readings import Step
from rules import Square
from tests.jetan_table.reading.test_camera_reader import (
    START,
    OneStep,
    Position,
    Sitting,
    _onward,
    _step,
    after,
    moves_of,
)


def test_rivals_from_before_hide_no_ply_that_took_what_had_just_moved() -> None:
    game, start = OneStep(), (*after(START, (11, 27), (52, 44))[:64], 1)
    unseen = [(44, 36), (27, 36), (53, 45)]
    firsts = [(square, square + 8) for square in (8, 9, 10, 12, 13, 14, 15)]
    firsts += [(square, square + 7) for square in (9, 10, 12, 13)]
    shown = after(start, firsts[0], *unseen)
    squares = {
        Square(square): (-20.0 * (who != 0), -20.0 * (who != 1), -20.0 * (who != 2), -20.0)
        for square, who in enumerate(shown[:64])
        if not 8 <= square < 24
    }
    look = BoardLook(squares)
    rivals = []
    for rank, first in enumerate(firsts):
        node = Node(None, _step(start, *first), 1, 0.0, 0.0, look)
        rivals.append(replace(candidate_at(game, start, node, 2), score=-0.1 * rank))
    weighing = Weighing(game, start, look, 20.0, [], frozenset(), [])
    best = weighing.weighed(rivals)[0]
    assert [node.step.squares for node in best.path] == [firsts[0], *unseen]


def test_haste_is_rare_by_the_time_there_was() -> None:
    """Of 1,401 times four deeds took hands less than 2 s 14 times, and less than 12 s 471 times."""
    assert haste(3, 2.0) == pytest.approx(-math.log(14 / 1401), abs=1.0)
    assert haste(3, 12.0) == pytest.approx(-math.log(471 / 1401), abs=0.5)
    assert haste(0, 0.1) == 0.0
    assert haste(3, math.inf) == 0.0


def test_no_answer_of_an_open_question_is_dropped_for_its_rank() -> None:
    game, look = OneStep(), BoardLook({})

    def way(score: float, *moves: tuple[int, int]) -> Candidate[Position]:
        node: Node[Position] | None = None
        for number, (start, end) in enumerate(moves, 1):
            step = _step(after(START, *moves[: number - 1]), start, end)
            node = Node(node, step, number, 0.0, 0.0, look)
        return replace(candidate_at(game, START, node, len(moves) + 1), score=score)

    replies = [(square, square - 8) for square in range(48, 56)]
    thirds = [(square, square + 8) for square in range(10, 14)]
    ways = [way(0.0, (8, 16), reply, third) for reply in replies for third in thirds]
    ways.append(way(-10.0, (9, 17), replies[0]))

    def first_steps(open_at: tuple[int, ...]) -> set[tuple[int, int]]:
        weighing = Weighing(game, START, look, 1.0, [], frozenset(), [], open_at)
        return {each.path[0].step.squares for each in weighing.weighed(ways)}

    assert first_steps(()) == {(8, 16)}
    assert first_steps((0,)) == {(8, 16), (9, 17)}


class BackAndForth(OneStep):
    """... and goes back as well."""

    def steps(self, position: Position, squares: Iterable[Square]) -> Iterator[Step[Position]]:
        for square in squares:
            if position[square] == position[-1]:
                for to in (*_onward(square, 1), *_onward(square, -1)):
                    if position[to] != position[-1]:
                        yield _step(position, square, to)


def test_two_plies_taken_back_and_another_played_unseen_are_no_plies_there_and_back() -> None:
    sitting = Sitting(game=BackAndForth())
    sitting.look(after(START, (11, 19)))
    sitting.look(after(START, (11, 19), (52, 44)))
    sitting.now += 1.5
    shown = after(START, (12, 20))
    readings = sitting.look(shown) + sitting.look(shown) + sitting.look(shown)
    assert [type(reading.event) for reading in readings] == [TakeBack, TakeBack, Ply]
    assert moves_of(readings) == [(12, 20)]


def test_what_hands_took_back_no_later_look_of_the_same_board_revives() -> None:
    sitting = Sitting(game=BackAndForth())
    moves = [(11, 19), (52, 44), (12, 20)]
    for count in (1, 2):
        sitting.look(after(START, *moves[:count]))
    assert [type(reading.event) for reading in sitting.look(START)] == [TakeBack, TakeBack]
    for _ in range(20):
        sitting.look(START)
    assert moves_of(sitting.look(after(START, (12, 20)))) == [(12, 20)]

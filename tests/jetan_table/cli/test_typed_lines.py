"""Lines that are typed or piped in while a command goes on: nobody waits for them."""

import os
from pathlib import Path

import pytest

from hardware.ports import Observation
from jetan_table.game.events import Answer, Question
from jetan_table.reading.camera_reader import CameraReader
from jetan_table.reading.readings import JetanGame, Reading, Standing, occupants_of
from jetan_table.replay.watching import Follower
from jetan_table.terminal.terminal import LinesTyped, is_spoken
from rules import SQUARES, Position, Square, parse_move, parse_rules, parse_square
from vision.camera import BoardCamera
from vision.finder import BoardFinder
from vision.geometry import layout_of


def test_lines_of_a_pipe_come_and_none_is_waited_for() -> None:
    out, into = os.pipe()
    with os.fdopen(out) as stream, os.fdopen(into, "w") as writer:
        typed = LinesTyped(stream.fileno())
        assert is_spoken(stream)
        assert typed.read() == []
        writer.write("d5\n\n2\nno")
        writer.flush()
        assert typed.read() == ["d5", "", "2"]
        writer.close()
        assert typed.read() == ["no"]
        assert typed.read() == []


def test_nobody_speaks_from_a_file_or_from_nothing(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_text("d5\n")
    with path.open() as file, Path(os.devnull).open() as nothing:
        assert not is_spoken(file)
        assert not is_spoken(nothing)


def test_a_square_answers_what_is_asked_and_nothing_else() -> None:
    start = Position.start(parse_rules("appendix,thoat=jumps"))
    follower = Follower(
        BoardCamera(BoardFinder(layout_of(start.rules.board)), False, True),
        CameraReader(JetanGame(), Standing(start, True), 1),
    )
    after = occupants_of(start.play(parse_move("d2d3", start)))
    open_squares = (parse_square("d3"), parse_square("e3"))
    asked = list[Reading[Standing]]()
    for at in range(1, 5):
        squares: dict[Square, tuple[float, float, float, float] | None] = {}
        for square in SQUARES:
            nats = [-20.0] * 4
            nats[after[square]] = 0.0
            squares[square] = (nats[0], nats[1], nats[2], nats[3])
        for square in open_squares:
            squares[square] = (-1.0, -1.0, -20.0, -20.0)
        asked += follower.reader.observe(Observation(float(at), squares))
    assert isinstance(asked[0].event, Question)
    with pytest.raises(ValueError, match="h5"):
        follower.take_word("h5")
    with pytest.raises(ValueError, match="no board 1"):
        follower.take_word("1")
    (answered,) = follower.take_word("e3")
    assert isinstance(answered.event, Answer)
    assert answered.event.move == "d2e3"

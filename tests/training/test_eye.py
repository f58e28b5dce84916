"""The network's training: its slopes, the boards it learns from, and a game that is painted."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from bench.vision.live import LiveShow, play_live
from bench.vision.sequences import corners_and_markers, first_position
from jetan_table.reading.readings import occupants_of
from rules import Occupant, Position, parse_move, parse_rules
from training.eye.__main__ import main
from training.eye.evenings import ways_to
from training.eye.pictures import paint_game
from training.eye.training import (
    HIDDEN,
    forwards,
    fresh_weights,
    losses,
    reliability,
    slopes,
    temperature,
)
from vision.camera import BoardCamera, Sight
from vision.errors import UnlikePosition
from vision.finder import BoardFinder
from vision.geometry import layout_of
from vision.sources import pictures_in
from vision.witness import CHANNELS, LONG, UNSEEN, WIDE, Numbers, score

CHANCE = np.random.default_rng


def test_each_slope_is_how_the_loss_grows() -> None:
    chance = CHANCE(0)
    weights = fresh_weights(chance)
    looks: Numbers = chance.normal(0, 0.5, (6, LONG, WIDE, CHANNELS)).astype(np.float32)
    stood = chance.integers(0, UNSEEN + 1, 6)
    occupants, kept = chance.integers(0, 4, 6), np.ones((6, HIDDEN), np.float32)
    passed = forwards(weights, looks, stood, kept)
    assert np.allclose(passed.scores, score(weights, looks, stood), atol=1e-3)
    _, wrong = losses(passed.scores, occupants)
    for name, slope in slopes(weights, passed, stood, kept, wrong).items():
        at = np.unravel_index(np.abs(slope).argmax(), slope.shape)
        there = []
        for step in (0.01, -0.02):
            weights[name][at] += np.float32(step)
            there.append(losses(forwards(weights, looks, stood, kept).scores, occupants)[0])
        weights[name][at] += np.float32(0.01)
        assert abs((there[0] - there[1]) / 0.02 - slope[at]) < 0.05 * abs(slope[at]), name


def test_a_temperature_makes_it_as_sure_as_it_is_right() -> None:
    chance = CHANCE(2)
    occupants = chance.integers(0, 3, 4000)
    likeliest = np.where(chance.random(4000) < 0.25, (occupants + 1) % 3, occupants)
    scores = 5 * np.eye(3, dtype=np.float32)[likeliest]
    cooled = scores / np.float32(temperature(scores, occupants))
    for _, claimed, true, count in reliability(cooled, occupants):
        assert count == 4000
        assert abs(claimed - true) < 0.03


def test_a_painted_game_has_its_truth(tmp_path: Path) -> None:
    done = CliRunner().invoke(
        main, ["paint", str(tmp_path), "word", "--games", "1", "--moves", "1"]
    )
    assert done.exit_code == 0, done.output
    truth = json.loads((tmp_path / "000" / "truth.json").read_text())
    before, after = (frame["position"] for frame in truth["frames"])
    move = truth["frames"][1]["move"]
    assert before[move["from"]] == after[move["to"]]
    assert move["from"] not in after
    picture = cv2.imread(str(tmp_path / "000" / "001.jpg"))
    assert picture is not None
    corners = np.array(list(truth["views"][0]["board_corners_px"].values()))
    assert (corners > -1).all()
    assert (corners < picture.shape[1::-1]).all()


def test_of_an_evening_what_was_taken_back_is_told_and_taken_back(tmp_path: Path) -> None:
    arguments = ["paint", str(tmp_path), "word", "--evening", "taken-back", "--games", "1"]
    done = CliRunner().invoke(main, [*arguments, "--moves", "2"])
    assert done.exit_code == 0, done.output
    folder = tmp_path / "taken-back-000"
    frames = json.loads((folder / "truth.json").read_text())["frames"]
    tried = [each["move"] for each in frames if each["move"] and "stands" in each["move"]]
    assert len(tried) == 1
    evening = play_live(folder, LiveShow(4.0, 0.5))
    assert evening.told == evening.true
    assert evening.taken_back == 1


@pytest.mark.parametrize(
    ("plies", "ways"),
    [
        ("b2b3 b9b8", [2]),
        ("b2b3 b9b8 d2d3", [3, 3]),  # whichever of the two came first
        ("c2d3 b9b8 d2c2", [2, 3, 3, 3, 3]),  # as if d2 went to d3, by itself or by a third square
    ],
)
def test_what_a_board_shows_may_have_come_about_in_several_ways(
    plies: str, ways: list[int]
) -> None:
    start = end = Position.start(parse_rules("appendix"))
    for ply in plies.split():
        end = end.play(parse_move(ply, end))
    assert sorted(ways_to(start, end, len(plies.split()))) == ways


def begun(folder: Path, number: int, confused: slice, word: int = 2895419816) -> Sight:
    """Begin with a painted first picture of which it is said that these pieces are the others'."""
    truth = paint_game(folder, word, number, 0)
    start = first_position(truth)
    corners, _ = corners_and_markers(folder, truth)
    occupants = np.array(occupants_of(start))
    pieces = np.flatnonzero((occupants == 1) | (occupants == 2))[confused]
    occupants[pieces] = 3 - occupants[pieces]
    finder = BoardFinder(layout_of(start.rules.board), None, corners)
    camera = BoardCamera(finder, start.juggernaut is not None, are_stills=False)
    return camera.begin(next(pictures_in(folder).frames()), occupants.tolist(), is_certain=False)


def test_a_start_is_believed_where_the_network_reads_what_looks_too_much_alike(
    tmp_path: Path,
) -> None:
    """Grey pictures: by looks alone two kinds are less apart than is wanted."""
    evidence = begun(tmp_path, 27, slice(0, 0)).seen
    assert evidence is not None
    likeliest = [int(who) for who in evidence.likelihoods.argmax(axis=1)]
    assert np.bincount(likeliest).tolist() == [59, 20, 20, 1]


def test_a_piece_that_leans_over_an_empty_square_is_not_taken_for_one_too_many(
    tmp_path: Path,
) -> None:
    """No piece is missing, so none stands elsewhere: else the table would wait without end."""
    evidence = begun(tmp_path, 3, slice(0, 0), 3056879735).seen
    assert evidence is not None
    assert int((evidence.likelihoods.argmax(axis=1) == Occupant.EMPTY).sum()) == 59


def test_a_start_in_which_the_sides_are_mixed_is_none(tmp_path: Path) -> None:
    with pytest.raises(UnlikePosition):
        begun(tmp_path, 0, slice(None, None, 2))


def test_lines_that_are_hardly_clearer_do_not_overrule_corners(tmp_path: Path) -> None:
    """A board whose lines are faint: those of another lattice are a little clearer."""
    truth = paint_game(tmp_path, 3456499009, 20, 0)
    corners, _ = corners_and_markers(tmp_path, truth)
    layout = layout_of(first_position(truth).rules.board)
    (frame,) = pictures_in(tmp_path).frames()
    assert frame.picture is not None
    assert corners is not None
    place = BoardFinder(layout, None, corners).find(frame.picture)
    assert np.allclose(place.view.project(layout.corners), corners, atol=0.1)

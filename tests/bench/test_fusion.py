"""`jetan bench fusion`: what a camera beside the switches is worth, on a small sample."""

from random import Random

import pytest

from bench import fusion, fusion_camera
from bench.fusion_camera import SimulatedCamera
from hardware.ports import Observation
from jetan_table.people.generate import Generated, generate
from jetan_table.people.manners import PROFILES
from jetan_table.reading.jetan_game import occupants_of
from jetan_table.replay.replay import replay_of_recording

Played = list[tuple[str, Generated]]


@pytest.fixture(scope="module")
def played() -> Played:
    """A game whose switch sticks closed, about which the switches alone must ask, and another."""
    return [(name, generate(PROFILES[name], 1, name, 20)) for name in ("stuck-switch", "careful")]


@pytest.mark.parametrize("way", ["both", "camera"])
def test_no_ply_is_wrong_or_missed_with_either_dead(way: str, played: Played) -> None:
    figures = fusion.measure(way, played)
    assert figures["plies"] >= 35
    assert (figures["wrong"], figures["never"]) == (0, 0)


def test_with_both_nothing_is_asked(played: Played) -> None:
    assert fusion.measure("switches", played)["asked"] > 0
    assert fusion.measure("both", played)["asked"] == 0


def looks(game: Generated, gone: tuple[float, float] | None = None) -> list[Observation]:
    """All that a camera which never errs sees of a game."""
    replay = replay_of_recording(game.recording, "game")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fusion_camera, "MISREAD", 0.0)
        camera = SimulatedCamera(replay.start, game.paths, replay.ends_at, Random(1), gone)
        return camera.poll(replay.ends_at)


def test_the_camera_sees_the_game_as_it_begins_and_as_it_ends(played: Played) -> None:
    _, game = played[1]
    first, *_, last = looks(game)
    start = replay_of_recording(game.recording, "game").start
    assert shown(first) == occupants_of(start)
    assert shown(last) == occupants_of(game.game.position) != occupants_of(start)


def shown(look: Observation) -> tuple[int, ...]:
    """Who best explains each square."""
    return tuple(each.index(max(each)) for each in look.squares.values() if each is not None)

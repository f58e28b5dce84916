"""`jetan bench fusion`: what a camera beside the switches is worth, on a small sample."""

from random import Random

import pytest

from bench import fusion
from bench.fusion import AFTER_S, BEFORE_S, FRAME_S, SimulatedCamera
from hardware.ports import Observation
from jetan_table.people.manners import PROFILES
from jetan_table.reading.readings import occupants_of
from jetan_table.replay.replay import replay_of_recording
from tools.recordings import Generated, generate

Played = list[tuple[str, Generated]]


@pytest.fixture(scope="module")
def played() -> Played:
    """A game whose switch sticks closed, about which the switches alone must ask, and another."""
    return [(name, generate(PROFILES[name], 1, name, 20)) for name in ("stuck-switch", "careful")]


@pytest.mark.parametrize("way", ["both", "camera gone", "switches stuck", "camera"])
def test_no_ply_is_wrong_or_missed_with_either_dead(way: str, played: Played) -> None:
    figures = fusion.measure(way, played if way == "both" else played[1:])
    assert figures["plies"] >= (35 if way == "both" else 17)
    assert (figures["wrong"], figures["never"]) == (0, 0)
    if way == "both":
        assert figures["asked"] == 0 < fusion.measure("switches", played[:1])["asked"]
        assert figures["contradicted"] == 1
    if way == "switches stuck":
        assert figures["contradicted"] > 4


def looks(game: Generated, gone: tuple[float, float] | None = None) -> list[Observation]:
    """All that a camera which never errs sees of a game."""
    replay = replay_of_recording(game.recording, "game")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fusion, "MISREAD", 0.0)
        camera = SimulatedCamera(replay.start, game.paths, replay.ends_at, Random(1), gone)
        return camera.poll(replay.ends_at)


def shown(look: Observation) -> tuple[int, ...]:
    """Who best explains each square."""
    return tuple(each.index(max(each)) for each in look.squares.values() if each is not None)


def test_the_camera_sees_the_game_but_where_a_hand_is_in_the_picture(played: Played) -> None:
    _, game = played[1]
    seen_of_it = looks(game)
    start = replay_of_recording(game.recording, "game").start
    assert shown(seen_of_it[0]) == occupants_of(start)
    assert shown(seen_of_it[-1]) == occupants_of(game.game.position) != occupants_of(start)
    spans = [(path.begun - BEFORE_S, path.ended + AFTER_S) for path in game.paths]
    times = [look.at for look in seen_of_it]
    assert not [at for at in times for begun, ended in spans if begun <= at < ended]
    frames = [number * FRAME_S for number in range(int(times[-1] / FRAME_S))]
    free = [at for at in frames if not any(begun <= at < ended for begun, ended in spans)]
    assert len(times) == pytest.approx(len(free), abs=2)


def test_a_camera_that_is_gone_says_so_once(played: Played) -> None:
    (dark,) = (look for look in looks(played[1][1], (1.0, 9.0)) if 1.0 <= look.at < 9.0)
    assert set(dark.squares.values()) == {None}

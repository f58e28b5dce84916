"""`jetan bench fusion`: what a camera beside the switches is worth, on a small sample."""

import json
from random import Random
from typing import Any

import pytest

from bench import fusion, fusion_camera
from bench.fusion_camera import AFTER_S, BEFORE_S, FRAME_S, SimulatedCamera
from hardware.ports import Observation
from jetan_table.cli import main
from jetan_table.people.manners import PROFILES
from jetan_table.reading.jetan_game import occupants_of
from jetan_table.replay.replay import replay_of_recording
from tools.recordings import Generated, generate

Played = list[tuple[str, Generated]]


@pytest.fixture(scope="module")
def played() -> Played:
    """A game whose switch sticks closed, about which the switches alone must ask, and another."""
    return [(name, generate(PROFILES[name], 1, name, 20)) for name in ("stuck-switch", "careful")]


@pytest.mark.parametrize("way", ["both", "camera gone", "switches stuck", "camera"])
def test_no_ply_is_wrong_or_missed_with_either_dead(way: str, played: Played) -> None:
    figures = fusion.measure(way, played)
    assert figures["plies"] >= 35
    assert (figures["wrong"], figures["never"]) == (0, 0)


def test_with_both_nothing_is_asked(played: Played) -> None:
    assert fusion.measure("switches", played)["asked"] > 0
    assert fusion.measure("both", played)["asked"] == 0


def test_squares_are_named_where_switches_stick(played: Played) -> None:
    assert fusion.measure("switches stuck", played[1:])["contradicted"] > 4
    assert fusion.measure("both", played[:1])["contradicted"] == 1
    assert fusion.measure("both", played[1:])["contradicted"] == 0


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


def test_the_camera_sees_nothing_while_a_hand_is_in_the_picture(played: Played) -> None:
    _, game = played[1]
    spans = [(path.begun - BEFORE_S, path.ended + AFTER_S) for path in game.paths]
    times = [look.at for look in looks(game)]
    assert not [at for at in times for begun, ended in spans if begun <= at < ended]
    frames = [number * FRAME_S for number in range(int(times[-1] / FRAME_S))]
    free = [at for at in frames if not any(begun <= at < ended for begun, ended in spans)]
    assert len(times) == pytest.approx(len(free), abs=2)


def test_a_camera_that_is_gone_says_so_once(played: Played) -> None:
    (dark,) = (look for look in looks(played[1][1], (1.0, 9.0)) if 1.0 <= look.at < 9.0)
    assert set(dark.squares.values()) == {None}


def test_figures_are_printed_for_programs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JETAN_BENCH_PEOPLE", "careful")
    monkeypatch.setenv("JETAN_BENCH_PLIES", "4")
    assert main(["bench", "fusion", "--json"]) == 0
    figures: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert list(figures) == list(fusion.WAYS)
    assert {each["plies"] for each in figures.values()} == {4}

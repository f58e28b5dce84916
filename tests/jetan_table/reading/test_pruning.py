"""What is ruled out at first sight is nothing that would have explained the board well."""

import math
from collections.abc import Generator, Sequence
from typing import cast

import pytest
from jetan_table.simulation.presets import PRESETS

from jetan_table.reading import costs, search
from jetan_table.reading.cost import Hypothesis
from jetan_table.reading.jetan_game import Standing
from jetan_table.reading.matching import TraceMatcher
from jetan_table.reading.pruning import MAX_TRIED, Partial
from jetan_table.reading.scene import Scene
from jetan_table.reading.search import HypothesisSearch, Seed
from jetan_table.reading.worlds import Reported, World
from jetan_table.replay.recordings import Recording, read_recording
from jetan_table.replay.replay import advance, replay_of_recording
from jetan_table.simulation.generate import generate_recording
from tests.jetan_table.reading.hand import facing
from tests.paths import DATA
from tests.profiles import sampled

Found = list[Hypothesis[Standing]]
Search = Generator[None, None, Found]


def good(found: Found) -> list[tuple[object, ...]]:
    """The hypotheses that are not clearly worse than the best, by what they hold."""
    floor = min((hypothesis.cost for hypothesis in found), default=0.0)
    likely = [each for each in found if each.cost <= floor + costs.FORGET]
    return sorted(
        (each.world, tuple(step.squares for step in each.steps), round(each.cost, 6))
        for each in likely
    )


def finish(searching: Search) -> Found:
    """Return what a search finds in the end."""
    while True:
        try:
            next(searching)
        except StopIteration as ended:
            return cast(Found, ended.value)


def compare_on(recording: Recording, monkeypatch: pytest.MonkeyPatch) -> int:
    """Explain a recording with all pruning and without, and return how many scenes were alike."""
    alike = 0
    pruned = HypothesisSearch[Standing].explain

    def compared(
        self: HypothesisSearch[Standing],
        worlds: Sequence[World[Standing]],
        scene: Scene,
        reported: Sequence[Reported[Standing]],
        unseen: int = 0,
        limit: float = math.inf,
        seeds: Sequence[Seed[Standing]] = (),
        tries: int = MAX_TRIED,
    ) -> Search:
        nonlocal alike
        found = yield from pruned(self, worlds, scene, reported, unseen, limit, seeds, tries)
        with monkeypatch.context() as patch:
            patch.setattr(Partial, "_fit", lambda partial, step, scene, beside: partial)
            patch.setattr(TraceMatcher, "by_square", lambda matcher: {})
            whole = finish(pruned(self, worlds, scene, reported, unseen, limit, seeds, tries))
        wanted = [e for e in whole if e.cost + worlds[e.world].cost <= limit]
        likely = [e for e in found if e.cost + worlds[e.world].cost <= limit]
        assert good(likely) == good(wanted)
        alike += bool(found)
        return found

    monkeypatch.setattr(search, "MAX_WEIGHED", 1_000_000)
    monkeypatch.setattr(search, "MAX_WEIGHED_IN_ALL", 1_000_000)
    monkeypatch.setattr(HypothesisSearch, "explain", compared)
    replay = replay_of_recording(recording, "recording")
    assert list(advance(replay.source, replay.reader(), recording.ends_at))
    return alike


@pytest.mark.parametrize("name", sampled(("captures", "hasty", "juggernaut"), by_hand=2))
def test_nothing_good_is_ruled_out_in_a_recording(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert compare_on(read_recording(DATA / f"{name}.jsonl"), monkeypatch) > 50


@pytest.mark.parametrize("preset", sampled(("02", "05", "11"), by_hand=1))
def test_nor_in_games_of_untidy_hands(preset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    recording, _ = generate_recording(PRESETS[preset], 7, "recording", plies=12)
    assert compare_on(recording, monkeypatch) > 50


def test_what_was_likely_a_moment_ago_is_weighed_however_little_is_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hand = facing()
    assert hand.hands("1.0-h5 1.4-e5 1.9+h5", until=1.95) == []
    monkeypatch.setattr(search, "tries_of", lambda parts, **_: 0)
    assert hand.hands("2.0-a9", until=3.0) == ["1 e5-h5"]

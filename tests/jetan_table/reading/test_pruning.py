"""What is ruled out at first sight is nothing that would have explained the board well."""

import math
from collections import Counter
from collections.abc import Generator, Sequence
from typing import cast

import pytest

from hardware.ports import Observation
from hardware.reeds import reed_evidence
from jetan_table.people.manners import PROFILES
from jetan_table.reading import search
from jetan_table.reading.accounts import Hypothesis, Reported, World
from jetan_table.reading.cost import weigh
from jetan_table.reading.costs import PRICES
from jetan_table.reading.matching import TraceMatcher
from jetan_table.reading.readings import Reading, Standing
from jetan_table.reading.scene import Scene
from jetan_table.reading.search import (
    A_WEIGHING,
    MAX_TRIED,
    SAVED_S,
    WORK_OF_A_CALL,
    WORK_OF_A_SECOND,
    HypothesisSearch,
    Partial,
    Seed,
    Work,
)
from jetan_table.reading.switch_reader import SwitchReader
from jetan_table.replay.recordings import Recording
from jetan_table.replay.replay import advance, replay_of_recording
from rules import parse_square
from tests.jetan_table.reading.hand import facing, table
from tests.jetan_table.reading.kept import KEPT, beginning
from tests.profiles import sampled
from tools.recordings import generate

Found = list[Hypothesis]
Search = Generator[None, None, Found]


def good(found: Found) -> list[tuple[object, ...]]:
    """The hypotheses that are not clearly worse than the best, by what they hold."""
    floor = min((hypothesis.cost for hypothesis in found), default=0.0)
    likely = [each for each in found if each.cost <= floor + PRICES.FORGET]
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
    pruned = HypothesisSearch.explain

    def compared(
        self: HypothesisSearch,
        worlds: Sequence[World],
        scene: Scene,
        reported: Sequence[Reported],
        unseen: int = 0,
        limit: float = math.inf,
        seeds: Sequence[Seed] = (),
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


@pytest.mark.parametrize("name", KEPT)
def test_nothing_good_is_ruled_out_in_a_recording(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert compare_on(beginning(name), monkeypatch) > 30


@pytest.mark.soak("reading")
def test_nothing_good_is_ruled_out_in_the_whole_of_the_dearest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert compare_on(beginning("juggernaut", 80.0), monkeypatch) > 130


@pytest.mark.parametrize("profile", sampled(("blitz", "clumsy", "bumps"), by_hand=1))
def test_nor_in_games_of_untidy_hands(profile: str, monkeypatch: pytest.MonkeyPatch) -> None:
    recording = generate(PROFILES[profile], 4, "recording", plies=8).recording
    assert compare_on(recording, monkeypatch) > 30


def test_what_was_likely_a_moment_ago_is_weighed_however_little_is_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hand = facing()
    assert hand.hands("1.0-h5 1.4-e5 1.9+h5", until=1.95) == []
    monkeypatch.setattr(search, "tries_of", lambda parts, **_: 0)
    assert hand.hands("2.0-a9", until=3.0) == ["1 e5-h5"]


def test_a_call_does_a_bounded_part_of_the_work_and_the_next_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    weighed = 0

    def counted(*args: object) -> object:
        nonlocal weighed
        weighed += 1
        return weigh(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(search, "weigh", counted)
    hand, most, calls = table(), 0, 0
    names = [f"{file}{rank}" for rank in (1, 2, 9, 10) for file in "abcdefg"]
    for order, is_occupied in ((names, False), (names[::-1], True)):
        for number, name in enumerate(order):
            weighed, at = 0, 1.0 + 2 * is_occupied + number / 1000
            hand.reader.observe(Observation(at, {parse_square(name): reed_evidence(is_occupied)}))
            most, calls = max(most, weighed), calls + 1
            while hand.reader.due is not None and hand.reader.due <= at:
                weighed = 0
                hand.reader.tick(at)
                most, calls = max(most, weighed), calls + 1
    assert 0 < most <= WORK_OF_A_CALL // A_WEIGHING + 1
    assert calls >= 2 * len(names)


LOST = (
    "1.0-a2 1.8+a3 5.0-a9 5.8+c8 6.0+b3 6.3-b3 7.0-a3 7.8+b5 8.4-a10 9.2+a8 10.6+d4 11.0+i5 "
    "11.2-d9 12.0+d8 15.2-f1 16.0+i3 19.2-e10 20.0+h7 20.6-d4 22.8+e8 23.4-b2 24.2+b3 27.4-h7 "
    "28.2+e6 30.2+h4 30.8-e8 32.8-d2 33.6+c3"
)
"""Three switches stick, one after another: that of g1 closed, those of i5 and f10 as well."""


@pytest.mark.parts
def test_a_reader_that_is_lost_works_no_more_than_a_second_of_play_allows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    worked: list[tuple[float, int]] = []
    spend, hand, calls = Work.spend, table(), Counter[float]()
    reader = hand.reader

    def counted(self: Work, amount: int) -> None:
        worked.append((max(calls, default=0.0), amount))
        spend(self, amount)

    def tick(now: float) -> "list[Reading[Standing]]":
        calls[now] += 1
        assert calls[now] < 1000, "the reader comes to no end"
        return SwitchReader.tick(reader, now)

    monkeypatch.setattr(Work, "spend", counted)
    monkeypatch.setattr(reader, "tick", tick)
    assert hand.hands(LOST, until=50.0)[:2] == ["1 a2-a3", "2 a9-c8"]
    for begun in range(40):
        steps = sum(amount for at, amount in worked if begun <= at < begun + 10)
        assert steps <= WORK_OF_A_SECOND * (10 + SAVED_S) + WORK_OF_A_CALL


def test_what_was_worked_too_much_is_waited_for() -> None:
    work = Work()
    work.renew(100.0)
    assert (work.goes_on_at, work.tries) == (100.0, MAX_TRIED)
    work.spend(round(WORK_OF_A_SECOND * (SAVED_S + 1)))
    assert work.goes_on_at == pytest.approx(101.0 + WORK_OF_A_CALL / WORK_OF_A_SECOND)
    work.renew(100.5)
    assert (work.left < 0, work.tries) == (True, 0)
    at = work.goes_on_at
    work.renew(at)
    assert (work.left, work.goes_on_at) == (WORK_OF_A_CALL, at)
    work.renew(1000.0)
    assert work.tries == MAX_TRIED  # what nobody needs is not saved for ever

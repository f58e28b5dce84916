"""Simulated contacts: what they do is what the real ones are known to do, and repeats by seed."""

from random import Random

import pytest

from hardware.simulated_contacts import ContactFault, Contacts, Wear
from hardware.switches import Change, Switch

E4 = Switch(34)
STEADY = Wear(bounce_share=0)


def contacts(wear: Wear, seed: int = 1) -> Contacts:
    board = Contacts(100, Random(seed), wear)
    board.stand(E4)
    return board


def test_a_steady_contact_follows_its_magnet() -> None:
    board = contacts(STEADY)
    board.move(1.0, E4, near=False)
    board.move(2.0, E4, near=True)
    assert board.until(1.5) == [Change(1.0, E4, False)]
    assert board.due == 2.0
    assert board.until(3.0) == [Change(2.0, E4, True)]
    assert board.due is None


@pytest.mark.parametrize("seed", range(20))
def test_bounce_is_a_burst_that_ends_at_the_new_level(seed: int) -> None:
    board = contacts(Wear(bounce_share=1), seed)
    board.move(1.0, E4, near=False)
    burst = board.until(2.0)
    assert burst[0] == Change(1.0, E4, False)
    assert 3 <= len(burst) <= 13
    assert [change.closed for change in burst] == [n % 2 == 1 for n in range(len(burst))]
    assert 0.0003 <= burst[-1].at - 1.0 <= 0.005


@pytest.mark.parametrize("seed", range(50))
def test_a_second_edge_ends_the_bounce_of_the_first(seed: int) -> None:
    board = contacts(Wear(bounce_share=1), seed)
    board.move(1.0, E4, near=False)
    board.move(1.001, E4, near=True)
    board.until(2.0)
    assert board.closed[E4]


def test_a_sound_magnet_in_a_weak_ones_place_does_not_flicker() -> None:
    restless = Wear(bounce_share=0, flickers_per_s=10, flicker_s=(5, 5))
    board = Contacts(100, Random(1), restless)
    board.stand(E4, weak=True)
    opened = board.until(1.0)
    assert [change.closed for change in opened] == [False]
    board.move(2.0, E4, near=False, weak=True)
    board.move(2.0, E4, near=True)
    assert board.until(100.0) == [Change(2.0, E4, True)]


def test_a_weak_magnet_lifted_before_it_flickered_leaves_no_flicker_behind() -> None:
    board = Contacts(100, Random(1), Wear(bounce_share=0, flickers_per_s=1, flicker_s=(1, 1)))
    board.stand(E4, weak=True)
    board.move(0.0, E4, near=False, weak=True)
    board.move(0.0, E4, near=True)
    assert board.until(100.0) == [Change(0.0, E4, False), Change(0.0, E4, True)]


def test_a_magnet_that_takes_anothers_place_in_the_same_moment_opens_nothing() -> None:
    board = contacts(STEADY)
    board.move(1.0, E4, near=True)
    board.move(1.0, E4, near=False)
    assert board.until(2.0) == []


def test_a_weak_magnet_flickers_wherever_it_stands_and_only_while_it_stands() -> None:
    board = Contacts(100, Random(5), STEADY)
    board.stand(E4, weak=True)
    board.move(100.0, E4, near=False, weak=True)
    board.move(200.0, Switch(7), near=True, weak=True)
    changes = board.until(300.0)
    opened = [change for change in changes if not change.closed]
    assert {change.switch for change in opened if change.at < 100} == {E4}
    assert {change.switch for change in opened if change.at > 200} == {Switch(7)}
    assert not [change for change in changes if 100 < change.at < 200]
    assert 20 <= len(opened) <= 65  # 0.2 a second for 200 seconds, and one lift


def test_a_weak_switch_flickers_under_any_magnet_for_some_milliseconds() -> None:
    board = contacts(STEADY)
    board.weaken(E4)
    changes = board.until(100.0)
    pairs = list(zip(changes[::2], changes[1::2], strict=True))
    assert 8 <= len(pairs) <= 35
    assert all(0.005 <= closed.at - opened.at <= 0.060 for opened, closed in pairs)


@pytest.mark.parametrize(
    ("fault", "level"), [(ContactFault.STUCK_CLOSED, True), (ContactFault.DEAD, False)]
)
def test_a_failed_switch_no_longer_follows(fault: ContactFault, level: bool) -> None:
    board = contacts(STEADY)
    board.fail(1.0, E4, fault)
    board.until(1.0)
    assert board.closed[E4] is level
    board.move(2.0, E4, near=False)
    board.move(3.0, E4, near=True)
    assert board.until(4.0) == []
    board.fail(5.0, E4, None)
    board.until(5.0)
    assert board.closed[E4]


def test_the_same_seed_does_the_same() -> None:
    def run(seed: int) -> list[Change]:
        board = contacts(Wear(), seed)
        board.weaken(E4)
        board.move(1.0, E4, near=False)
        board.move(2.0, E4, near=True)
        return board.until(60.0)

    assert run(3) == run(3)
    assert run(3) != run(4)

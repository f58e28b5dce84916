"""When the opponent gives up, offers a draw, or agrees to one."""

from jetan_table.extras.opponent.resigning import (
    CONTENT_PLIES,
    HOPELESS_MOVES,
    LEVEL_MOVES,
    LEVEL_PLIES,
    EndingPolicy,
    Intent,
)


def test_it_resigns_what_stays_hopeless_and_not_what_was_so_for_a_moment() -> None:
    policy = EndingPolicy()
    scores = [-800, -900, -100, -800, -800, -800]
    intents = [policy.consider(score, None, 40) for score in scores]
    assert intents == [*[Intent.PLAY_ON] * 5, Intent.RESIGN]
    assert HOPELESS_MOVES == 3


def test_a_proven_loss_is_hopeless_whatever_the_number_says() -> None:
    policy = EndingPolicy()
    assert [policy.consider(0, -4, 10) for _ in range(3)][-1] is Intent.RESIGN


def test_it_offers_a_draw_late_in_a_level_game_and_then_waits() -> None:
    policy = EndingPolicy()
    early = [policy.consider(10, None, 30) for _ in range(LEVEL_MOVES - 1)]
    late = [policy.consider(-10, None, LEVEL_PLIES) for _ in range(LEVEL_MOVES + 1)]
    assert set(early) == {Intent.PLAY_ON}
    assert late[0] is Intent.OFFER_DRAW
    assert late.count(Intent.OFFER_DRAW) == 2
    assert late[-1] is Intent.OFFER_DRAW


def test_it_agrees_where_it_is_no_better_and_has_thought_at_all() -> None:
    policy = EndingPolicy()
    assert not policy.agrees(99)
    policy.consider(-20, None, 40)
    assert policy.agrees(CONTENT_PLIES)
    assert not policy.agrees(CONTENT_PLIES - 1)
    policy.consider(60, None, 42)
    assert not policy.agrees(99)
    policy.consider(0, -3, 44)
    assert not policy.agrees(99)

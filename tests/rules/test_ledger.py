"""Wagers and series: who owes whom, and who moves first."""

import pytest

from rules import (
    BadValue,
    Game,
    Kind,
    Position,
    Roll,
    Rules,
    Side,
    parse_move,
    parse_position,
    parse_rules,
    parse_square,
)
from rules.ledger import Series, Wager, account_of

RULES = parse_rules("appendix")
TEXT = "3p5q/10/10/10/10/4d5/10/4A5/10/Q9 b - - 7 9"


def by_value(rules: Rules, stake: int, price: int = 1) -> Wager:
    """A wager with every head at `price` times its value under the rules."""
    return Wager(stake, {kind: price * rules.worth(kind) for kind in Kind})


def begin(text: str = TEXT) -> Game:
    return Game.begin(parse_position(text, RULES))


def play(game: Game, *moves: str) -> Game:
    for move in moves:
        game = game.play(parse_move(move, game.position))
    return game


def test_heads_are_paid_to_the_opponent_and_a_take_back_reverses() -> None:
    wager = by_value(RULES, stake=20, price=2)
    game = play(begin(), "Ae3xe5")
    account = account_of(game, wager)
    assert account.balance(Side.BLACK) == 8
    assert account.balance(Side.ORANGE) == -8
    assert account_of(game.take_back(), wager).balance(Side.BLACK) == 0


def test_the_main_stake_goes_with_the_end_and_a_draw_returns_it() -> None:
    wager = by_value(RULES, stake=20)
    game = play(begin(), "Ae3xe5")
    assert account_of(game.resign(Side.ORANGE), wager).balance(Side.BLACK) == 24
    assert account_of(game.resign(Side.BLACK), wager).balance(Side.BLACK) == -16
    assert account_of(game.agree(), wager).balance(Side.BLACK) == 4


def test_a_head_the_juggernaut_takes_is_paid_for_to_the_opponent() -> None:
    start = Position.start(RULES, juggernaut=parse_square("e5"))
    game = Game.begin(start)
    game = play(game, "b2-b3").roll(Roll(10, 3, 10))
    assert account_of(game, by_value(RULES, stake=0)).balance(Side.BLACK) == 4
    free = Wager(5, dict.fromkeys(Kind, 0))
    assert account_of(game, free).balance(Side.BLACK) == 0


def test_a_series_adds_up_and_its_last_winner_chooses_who_begins() -> None:
    wager = by_value(RULES, stake=20)
    series = Series(("Tara", "Gahan"))
    assert series.chooser is None
    won = play(begin(), "Ae3xe5").resign(Side.ORANGE)
    series = series.add(won, wager, black=1)
    assert series.chooser == 1
    assert (series.balance(0), series.balance(1)) == (-24, 24)
    series = series.add(won, wager, black=0)
    assert series.chooser == 0
    assert (series.balance(0), series.balance(1)) == (0, 0)
    assert (series.wins(0), series.wins(1)) == (1, 1)
    series = series.add(begin().agree(), wager, black=0)
    assert series.chooser is None


def test_a_game_that_goes_on_is_not_written_into_the_ledger() -> None:
    wager = by_value(RULES, stake=20)
    with pytest.raises(BadValue, match="the game is not over"):
        Series(("Tara", "Gahan")).add(begin(), wager, black=0)
    with pytest.raises(BadValue, match="player 2: must be 0 or 1"):
        Series(("Tara", "Gahan")).add(begin().agree(), wager, black=2)


def test_the_bias_may_be_the_prize_of_a_wager() -> None:
    rules = parse_rules("ninth-ray-clockwise")
    game = Game.begin(Position.start(rules))
    for_bias = Wager(5, dict.fromkeys(Kind, 0), for_bias=True)
    series = Series(("Tara", "Gahan"))
    assert series.bias_chooser is None
    won = series.add(game.resign(Side.BLACK), for_bias, black=0)
    assert won.bias_chooser == 1
    assert won.games[-1].rules["board"] == "ninth-ray-clockwise", "the record holds the bias"
    assert series.add(game.agree(), for_bias, black=0).bias_chooser is None
    for_tokens = by_value(rules, stake=5)
    assert won.add(game.resign(Side.BLACK), for_tokens, black=0).bias_chooser is None

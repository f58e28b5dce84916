"""Games: take-backs, repetition, the Juggernaut, duels, and what people end."""

import pytest

from rules import (
    BadValue,
    Duel,
    Game,
    IllegalMove,
    Kind,
    Position,
    Roll,
    Side,
    Termination,
    Throw,
    fight,
    juggernaut_starts,
    parse_move,
    parse_position,
    parse_rules,
    parse_square,
)
from rules.game import destination, roll_of

BARE = "9q/10/10/10/10/10/10/10/10/Q9 b BO - 0 1"


def begin(rules: str, text: str | None = None, juggernaut: str | None = None) -> Game:
    chosen = parse_rules(rules)
    position = Position.start(chosen) if text is None else parse_position(text, chosen)
    if juggernaut is not None:
        position = position.move_juggernaut(parse_square(juggernaut))
    return Game.begin(position)


def play(game: Game, *moves: str) -> Game:
    for move in moves:
        game = game.play(parse_move(move, game.position))
    return game


def test_a_take_back_returns_the_game_before() -> None:
    one = play(begin("appendix"), "b2-b3")
    two = play(one, "b9-b8")
    assert two.take_back() == one
    assert two.resign(Side.BLACK).take_back() == one
    with pytest.raises(IllegalMove, match="no move to take back"):
        one.take_back().take_back()


def test_people_may_end_a_game_and_then_nothing_follows() -> None:
    game = begin("appendix")
    assert game.resign(Side.ORANGE).outcome == (Side.BLACK, Termination.RESIGNED)
    drawn = game.agree()
    assert drawn.outcome == (None, Termination.AGREED)
    with pytest.raises(IllegalMove, match="the game is over: agreed"):
        play(drawn, "b2-b3")
    with pytest.raises(IllegalMove, match="the game is over: agreed"):
        drawn.resign(Side.BLACK)


@pytest.mark.parametrize(
    ("rules", "start", "rolls"),
    [
        ("appendix", "e5", "e6 f6 f5 f4 e4 d4 d5 d6 e5"),
        ("appendix", "a1", "a2 b2 b1 a1 a1 a1 a1 a1 a1"),
        ("ninth-ray-clockwise", "c3", "c4 d4 d3 d2 c2 b2 b3 b4 c3"),
        ("ninth-ray-clockwise", "c5", "b6 c6 d5 d4 c4 b4 b5 a6 c5"),
        ("ninth-ray-clockwise", "j6", "j7 a4 a5 j5 i5 h5 i6 i7 j6"),
        ("ninth-ray-counterclockwise", "a6", "a7 b7 b6 c5 b5 a5 j5 j4 a6"),
    ],
)
def test_the_juggernaut_walks_by_the_die(rules: str, start: str, rolls: str) -> None:
    position = begin(rules, BARE, start).position
    ends = [destination(position, Roll(face)) for face in range(1, 10)]
    assert ends == [parse_square(name) for name in rolls.split()]


def test_a_roll_off_the_board_stays_or_is_rolled_again() -> None:
    stays = play(begin("appendix", BARE, "e10"), "a1-d1").roll(Roll(1))
    assert not stays.awaits_roll
    assert stays.position.juggernaut == parse_square("e10")
    again = play(begin("appendix,juggernaut-edge=rolls-again", BARE, "e10"), "a1-d1").roll(Roll(1))
    assert again.awaits_roll
    with pytest.raises(IllegalMove, match="die is still to be thrown"):
        play(again, "j10-g10")
    settled = again.roll(Roll(5))
    assert settled.position.juggernaut == parse_square("e9")
    assert [roll.face for roll in settled.plies[0].rolls] == [1, 5]
    with pytest.raises(IllegalMove, match="thrown once after every move"):
        settled.roll(Roll(5))


def test_hands_that_move_it_have_thrown_the_roll() -> None:
    position = begin("ninth-ray-clockwise", BARE, "c5").position
    for name, roll in (
        ("b6", Roll(1, by_hand=True)),
        ("c5", Roll(9, by_hand=True)),
        ("h9", Roll(10, 8, 9, by_hand=True)),
    ):
        assert roll_of(position, parse_square(name)) == roll
        assert destination(position, roll) == parse_square(name)


def test_where_chance_may_put_it() -> None:
    counts = {"off": 0, "random-empty": 60, "random-any": 100, "centre": 4, "e5": 0}
    for value, count in counts.items():
        start = Position.start(parse_rules(f"appendix,juggernaut={value}"))
        assert len(juggernaut_starts(start)) == count
        assert start.juggernaut == (parse_square("e5") if value == "e5" else None)


@pytest.mark.parametrize(
    "roll", [Roll(0), Roll(11), Roll(10), Roll(10, 11, 1), Roll(10, 1), Roll(7, 1, 1)]
)
def test_rolls_no_die_shows_are_refused(roll: Roll) -> None:
    with pytest.raises(BadValue):
        destination(begin("appendix", BARE, "e5").position, roll)
    with pytest.raises(BadValue, match="no Juggernaut"):
        destination(begin("appendix").position, Roll(1))


ARENA = "9q/10/10/10/10/4d5/10/4A5/10/Q9 b - - 7 9"


def test_a_duel_lost_removes_the_piece_that_entered() -> None:
    game = begin("manator-arena", ARENA.replace("4A5", "3A6"))
    move = parse_move("d3-d5", game.position)
    assert not game.position.is_fought(move)
    game = begin("manator-arena", ARENA)
    fought = parse_move("Ae3xe5", game.position)
    assert game.position.is_fought(fought)
    with pytest.raises(IllegalMove, match="Ae3xe5 is fought for: tell who won"):
        game.play(fought)
    lost = game.play(fought, Duel(False)).position
    assert lost.piece_at(parse_square("e3")) is None
    held = lost.piece_at(parse_square("e5"))
    assert held is not None
    assert held.side is Side.ORANGE
    assert lost.quiet_plies == 0
    won = game.play(fought, Duel(True)).position.piece_at(parse_square("e5"))
    assert won is not None
    assert won.side is Side.BLACK


def test_duels_by_dice_add_the_value_and_throw_ties_again() -> None:
    position = begin("manator-arena", ARENA).position
    move = parse_move("Ae3xe5", position)  # a Padwar counts 2, a Dwar 4
    assert fight(position, move, [Throw(7, 4)]) == Duel(True, (Throw(7, 4),))
    assert fight(position, move, [Throw(5, 4)]) == Duel(False, (Throw(5, 4),))
    assert fight(position, move, [Throw(6, 4)]) is None
    tied = (Throw(6, 4), Throw(1, 9))
    assert fight(position, move, tied) == Duel(False, tied)
    with pytest.raises(BadValue, match="no throw may follow it"):
        fight(position, move, [Throw(7, 4), Throw(7, 4)])
    with pytest.raises(BadValue, match=r"each throw must be 1\.\.10"):
        fight(position, move, [Throw(11, 4)])


def test_the_princess_never_fights_and_a_chief_slain_counts_as_taken() -> None:
    princess = begin("manator-arena", ARENA.replace("9q", "10").replace("4d5", "4q5"))
    assert play(princess, "Ae3xe5").outcome == (Side.BLACK, Termination.PRINCESS_TAKEN)
    text = ARENA.replace("4A5", "4C5").replace("4d5", "3d6")
    chief = begin("manator-arena", text)
    move = parse_move("Ce3xd5", chief.position)
    slain = chief.play(move, Duel(False))
    assert slain.outcome == (None, Termination.CHIEF_BY_OTHER)
    two_chiefs = begin("manator-arena", text.replace("3d6", "3c6"))
    beaten = two_chiefs.play(move, Duel(False))
    assert beaten.outcome == (Side.ORANGE, Termination.CHIEF_BY_CHIEF)


def test_a_post_that_has_answered_nothing_yet_is_still_a_piece() -> None:
    """An empty memory is falsy, and pieces seemed to be gone."""
    rules = parse_rules("appendix,value.chief=11")  # rules of its own: nothing has been asked yet
    start = Position.start(rules)
    assert start.piece_at(parse_square("f1")) == (Side.BLACK, Kind.PRINCESS)
    assert len(start.pieces()) == 40

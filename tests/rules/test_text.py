"""Game texts: written, read back the same, and checked to the first bad ply."""

import random
import re

import pytest

from rules import (
    BadGame,
    BadText,
    Duel,
    Game,
    Position,
    Roll,
    Side,
    Square,
    juggernaut_starts,
    parse_position,
    parse_rules,
)
from rules.text import (
    GameText,
    Note,
    format_game,
    format_roll,
    parse_game,
    parse_games,
    parse_lines,
    parse_roll,
)


def random_game(text: str, seed: int, plies: int = 60) -> Game:
    """Play at random, dice and duels included."""
    chance = random.Random(seed)
    start = Position.start(parse_rules(text))
    if places := juggernaut_starts(start):
        start = start.move_juggernaut(chance.choice(places))
    game = Game.begin(start)
    while len(game.plies) < plies and game.outcome is None:
        move = chance.choice(game.position.moves())
        duel = Duel(chance.random() < 0.5) if game.position.is_fought(move) else None
        game = game.play(move, duel)
        while game.awaits_roll:
            face = chance.randint(1, 10)
            teleport = (chance.randint(1, 10), chance.randint(1, 10)) if face == 10 else ()
            game = game.roll(Roll(face, *teleport))
    return game


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "rules",
    [
        "appendix",
        "ninth-ray-clockwise",
        "manator-arena",
        "cazaux+juggernaut,juggernaut-edge=rolls-again",
        "abstract-games,thoat=walks,stride.dwar=up-to",
    ],
)
def test_text_read_back_gives_the_same_game(rules: str, seed: int) -> None:
    game = random_game(rules, seed)
    tags = {"Event": 'A "quoted" \\ evening', "DieCommit": "ab12", "Black": "Tara"}
    notes = {0: Note("well begun", "0:00:07", "0:59:53", ("slid back",)), 3: Note("so so")}
    text = format_game(GameText(game, tags, "an opening word", notes))
    read = parse_game(text)
    assert read.game == game
    assert read.tags["Event"] == tags["Event"]
    assert read.tags["DieCommit"] == "ab12"
    assert read.preface == "an opening word"
    assert dict(read.notes) == notes
    assert format_game(read) == text
    assert max(map(len, text.splitlines())) <= 90


def test_movetext_looks_as_the_rules_print_it() -> None:
    game = Game.begin(Position.start(parse_rules("appendix"), juggernaut=Square(44)))
    game = game.play(game.position.moves_from(Square(11))[1]).roll(Roll(7))
    game = game.play(game.position.moves_from(Square(89))[0]).roll(Roll(10, 3, 7, by_hand=True))
    text = format_game(GameText(game))
    assert text.splitlines()[-1] == "1. Pb2-b3 {[%die 7]} Tj9-i7 {[%die 10,3,7 hand]} *"
    assert '[Date "????.??.??"]' in text
    assert '[Termination "unterminated"]' in text
    position = "wadfqcfdaw/tppppppppt/10/10/10/4*5/10/10/TPPPPPPPPT/WADFCQFDAW b BO - 0 1"
    assert f'[SetUp "1"]\n[Position "{position}"]' in text


def test_a_game_that_orange_begins_says_so() -> None:
    start = Position.start(parse_rules("manator"), Side.ORANGE)
    game = Game.begin(start)
    game = game.play(game.position.moves()[0])
    game = game.play(game.position.moves()[0])
    text = format_game(GameText(game))
    assert "1... " in text
    assert " 2. " in text
    assert parse_game(text).game == game


def test_variations_nags_marks_and_comments_are_read_over() -> None:
    text = """% an escaped line
[Rules "appendix"]
[Result "*"]

{Before} 1. b2b3! $1 (1. c2-c3 {no (really)} (1. d2-d3) Tj9-i7) tj9i7 ; to the end of the line
2. Ob3-b4 *
"""
    with pytest.raises(BadGame, match=r"line 6, move 3 \(Ob3-b4\): on b3 stands a Panthan"):
        parse_game(text)
    read = parse_game(text.replace("Ob3", "Pb3"))
    assert len(read.game.plies) == 3
    assert read.preface == "Before"


def test_several_games_stand_in_one_file() -> None:
    one = format_game(GameText(random_game("appendix", 5, plies=4)))
    assert len(parse_games(one + "\n" + one)) == 2
    with pytest.raises(BadText, match="holds 2 games, must hold one"):
        parse_game(one + one)


@pytest.mark.parametrize(
    ("movetext", "wrong"),
    [
        ("1. Pb2-b4 *", r"line 3, move 1 \(Pb2-b4\): not a legal move here. A Panthan takes one"),
        ("1. Pb2-b3 Pb3-b4 *", r"move 2 \(Pb3-b4\): not a legal move here. The piece on b3"),
        ("1. b2xb3 *", r"move 1 \(b2xb3\): b2 to b3 is written Pb2-b3"),
        ("1. hello *", r"move 1 \(hello\): no move text"),
        ("1. Pb2-b3 {[%die 7]} *", r"move 1 .*: the Juggernaut's die is thrown once"),
        ("1. Pb2-b3 {[%die x]} *", r"move 1 .*: die 'x': write 7, 10,3,7 or 7 hand"),
        ("1. Pb2-b3 {[%duel 7,4]} *", r"move 1 .*: nobody fights over this move"),
        ("1. Pb2-b3 ) *", r"line 3: '\)' closes no variation"),
        ("1. Pb2-b3 (1. Pc2-c3 *", "line 3: a variation is not closed"),
        ("1. Pb2-b3 {so", r"line 3: '{' is out of place"),
        ("1. Pb2-b3 * Pb9-b8", r"line 3: 'Pb9-b8' stands after the result \*"),
        ("1. Pb2-b3 draw", r"line 3: ends with draw, but its Result tag says \*"),
    ],
)
def test_the_first_bad_ply_is_named_with_its_reason(movetext: str, wrong: str) -> None:
    text = f'[Result "*"]\n\n{movetext}\n'
    with pytest.raises(BadGame, match=wrong):
        parse_games(text)


def test_a_game_without_its_roll_is_refused() -> None:
    text = '[Position "wadfqcfdaw/tppppppppt/10/10/10/4*5/10/10/TPPPPPPPPT/WADFCQFDAW b BO - 0 1"]'
    with pytest.raises(BadGame, match="die was not thrown") as refused:
        parse_games(f"{text}\n\n1. Pb2-b3 Pb9-b8 *")
    assert refused.value.ply == 2


def test_a_false_result_is_refused_and_people_may_end_a_game() -> None:
    won = "5q4/10/10/10/10/10/10/10/10/4WQ4 b - - 0 9"
    start = parse_position(won, parse_rules("appendix"))
    assert start.outcome is None
    texts = {
        word: f'[Position "{won}"]\n[Result "{word}"]\n\n9. We1-d2 {word}'
        for word in ("black", "draw", "*", "both")
    }
    resigned, agreed = parse_game(texts["black"]).game, parse_game(texts["draw"]).game
    assert resigned.outcome is not None
    assert resigned.outcome.winner is Side.BLACK
    assert agreed.outcome is not None
    assert agreed.outcome.winner is None
    assert parse_game(texts["*"]).game.outcome is None
    with pytest.raises(BadGame, match=r"move 2 \(both\): no move text"):
        parse_game(texts["both"])
    taken = f'[Position "{won.replace("10/4WQ4", "5p4/4WQ4").replace(" b ", " o ")}"]\n'
    ended = re.escape("the result is told as black, but the game ended: orange (princess taken)")
    with pytest.raises(BadGame, match=ended):
        parse_games(f'{taken}[Result "black"]\n\n9... Pf2xf1 black')


def test_comments_before_a_game_belong_to_it_and_alone_are_none() -> None:
    assert parse_games("{nothing was played}") == ()
    (game,) = parse_games('{an evening} [Event "Jetan"]\n\n1. Pb2-b3 *')
    assert game.preface == "an evening"


@pytest.mark.parametrize("text", ["7", "9 hand", "10,3,7", "10,10,1 hand"])
def test_rolls_go_both_ways(text: str) -> None:
    assert format_roll(parse_roll(text)) == text


def test_a_die_may_show_ten_as_nought_and_nothing_else() -> None:
    assert parse_roll("0,3,7") == Roll(10, 3, 7)
    for wrong in ("11", "10", "7,1,1", "7 foot", "10,0,11", "", "1,2", "٧", "+7", "1_0,3,7"):
        with pytest.raises((BadText, ValueError)):
            parse_roll(wrong)


@pytest.mark.parametrize("rules", ["appendix", "cazaux+juggernaut"])
@pytest.mark.parametrize("seed", range(3))
def test_other_lines_are_written_as_variations_and_read_back(rules: str, seed: int) -> None:
    chance = random.Random(seed)
    main = random_game(rules, seed, plies=9)
    lines = {main.plies: main}
    while len(lines) < 7:
        left = chance.choice(list(lines.values()))
        kept = chance.randrange(len(left.plies))
        line = Game(left.positions[: kept + 1], left.plies[:kept])
        line = line.play(chance.choice(line.position.moves()))
        while line.awaits_roll:
            line = line.roll(Roll(chance.randint(1, 8)))
        if not any(line.plies == plies[: kept + 1] for plies in lines):
            lines[line.plies] = line
    text = format_game(GameText(main, others=tuple(lines.values())[1:]))
    assert {line.plies for line in parse_lines(text)} == set(lines)
    assert parse_game(text).game == main


def test_a_variation_that_breaks_a_rule_is_refused_where_lines_are_asked_for() -> None:
    text = "1. Pd2-d3 (1. Pd2-d7) *"
    assert len(parse_game(text).game.plies) == 1
    with pytest.raises(BadGame, match="Pd2-d7"):
        parse_lines(text)

"""The opening book: all of it can be played, and who has it plays by it, varied, and no longer."""

from collections.abc import Iterator

import pytest

from jetan_table.engine.levels import BOOK_FILE, BOOK_PLIES, LEVELS, book_move, read_lines
from jetan_table.engine.positions import key_of
from jetan_table.engine.process import EngineProcess, start_engine
from jetan_table.engine.search import Limits
from rules import Game, Position, format_rules, parse_move, parse_rules

LINES = tuple(read_lines())
READINGS = tuple(dict.fromkeys(reading for reading, _ in LINES))


@pytest.fixture
def engine() -> Iterator[EngineProcess]:
    process = start_engine("jedwar", parse_rules("cazaux"), seed=1, has_book=True)
    yield process
    process.close()


def start(rules: str = "cazaux") -> Game:
    return Game.begin(Position.start(parse_rules(rules)))


def answer(engine: EngineProcess, game: Game, limits: Limits) -> str:
    engine.think(game, limits)
    while (found := engine.poll(1.0)) is None:
        pass
    return found


@pytest.mark.parametrize("reading", READINGS)
def test_every_line_can_be_played(reading: str) -> None:
    assert format_rules(parse_rules(reading)) == reading
    lines = [moves for name, moves in LINES if name == reading]
    assert len(set(lines)) == len(lines) > 4
    for moves in lines:
        position = Position.start(parse_rules(reading))
        assert len(moves) == BOOK_PLIES
        for text in moves:
            assert book_move(position, "any") is not None
            position = position.play(parse_move(text, position))
        assert position.outcome is None
        assert book_move(position, "any") is None


def test_it_is_small_and_says_where_it_is_from() -> None:
    assert BOOK_FILE.stat().st_size < 100_000
    assert BOOK_FILE.read_text().startswith("# Made by python -m training.opponent.book")


@pytest.mark.parametrize("reading", READINGS)
def test_it_varies_from_game_to_game_and_never_leaves_its_lines(reading: str) -> None:
    known = {moves for name, moves in LINES if name == reading}
    played = set()
    for seed in range(30):
        game = start(reading)
        while (move := book_move(game.position, seed)) is not None:
            assert move in game.position.moves()
            game = game.play(move)
        played.add(key_of(game.position))
        assert 0 < len(game.plies) <= BOOK_PLIES
    assert 3 < len(played) <= len(known)


def test_rules_without_a_book_have_none() -> None:
    for rules in ("cazaux,escape=none", "appendix+juggernaut"):
        assert book_move(Position.start(parse_rules(rules)), 1) is None


def test_a_strong_level_answers_out_of_it_without_thinking(engine: EngineProcess) -> None:
    game, found = start(), set()
    first = book_move(game.position, 1)
    assert first is not None
    game = game.play(first)
    for seed in range(1, 9):
        engine.begin_game(seed)
        text = answer(engine, game, Limits(depth=1))
        assert engine.info.depth == 0
        found.add(text)
        assert parse_move(text, game.position) == book_move(game.position, seed)
    assert len(found) > 1


def test_it_thinks_where_it_is_told_to_choose_or_has_no_book(engine: EngineProcess) -> None:
    game = start()
    engine.think(game, Limits(depth=1), among=game.position.moves()[:3])
    while engine.poll(1.0) is None:
        pass
    assert engine.info.depth == 1
    engine.set_option("Book", "false")
    answer(engine, game, Limits(depth=1))
    assert engine.info.depth == 1


def test_weak_levels_have_none() -> None:
    assert [name for name in LEVELS if LEVELS[name].is_strong] == ["jedwar", "jed", "jeddak"]

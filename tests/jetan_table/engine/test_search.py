"""The search: what it claims is proved, and it plays on by every set of rules."""

from random import Random

import pytest

from bench.opponent.puzzles import Puzzle, read_puzzles
from jetan_table.engine.evaluation import (
    TASTE,
    fitted_weights,
    likings,
    mobility_of,
    piece_square_table,
    reach_in,
)
from jetan_table.engine.levels import LEVELS
from jetan_table.engine.positions import as_seen, has_won, wins_in
from jetan_table.engine.search import Limits, Search, Thought
from rules import (
    PRESETS,
    SQUARES,
    Kind,
    Move,
    MoveKind,
    Piece,
    Position,
    Side,
    format_move,
    juggernaut_starts,
    parse_position,
    parse_rules,
)

ENOUGH = Limits(nodes=8_000)
PUZZLES = read_puzzles()


def think(position: Position, limits: Limits = ENOUGH, taste: int = 0) -> Thought:
    return Search(position, fitted_weights(), lambda: 0.0, limits, taste=taste).think()


def at(text: str, rules: str = "appendix") -> Position:
    return parse_position(text, parse_rules(rules))


def test_there_are_puzzles_of_each_sort() -> None:
    assert {puzzle.forced for puzzle in PUZZLES} == {"win 3", "win 5", "draw 1"}


@pytest.mark.parametrize(
    "puzzle",
    [puzzle for puzzle in PUZZLES if puzzle.forced != "win 5"][::4],
    ids=lambda puzzle: f"{puzzle.rules} {puzzle.forced}",
)
def test_what_is_forced_is_found_without_the_search_in_c(puzzle: Puzzle) -> None:
    assert is_solved(puzzle, think(puzzle.position, LEVELS["odwar"].limits))


def is_solved(puzzle: Puzzle, thought: Thought) -> bool:
    """Whether a thought forces what the puzzle asks for, as going through everything proves."""
    position, (sort, plies) = puzzle.position, puzzle.forced.split()
    if sort == "draw":
        return thought.score == 0 and position.play(thought.move).outcome is not None
    claimed = thought.win_in is not None and 0 < thought.win_in <= int(plies)
    return claimed and has_won(position.play(thought.move), int(plies) - 1)


RUIN = "q9/10/10/10/4w5/10/4C5/1DDFFTT3/10/Q9"


def test_who_is_far_behind_takes_the_chief_for_a_draw() -> None:
    position = at(f"{RUIN} o - - 0 1")
    thought = think(position, Limits(nodes=5000))
    assert (format_move(thought.move), thought.score) == ("e6xe4", 0)
    assert think(at(f"{RUIN} o - - 0 1", "retired-chief"), Limits(nodes=5000)).score < 0


def test_who_is_far_ahead_does_not_leave_the_chief_to_be_taken() -> None:
    position = at(f"{RUIN} b - - 0 1")
    thought = think(position, Limits(nodes=5000))
    replies = position.play(thought.move)
    assert thought.score > 500
    assert all(replies.play(move).outcome is None for move in replies.moves())


@pytest.mark.parametrize("rules", ["appendix", "ninth-ray-clockwise", "wikipedia-free", "zillions"])
def test_a_claimed_end_stands_against_the_plain_search(rules: str) -> None:
    """A loss in two that is claimed is a win in one for the others, whatever is played."""
    proved = 0
    for seed in range(25):
        position = wandered(rules, Random(seed), 30)
        if position is None:
            continue
        thought = think(position, Limits(depth=2))
        if thought.win_in == -2:
            replied = [position.play(move) for move in position.moves()]
            assert all(wins_in(after, 1) for after in replied)
            proved += 1
        if thought.win_in == 1:
            outcome = position.play(thought.move).outcome
            assert outcome is not None
            assert outcome.winner is position.side
            proved += 1
    assert proved


def wandered(rules: str, chance: Random, plies: int) -> Position | None:
    """A position some random plies on, without escapes; None where the game ended before."""
    chosen = parse_rules(rules)
    position = Position.start(chosen)
    if starts := juggernaut_starts(position):
        position = position.move_juggernaut(chance.choice(starts))
    for _ in range(plies):
        moves = [m for m in position.moves() if m.kind is not MoveKind.ESCAPE]
        if not moves or position.outcome is not None:
            return None
        position = position.play(chance.choice(moves))
    return position if position.outcome is None else None


@pytest.mark.parametrize("preset", sorted(PRESETS))
@pytest.mark.parametrize("juggernaut", ["off", "random-empty"])
def test_every_preset_can_be_thought_about(preset: str, juggernaut: str) -> None:
    for seed in (1, 2):
        position = wandered(f"{preset},juggernaut={juggernaut}", Random(seed), 12)
        if position is not None:
            thought = think(position, Limits(nodes=1500))
            assert thought.move in position.moves()
            before = position
            for move in thought.line:
                assert move in before.moves()
                before = before.play(move)


def test_a_move_that_is_asked_about_alone_is_looked_at_as_deeply() -> None:
    position = Position.start(parse_rules("cazaux"))
    only = position.moves()[:1]
    search = Search(position, fitted_weights(), lambda: 0.0, Limits(nodes=2000), allowed=only)
    thought = search.think()
    assert thought.move == only[0]
    assert thought.depth > 2
    assert len(thought.line) > 1


def test_the_same_limits_find_the_same() -> None:
    position = Position.start(parse_rules("cazaux"))
    assert think(position, Limits(nodes=3000)) == think(position, Limits(nodes=3000))


def test_a_princess_beside_the_juggernaut_makes_a_win_less_certain() -> None:
    near = at("q9/1*8/10/3D6/10/10/10/10/10/9Q o - - 0 1")
    far = at("q9/10/10/3D6/10/10/4*5/10/10/9Q o - - 0 1")
    assert abs(think(near, Limits(depth=3)).score) < abs(think(far, Limits(depth=3)).score)


def ways(position: Position) -> list[Move]:
    """What may be played but escapes, of which whoever overlooks an attack sees more."""
    return [move for move in position.moves() if move.kind is not MoveKind.ESCAPE]


def test_who_overlooks_sees_less_and_plays_legal_moves() -> None:
    position = Position.start(parse_rules("appendix"))
    glimpsed = as_seen(position, 0.5, "a seed")
    assert 0 < glimpsed.count_moves() < position.count_moves()
    assert set(ways(glimpsed)) < set(ways(position))
    assert ways(as_seen(position, 0.5, "a seed")) == ways(glimpsed)
    assert ways(as_seen(position, 0.5, "another")) != ways(glimpsed)


def test_by_another_seed_it_sees_and_likes_something_else() -> None:
    position = Position.start(parse_rules("appendix"))
    level = LEVELS["panthan"]
    assert ways(level.glimpse(position, 1)) != ways(level.glimpse(position, 2))
    after = position.play(position.moves()[0])
    assert LEVELS["jeddak"].glimpse(after, 1) is after
    first = {think(position, Limits(nodes=2000), taste=taste).move for taste in range(6)}
    assert len(first) > 1


def test_likings_are_small_and_of_the_opening_alone() -> None:
    assert set(likings(0)) == {0}
    assert set(likings(1)) == set(range(-TASTE, TASTE + 1))
    assert likings(1) != likings(2)
    late = at("q9/10/10/3D6/10/10/10/10/10/9Q b - - 0 31")
    weights = fitted_weights()
    assert piece_square_table(late, weights, taste=1) == piece_square_table(late, weights)


def test_who_sees_no_way_at_all_looks_again() -> None:
    position = at("q9/10/10/10/10/10/10/10/10/P8Q b - - 0 1")
    search = Search(
        position,
        fitted_weights(),
        lambda: 0.0,
        Limits(depth=2),
        glimpse=lambda whole: as_seen(whole, 1.0, "blind"),
    )
    thought = search.think()
    assert thought.move in position.moves()


def test_where_the_game_is_over_there_is_nothing_to_think() -> None:
    over = at("10/10/10/10/10/10/10/10/10/9Q o - - 0 1")
    assert over.outcome is not None
    with pytest.raises(ValueError, match="no move to think about"):
        think(over)


def test_both_sides_are_evaluated_alike() -> None:
    black = Position.start(parse_rules("manator"), Side.BLACK)
    orange = Position.start(parse_rules("manator"), Side.ORANGE)
    limits = Limits(depth=3)
    assert think(black, limits).score == pytest.approx(think(orange, limits).score, abs=40)


def test_a_chief_in_the_arena_must_be_beaten_first() -> None:
    text = "q9/10/10/10/4c5/4P5/10/10/10/9Q b - - 0 1"
    free = think(at(text, "manator,chief-taken-by-other=win"), Limits(depth=1))
    fought = think(at(text, "manator-arena,chief-taken-by-other=win"), Limits(depth=1))
    assert free.win_in == 1
    assert fought.win_in is None


@pytest.mark.parametrize("preset", PRESETS)
def test_a_princess_stands_the_worse_the_wider_and_no_square_pleases_her(preset: str) -> None:
    position = Position.start(parse_rules(preset))
    table = piece_square_table(position, fitted_weights())
    reach, _alone = mobility_of(position.law)
    for side in Side:
        peers = position.law.peers[Piece(side, Kind.PRINCESS)]
        posts = [peers[square].index for square in SQUARES]
        assert max(table[post] for post in posts) <= 0
        safe = [p for p in posts if table[p] == max(table[p] for p in posts)]
        widest = max(reach_in(reach[post]) for post in posts)
        assert all(reach_in(reach[post]) < widest for post in safe)

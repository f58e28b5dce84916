"""UGI, spoken with the real program by a match runner that knows nothing of any game."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from subprocess import PIPE

import pytest

from rules import Game, Position, Side, parse_position, parse_rules
from tests.e2e.command import begun, run

NAMES = {Side.BLACK: "p1win", Side.ORANGE: "p2win", None: "draw"}


class Engine:
    """An engine as a runner has it: lines out, and the line waited for."""

    def __init__(self, home: Path, *options: str) -> None:
        self.process = begun(home, "ugi", stdin=PIPE, stdout=PIPE, text=True)
        self.asked("ugi", "ugiok")
        for option in options:
            self.tell(f"setoption {option}")
        self.asked("isready", "readyok")

    def tell(self, line: str) -> None:
        print(line, file=self.process.stdin, flush=True)

    def asked(self, line: str, awaited: str) -> str:
        """Say a line, and return the last word of the line that answers it, which has two."""
        self.tell(line)
        assert self.process.stdout is not None
        for answer in self.process.stdout:
            words = answer.split()
            if words[0] == awaited and len(words) <= 2:
                return str(words[-1])
        raise EOFError(line)


@contextmanager
def engine(home: Path, *options: str) -> Iterator[Engine]:
    made = Engine(home, *options)
    yield made
    made.tell("quit")
    with made.process as process:
        assert process.wait(30) == 0


def match(players: tuple[Engine, Engine], start: str) -> tuple[list[str], str]:
    """Play a game as a runner does; return its moves and its result."""
    moves: list[str] = []
    for each in players:
        each.tell("uginewgame")
    while True:
        line = f"position {start}" + (f" moves {' '.join(moves)}" if moves else "")
        for each in players:
            each.tell(line)
        answers = {each.asked("query gameover", "response") for each in players}
        if answers == {"true"}:
            (result,) = {each.asked("query result", "response") for each in players}
            return moves, result
        assert answers == {"false"}
        is_first = players[0].asked("query p1turn", "response") == "true"
        player = players[0] if is_first else players[1]
        moves.append(player.asked("go p1time 900 p2time 900 p1inc 0 p2inc 0", "bestmove"))


@pytest.mark.parametrize(
    ("rules", "position"),
    [
        ("zillions", "3dqc1d2/4p5/10/10/10/10/10/2F2T4/10/2DCQD4 o - - 0 1"),
        ("abstract-games", "q9/10/10/10/3c6/10/4C5/10/10/Q9 b - - 0 1"),
    ],
)
def test_a_runner_without_rules_holds_a_match(tmp_path: Path, rules: str, position: str) -> None:
    with ExitStack() as left:
        players = [
            left.enter_context(
                engine(tmp_path, f"name Rules value {rules}", f"name Seed value {n}")
            )
            for n in (1, 2)
        ]
        moves, result = match((players[0], players[1]), f"fen {position}")
    start = parse_position(position, parse_rules(rules))
    game = Game.begin(start)
    for move in moves:
        assert game.outcome is None
        game = game.play(move)
    assert game.outcome is not None
    assert NAMES[game.outcome.winner] == result


def test_an_ending_by_repetition_is_told(tmp_path: Path) -> None:
    there_and_back = "g1f4 d10g7 f4g1 g7d10 " * 2
    lines = f"position startpos moves {there_and_back}\nquery result\n"
    typed = f"setoption name Rules value abstract-games\n{lines}"
    game = Game.begin(Position.start(parse_rules("abstract-games")))
    for move in there_and_back.split():
        game = game.play(move)
    assert game.outcome is not None
    assert run(tmp_path, "ugi", typed=typed).stdout == "response draw\n"


def test_what_is_wrong_is_told_and_leaves_the_game_as_it_was(tmp_path: Path) -> None:
    typed = (
        "position startpos moves d2d3\nposition startpos moves d2d9\nquery winner\n"
        "setoption name Rules value manator-arena\nsetoption name Rules value zillionz\n"
        "go p1time 3 p2time now\nquery p1turn\n"
    )
    *wrong, answer = run(tmp_path, "ugi", typed=typed).stdout.splitlines()
    assert answer == "response false"
    reasons = ("d2d9", "gameover, p1turn or result", "no words for dice", "mean zillions", "now")
    for line, part in zip(wrong, reasons, strict=True):
        assert line.startswith("info string ")
        assert part in line


def test_thinking_is_told_as_runners_read_it(tmp_path: Path) -> None:
    mate = "position fen q9/10/10/10/10/10/10/10/Q9/F9 b - - 0 1\ngo depth 3\nquit\n"
    out = run(tmp_path, "ugi", typed=mate).stdout
    assert " score mate " in out or " score cp " in out
    assert len(out.splitlines()[-1].split()) == 2

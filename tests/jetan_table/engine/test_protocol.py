"""The line protocol, spoken with the real program in a process of its own."""

import os
import re
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from jetan_table.cli.rules import engine as engine_command
from jetan_table.engine.levels import CONTEMPT, FULL, level_named
from jetan_table.engine.library import SWITCH
from jetan_table.engine.process import (
    EngineLost,
    EngineProcess,
    start_adviser,
    start_engine,
)
from jetan_table.engine.protocol import (
    PROTOCOL,
    BadLine,
    Info,
    format_go,
    format_position_line,
    parse_go,
    parse_info,
    parse_position_line,
)
from jetan_table.engine.search import Limits
from jetan_table.errors import TableError
from jetan_table.extras.opponent.match import MatchPlayer, play_game, random_opening
from rules import Game, MoveKind, Position, parse_move, parse_position, parse_rules
from tests.e2e.command import run

ROOT = Path(__file__).parents[3]
ARENA = "manator-arena+juggernaut"


@pytest.fixture
def engine() -> Iterator[EngineProcess]:
    process = EngineProcess({"Rules": "cazaux"})
    yield process
    process.close()


def start(rules: str = "cazaux") -> Game:
    return Game.begin(Position.start(parse_rules(rules)))


def answer(engine: EngineProcess) -> str:
    found = None
    while found is None:
        found = engine.poll(1.0)
    return found


def test_it_answers_with_a_legal_move_and_tells_its_thinking(engine: EngineProcess) -> None:
    game = start()
    engine.think(game, Limits(nodes=2000))
    assert parse_move(answer(engine), game.position) in game.position.moves()
    assert engine.info.depth >= 2
    assert engine.info.line


def test_what_was_pondered_is_answered_once_it_has_come(engine: EngineProcess) -> None:
    game = start()
    engine.ponder(game, Limits(depth=2))
    while engine.info.depth < 2:
        assert engine.poll(0.1) is None
    engine.hit(Limits(depth=2))
    assert parse_move(answer(engine), game.position) in game.position.moves()


@pytest.mark.parametrize(("ponders", "is_killed"), [(True, False), (True, True), (False, False)])
def test_what_is_no_longer_asked_is_dropped(
    engine: EngineProcess, ponders: bool, is_killed: bool
) -> None:
    (engine.ponder if ponders else engine.think)(start(), Limits())
    if is_killed:
        os.kill(engine.pid, signal.SIGKILL)
    game = start().play(start().position.moves()[0])
    engine.think(game, Limits(depth=1))
    assert parse_move(answer(engine), game.position) in game.position.moves()


def test_who_is_killed_pondering_what_has_come_is_asked_again(engine: EngineProcess) -> None:
    engine.ponder(start(), Limits(depth=2))
    os.kill(engine.pid, signal.SIGKILL)
    engine.hit(Limits(depth=2))
    assert parse_move(answer(engine), start().position) in start().position.moves()


def test_who_is_killed_while_thinking_is_asked_again(engine: EngineProcess) -> None:
    game = start()
    engine.think(game, Limits(nodes=4000))
    first = engine.pid
    os.kill(first, signal.SIGKILL)
    assert parse_move(answer(engine), game.position) in game.position.moves()
    assert engine.pid != first
    environment = Path(f"/proc/{engine.pid}/environ").read_bytes().split(b"\0")
    assert f"{SWITCH}=off".encode() in environment


def test_without_its_quick_search_it_plays_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SWITCH, "off")
    typed = "jetan\nsetoption name Level value jed\nposition start\ngo depth 2\n"
    done = run(tmp_path, "engine", typed=typed)
    warning = "info string jed needs the search in C, and plays weaker without"
    assert f"{warning}: {SWITCH}=off" in done.stdout
    assert f"info string plays without its quick search: {SWITCH}=off" in done.stdout
    assert "bestmove" in done.stdout


def test_an_engine_that_never_lives_is_given_up() -> None:
    engine = EngineProcess({}, [sys.executable, "-c", "pass"], name="nobody")
    engine.think(start(), Limits(depth=1))
    with pytest.raises(EngineLost, match="nobody has ended 3 times"):
        answer(engine)
    engine.close()


def test_an_engine_that_is_not_there_is_named() -> None:
    with pytest.raises(EngineLost, match="no-such-engine"):
        EngineProcess({}, ["no-such-engine"])


def test_a_player_that_answers_nonsense_is_named() -> None:
    script = "import sys\nfor line in sys.stdin:\n if line[:2] == 'go': print('bestmove a1a9')"
    engine = EngineProcess({}, [sys.executable, "-uc", script], name="parrot")
    player = MatchPlayer(engine, Limits())
    with pytest.raises(BadLine, match="parrot: a1a9: not a legal move here"):
        play_game(start(), (player, player), Random(1))
    engine.close()


def test_it_is_introduced_and_says_what_is_wrong(tmp_path: Path) -> None:
    wrong = "foo\nsetoption name Rules value cazau\nsetoption name Level value dwarf\ngo dept 3\n"
    done = run(tmp_path, "engine", typed=f"jetan\n{wrong}")
    lines = [line for line in done.stdout.splitlines() if not line.startswith("info")]
    assert done.returncode == 0
    assert lines[1] == f"id protocol {PROTOCOL}"
    assert lines[7] == "jetanok"
    assert lines[8] == "error foo: no such word"
    assert lines[9].endswith("did you mean cazaux?")
    assert lines[10].endswith("did you mean dwar?")
    assert lines[11].endswith("did you mean depth?")


def test_where_the_game_is_over_there_is_no_move(tmp_path: Path) -> None:
    lines = "position 10/10/10/10/10/10/10/10/10/9Q o - - 0 1\ngo depth 3\nquit\n"
    assert run(tmp_path, "engine", typed=lines).stdout == "bestmove none\n"


def test_pondering_waits_for_the_hit_and_then_answers(tmp_path: Path) -> None:
    lines = "position start\ngo ponder depth 2\nisready\nponderhit\nquit\n"
    out = run(tmp_path, "engine", typed=lines).stdout
    assert out.splitlines()[-1].startswith("bestmove ")
    assert "readyok" in out


@pytest.mark.parametrize("rules", ["appendix", ARENA, "ninth-ray-clockwise,repetition=threefold"])
def test_a_game_survives_the_wire(rules: str) -> None:
    game = random_opening(parse_rules(rules), Random(3))
    words = format_position_line(game).split()
    assert parse_position_line(words, parse_rules(rules)) == (game.position, game.positions[:-1])


def test_limits_survive_the_wire() -> None:
    for limits in (Limits(), Limits(3), Limits(None, 500), Limits(2, 9, 1.5)):
        assert parse_go(format_go(limits).split()[1:])[0] == limits
        pondered = parse_go(format_go(limits, is_open=True).split()[1:])
        assert pondered == (limits, True, ())


@pytest.mark.parametrize("words", ["depth", "depth x", "nodes 0", "movetime -1", "fast"])
def test_a_limit_that_is_none_is_refused(words: str) -> None:
    with pytest.raises(BadLine):
        parse_go(words.split())


@pytest.mark.parametrize("words", ["", "star", "start e5", "start *x9", "start moves a1a9", "1 2"])
def test_a_position_that_is_none_is_refused(words: str) -> None:
    with pytest.raises(BadLine):
        parse_position_line(words.split(), parse_rules("appendix"))


def test_thinking_is_read_as_it_is_told() -> None:
    info = parse_info(
        ["depth", "3", "seldepth", "9", "score", "win", "3", "nodes", "17", "pv", "b2b3", "i9i8"]
    )
    assert info == Info(3, 0, 3, 17, ("b2b3", "i9i8"))
    with pytest.raises(BadLine):
        parse_info(["depth", "deep"])


def test_a_level_that_is_none_is_refused_with_the_nearest() -> None:
    with pytest.raises(TableError, match="did you mean jeddak"):
        level_named("jedak")
    assert level_named("panthan").bounded(Limits(5, 10)) == Limits(1, 10)


def test_the_page_names_every_line_and_no_other(tmp_path: Path) -> None:
    page = (ROOT / "docs/api/engine.md").read_text(encoding="utf-8")
    firsts = [row.split("|")[1] for row in page.splitlines() if row.startswith("| `")]
    named = set(re.findall(r"`([a-z]+)", " ".join(firsts)))
    helped = (engine_command.help or "").partition("The lines:")[2].split(",")
    assert named == {line.split()[0].rstrip(".") for line in helped}
    lines = ("go nodes 9" if word == "go" else word for word in sorted(named - {"quit"}))
    # Without `quit`: a slow search would heed it before the other lines. The end of input ends it.
    done = run(tmp_path, "engine", typed="\n".join((*lines, "ponderhint", "")))
    assert re.findall("error (.*): no such word", done.stdout) == ["ponderhint"]


def test_the_page_s_conversation_is_one(tmp_path: Path) -> None:
    page = (ROOT / "docs/api/engine.md").read_text(encoding="utf-8")
    talk = page.split("```text\n")[1].split("```")[0].splitlines()
    asked = [line.removeprefix("> ") for line in talk if line.startswith("> ")]
    heads = [line.split()[0] for line in talk if not line.startswith("> ")]
    done = run(tmp_path, "engine", typed="\n".join((*asked, "")))
    lines = [line for line in done.stdout.splitlines() if not line.startswith("info string ")]
    answered = [line.split()[0] for line in lines]
    assert [*dict.fromkeys(heads)] == [*dict.fromkeys(answered)]


def test_a_draw_is_worth_less_to_a_player_and_nothing_less_to_an_adviser() -> None:
    rules = parse_rules("appendix")
    # Far behind, and a Chief to be taken for a draw.
    lost = parse_position("q9/10/10/10/4w5/10/4C5/1DDFFTT3/10/Q9 o - - 0 1", rules)
    scores = []
    for engine in (start_engine(FULL, rules), start_adviser(rules)):
        engine.think(Game.begin(lost), Limits(depth=2))
        assert parse_move(answer(engine), lost).kind is MoveKind.CAPTURE
        scores.append(engine.info.score)
        engine.close()
    assert scores == [-CONTEMPT, 0]

"""An evening in a made-up language: page, terminal and commands show nothing else."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from rich.console import Console

from jetan_table.cli import main
from jetan_table.game.commands import OfferDraw, PauseGame, Resign, TakeBackLast
from jetan_table.game.conduct import CONDUCTS
from jetan_table.game.spoken import COMMANDS
from jetan_table.languages import LANGUAGES
from jetan_table.lessons.cards import cards
from jetan_table.lessons.course import GRID, course
from jetan_table.settings import Settings
from jetan_table.terminal.terminal import HINT_WATCH, Screen, answer
from jetan_table.terminal.typed import QUERIES, TOUCHES, TypedTable
from jetan_table.web.documents import about
from jetan_table.web.lesson_state import lesson_state
from jetan_table.web.state import state_of
from jetan_table.words.words import Speaker
from rules import parse_move, parse_position, parse_rules, parse_square
from rules.game import Game
from rules.game_text import GameText, format_game
from rules.options import OPTIONS
from rules.presets import PRESETS
from tests.jetan_table.lessons.test_tutor import School
from tests.jetan_table.sitting import Evening, sitting
from tests.tidy.made_up import installed, left

SHORT = "9c/3q6/10/10/4p5/3F1F4/10/10/10/C3Q5 b - - 0 1"
"""Few pieces, so that a game is short."""

BLUNDERED = "q9/10/10/D9/10/10/10/10/10/9Q b - - 0 1"


TYPED_VERBS = *QUERIES.values(), *TOUCHES.values()
TYPED = {
    "where",
    *(word for verbs in (COMMANDS, QUERIES, TOUCHES) for word in verbs),
    *(
        word
        for verbs in (QUERIES, TOUCHES)
        for verb in verbs.values()
        for word in verb.usage.split()
    ),
    *(word for command in COMMANDS.values() for word in command.usage.split()),
}
"""What is typed stays as it is."""

SETTINGS = msgspec.to_builtins(Settings())
CALLED = {
    *(name for section, options in SETTINGS.items() for name in (section, *options)),
    *(str(value) for options in SETTINGS.values() for value in options.values()),
    *(
        "jetan",
        "jgn",
        "sunday",
        "monday",
        "Tara",
        "Gahan",
        "true",
        "false",
        "rude",
        "often",
        "tables",
        "nobodys",
        *CONDUCTS,
    ),
    *("Elo", "mm", "BO", *(lesson.name for lesson in course(GRID, may_change=True))),
    *PRESETS,
    *(word for option in OPTIONS.values() for word in (option.name, *option.values)),
}
NAMES = set(re.findall("[A-Za-z]+", " ".join(CALLED)))
"""The words by which settings, rules, games, checks and units are called."""

TYPED_SO = re.compile(r"`[^`]*`|'[-\w]+'")
MOVE = re.compile(r"\S*\d+\S*|\S*[/.]\S*|\b[A-Za-z]x\b")
"""Moves, positions and other words with figures; paths; a piece that can be taken."""


@pytest.fixture
def made_up(tmp_path: Path) -> Iterator[str]:
    with installed(tmp_path / "locale") as language:
        yield language


def spoken(document: Any, language: str) -> Iterator[str]:
    """Every text of a document that stands in one of several languages."""
    if isinstance(document, dict):
        if document.keys() == set(LANGUAGES):
            document = {"": document[language]}
            yield from texts(document)
            return
        document = list(document.values())
    if isinstance(document, list | tuple):
        for each in document:
            yield from spoken(each, language)


def texts(document: Any) -> Iterator[str]:
    if isinstance(document, str):
        yield document
    elif isinstance(document, dict):
        for each in document.values():
            yield from texts(each)
    elif isinstance(document, list | tuple):
        for each in document:
            yield from texts(each)


def left_in(document: Any, language: str, *names: str) -> list[str]:
    """The English words among a document's texts in a language, which it must have."""
    found = list(spoken(msgspec.to_builtins(document), language))
    assert found
    return [word for text in found for word in left(text, *names)]


def moments(evening: Evening) -> Iterator[str]:
    """Live through an evening, and stop at what pages show differently."""
    yield "set up"
    evening.hands.lift(parse_square("d2"), evening.clock.now())
    evening.wait(0.5)
    yield "lifted"
    evening.hands.put(parse_square("d7"), evening.clock.now())
    evening.wait(3.0)
    yield "led back"
    evening.move("d7", "d3")
    yield "played"
    evening.tell(OfferDraw())
    yield "a draw offered"
    evening.tell(PauseGame())
    yield "paused"
    evening.hands.lift(parse_square("e9"), evening.clock.now())
    evening.wait(20.0)
    yield "held long"
    evening.hands.put(parse_square("e8"), evening.clock.now())
    evening.wait(3.0)
    evening.tell(TakeBackLast())
    yield "taken back"
    evening.tell(Resign("black"))
    yield "over"


def test_all_that_a_page_is_sent_is_in_its_language(made_up: str, tmp_path: Path) -> None:
    with sitting(tmp_path / "data") as evening:
        wrong = {
            moment: left_in(state_of(evening.table, evening.hands), made_up)
            for moment in moments(evening)
        }
    assert len(wrong) == 9
    assert {moment: words for moment, words in wrong.items() if words} == {}
    assert left_in(about(), made_up, "English") == []


def test_lessons_and_cards_are_in_their_language(made_up: str, tmp_path: Path) -> None:
    with closing(School(tmp_path / "data")) as school:
        for lesson in course(GRID, may_change=True):
            school.tutor.open(lesson.name)
            school.wait()
            assert left_in(lesson_state(school.teaching), made_up) == []
        school.tutor.open("panthan")
        school.wait()
        school.move("e3", "e2")
        assert left_in(lesson_state(school.teaching), made_up) == []
        assert left_in(state_of(school.table, school.hands), made_up) == []
    for card in cards(parse_rules("manator"), made_up):
        assert left(card.sentences) == []


def test_a_terminals_screen_is_in_its_language(made_up: str, tmp_path: Path) -> None:
    with sitting(tmp_path / "data") as evening:
        speaker = Speaker(made_up)
        typed = TypedTable(evening.table, evening.hands, evening.clock, made_up)
        screen = Screen(evening.table, evening.lamps, speaker, [], HINT_WATCH)
        for line in ("?", "where", "why d2 d9", "account", "gestures"):
            screen.answer(line, answer(typed.do, line, made_up))
            assert left_on(screen, line) == []
        for _moment in moments(evening):
            screen.step(evening.clock.now())
            assert left_on(screen) == []


def left_on(screen: Screen, *names: str) -> list[str]:
    """The English words on a terminal's screen; what is typed stays as it is."""
    shown = io.StringIO()
    console = Console(file=shown, width=120, height=40)
    console.print(screen.draw(console))
    board = [letter * 2 for letter in "PWTFDCQpwtfdcq"]
    return left(shown.getvalue(), *names, *TYPED, *board)


def test_a_sentence_without_translation_is_found_on_page_and_screen(tmp_path: Path) -> None:
    lacking = "{side} to move.", "Put the {piece} from {start} on {end}."
    with installed(tmp_path / "locale", *lacking) as language, sitting(tmp_path) as evening:
        screen = Screen(evening.table, evening.lamps, Speaker(language), [])
        evening.move("d2", "d7")
        page = left_in(state_of(evening.table, evening.hands), language)
        assert {"Put", "the", "from", "on"} <= set(page)
        assert {"Put", "the", "from", "on"} <= set(left_on(screen))
        evening.move("d7", "d3")
        assert {"to", "move"} <= set(left_on(screen))


def test_a_print_without_translation_is_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with installed(tmp_path / "locale", "Begun (UTC)", "No such file or directory") as language:
        text = printed(capsys, language, "games", "list", "--data", str(tmp_path))
        assert left(text) == ["Begun", "UTC"]
        text = printed(capsys, language, "games", "check", str(tmp_path / "no.jgn"))
        assert unknown(text, tmp_path) == ["No", "such", "file", "directory"]


def printed(capsys: pytest.CaptureFixture[str], language: str, *words: str) -> str:
    """What a command prints in a language, refusals too."""
    main([*words, "--lang", language])
    return "".join(capsys.readouterr())


def unknown(text: str, *paths: Path) -> list[str]:
    """The English words of what is printed; what things are called stays."""
    for path in paths:
        text = text.replace(str(path), "")
    return [word for word in left(MOVE.sub("", TYPED_SO.sub("", text))) if word not in NAMES]


GAMES = (
    ("games", "list"),
    ("games", "show"),
    ("games", "check"),
    ("games", "check", "FOLDER/no.jgn"),
    ("games", "check", "FOLDER/torn.jgn"),
    ("games", "backup", "FOLDER/copy.sqlite"),
    ("games", "restore", "FOLDER/copy.sqlite"),
    ("games", "salvage", "FOLDER/copy.sqlite"),
    ("games", "show", "77"),
    ("series", "list"),
    ("series", "show", "sunday"),
    ("series", "show", "monday"),
    ("series", "start", "sunday"),
    ("series", "start", "monday"),
    ("die", "verify", "1"),
)


@pytest.fixture
def kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Path:
    """A folder with a game of a series that was played, and one that goes on."""
    folder = tmp_path / "data"
    agreed = ("--series", "sunday", "--players", "Tara,Gahan", "--position", SHORT)
    monkeypatch.setattr("sys.stdin", io.StringIO("d5 e6\nresign black\nnew\n"))
    assert main(["play", "--plain", "--data", str(folder), *agreed]) == 0
    (folder / "torn.jgn").write_text("1. Pd2-d9 *\n")
    capsys.readouterr()
    return folder


@pytest.mark.parametrize("words", GAMES, ids=" ".join)
def test_commands_about_games_print_nothing_in_english(
    kept: Path, made_up: str, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    if words[1] in ("restore", "salvage"):
        main(["games", "backup", str(kept / "copy.sqlite"), "--data", str(kept)])
        capsys.readouterr()
    words = tuple(word.replace("FOLDER", str(kept)) for word in words)
    text = printed(capsys, made_up, *words, "--data", str(kept))
    assert text
    assert unknown(text, kept) == []


REFUSED = (
    ("games",),
    ("games", "shew"),
    ("perft",),
    ("perft", "x"),
    ("perft", "1", "2", "3", "4", "5"),
    ("pl4y",),
    ("play", "--foo"),
    ("play", "--clok", "5"),
    ("match", "panthan", "jed", "--games", "0"),
    ("explain", "d2"),
    ("bench", "--json=3"),
    ("test", "--soak=rude"),
    ("play", "--hands", "auto", "--board", "pins"),
    ("play", "--load", "x", "--rules", "cazaux"),
    ("play", "--players", "Tara"),
    ("play", "--ply", "3"),
    ("play", "--clock", "often"),
    ("play", "--rules", "nobodys"),
    ("play", "--board", "none"),
    ("play", "--config", "FOLDER/bad.toml"),
    ("play", "--config", "FOLDER/worse.toml"),
    ("play", "--config", "FOLDER/worst.toml"),
    ("play", "--config", "FOLDER/none.toml"),
    ("settings", "show"),
    ("moves", "--rules", "cazaux"),
    ("explain", "d2", "d3"),
    ("rules", "appendix"),
    ("wire", "--board", "simulated", "--seed", "7", "--dry-run"),
    ("learn", "--list"),
    ("learn", "flier"),
    ("service", "status"),
    ("replay",),
    ("camera", "sheet", "--out", "FOLDER/a.svg"),
    ("camera", "sheet", "--out", "FOLDER/a.txt"),
    ("replay", "tests/data/captures.jsonl", "--evidence"),
    ("replay", "tests/data/juggernaut.jsonl", "--lamps", "--speed", "0"),
    ("die", "test", "--rolls", "1000"),
    ("match", "panthan", "panthan", "--games", "2", "--nodes", "1"),
)


@pytest.mark.parametrize("words", REFUSED, ids=" ".join)
def test_commands_print_and_refuse_nothing_in_english(
    tmp_path: Path, made_up: str, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    (tmp_path / "bad.toml").write_text("[table]\nconduct = 'rude'\n")
    (tmp_path / "worse.toml").write_text("[tables]\n")
    (tmp_path / "worst.toml").write_text("[reed]\norder = 5\n")
    words = tuple(word.replace("FOLDER", str(tmp_path)) for word in words)
    text = printed(capsys, made_up, *words)
    assert text
    assert unknown(text, tmp_path) == []


def test_an_analysis_says_nothing_in_english(
    tmp_path: Path, made_up: str, capsys: pytest.CaptureFixture[str]
) -> None:
    game = Game.begin(parse_position(BLUNDERED, parse_rules("appendix")))
    for move in ("j1i4", "a10c9"):
        game = game.play(parse_move(move, game.position))
    file, picture = tmp_path / "game.jgn", tmp_path / "plot.svg"
    file.write_text(format_game(GameText(game)))
    words = ("games", "analyse", str(file), "--nodes", "500", "--plot", str(picture))
    text = printed(capsys, made_up, *words)
    assert "??" in text
    assert left(text) == []
    shown = re.findall(r"<text[^>]*>([^<]+)<", picture.read_text())
    assert [word for words in shown for word in left(words)] == []

"""In a made-up language, whatever is shown that it did not make is English left.

That every sentence is marked and translated, `test_catalogues` and the types say; here a sample of
pages, screens and commands says that what is marked is also put into words where it is shown.
"""

import io
import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from babel.messages import Catalog
from click import unstyle

from jetan_table import languages
from jetan_table.cli import main
from jetan_table.engine.why import Merit, Point
from jetan_table.extras.commissioning.doctor import examine
from jetan_table.extras.lessons.course import GRID, course
from jetan_table.extras.lessons.page import lesson_state
from jetan_table.game.agreements import CONDUCTS
from jetan_table.game.commands import COMMANDS, CommandRefused
from jetan_table.languages import DOMAIN, refused_in, translation, worded_in
from jetan_table.light.words import Speaker, why_in_words
from jetan_table.page.documents import cards
from jetan_table.page.state import state_of
from jetan_table.settings import Settings, section_types
from jetan_table.terminal.terminal import HINT_WATCH, Screen, answer
from jetan_table.terminal.text import ALL_COLOURS
from jetan_table.terminal.typed import QUERIES, TOUCHES, TypedTable
from rules import (
    OPTIONS,
    PRESETS,
    Kind,
    Position,
    RulesError,
    _,
    near_miss,
    parse_move,
    parse_rules,
)
from tests.jetan_table.extras.commissioning.test_doctor import BARE
from tests.jetan_table.extras.lessons.test_desk import School
from tests.jetan_table.sitting import sitting
from tests.sentences import said
from tests.tidy import catalogue

SHORT = "9c/3q6/10/10/4p5/3F1F4/10/10/10/C3Q5 b - - 0 1"
"""Few pieces, so that a game is short."""

BLUNDERED = """[Rules "appendix"]
[Position "q9/10/10/D9/10/10/10/10/10/9Q b - - 0 1"]

1. Qj1-i4 Qa10-c9 *
"""
USAGE = {word: usage for word, (usage, _) in {**QUERIES, **TOUCHES}.items()}
USAGE |= {word: command.usage for word, command in COMMANDS.items()}
TYPED = {"where", *(each for word, usage in USAGE.items() for each in (word, *usage.split()))}
"""What is typed stays as it is."""

SETTINGS = {name: msgspec.to_builtins(Settings().section(name)) for name in section_types()}
CALLED = {
    *(name for section, options in SETTINGS.items() for name in (section, *options)),
    *(str(value) for options in SETTINGS.values() for value in options.values()),
    *["jetan", "jgn", "sunday", "Tara", "Gahan", "true", "false", "rude", "Elo", "mm", "BO"],
    *CONDUCTS,
    *(lesson.name for lesson in course(GRID, may_change=True)),
    *PRESETS,
    *(word for option in OPTIONS.values() for word in (option.name, *option.values)),
}
NAMES = set(re.findall("[A-Za-z]+", " ".join(CALLED)))
"""The words by which settings, rules, games, checks and units are called."""

TYPED_SO = re.compile(r"`[^`]*`|'[-\w]+'")
MOVE = re.compile(r"\S*\d+\S*|\S*[/.]\S*|\b[A-Za-z]x\b")
"""Moves, positions and other words with figures; paths; a piece that can be taken."""


MADE_UP = "de"
"""The made-up language stands in German's place: all that offers German offers it."""

KEPT = re.compile(r"\{[^{}]*\}|%\S|`[^`]*`")
"""Names, and what is typed, stay as they are."""


def bent(text: str) -> str:
    """A sentence of the made-up language: every letter of it is Greek."""
    parts, at = [], 0
    for kept in KEPT.finditer(text):
        parts += [greek(text[at : kept.start()]), kept[0]]
        at = kept.end()
    return "".join([*parts, greek(text[at:])])


def greek(text: str) -> str:
    return re.sub(r"[A-Za-z]", "ω", text)


@cache
def made_without(lacking: tuple[str, ...]) -> bytes:
    """The catalogue of the made-up language, but for some sentences."""
    made = Catalog(locale="de", fuzzy=False)
    for entry in catalogue.extracted():
        if entry.id and entry.id not in lacking:
            words = entry.id
            made.add(words, bent(words) if isinstance(words, str) else tuple(map(bent, words)))
    return catalogue.compiled(made)


@contextmanager
def installed(folder: Path, *lacking: str) -> Iterator[str]:
    """Let the table read the made-up language, but for sentences that it is `lacking`."""
    kept = folder / MADE_UP / "LC_MESSAGES" / f"{DOMAIN}.mo"
    kept.parent.mkdir(parents=True)
    kept.write_bytes(made_without(lacking))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(languages, "LOCALE", folder)
        translation.cache_clear()
        languages.catalogue.cache_clear()
        yield MADE_UP
    languages.catalogue.cache_clear()
    translation.cache_clear()


def left(text: str, *names: str) -> list[str]:
    """The words of a text that nobody has translated; squares, moves and `names` are none."""
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, "")
    text = re.sub(r"`[^`]*`|\b[A-Z]?[a-j]\d+([-x~][a-j]\d+)?\b", "", text)
    return re.findall(r"[A-Za-z]{2,}", text)


@pytest.fixture
def made_up(tmp_path: Path) -> Iterator[str]:
    with installed(tmp_path / "locale") as language:
        yield language


def texts(document: Any, language: str) -> Iterator[str]:
    """Every sentence of a document in a language."""
    match document:
        case {"template": str(), "values": dict()}:
            yield said(document, language)
        case dict() | list() | tuple():
            inner = document.values() if isinstance(document, dict) else document
            yield from (text for each in inner for text in texts(each, language))


def left_in(document: Any, language: str) -> list[str]:
    """The English words among a document's texts in a language, which it must have."""
    found = list(texts(msgspec.to_builtins(document), language))
    assert found
    return [word for text in found for word in left(text)]


MOMENTS = (
    *("lift d2", "put d7", "d7 d3", "offer", "pause", "lift e9", "put e8", "back"),
    "resign black",
)
"""Lines typed at an evening, after each of which pages and screens show something else."""


def test_all_that_pages_and_screens_show_is_in_their_language(made_up: str, tmp_path: Path) -> None:
    with sitting(tmp_path / "data") as evening:
        typed = TypedTable(evening.table, evening.hands, evening.clock, made_up)
        screen = Screen(evening.table, Speaker(made_up), [], HINT_WATCH)
        for line in ("?", "where", "why d2 d9", "account", "gestures"):
            screen.answer(line, answer(typed.do, line, made_up))
            assert left_on(screen) == []
        for typed_line in ("", *MOMENTS):
            evening.type(typed_line, wait_s=20.0 if typed_line == "lift e9" else 3.0)
            screen.step(evening.clock.now())
            assert left_on(screen) == []
            assert left_in(state_of(evening.table, evening.hands), made_up) == []


def test_lessons_and_cards_are_in_their_language(made_up: str, tmp_path: Path) -> None:
    with closing(School(tmp_path / "data")) as school:
        for lesson in course(GRID, may_change=True):
            school.open(lesson.name)
            school.wait()
            assert left_in(lesson_state(school.teaching), made_up) == []
        school.open("panthan")
        school.wait()
        school.move("e3", "e2")
        assert left_in(lesson_state(school.teaching), made_up) == []
        assert left_in(state_of(school.table, school.hands), made_up) == []
    for card in cards(parse_rules("manator"), made_up):
        assert left(card.sentences) == []


def left_on(screen: Screen) -> list[str]:
    """The English words on a terminal's screen; what is typed stays as it is."""
    shown = unstyle("\n".join(screen.draw(120, 40, ALL_COLOURS)))
    board = [letter * 2 for letter in "PWTFDCQpwtfdcq"]
    return left(shown, *TYPED, *board)


def test_a_sentence_without_translation_is_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lacking = "Put the {piece} from {start} on {end}.", "Begun (UTC)"
    with installed(tmp_path / "locale", *lacking) as language, sitting(tmp_path) as evening:
        screen = Screen(evening.table, Speaker(language), [])
        evening.type("d2 d7")
        page = left_in(state_of(evening.table, evening.hands), language)
        assert {"Put", "the", "from", "on"} <= set(page) & set(left_on(screen))
        text = printed(capsys, language, "games", "list", "--data", str(tmp_path / "none"))
        assert unknown(text) == ["Begun", "UTC"]


def test_refusals_analyses_and_findings_are_in_their_language(made_up: str) -> None:
    near = near_miss("rol", ["roll"])
    inner = CommandRefused(_("{word}: no such word{near} (? for help)"), word="rol", near=near)
    assert left(refused_in(made_up, CommandRefused(_("{why}"), why=inner)), "roll", "rol") == []
    position = Position.start(parse_rules("manator"))
    for text in ("e1-e4", "a1-a3", "e5-e6", "a2-a1", "d2-d9"):
        with pytest.raises(RulesError) as wrong:
            parse_move(text, position)
        assert left(refused_in(made_up, wrong.value)) == []
    points = [Point(merit, (Kind.FLIER, Kind.CHIEF), (3, 4)) for merit in Merit]
    assert left(worded_in(made_up, why_in_words(points, position.rules))) == []
    for finding in examine(BARE, Settings()):
        worded = finding.in_words(translation(made_up))
        assert left(worded.found + worded.mend, str(BARE.data), BARE.user) == []


def printed(capsys: pytest.CaptureFixture[str], language: str, *words: str) -> str:
    """What a command prints in a language, refusals too."""
    main([*words, "--lang", language])
    return "".join(capsys.readouterr())


def unknown(text: str, *paths: Path) -> list[str]:
    """The English words of what is printed; what things are called stays."""
    for path in paths:
        text = text.replace(str(path), "")
    return [word for word in left(MOVE.sub("", TYPED_SO.sub("", text))) if word not in NAMES]


PRINTED = (
    ("games", "show"),
    ("games", "check", "FOLDER/torn.jgn"),
    ("games", "backup", "FOLDER/copy.sqlite"),
    ("games", "analyse", "FOLDER/game.jgn", "--nodes", "500", "--plot", "FOLDER/plot.svg"),
    ("series", "show", "sunday"),
    ("die", "verify", "1"),
    ("pl4y",),
    ("perft", "x"),
    ("play", "--clok", "5"),
    ("play", "--load", "x", "--rules", "cazaux"),
    ("play", "--config", "FOLDER/bad.toml"),
    ("settings", "show"),
    ("explain", "d2", "d3"),
    ("wire", "--board", "simulated", "--seed", "7", "--dry-run"),
    ("learn", "flier"),
    ("service", "status"),
    ("camera", "sheet", "--out", "FOLDER/a.txt"),
    ("replay", "tests/data/juggernaut.jsonl", "--lamps", "--speed", "0"),
    ("die", "test", "--rolls", "1000"),
    ("match", "panthan", "panthan", "--games", "2", "--nodes", "1"),
)


def test_commands_print_and_refuse_nothing_in_english(
    tmp_path: Path,
    made_up: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    agreed = ("--series", "sunday", "--players", "Tara,Gahan", "--position", SHORT)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("sys.stdin", io.StringIO("d5 e6\nresign black\nnew\n"))
    assert main(["play", "--plain", *agreed]) == 0
    capsys.readouterr()
    (tmp_path / "torn.jgn").write_text("1. Pd2-d9 *\n")
    (tmp_path / "bad.toml").write_text("[table]\nconduct = 'rude'\n")
    (tmp_path / "game.jgn").write_text(BLUNDERED)
    for words in PRINTED:
        text = printed(capsys, made_up, *(word.replace("FOLDER", str(tmp_path)) for word in words))
        assert text, words
        assert unknown(text, tmp_path) == [], words
    shown = re.findall(r"<text[^>]*>([^<]+)<", (tmp_path / "plot.svg").read_text())
    assert [word for words in shown for word in left(words)] == []

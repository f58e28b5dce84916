"""Every command: pages post it, the terminal types it, its help tells it, it can be undone.

Each is played at a simulated table: where it makes sense, where it is refused, and undone.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest

from jetan_table.extras.opponent.seat import EngineAdviser
from jetan_table.game.commands import COMMANDS, CommandRefused, NewGame, command_of
from jetan_table.game.events import Event, Header, OpeningAgreed, Question
from jetan_table.languages import Language, refused_in
from jetan_table.light.words import Speaker
from jetan_table.page.asked import Request
from jetan_table.terminal.typed import TypedTable
from jetan_table.wiring import ARBITER_PIN, kept_pin
from rules import RulesError, parse_rules
from rules.text import GameText, parse_game
from tests.jetan_table.hands import advising, header
from tests.jetan_table.sitting import Evening, sitting

ARENA = header(parse_rules("manator-arena"), "9q/10/5c4/10/4d5/10/4A5/10/3C6/Q9 b BO - 0 1")
"""Black's Padwar on e4 may enter e6, which a Dwar defends."""

DISK = header(parse_rules("ninth-ray-clockwise"))
CORRECTED = "9q/10/5c4/10/10/10/10/10/3C6/Q9 o BO - 0 5"

State = Callable[[Evening], object]


@dataclass(frozen=True)
class Case:
    """What is typed `before` a command in a game of `begun`, the command, and what undoes it.

    `refused` is typed where it makes no sense, after `before_refused`; `of` is what it changes.
    """

    line: str
    of: State
    before: tuple[str, ...] = ()
    undo: str = ""
    refused: str = ""
    before_refused: tuple[str, ...] = ()
    begun: Header | None = None
    events: tuple[Event, ...] = ()


def last(evening: Evening) -> object:
    return evening.table.record.last_number


def ending(evening: Evening) -> object:
    return evening.table.record.ending


def offer(evening: Evening) -> object:
    return evening.table.record.offer


def side(evening: Evening) -> object:
    return evening.table.record.position.side


def paused(evening: Evening) -> object:
    return evening.table.record.terms.is_paused


def clock(evening: Evening) -> object:
    clocks = evening.table.record.clocks
    return None if clocks is None else (clocks.control, clocks.left, clocks.running)


def adjusting(evening: Evening) -> object:
    """What a piece that is held is to the table: touched, or being adjusted."""
    say(evening, "d2", "d2")
    touched = evening.table.record.terms.touched
    say(evening, *(["release"] if touched else []))
    return touched


def noted(evening: Evening) -> object:
    return evening.table.record.terms.remarks


def game(evening: Evening) -> object:
    return evening.table.game


CASES = {
    "answer": Case("answer d3", last, undo="back", events=(Question(1, "d2", ("d3", "e3")),)),
    "right": Case("right", lambda evening: dict(evening.table.record.faults), ("dead d2",)),
    "roll": Case("roll 2", side, events=(OpeningAgreed(first="roll"),)),
    "duel": Case("duel won", last, ("e4 e6",), "back", begun=ARENA),
    "number": Case(
        "number 17",
        lambda evening: evening.table.record.die,
        begun=header(parse_rules("cazaux,juggernaut=centre")),
    ),
    "hint": Case("hint move", lambda evening: evening.table.view.help.advice),
    "back": Case("back", last, ("d2 d3",)),
    "begins": Case(
        "begins orange",
        side,
        undo="begins black",
        events=(OpeningAgreed(first="black"),),
        before_refused=("d2 d3",),
    ),
    "bias": Case(
        "bias counterclockwise",
        lambda evening: evening.table.record.rules_text,
        undo="bias clockwise",
        begun=DISK,
    ),
    "resign": Case("resign orange", ending, ("d2 d3",), "back", before_refused=("resign",)),
    "offer": Case("offer black", offer, undo="decline", before_refused=("offer black",)),
    "accept": Case("accept", ending, ("d2 d3", "offer black"), "back"),
    "decline": Case("decline", offer, ("offer black",), "offer black"),
    "draw": Case("draw", ending, ("d2 d3",), "back", before_refused=("draw",)),
    "adjudicate": Case("adjudicate orange", ending, ("d2 d3",), "back", before_refused=("draw",)),
    "new": Case("new cazaux", game, ("d2 d3",), before_refused=("conduct tournament", "d2 d3")),
    "turned": Case(
        "turned j10 i10",
        lambda evening: evening.table.orientation,
        undo="turned j10 i10",
        refused="turned a1 e5",
    ),
    "correct": Case(
        f"correct {CORRECTED}",
        lambda evening: evening.table.record.position,
        undo=f"correct {header().start}",
        before_refused=("conduct tournament",),
    ),
    "clock": Case("clock 10+5", clock, undo="clock none", before_refused=("d2 d3",)),
    "times": Case("times 5:00 4:30", clock, ("clock 10",), "times 10:00 10:00"),
    "press": Case("press", clock, ("clock 10 buttons",)),
    "pause": Case("pause", paused, undo="resume", before_refused=("pause",)),
    "resume": Case("resume", paused, ("pause",), "pause"),
    "conduct": Case(
        "conduct strict",
        lambda evening: evening.table.record.conduct,
        undo="conduct friendly",
        before_refused=("d2 d3",),
    ),
    "adjust": Case("adjust", adjusting, ("conduct strict",)),
    "release": Case(
        "release",
        lambda evening: evening.table.record.terms.touched,
        ("conduct strict", "d2", "d2"),
    ),
    "note": Case("note a bold one", noted, ("d2 d3",), "back"),
    "arbiter": Case("arbiter {pin} back", last, ("conduct tournament", "d2 d3")),
}


def test_every_command_has_its_case() -> None:
    assert CASES.keys() == COMMANDS.keys()


@pytest.mark.parametrize("word", CASES)
def test_pages_post_what_the_terminal_types(word: str) -> None:
    command = command_of(CASES[word].line.split())
    assert type(command) is COMMANDS[word]
    assert msgspec.json.decode(msgspec.json.encode(command), type=Request) == command


@pytest.mark.parametrize("word", CASES)
def test_a_command_is_done_and_undone(word: str, tmp_path: Path) -> None:
    case = CASES[word]
    with begun(tmp_path, case) as evening:
        say(evening, *case.before)
        before = case.of(evening)
        say(evening, case.line)
        assert case.of(evening) != before
        if case.undo:
            say(evening, case.undo)
            assert case.of(evening) == before


@pytest.mark.parametrize("word", CASES)
def test_a_command_is_refused_where_it_makes_no_sense(word: str, evening: Evening) -> None:
    case = CASES[word]
    say(evening, *case.before_refused)
    shown = evening.table.view
    with pytest.raises((CommandRefused, RulesError)) as refused:
        say(evening, case.refused or case.line)
    english, german = (refused_in(language, refused.value) for language in ("en", "de"))
    assert english != german
    assert evening.table.view.record.moves == shown.record.moves
    assert evening.table.record.ending == shown.record.ending


@pytest.mark.parametrize("word", CASES)
def test_a_command_is_explained_in_both_languages(word: str, evening: Evening) -> None:
    helps = [
        next(line for line in typed(evening, language).help() if line.split()[0] == word)
        for language in ("en", "de")
    ]
    assert COMMANDS[word].purpose in helps[0]
    assert helps[0].split(COMMANDS[word].purpose)[0] in helps[1]
    assert helps[1] != helps[0] or word == "conduct"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("offer blak", "black or orange, did you mean black"),
        ("hint mov", "say piece, move, why, off, did you mean move"),
        ("bias", "clockwise or counterclockwise"),
        ("conduct strickt", "friendly, strict or tournament, did you mean strict"),
        ("number 1000000000", "one number up to 999999999"),
        ("answer", "one square"),
        ("answer z9", "z9"),
        ("turned a1", "two squares"),
        ("times 5:00", "what Black's and what Orange's clock shows"),
        ("back please", "say it as in: back"),
        ("correct", "say it as in: correct POSITION"),
        ("arbiter 123456 arbiter 1 back", "the arbiter's PIN and what to do"),
        ("arbiter 123456", "the arbiter's PIN and what to do"),
    ],
)
def test_what_is_typed_wrongly_is_told_how(line: str, why: str) -> None:
    with pytest.raises((CommandRefused, RulesError), match=re.escape(why)):
        command_of(line.split())


def typed(evening: Evening, language: Language = "en") -> TypedTable:
    return TypedTable(evening.table, evening.hands, evening.clock, language)


def say(evening: Evening, *lines: str) -> None:
    pin = kept_pin(evening.journal.folder, ARBITER_PIN)
    for line in lines:
        typed(evening).do(line.format(pin=pin))
        evening.wait(3.0)


@contextmanager
def begun(folder: Path, case: Case) -> Iterator[Evening]:
    """Sit down to the game of a case, with an adviser."""
    with sitting(folder, case.begun) as evening:
        if case.events:
            evening.tell(NewGame(case.begun or header(), case.events))
        adviser = EngineAdviser(advising, wait_s=20.0, think_s=0.1)
        evening.table.welcome(adviser)
        with closing(adviser):
            yield evening


def test_a_remark_is_a_comment_until_its_move_is_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "games" / "00001.jgn"
    with sitting(tmp_path) as evening:
        say(evening, "d2 d3", "note bold [%fix nothing] {{or not}}")
        assert "Remark: bold [%fix nothing] {or not}" in Speaker("en").sentences(evening.table.view)
        text = read_game(path)
        assert text.notes[0].comment == "bold (%fix nothing) (or not)"
        assert text.notes[0].fixes == ()
        say(evening, "e9 e8", "note why?", "back")
        assert [note.comment for note in read_game(path).notes.values()] == [
            "bold (%fix nothing) (or not)"
        ]
        assert "Anmerkung: bold [%fix nothing] {or not}" in Speaker("de").sentences(
            evening.table.view
        )


def read_game(path: Path) -> GameText:
    return parse_game(path.read_text(encoding="utf-8"))

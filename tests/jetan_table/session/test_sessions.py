"""What people do and say at a table of perfect switches: every case of `tests/data/sessions`."""

import re
from collections.abc import Collection, Mapping
from dataclasses import astuple, dataclass, field, is_dataclass
from enum import Enum

import msgspec
import pytest

from jetan_table.game.commands import CommandRefused, command_of
from jetan_table.game.events import KIND_OF, Entry, Event
from jetan_table.game.record import Record
from jetan_table.light.lamps import Cue, cues
from jetan_table.light.words import Speaker
from jetan_table.session.session import News, Session
from rules import RulesError, format_square, parse_position, parse_rules, parse_square
from tests.cases import Case, case_of, every_case
from tests.jetan_table.hands import Hands, events, header

DONE = re.compile(
    r"~(?P<wait>[\d.]+)|-(?P<lift>\w+)(@(?P<lifted>[\d.]+))?|\+(?P<put>\w+)(@(?P<after>[\d.]+))?"
    r"|(?P<start>\w+)(?P<how>[-x])(?P<end>\w+)"
)


@dataclass
class Sitting:
    """A session, the hands at its board, and all that it has told."""

    rules: str = "appendix"
    board: str | None = None
    stands: str | None = None
    told: list[News] = field(default_factory=list)
    _hands: Hands | None = None

    @property
    def begun(self) -> Record:
        return Record.begin(header(parse_rules(self.rules), self.board))

    @property
    def hands(self) -> Hands:
        if self._hands is None:
            self.sit_down(self.begun, 100.0)
        assert self._hands is not None
        return self._hands

    def sit_down(self, record: Record, at: float) -> None:
        """Begin, or go on after a power cut, with what stands on the board then."""
        shown = self.stands and parse_position(self.stands, record.position.rules)
        self._hands = Hands(Session(record), shown or None, at)
        self.stands = None

    def do(self, word: str, rest: str) -> None:
        """Do what a line of a case says, or hold the session to it."""
        match word:
            case "rules":
                self.rules = rest
            case "board":
                self.board = rest
            case "stands":
                self.stands = rest
            case "off":
                self.told += self.hands.news
                self.sit_down(self.hands.session.record, self.hands.at + float(rest))
            case "hands":
                for done in rest.split():
                    self.handle(done)
            case "say" | "arbiter":
                command, by_arbiter = command_of(rest.split()), word == "arbiter"
                hands = self.hands
                hands.news += hands.session.obey(command, hands.at, by_arbiter)
            case "refuse":
                typed, _, why = rest.partition(": ")
                with pytest.raises((CommandRefused, RulesError), match=why):
                    self.hands.session.obey(command_of(typed.split()), self.hands.at)
            case _:
                self.check(word, rest)

    def handle(self, done: str) -> None:
        """Let the hands do one thing."""
        match DONE.fullmatch(done):
            case None:
                pytest.fail(f"hands do no such thing: {done}")
            case found if found["wait"]:
                self.hands.wait(float(found["wait"]))
            case found if found["lift"]:
                self.hands.lift(found["lift"], float(found["lifted"] or 0.4))
            case found if found["put"]:
                self.hands.put(found["put"], float(found["after"] or 0.4))
            case found:
                act = self.hands.take if found["how"] == "x" else self.hands.move
                act(found["start"], found["end"])

    def check(self, word: str, rest: str) -> None:
        view, words = self.hands.session.view, rest.split()
        match word:
            case "moves":
                assert view.record.moves == (() if rest == "none" else tuple(words))
            case "told":
                assert ("; ".join(map(in_text, events(self.hands))) or "nothing") == rest
            case "last":
                assert in_text(events(self.hands)[-1]) == rest
            case "at":
                last = [news for news in self.hands.news if isinstance(news, Entry)][-1]
                assert f"{last.at:.1f}" == rest
            case "clock":
                assert view.record.clocks is not None
                left = view.record.clocks.until(self.hands.at).left
                assert f"{left.black:.1f} {left.orange:.1f}" == rest
            case "cue":
                assert {cues(view).get(parse_square(name)) for name in words[:-1]} == {
                    None if words[-1] == "none" else Cue[words[-1].upper()]
                }
            case "says":
                assert rest in " ".join(Speaker("en").sentences(view))
            case "gesture":
                assert as_text(self.hands.session.gestures.take_made(), rest) == rest
            case "shows":
                path, _, wanted = rest.partition(" ")
                assert as_text(self.at(path), wanted) == wanted
            case _:
                pytest.fail(f"no line of a case: {word} {rest}")

    def at(self, path: str) -> object:
        """What stands at a path of the view, or of the session where the view has no such thing."""
        session = self.hands.session
        first, *names = path.split(".")
        found: object = getattr(session.view if hasattr(session.view, first) else session, first)
        for name in names:
            found = getattr(found, name)
        return found

    def assert_rebuilt(self) -> None:
        """The record that follows from the events is the session's own, its clocks too."""
        news = [*self.told, *self.hands.news]
        entries = [entry for entry in news if isinstance(entry, Entry)]
        assert Record.read(self.begun.header, entries) == self.hands.session.record


def in_text(event: Event) -> str:
    """An event as a case has it: its kind and its values, times to a tenth."""
    values = msgspec.structs.astuple(event)
    texts = (f"{each:.1f}" if isinstance(each, float) else str(each) for each in values)
    return " ".join([KIND_OF[type(event)], *texts])


def as_text(value: object, wanted: str) -> str:
    """A value as a case has it: squares by their names where a square is wanted."""
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case Enum():
            return value.name.lower()
        case int():
            return str(value) if wanted.isdigit() else format_square(value)  # type: ignore[arg-type]
        case Mapping():
            return " ".join(
                f"{as_text(key, 'a1')} {as_text(each, '')}" for key, each in value.items()
            )
        case Collection() if not isinstance(value, str):
            names = [as_text(each, "a1") for each in value]
            ordered = names if isinstance(value, tuple) else sorted(names)
            return str(len(names)) if wanted.isdigit() else " ".join(ordered) or "none"
        case _ if is_dataclass(value) and not isinstance(value, type):
            return " ".join(as_text(each, "a1") for each in astuple(value))
    return str(value)


@pytest.mark.parametrize("case", every_case("sessions"))
def test_what_people_do_and_say_is_told_and_shown(case: Case) -> None:
    sitting = Sitting()
    for word, rest in case:
        sitting.do(word, rest)
    sitting.assert_rebuilt()


def test_a_case_that_expects_something_else_fails() -> None:
    for wrong in ("moves  Pd2-d4", "told   nothing", "shows  lifted d3", "cue    d2 legal"):
        with pytest.raises(AssertionError):
            test_what_people_do_and_say_is_told_and_shown(case_of(["hands  d2-d3 -e9", wrong]))

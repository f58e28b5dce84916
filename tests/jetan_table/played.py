"""Cases as text: what people do and say, and what must come of it (tests/data/README.md)."""

import re
from collections.abc import Collection, Mapping
from dataclasses import astuple, is_dataclass
from enum import Enum

import msgspec
import pytest

from jetan_table.game.commands import CommandRefused
from jetan_table.game.events import KIND_OF, Entry, Event, Header
from jetan_table.light.lamps import Cue, cues
from jetan_table.light.words import Speaker
from jetan_table.session.view import View
from rules import RulesError, format_square, parse_rules, parse_square
from tests.cases import Case
from tests.jetan_table.hands import header


class Played:
    """A game that lines of a case are about: `rules` and `board` are what it begins with."""

    rules: str = "appendix"
    start: str | None = None

    @property
    def begun(self) -> Header:
        return header(parse_rules(self.rules), self.start)

    @property
    def view(self) -> View:
        raise NotImplementedError

    @property
    def told(self) -> list[Entry]:
        """What has been told of the game since the table was switched on."""
        raise NotImplementedError

    @property
    def asked_besides(self) -> object:
        """What a path begins at that the view has not."""
        raise NotImplementedError

    @property
    def now(self) -> float:
        raise NotImplementedError

    def say(self, typed: str) -> None:
        """Let people say something."""
        raise NotImplementedError

    def go_through(self, case: Case) -> None:
        for word, rest in case:
            self.do(word, rest)

    def do(self, word: str, rest: str) -> None:
        """Do what a line of a case says, or hold the table to it."""
        match word:
            case "rules":
                self.rules = rest
            case "board":
                self.start = rest
            case "say":
                for line in rest.split("; "):
                    self.say(line)
            case "refuse":
                typed, _, why = rest.partition(": ")
                with pytest.raises((CommandRefused, RulesError), match=why or None):
                    self.say(typed)
            case _:
                self.check(word, rest)

    def check(self, word: str, rest: str) -> None:
        view, words = self.view, rest.split()
        match word:
            case "moves":
                assert_like(" ".join(view.record.moves) or "none", rest)
            case "told":
                assert_like("; ".join(in_text(each.event) for each in self.told), rest)
            case "last":
                assert_like(in_text(self.told[-1].event), rest)
            case "at":
                assert_like(f"{self.told[-1].at:.1f}", rest)
            case "clock":
                assert view.record.clocks is not None
                left = view.record.clocks.until(self.now).left
                assert_like(f"{left.black:.1f} {left.orange:.1f}", rest)
            case "cue":
                meant = [cues(view).get(parse_square(name)) for name in words[:-1]]
                found = {"none" if cue is None else cue.name.lower() for cue in meant}
                assert_like(" ".join(sorted(found)), words[-1])
            case "lit":
                lit = sorted(s for s, cue in cues(view).items() if cue is Cue[words[0].upper()])
                assert_like(" ".join(map(format_square, lit)) or "none", " ".join(words[1:]))
            case "says":
                sentences = " ".join(Speaker("en").sentences(view))
                assert rest in sentences, sentences
            case "shows":
                path, _, wanted = rest.partition(" ")
                assert_like(as_text(self.at(path), wanted), wanted)
            case _:
                pytest.fail(f"no line of a case: {word} {rest}")

    def at(self, path: str) -> object:
        """What stands at a path of the view, or of what else is asked where the view has none."""
        first, *names = path.split(".")
        found: object = getattr(
            self.view if hasattr(self.view, first) else self.asked_besides, first
        )
        for name in names:
            found = found[int(name)] if name.isdigit() else getattr(found, name)  # type: ignore[index]
        return found


def assert_like(found: str, wanted: str) -> None:
    """Assert that a text is as a case has it, where `...` stands for anything."""
    if "..." in wanted:
        holds = re.fullmatch(re.escape(wanted).replace(r"\.\.\.", ".*"), found) is not None
    else:
        holds = (found or "nothing") == wanted
    assert holds, f"{found}, not {wanted}"


def in_text(event: Event) -> str:
    """An event as a case has it: its kind and its values, times to a tenth."""
    return f"{KIND_OF[type(event)]} {values_of(event)}".strip()


def values_of(event: msgspec.Struct) -> str:
    values = msgspec.structs.astuple(event)
    return " ".join(f"{each:.1f}" if isinstance(each, float) else str(each) for each in values)


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
            texts = (f"{as_text(key, 'a1')} {as_text(each, '')}" for key, each in value.items())
            return " ".join(texts) or "none"
        case Collection() if not isinstance(value, str):
            names = [as_text(each, "a1") for each in value]
            ordered = names if isinstance(value, tuple) else sorted(names)
            return str(len(names)) if wanted.isdigit() else " ".join(ordered) or "none"
        case msgspec.Struct():
            return values_of(value)
        case _ if is_dataclass(value) and not isinstance(value, type):
            return " ".join(as_text(each, "a1") for each in astuple(value))
    return str(value)

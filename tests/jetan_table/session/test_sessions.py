"""What people do and say at a table of perfect switches: every case of `tests/data/sessions`."""

import re

import pytest

from jetan_table.game.commands import command_of
from jetan_table.game.events import Entry
from jetan_table.game.record import Record
from jetan_table.session.session import News, Session
from jetan_table.session.view import View
from rules import parse_position
from tests.cases import Case, case_of, every_case
from tests.jetan_table.hands import Hands
from tests.jetan_table.played import Played, as_text

DONE = re.compile(
    r"~(?P<wait>[\d.]+)|-(?P<lift>\w+)(@(?P<lifted>[\d.]+))?|\+(?P<put>\w+)(@(?P<after>[\d.]+))?"
    r"|(?P<start>\w+)(?P<how>[-x])(?P<end>\w+)"
)


class Sitting(Played):
    """A session, the hands at its board, and all that it has told."""

    stands: str | None = None
    _hands: Hands | None = None

    def __init__(self) -> None:
        self.before: list[News] = []

    @property
    def hands(self) -> Hands:
        if self._hands is None:
            self.sit_down(Record.begin(self.begun), 100.0)
        assert self._hands is not None
        return self._hands

    @property
    def view(self) -> View:
        return self.hands.session.view

    @property
    def told(self) -> list[Entry]:
        return [news for news in self.hands.news if isinstance(news, Entry)]

    @property
    def asked_besides(self) -> object:
        return self.hands.session

    @property
    def now(self) -> float:
        return self.hands.at

    def sit_down(self, record: Record, at: float) -> None:
        """Begin, or go on after a power cut, with what stands on the board then."""
        shown = self.stands and parse_position(self.stands, record.position.rules)
        self._hands = Hands(Session(record), shown or None, at)
        self.stands = None

    def say(self, typed: str, by_arbiter: bool = False) -> None:
        hands = self.hands
        hands.news += hands.session.obey(command_of(typed.split()), hands.at, by_arbiter)

    def do(self, word: str, rest: str) -> None:
        match word:
            case "stands":
                self.stands = rest
            case "off":
                self.before += self.hands.news
                self.sit_down(self.hands.session.record, self.hands.at + float(rest))
            case "hands":
                for done in rest.split():
                    self.handle(done)
            case "arbiter":
                self.say(rest, by_arbiter=True)
            case "gesture":
                made = self.hands.session.gestures.take_made()
                asked = made and (made.deed, made.side, *made.squares, made.unsure)
                assert as_text(asked, rest) == rest
            case _:
                super().do(word, rest)

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

    def assert_rebuilt(self) -> None:
        """The record that follows from the events is the session's own, its clocks too."""
        news = [*self.before, *self.hands.news]
        entries = [entry for entry in news if isinstance(entry, Entry)]
        assert Record.read(self.begun, entries) == self.hands.session.record


@pytest.mark.parametrize("case", every_case("sessions"))
def test_what_people_do_and_say_is_told_and_shown(case: Case) -> None:
    sitting = Sitting()
    sitting.go_through(case)
    sitting.assert_rebuilt()


def test_a_case_that_expects_something_else_fails() -> None:
    for wrong in ("moves  Pd2-d4", "told   nothing", "shows  lifted d3", "cue    d2 legal"):
        with pytest.raises(AssertionError):
            test_what_people_do_and_say_is_told_and_shown(case_of(["hands  d2-d3 -e9", wrong]))

"""Whole tables at which lines of a case are played (tests/data/README.md)."""

import re
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import msgspec
import pytest

from hardware.ports import FaultKind
from jetan_table.game.commands import NewGame
from jetan_table.game.events import Entry, OpeningAgreed
from jetan_table.game.record import Record
from jetan_table.journal.journal import game_path
from jetan_table.session.session import Guest
from jetan_table.session.view import View
from rules import letters, parse_square
from tests.cases import Case
from tests.jetan_table.played import Played
from tests.jetan_table.sitting import Evening, sitting

DONE = re.compile(
    r"~(?P<wait>[\d.]+)|-(?P<lift>\w+)|\+(?P<put>\w+)(=(?P<letter>.))?|x(?P<taken>\w+)"
    r"|(?P<failing>\w+)!(?P<how>\w+)|(?P<start>[a-j]\d+)[-x](?P<end>\w+)|(?P<all>set)"
)


class AtTable(Played):
    """A table with typed hands, whose data are in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.ends = folder, ExitStack()
        self._evening: Evening | None = None

    @property
    def evening(self) -> Evening:
        if self._evening is None:
            self._evening = self.ends.enter_context(sitting(self.folder, self.begun))
            for guest in self.guests():
                self._evening.table.welcome(guest)
        return self._evening

    def guests(self) -> Sequence[Guest]:
        """Return who follows besides, whenever the table is switched on."""
        return ()

    @property
    def view(self) -> View:
        return self.evening.view

    @property
    def told(self) -> list[Entry]:
        return self.evening.journal.archive.entries(self.evening.table.game)

    @property
    def asked_besides(self) -> object:
        return self.evening.table

    @property
    def now(self) -> float:
        return self.evening.clock.now()

    def say(self, typed: str) -> None:
        self.evening.type(typed, wait_s=1.0)

    def do(self, word: str, rest: str) -> None:
        match word:
            case "off":
                self.ends.close()
                self._evening = None
            case "begin":
                agreed = dict(pair.split("=") for pair in rest.split())
                opening = msgspec.convert(agreed, OpeningAgreed)
                self.evening.tell(NewGame(self.begun, (opening,)))
            case "hands":
                for done in rest.split():
                    self.handle(done)
            case "text":
                text = game_path(self.folder, self.evening.table.game).read_text()
                assert rest in " ".join(text.split()), text
            case "agrees":
                standing = self.evening.hands.standing
                assert standing == letters(self.view.position) == self.view.standing
            case _:
                super().do(word, rest)

    def handle(self, done: str) -> None:
        """Let the hands do one thing."""
        evening = self.evening
        match DONE.fullmatch(done):
            case None:
                pytest.fail(f"hands do no such thing: {done}")
            case found if found["wait"]:
                evening.wait(float(found["wait"]))
            case found if found["lift"]:
                evening.lift(found["lift"])
            case found if found["put"]:
                evening.put(found["put"], found["letter"])
            case found if found["taken"]:
                evening.take(found["taken"])
            case found if found["how"]:
                fault = None if found["how"] == "well" else FaultKind(found["how"])
                evening.hands.fail(parse_square(found["failing"]), fault, evening.clock.now())
                evening.wait(2.0)
            case found if found["all"]:
                evening.set_up()
            case found:
                evening.move(found["start"], found["end"])

    def assert_kept(self) -> None:
        """The record that follows from what is on the disk is the table's own."""
        archive, game = self.evening.journal.archive, self.evening.table.game
        assert Record.read(archive.header(game), archive.entries(game)) == self.evening.record


def assert_holds(table: AtTable, case: Case) -> None:
    """Play a case at a table, and hold its disk to what it shows in the end."""
    with table.ends:
        table.go_through(case)
        table.assert_kept()

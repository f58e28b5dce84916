"""What people do and say at a whole table, its disk too: every case of `tests/data/tables`."""

import re
from contextlib import ExitStack
from pathlib import Path

import msgspec
import pytest

from hardware.switches import FaultKind
from jetan_table.game.commands import NewGame
from jetan_table.game.events import Entry, OpeningAgreed
from jetan_table.game.record import Record
from jetan_table.journal.game_files import game_path
from jetan_table.light.cues import Cue
from jetan_table.session.view import View
from rules import MoveKind, format_move, format_square, parse_rules, parse_square
from rules.position import letters
from tests.cases import Case, case_of, every_case
from tests.jetan_table.hands import header
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
        return self._evening

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


def assert_holds(folder: Path, case: Case) -> None:
    table = AtTable(folder)
    with table.ends:
        table.go_through(case)
        table.assert_kept()


@pytest.mark.parametrize("case", every_case("tables"))
def test_what_people_do_and_say_is_read_kept_and_shown(case: Case, tmp_path: Path) -> None:
    assert_holds(tmp_path, case)


@pytest.mark.parametrize(("rules", "square"), [("appendix", "d2"), ("ninth-ray-clockwise", "c5")])
def test_a_game_is_played_on_with_a_dead_square_that_lamps_and_words_tell_of(
    tmp_path: Path, rules: str, square: str
) -> None:
    with sitting(tmp_path, header(parse_rules(rules))) as evening:
        evening.type(f"dead {square}")
        leading = evening.view.leading
        if leading.repair or leading.placing or evening.view.lifted:
            evening.type("right")
        for number in range(12):
            position, before = evening.view.position, evening.record.moves
            moves = [
                move
                for move in position.moves()
                if move.kind is MoveKind.MOVE and position.play(move).outcome is None
            ]
            move = moves[(7 * number) % len(moves)]
            evening.play(move)
            evening.wait(3.0)
            if question := evening.view.question:
                true = move.from_square if question.from_square is None else move.to_square
                evening.type(f"answer {format_square(true)}")
            assert evening.record.moves == (*before, format_move(move, position))
        faults = evening.record.faults
        assert (faults == {parse_square(square): FaultKind.DEAD}) >= (square == "d2")
        assert all(evening.lit[format_square(failed)] is Cue.FAULT for failed in faults)


def test_a_case_that_expects_something_else_fails(tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        assert_holds(tmp_path, case_of(["hands  d2-d3", "moves  Pd2-d4"]))

"""A whole table from one seed, in time of its own: hands from physics, and all that goes wrong.

`python -m tests.simulation.whole SEED --plies N` plays one evening and says what it came upon; an
evening in which something that must hold does not is made shorter, and ends with the command that
plays just that.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

import click
import msgspec

from jetan_table.cli.physical_play import PhysicalPeople
from jetan_table.errors import TableError
from jetan_table.game.commands import AsArbiter, Command
from jetan_table.game.events import Entry
from jetan_table.game.record import Record
from jetan_table.game.terms import agreed
from jetan_table.journal.saved_games import Start
from jetan_table.session.session import News
from jetan_table.session.view import Phase, View
from jetan_table.simulation.manners import PROFILES
from jetan_table.web.requests import Request
from jetan_table.web.state import state_of
from rules import SQUARES, Position, RulesError, format_position, parse_rules
from tests.jetan_table.hands import header
from tests.simulation.frail_board import FrailBoard
from tests.simulation.plug import BEGUN_AT, OFF_S, Cut, FrailJournal, PluggedTable, PowerCut

STEP_S: Final = 0.01
MOST_S: Final = 900.0
"""A ply that takes longer, with all that leads to it, will never be made."""
MOST_STARVED_S: Final = 3.0
CLOCK: Final = "60:00"

KINDS: Final = (
    *("cut", "cut before", "cut after", "full", "slow", "starved", "cable"),
    *("breaks", "mended", "page", "page", "clock"),
)
"""The plug, in the middle of a write too; the disk; the machine; the board; clients; a restart
with the system's clock set otherwise."""

SAID_BY_CLIENTS: Final = (
    '{"do": "offer", "side": "black"}',
    '{"do": "accept", "side": "black"}',
    '{"do": "decline", "side": "orange"}',
    '{"do": "back"}',
    '{"do": "pause"}',
    '{"do": "resume"}',
    '{"do": "right"}',
    '{"do": "answer", "square": "e5"}',
    '{"do": "roll"}',
    '{"do": "roll", "shown": "11"}',
    '{"do": "press"}',
    '{"do": "adjust"}',
    '{"do": "note", "text": "\\u001b[2J"}',
    '{"do": "lift", "square": "z9"}',
    '{"do": "fly"}',
    '{"do": ["offer"]}',
    "[" * 300,
    "",
    "\ud800",
)
"""What pages post: what makes sense at some time, and what never does. Nothing that ends a game."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something that goes wrong some seconds after a ply has begun."""

    kind: str
    ply: int
    after_s: float
    lasts_s: float
    chance: int


def troubles_of(seed: int, plies: int) -> list[Trouble]:
    """Return all that goes wrong in an evening."""
    rng = Random(f"troubles {seed}")
    return [
        Trouble(rng.choice(KINDS), ply, rng.uniform(0, 6), rng.uniform(0.2, 8), rng.getrandbits(32))
        for ply in range(plies)
        for _ in range(rng.choice((0, 0, 1, 1, 2)))
    ]


class Broken(AssertionError):
    """Something that must hold does not; `ply` is how far the evening had come."""

    def __init__(self, ply: int, why: object) -> None:
        super().__init__(str(why))
        self.ply = ply


class WholeTable(PluggedTable):
    """A plugged table that is asked after each step whether all holds that must."""

    on_s = 0.0
    """So long it was switched on."""
    _checked: View | None = None

    def step_once(self) -> None:
        """Let a hundredth of a second pass."""
        self.pass_over(STEP_S)
        before = self.table.record
        try:
            news = self.table.step(self.now)
        except PowerCut:
            self.pull_plug()
            return
        self._note(news)
        self._check(news, before)
        self.truths.check(self.table, self.lamps.lights, self.now)

    def pass_over(self, seconds: float) -> None:
        """Let time pass in which nobody looks."""
        self.now += seconds
        self.on_s += seconds

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds / STEP_S)):
            self.step_once()

    def say(self, posted: str) -> str:
        """Post something as a page does; return what came of it."""
        try:
            request = msgspec.json.decode(posted.encode(errors="surrogatepass"), type=Request)
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            return "malformed"
        if not isinstance(request, Command) or isinstance(request, AsArbiter):
            return "not for tables"
        try:
            self.do(request)
        except (TableError, RulesError):
            return "refused"
        return "done"

    def do(self, command: Command) -> None:
        """Do what is said; TableError, RulesError."""
        before = self.table.record
        try:
            news = self.table.obey(command, self.now)
        except PowerCut:
            self.pull_plug()
            return
        self._note(news)
        self._check(news, before)

    def _check(self, news: Sequence[News], before: Record) -> None:
        """Assert that all is on the disk that is shown, and that what is shown is one thing."""
        table, view = self.table, self.table.view
        if news or table.record is not before:
            kept = self.journal.archive.entries(table.game)
            written = [item for item in news if isinstance(item, Entry)]
            assert not written or kept[-len(written) :] == written, "told before it was written"
        if view is not self._checked:
            assert state_of(table, None).game.moves == list(view.moves), "the page lags"
            self._checked = view
        self._check_clocks()

    def _check_clocks(self) -> None:
        """Assert that the clocks together have lost no more than the time the table was on."""
        clocks = self.table.record.clocks
        if clocks is not None:
            left = clocks.until(self.now).left
            used_s = 2 * clocks.control.main_s - left.black - left.orange
            assert used_s <= self.on_s + 1.0, f"clocks paid {used_s:.1f} of {self.on_s:.1f} s"


class Evening:
    """One evening of so many plies, but for the troubles whose numbers are left out."""

    def __init__(
        self,
        folder: Path,
        seed: int,
        plies: int,
        without: Collection[int] = (),
        table: type[WholeTable] = WholeTable,
    ) -> None:
        rng = Random(f"whole {seed}")
        profile = PROFILES[rng.choice(sorted(PROFILES))]
        start = Position.start(parse_rules(profile.rules))
        begun = header(start.rules, format_position(start))
        self.plies, self.reached = plies, Counter[str]()
        self.board = FrailBoard(start, rng, BEGUN_AT)
        self.people = PhysicalPeople(self.board, profile, rng, mishaps=())
        clock = rng.choice(("none", CLOCK))
        self.table = table(
            folder, Start(begun, agreed(clock, "friendly")), self.board, lambda _position: None
        )
        chosen = troubles_of(seed, plies)
        self._troubles = [each for number, each in enumerate(chosen) if number not in without]
        self._until: list[tuple[float, Callable[[], None]]] = []

    def play(self) -> None:
        """Play until so many plies have been begun, or the game has ended. Raises Broken."""
        try:
            while len(self.people.made) < self.plies and self.table.view.phase is not Phase.OVER:
                self._play_one()
            self.table.wait(5.0)
            self.table.pull_plug()
        except (AssertionError, *UNWANTED) as error:
            raise Broken(len(self.people.made), error) from error
        finally:
            self.table.close()

    def _play_one(self) -> None:
        """Let the next ply be made, and go wrong what goes wrong meanwhile."""
        ply, begins = len(self.people.made), self._time()
        due = sorted(
            (each for each in self._troubles if each.ply == ply), key=lambda each: each.after_s
        )
        while len(self.people.made) == ply and self.table.view.phase is not Phase.OVER:
            assert self._time() - begins < MOST_S, f"led on and on: {self.table.view}"
            while due and due[0].after_s <= self._time() - begins:
                self._go_wrong(due.pop(0))
            for until, mend in [each for each in self._until if each[0] <= self._time()]:
                self._until.remove((until, mend))
                mend()
            command = self.people.act(self.table.view, self._time())
            if command is not None:
                try:
                    self.table.do(command)
                except (TableError, RulesError):
                    self.reached["people refused"] += 1
            self.table.step_once()

    def _time(self) -> float:
        return self.table.now - self.board.shift

    def _go_wrong(self, trouble: Trouble) -> None:
        self.reached[trouble.kind] += 1
        rng, table, board = Random(trouble.chance), self.table, self.board
        journal, ends = table.journal, self._time() + trouble.lasts_s
        match trouble.kind:
            case "cut":
                table.pull_plug()
            case "cut before" | "cut after":
                table.cut_next(Cut(trouble.kind.removeprefix("cut ")))
            case "full":
                journal.fill_disk(is_full=True)
                self._until.append((ends, lambda: self._make_room(journal)))
            case "slow" | "starved":
                table.pass_over(min(trouble.lasts_s, MOST_STARVED_S))
            case "cable":
                board.is_out = True
                self._until.append((ends, lambda: setattr(board, "is_out", False)))
            case "breaks":
                board.break_switch(rng.choice(SQUARES), rng.random() < 0.5)
            case "mended":
                board.mend()
            case "page":
                for _ in range(rng.randint(1, 6)):
                    self.reached[f"page {table.say(rng.choice(SAID_BY_CLIENTS))}"] += 1
            case "clock":
                jump = rng.choice((-86_400.0, 86_400.0, 7.0))
                board.shift += jump - OFF_S  # what the clock thinks, and how long it was
                table.pull_plug(jump)

    def _make_room(self, journal: FrailJournal) -> None:
        if journal is self.table.journal:
            journal.fill_disk(is_full=False)


UNWANTED: Final = (LookupError, ValueError, TypeError, ArithmeticError, RuntimeError, OSError)


def play(seed: int, plies: int, without: Collection[int] = ()) -> Counter[str]:
    """Play one evening; return how often it came upon what. Raises Broken."""
    return play_at(WholeTable, seed, plies, without)


def play_at(
    table: type[WholeTable], seed: int, plies: int, without: Collection[int] = ()
) -> Counter[str]:
    """Play one evening at a table of some make."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        evening = Evening(Path(folder), seed, plies, without, table)
        evening.play()
        evening.reached["plies"] += len(evening.people.made)
        return evening.reached


def shortest(table: type[WholeTable], seed: int, plies: int) -> tuple[int, list[int], Broken]:
    """Return how few plies, and without which troubles, an evening that is broken still is."""
    plies, broken = _broken_by(table, seed, plies, ())
    without: list[int] = []
    for number in range(len(troubles_of(seed, plies))):
        try:
            play_at(table, seed, plies, [*without, number])
        except Broken as error:
            without, broken = [*without, number], error
    return plies, without, broken


def _broken_by(
    table: type[WholeTable], seed: int, plies: int, without: Collection[int]
) -> tuple[int, Broken]:
    """Return the least plies by which an evening is broken; ValueError where it is not."""
    try:
        play_at(table, seed, plies, without)
    except Broken as error:
        return error.ply + 1, error
    raise ValueError(f"evening {seed} is not broken")


def command_of(seed: int, plies: int, without: Collection[int]) -> str:
    """Return what plays one evening again."""
    left_out = f" --without {','.join(map(str, without))}" if without else ""
    return f"python -m tests.simulation.whole {seed} --plies {plies}{left_out}"


@click.command()
@click.argument("seed", type=int)
@click.option("--plies", type=click.IntRange(1), default=20)
@click.option("--without", default="", help="Numbers of the troubles that are left out.")
def main(seed: int, plies: int, without: str) -> None:
    """Play the evening of a SEED."""
    left_out = [int(number) for number in without.split(",") if number]
    for number, trouble in enumerate(troubles_of(seed, plies)):
        if number not in left_out:
            click.echo(f"{number}: {trouble}")
    click.echo(dict(play(seed, plies, left_out)))


if __name__ == "__main__":
    main()

"""Two tables far apart, each with its own disk and people, and a broker between them.

Both play a match in a time of their own. A case of text says what people do there: a line for one
of them begins with its name, `alpha` or `beta`.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from random import Random

from jetan_table.extras.hall.broker import Broker, BrokerLink
from jetan_table.extras.hall.far import FarPlayer
from jetan_table.extras.hall.far_match import (
    FarState,
    accepted,
    is_unpressed,
    match_text,
    read_state,
    side_of_match,
)
from jetan_table.extras.hall.payloads import match_topic
from jetan_table.game.agreements import Clocks
from jetan_table.game.commands import CommandRefused
from jetan_table.game.events import Entry
from jetan_table.game.record import Record
from jetan_table.session.view import View
from jetan_table.table.dice import Seeds
from rules import Move, MoveKind, Position, Side, format_position, parse_move, parse_rules
from tests.jetan_table.extras.hall.mosquitto import Mosquitto
from tests.jetan_table.played import Played
from tests.jetan_table.sitting import STEP_S, Evening, sitting
from tests.profiles import PATIENCE_S

CODE = "TARSTA"


class FarTable(Played):
    """One of the two tables, with people whose hands are clumsy by chance."""

    def __init__(self, evening: Evening, far: FarPlayer, link: BrokerLink) -> None:
        self.evening, self.far, self.link = evening, far, link
        self.clumsiness = 0.0

    @property
    def record(self) -> Record:
        return self.evening.record

    @property
    def view(self) -> View:
        return self.evening.view

    @property
    def told(self) -> list[Entry]:
        return self.evening.journal.archive.entries(self.evening.table.game)

    @property
    def now(self) -> float:
        return self.evening.clock.now()

    @property
    def clocks(self) -> Clocks:
        """The clocks as they are now."""
        clocks = self.record.clocks
        assert clocks is not None
        return clocks.until(self.now)

    def is_own_turn(self) -> bool:
        return self.record.position.side is self.far.own_side

    def step(self, seconds: float = 0.2) -> None:
        """Let time pass; the table looks often, for the far one may tell something at any time."""
        clock = self.evening.clock
        until = clock.now() + seconds
        while clock.now() < until:
            self.evening.table.step(clock.now())
            clock.sleep(STEP_S)

    def say(self, typed: str) -> None:
        self.evening.type(typed, wait_s=1.0)

    def do(self, word: str, rest: str) -> None:
        match word:
            case "plays":
                self.play(parse_move(rest, self.record.position))
            case "wishes":
                assert self.view.help.wish is not None
            case "notes":
                assert any(rest in note for note in self.view.guest_notes) or rest == "nothing"
                assert not (self.view.guest_notes and rest == "nothing")
            case "tidies":
                self.tidy()
            case "waits":
                self.step(float(rest))
            case _:
                super().do(word, rest)

    def play(self, move: Move) -> None:
        """Let hands play, and the table read it."""
        before = self.record
        self.evening.hands.move([move.from_square, move.to_square], self.now)
        for _count in range(40):
            self.step(0.1)
            if self.record is not before:
                return

    def play_wish(self) -> None:
        """Let hands carry out what the far side has played."""
        wish = self.view.help.wish
        assert wish is not None
        self.play(wish)

    def tidy(self) -> None:
        """Let hands set right what the table leads them to."""
        self.evening.hands.set_up(self.view.position, self.now)
        self.step(3.0)

    def live(self, rng: Random) -> None:
        """Do what people would do now, or something else."""
        self.step()
        view = self.view
        if self.record.ending is not None:
            return
        if is_unpressed(self.record) and not self.is_own_turn() and rng.random() < 0.2:
            self.say("press")
        if view.leading.repair is not None or view.leading.missing or view.leading.extra:
            self.tidy()
        elif view.help.wish is not None:
            move = view.help.wish
            if rng.random() < self.clumsiness:
                move = rng.choice(sorted(self.record.position.moves()))
            self.play(move)
        elif not view.guest_notes and rng.random() < self.clumsiness / 25:
            with suppress(CommandRefused):
                self.say("back")
        elif view.guest_notes:
            if any("asks to" in note for note in view.guest_notes):
                self.say(rng.choice(("back", "decline")))
        elif self.is_own_turn():
            self.play(rng.choice(self.choices()))

    def choices(self) -> list[Move]:
        """Return the plies that people choose from: any, or such as bring a fight about."""
        moves = sorted(self.record.position.moves())
        if self.record.game.start.rules["duel"] == "off":
            return moves
        fights = [move for move in moves if move.kind is MoveKind.CAPTURE]
        way = 1 if self.far.own_side is Side.BLACK else -1
        moves.sort(key=lambda move: way * (move.to_square // 10 - move.from_square // 10))
        return fights or moves[-5:]


@contextmanager
def far_table(folder: Path, name: str, port: int, state: FarState) -> Iterator[FarTable]:
    path = folder / name / "far" / f"{CODE}.json"
    seeds = Seeds(folder / name / "seeds", Random(name).randbytes)
    far = FarPlayer(CODE, name, read_state(path) or state, path, seeds)
    reads = [match_topic(CODE, "+")]
    link = BrokerLink(Broker("127.0.0.1", port), f"far-{name}", reads, far.take_in, again_s=0.3)
    with sitting(folder / name) as evening, closing(link.start(time.monotonic)):
        evening.table.welcome(far.start(link))
        yield FarTable(evening, far, link)


class Match:
    """Alpha, whose people have Black, and beta, at two ports; lines of a case are played there."""

    def __init__(self, folder: Path, ports: tuple[int, int], broker: Mosquitto | None) -> None:
        self.folder, self.ports, self.broker = folder, ports, broker
        self.rules, self.clock = "appendix", "none"
        self.ends = ExitStack()
        self.tables: dict[str, FarTable] = {}

    @property
    def both(self) -> tuple[FarTable, FarTable]:
        if not self.tables:
            self.begin()
        return self.tables["alpha"], self.tables["beta"]

    def begin(self) -> None:
        """Let both sit down, to a new match or to the one that they were in."""
        start = format_position(Position.start(parse_rules(self.rules)))
        invitation = side_of_match("Tara", "black", self.rules, start, self.clock)
        states = FarState(invitation), FarState(accepted(invitation, "alpha", "Gahan"))
        for name, port, state in zip(("alpha", "beta"), self.ports, states, strict=True):
            table = self.ends.enter_context(far_table(self.folder, name, port, state))
            self.tables[name] = table
        self.await_that(lambda: all(table.record.header.orange == "Gahan" for table in self.both))
        self.await_that(lambda: all(table.record.header.black == "Tara" for table in self.both))
        for table in self.both:
            table.tidy()

    def await_that(self, is_so: Callable[[], object]) -> None:
        """Let time pass at both tables until that holds."""
        ends = time.monotonic() + PATIENCE_S
        while not is_so():
            assert time.monotonic() < ends, self.differences()
            for table in self.both:
                table.step(0.05)
            time.sleep(0.002)

    def agree(self) -> None:
        """Let both come to one game."""
        alpha, beta = self.both
        self.await_that(lambda: match_text(alpha.record) == match_text(beta.record))

    def differences(self) -> str:
        """Say what each of the two tables has, where they do not come together."""
        return "\n".join(
            f"{match_text(t.record)}\n{t.record.ending}\n{t.far._state}\n{t.view.guest_notes}"
            f"\n{t.view.leading}\n{t.record.question}"
            for t in self.both
        )

    def do(self, word: str, rest: str) -> None:
        """Do what a line of a case says, or hold the tables to it."""
        match word, *rest.split():
            case "rules", rules:
                self.rules = rules
            case "clock", _:
                self.clock = rest
            case "agree", *_:
                self.agree()
            case "broker", how:
                assert self.broker is not None
                self.broker.kill() if how == "off" else self.broker.start()
            case "off", *_:
                self.ends.close()
                self.tables.clear()
                self.begin()
            case "both", first, *_:
                for table in self.both:
                    table.do(first, rest.removeprefix(first).strip())
            case "soon", name, first, *_:
                line = rest.removeprefix(name).strip().removeprefix(first).strip()
                tables = self.both if name == "both" else (self.table(name),)
                self.await_that(lambda: all(holds(each, first, line) for each in tables))
            case name, "follows":
                self.await_that(lambda: self.table(name).view.help.wish is not None)
                self.table(name).play_wish()
                self.agree()
            case name, first, *_:
                self.table(name).do(first, rest.removeprefix(first).strip())

    def table(self, name: str) -> FarTable:
        return dict(zip(("alpha", "beta"), self.both, strict=True))[name]


def holds(table: FarTable, word: str, rest: str) -> bool:
    """Say whether a table is now as a line of a case has it."""
    try:
        table.do(word, rest)
    except AssertionError:
        return False
    return True


@contextmanager
def match(
    folder: Path,
    ports: tuple[int, int],
    rules: str = "appendix",
    clock: str = "none",
    broker: Mosquitto | None = None,
) -> Iterator[Match]:
    match = Match(folder, ports, broker)
    match.rules, match.clock = rules, clock
    with match.ends:
        yield match

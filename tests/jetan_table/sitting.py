"""One sitting at a simulated table, with typed hands and a clock that never waits.

Whatever plays at a whole table stands on `AtTable`: it is the same table with another board, disk
or line, in a time of its own.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random

from jetan_table.boards.screen import BETWEEN_S, TypedHands, typed_hands
from jetan_table.game.commands import Command, NewGame
from jetan_table.game.events import Event, GameId, Header
from jetan_table.game.record import Record
from jetan_table.journal.archive import Archive
from jetan_table.journal.journal import Journal
from jetan_table.light.lamps import Cue, cues
from jetan_table.session.session import Guest
from jetan_table.session.view import View
from jetan_table.settings import Settings
from jetan_table.table.dice import Dice, Seeds
from jetan_table.table.games import open_game
from jetan_table.table.loop import EagerClock, Table
from jetan_table.terminal.typed import TypedTable
from jetan_table.wiring import ARBITER_PIN, join, kept_pin
from rules import Move, format_square, parse_square
from tests.jetan_table.hands import header

STEP_S, REST_S = 0.01, 0.05


class AtTable:
    """Somebody at a table, in a time of their own."""

    table: Table
    clock: EagerClock

    @property
    def due(self) -> float | None:
        """When the board will tell something next; None while nobody knows."""
        return None

    @property
    def view(self) -> View:
        return self.table.view

    @property
    def record(self) -> Record:
        return self.table.record

    @property
    def lit(self) -> dict[str, Cue]:
        """What the lamps mean, by the squares' names."""
        return {format_square(square): cue for square, cue in cues(self.view).items()}

    def wait(self, seconds: float = 2.0) -> None:
        """Let time pass; the table is looked at less often where nothing is to happen soon."""
        until = self.clock.now() + seconds
        while (now := self.clock.now()) < until:
            self.look(now)
            dues = (self.due, self.table.session.due)
            is_busy = any(due is not None and due < now + REST_S for due in dues)
            self.clock.sleep(min(STEP_S if is_busy else REST_S, until - now))

    def look(self, now: float) -> None:
        """Let the table look at its board once."""
        self.table.step(now)

    def tell(self, command: Command | NewGame, wait_s: float = 1.0) -> None:
        self.table.obey(command, self.clock.now())
        self.wait(wait_s)


class Evening(AtTable):
    """The table, the typed hands at it, and the time."""

    def __init__(
        self,
        journal: Journal,
        begun: Header | None = None,
        guests: Sequence[Guest] = (),
        clock: EagerClock | None = None,
        seed: int = 1,
        between_s: float = BETWEEN_S,
        dice: Dice | None = None,
    ) -> None:
        self.journal, self.clock = journal, clock or EagerClock()
        opened = open_game(journal, begun or header())
        self.hands: TypedHands = typed_hands(journal, opened, seed, between_s)
        dice = dice or Dice(Seeds(journal.folder / "seeds", Random(5).randbytes))
        self.table = join(
            self.hands.board, journal, opened, Settings(), dice, guests, typed=self.hands
        )

    @property
    def due(self) -> float | None:
        return self.hands.board.due

    def move(self, start: str, end: str, wait_s: float = 3.0) -> None:
        self.hands.move([parse_square(start), parse_square(end)], self.clock.now())
        self.wait(wait_s)

    def play(self, move: Move) -> None:
        """Move a piece as a move says."""
        self.move(format_square(move.from_square), format_square(move.to_square))

    def lift(self, name: str, wait_s: float = 1.0) -> None:
        self.hands.lift(parse_square(name), self.clock.now())
        self.wait(wait_s)

    def put(self, name: str, letter: str | None = None, wait_s: float = 3.0) -> None:
        self.hands.put(parse_square(name), self.clock.now(), letter)
        self.wait(wait_s)

    def take(self, name: str, wait_s: float = 1.0) -> None:
        """Take what stands on a square off the board, into the box."""
        self.hands.take(parse_square(name), self.clock.now())
        self.wait(wait_s)

    def set_up(self, wait_s: float = 3.0) -> None:
        """Put all pieces where the table wants them."""
        self.hands.set_up(self.view.position, self.clock.now())
        self.wait(wait_s)

    def type(self, *lines: str, wait_s: float = 3.0) -> list[str]:
        """Type lines, of commands and of hands, and return what the table says to them.

        `{pin}` in a line is the arbiter's.
        """
        typed = TypedTable(self.table, self.hands, self.clock, "en")
        pin = kept_pin(self.journal.folder, ARBITER_PIN) if "{pin}" in "".join(lines) else ""
        answers: list[str] = []
        for line in lines:
            answers += typed.do(line.replace("{pin}", pin))
            self.wait(wait_s)
        return answers


@contextmanager
def sitting(
    folder: Path, begun: Header | None = None, guests: Sequence[Guest] = ()
) -> Iterator[Evening]:
    """Sit down to the game in `folder`; where it has none, `begun` begins there."""
    with closing(Journal(folder)) as journal:
        evening = Evening(journal, begun, guests)
        evening.wait(1.0)
        yield evening


def written(folder: Path, game: int | None = None) -> list[Event]:
    """Return the events of a game, or of the last one, as the journal in a folder has them."""
    with closing(Archive.open(folder)) as archive:
        number = max(archive.numbers()) if game is None else GameId(game)
        return [entry.event for entry in archive.entries(number)]


def play_one_move(folder: Path) -> None:
    """Leave a game in `folder` in which Black has moved d2-d3."""
    with sitting(folder) as evening:
        evening.move("d2", "d3")

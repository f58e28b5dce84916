"""One sitting at a simulated table, with typed hands and a clock that never waits."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random

from jetan_table.boards.screen import TypedHands, typed_hands
from jetan_table.game.commands import Command, NewGame
from jetan_table.game.events import Header
from jetan_table.journal.journal import Journal
from jetan_table.journal.opening import open_game
from jetan_table.settings import Settings
from jetan_table.table.dice import Dice, Seeds
from jetan_table.table.loop import EagerClock, Table
from jetan_table.wiring import join
from rules import parse_square
from tests.jetan_table.hands import header

STEP_S, REST_S = 0.01, 0.05


class AtTable:
    """Somebody at a simulated table, in a time of their own."""

    table: Table
    hands: TypedHands
    clock: EagerClock

    def wait(self, seconds: float = 2.0) -> None:
        """Let time pass; the table is looked at less often where nothing is to happen soon."""
        until = self.clock.now() + seconds
        while (now := self.clock.now()) < until:
            self.table.step(now)
            dues = (self.hands.board.due, self.table.session.due)
            is_busy = any(due is not None and due < now + REST_S for due in dues)
            self.clock.sleep(min(STEP_S if is_busy else REST_S, until - now))


class Evening(AtTable):
    """The table, the hands at it, and the time."""

    def __init__(self, journal: Journal, begun: Header | None = None) -> None:
        self.journal = journal
        opened = open_game(journal, None, begun or header())
        self.hands = typed_hands(journal, opened, seed=1)
        dice = Dice(Seeds(journal.folder / "seeds", Random(5).randbytes))
        self.table, self.lamps = join(
            self.hands.board, journal, opened, Settings(), dice, typed=self.hands
        )
        self.clock = EagerClock()

    def tell(self, command: Command | NewGame) -> None:
        self.table.obey(command, self.clock.now())
        self.wait(1.0)

    def move(self, start: str, end: str) -> None:
        self.hands.move([parse_square(start), parse_square(end)], self.clock.now())
        self.wait(3.0)


@contextmanager
def sitting(folder: Path, begun: Header | None = None) -> Iterator[Evening]:
    """Sit down to the game in `folder`; where it has none, `begun` begins there."""
    with closing(Journal(folder)) as journal:
        evening = Evening(journal, begun)
        evening.wait(1.0)
        yield evening


def play_one_move(folder: Path) -> None:
    """Leave a game in `folder` in which Black has moved d2-d3."""
    with sitting(folder) as evening:
        evening.move("d2", "d3")

"""A replay at a table of its own, with board and lamps in the terminal.

The table is the one that people play at; what it writes down goes to a folder that is thrown away.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from rules.text import LOST, WON

from ..game.commands import DecideFight
from ..game.events import Header
from ..journal.journal import Journal
from ..journal.opening import open_game
from ..languages import Language
from ..light.cues import cues
from ..light.lights import LAMP_OF, PALETTES, Dimming, Lighting, LightsSeen
from ..light.words import Speaker
from ..replay.replay import Decision, Replay
from ..session.session import News, Session
from ..table.loop import Clock, Fittings, Table
from .terminal import Screen, only_watch, play_on_screen, print_news
from .terminal_board import plain_board

PAUSE_S = 0.005
"""From one look at the replay to the next."""


@dataclass(frozen=True, slots=True)
class Elapsed:
    """A clock that shows 0 when it is begun."""

    clock: Clock
    begun: float

    def now(self) -> float:
        return self.clock.now() - self.begun

    def sleep(self, seconds: float) -> None:
        self.clock.sleep(seconds)


@contextmanager
def table_of(replay: Replay) -> Iterator[tuple[Table, LightsSeen]]:
    """Set a table up whose sensor is the replay's, and take it down afterwards."""
    with TemporaryDirectory() as folder, closing(Journal(Path(folder))) as journal:
        header = Header.of(replay.start, 0.0)
        opened = open_game(journal, header, header)
        lamps = LightsSeen()
        lighting = Lighting(PALETTES["standard"], LAMP_OF, Dimming())
        board, session = (
            Fittings(replay.source, lamps),
            Session(opened.record, read_by=replay.read_by),
        )
        yield Table(board, lighting, journal, opened.game, session), lamps


def watch_on_screen(replay: Replay, clock: Clock, language: Language) -> bool:
    """Show a replay on the screen; return False if somebody has quit before its end."""
    elapsed = Elapsed(clock, clock.now())
    with table_of(replay) as (table, lamps):
        screen = Screen(table, lamps, Speaker(language), [replay.name])
        return play_on_screen(
            screen,
            elapsed,
            only_watch,
            lambda: _goes_on(replay, table, elapsed.now()),
            lambda: elapsed.sleep(PAUSE_S),
        )


def watch_in_lines(replay: Replay, clock: Clock, language: Language) -> None:
    """Print what happens in a replay, and the board whenever its lamps change."""
    elapsed = Elapsed(clock, clock.now())
    speaker = Speaker(language)
    with table_of(replay) as (table, _):
        shown = cues(table.view)
        while (due := next_due(replay, table)) <= replay.ends_at:
            elapsed.sleep(max(due - elapsed.now(), 0.0))
            print_news([*_tell_fight(replay, table, due), *table.step(due)], speaker)
            meanings = cues(table.view)
            if meanings != shown:
                shown = meanings
                board = plain_board(table.view, meanings)
                print(f"{due:.3f}", *board, *speaker.sentences(table.view), "", sep="\n")


def next_due(replay: Replay, table: Table) -> float:
    """Return when something is to be looked at next, in seconds; infinity after the end."""
    decided = decision_of(replay, table)
    decided_at = None if decided is None else decided.at
    dues = [due for due in (replay.source.due, table.session.due, decided_at) if due is not None]
    return min(dues, default=float("inf"))


def decision_of(replay: Replay, table: Table) -> Decision | None:
    """Return how the fight that is open at the table was decided; None where none is."""
    fight = table.session.record.fight
    if fight is None:
        return None
    return next((decision for decision in replay.decided if decision.at >= fight.at), None)


def _tell_fight(replay: Replay, table: Table, now: float) -> list[News]:
    """Tell the table who has won the open fight, once that was said."""
    decided = decision_of(replay, table)
    if decided is None or decided.at > now:
        return []
    return table.obey(DecideFight(WON if decided.is_won else LOST), now)


def _goes_on(replay: Replay, table: Table, now: float) -> bool:
    """Tell the table how fights were decided by now, and whether there is more to show."""
    _tell_fight(replay, table, now)
    return now <= replay.ends_at

"""Games of a table: begun, resumed, saved under a name, and read from a file.

The page, the terminal, the command line, the arbiter and hands all ask for a game by a `New`;
`new_game` makes its header and first events of that. A game saved under a name has a last line with
a sum over its text.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from hashlib import blake2b
from pathlib import Path
from typing import Final

from msgspec.structs import replace as changed

from rules import RECOMMENDED, Position, Rules, RulesError, Worded, _, parse_position, parse_rules
from rules.ledger import Wager
from rules.text import GameText, parse_games

from ..errors import TableError
from ..files import read_text, write_whole
from ..game.agreements import NO_CLOCK, format_time_control, parse_prices, wager_event
from ..game.commands import CommandRefused, New, NewGame
from ..game.events import (
    BadRecord,
    Bias,
    Entry,
    Event,
    FirstMove,
    GameId,
    Header,
    OpeningAgreed,
    SeriesAgreed,
    Settler,
)
from ..game.record import Record
from ..game.terms import WAY_OF, agreed
from ..game.texts import UNNAMED, PlayedSeries, checked_name
from ..journal.archive import Archive, NoSuchGame
from ..journal.journal import Journal, JournalUnwritable, text_being_written, write_game
from ..languages import worded

LOOKED_AT = 100
"""Newest games that a table looks at when it starts; `games check` reads all."""

MOST_DAMAGE_SHOWN = 5
"""Most damaged games that are named at the start; `games list` has the others."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A game in the journal that is to be played; `is_resumed`: it had begun before."""

    game: GameId
    record: Record
    is_resumed: bool
    damage: str | None = None
    """The reasons why games before this one were set aside: they cannot be read."""
    kept: Path | None = None
    """The new name of a text that stood in this game's place, or has more of it."""


def open_game(journal: Journal, otherwise: Header, events: Sequence[Event] = ()) -> Opened:
    """Resume the newest game if it is unfinished; else begin one with `events`.

    A game that cannot be read is set aside, and another one begun.
    """
    damage = _set_damaged_games_aside(journal, otherwise.started)
    unfinished = journal.archive.unfinished()
    if unfinished is not None:
        try:
            begun = journal.archive.header(unfinished)
            record = Record.read(begun, journal.archive.entries(unfinished))
            journal.check_going_on(unfinished)
            kept = write_game(journal.folder, journal.witness(unfinished), record)
            return Opened(unfinished, record, True, _in_a_line(damage), kept)
        except JournalUnwritable:
            raise
        except (BadRecord, RulesError, ValueError, LookupError) as error:
            # Whatever a program before this one wrote, it must not keep the table from starting.
            why = worded(error)
            if not why.startswith(f"game {unfinished}:"):
                why = Worded(_("game {game}: {why}"), game=unfinished, why=why)
            damage.append(why)
            journal.set_aside(unfinished, otherwise.started, why)
    return replace(begin_game(journal, otherwise, events), damage=_in_a_line(damage))


def _set_damaged_games_aside(journal: Journal, now: float) -> list[str]:
    """Set aside those of the newest games that a glance shows as damaged; return the reasons."""
    damage = []
    for summary in journal.archive.games(LOOKED_AT):
        if summary.damage is not None and not journal.archive.is_set_aside(summary.game):
            journal.set_aside(summary.game, now, summary.damage)
            damage.append(summary.damage)
    return damage


def _in_a_line(damage: Sequence[str]) -> str | None:
    """Return the reasons why games are set aside in one line; of many, the newest."""
    if not damage:
        return None
    more = ["..."] if len(damage) > MOST_DAMAGE_SHOWN else []
    joined = _("{some}; {more}")
    reasons = [*more, *damage[-MOST_DAMAGE_SHOWN:]]
    return reduce(lambda some, more: Worded(joined, some=some, more=more), reasons)


def begin_game(journal: Journal, header: Header, events: Sequence[Event] = ()) -> Opened:
    """Begin a game in the journal with `events` that have happened already."""
    game = journal.begin(header)
    entries = [Entry(header.started, event) for event in events]
    if entries:
        journal.append(game, entries)
    return Opened(game, Record.read(header, entries), False)


def new_game(
    archive: Archive | None, custom: New, wanted: New, before: Record | None, now: float
) -> NewGame:
    """Return the game that people want, after the game `before` if there is one.

    What they leave open is decided by the series that they name, whose games are in `archive`:
    sides change after each game, the wager goes on, and the last winner says who begins; without
    one, or if that game is damaged, the die does. A start that is not the rules' own has its side
    to move. All else is as in the game before, and then as is the `custom`. Without `rules` it is
    the next game of the same people. Raises CommandRefused, or a RulesError about the wager.
    """
    names = wanted.black.strip() or UNNAMED, wanted.orange.strip() or UNNAMED
    chosen = None if UNNAMED in names else names
    if before is not None:
        clocks = before.terms.clocks
        custom = changed(
            custom,
            rules=before.header.rules,
            clock=format_time_control(clocks.control if clocks else None),
            conduct=before.conduct.name,
        )
        if wanted.rules is None:
            names = before.header.black, before.header.orange
            wanted = changed(wanted, series=before.series)
    rules = parse_rules(wanted.rules or custom.rules or RECOMMENDED)
    position = wanted.position
    start = Position.start(rules) if position is None else parse_position(position, rules)
    past = _past(wanted.series, archive)
    players = chosen or _changed_over(past) or names
    if wanted.series is not None:
        _check_players(wanted.series, players, past)
    wager = _wager(wanted, past, custom, rules)
    header = changed(Header.of(start, now), black=players[0], orange=players[1])
    events = (
        *([] if wanted.series is None else [SeriesAgreed(checked_name(wanted.series))]),
        *([] if wager is None else [wager_event(wager)]),
        *_opening(wanted, past, players[0], start),
        *agreed(wanted.clock or custom.clock or NO_CLOCK, wanted.conduct or custom.conduct),
    )
    # What does not fit together is refused before the game that is played is left for it.
    Record.read(header, (Entry(now, event) for event in events))
    return NewGame(header, events)


def _past(name: str | None, archive: Archive | None) -> PlayedSeries | None:
    if name is None or archive is None or name not in archive.series():
        return None
    past = archive.played_series(name)
    return past if past.games else None


def _changed_over(past: PlayedSeries | None) -> tuple[str, str] | None:
    """Return the players of a series' next game, in which they change sides."""
    if past is None:
        return None
    header = past.games[-1].record.header
    return header.orange, header.black


def _check_players(name: str, players: tuple[str, str], past: PlayedSeries | None) -> None:
    if past is not None and set(players) != set(past.players):
        first, second = past.players
        raise CommandRefused(
            _("series {name}: {first} and {second} play it; choose another name for other players"),
            name=name,
            first=first,
            second=second,
        )
    if UNNAMED in players or "" in players or players[0] == players[1]:
        raise CommandRefused(_("a new series needs its two players, by different names"))


def _wager(wanted: New, past: PlayedSeries | None, custom: New, rules: Rules) -> Wager | None:
    """Return the wager: as wanted, and for the rest as in the series' last game."""
    at_stake = wanted.stake, wanted.prices, wanted.for_bias
    last = past.games[-1].record.wager if past else None
    if wanted.series is None and at_stake == (None, None, None):
        return None
    prices = wanted.prices or custom.prices
    wager = last or Wager(custom.stake or 0, parse_prices(prices or "1", rules))
    if wanted.stake is not None:
        wager = replace(wager, stake=wanted.stake)
    if wanted.prices is not None:
        wager = replace(wager, prices=parse_prices(wanted.prices, rules))
    return wager if wanted.for_bias is None else replace(wager, for_bias=wanted.for_bias)


def _opening(
    wanted: New, past: PlayedSeries | None, black: str, start: Position
) -> Iterator[Event]:
    """Yield the events that settle who begins, and the bias, or say who will."""
    ledger = past.ledger if past and not past.is_last_damaged else None
    chooser, prize = (ledger.chooser, ledger.bias_chooser) if ledger else (None, None)
    first, bias = wanted.first, wanted.bias
    # A start of people's own says itself who moves; there is nothing to win or to roll for then.
    is_own = start == Position.start(start.rules, juggernaut=start.juggernaut)
    if first is None and wanted.series is not None and is_own:
        first = "roll" if chooser is None else "winner"
    if bias is None and prize is not None and start.rules["board"] in WAY_OF:
        bias = "winner"
    if bias is not None and start.rules["board"] not in WAY_OF:
        raise CommandRefused(_("the flat board has no centre to cross: a bias belongs to the disk"))
    due = OpeningAgreed(_settler(first, chooser, past, black), _settler(bias, prize, past, black))
    if due != OpeningAgreed():
        yield due
    if first == "black" or first == "orange":
        yield FirstMove(first, "agreed")
    if bias == "clockwise" or bias == "counterclockwise":
        yield Bias(bias, "agreed")


def _settler(
    choice: str | None, winner: int | None, past: PlayedSeries | None, black: str
) -> Settler | None:
    """Return the one who has to settle a matter; None if it is settled. CommandRefused."""
    if choice == "roll":
        return "roll"
    if choice != "winner":
        return None
    if winner is None or past is None:
        raise CommandRefused(_("nobody has won that choice: let it be rolled, or agree"))
    return "black" if past.players[winner] == black else "orange"


class BadGameFile(TableError, ValueError):
    """A file without game texts, or with a ply that cannot be; the message says where."""


def read_games(path: Path) -> tuple[GameText, ...]:
    """Read every game of a file; BadGameFile if it has none, or if one goes wrong."""
    try:
        games = parse_games(read_text(path))
    except RulesError as error:
        raise BadGameFile(_("{path}: {why}"), path=path, why=error) from error
    if not games:
        raise BadGameFile(_("{path}: holds no game"), path=path)
    return games


MOST_GAME_BYTES: Final = 1_000_000
"""Largest file that is loaded as a game; a game's text has 1 to 6 kB."""

SAVED_NAME = re.compile(r"[\w][\w .,()'+-]{0,59}")

SUM = "%saved "
"""Beginning of the last line of a saved game."""


def saved_path(folder: Path, name: str, within: str = "saved") -> Path:
    """Return the path of what is saved under a name; TableError for a name that cannot be one."""
    if not SAVED_NAME.fullmatch(name) or name.endswith((".", " ")):
        raise TableError(
            _("{name!r}: a name is up to 60 letters, digits, spaces and . , ( ) ' + -"), name=name
        )
    return folder / within / f"{name}.jgn"


def save_game(folder: Path, name: str, text: str) -> Path:
    """Save a game's text under a name; TableError if another game has it."""
    path = saved_path(folder, name)
    if path.exists() and read_text(path, MOST_GAME_BYTES) not in (text, _summed(text)):
        raise TableError(
            _("{name}: a game of that name is saved already; choose another name"), name=name
        )
    with text_being_written(path):
        write_whole(path, _summed(text).encode())
    return path


def saved_names(folder: Path) -> list[str]:
    """Return the names of all saved games, the newest first."""
    files = (folder / "saved").glob("*.jgn")
    return [
        path.stem for path in sorted(files, key=lambda path: path.stat().st_mtime, reverse=True)
    ]


def saved_text(folder: Path, name: str) -> str:
    """Return the text of a saved game; NoSuchGame if there is none.

    CommandRefused if it is not as it was saved; one without its last line is taken as it is.
    """
    path = saved_path(folder, name)
    if not path.is_file():
        raise NoSuchGame(
            _("{name}: no game is saved under that name (jetan games list)"), name=name
        )
    content = read_text(path, MOST_GAME_BYTES)
    text, is_summed, _sum = content.rpartition(SUM)
    if not is_summed:
        return content
    if _summed(text) != content:
        raise CommandRefused(
            _("{path}: is not as it was saved; delete its last line to use it as it is"), path=path
        )
    return text


def _summed(text: str) -> str:
    """Add a last line, which readers of games skip, with a sum over the text."""
    return f"{text}{SUM}{blake2b(text.encode(), digest_size=8).hexdigest()}\n"


def named_text(folder: Path, name: str) -> str:
    """Return the text of a saved game, or of a `.jgn` file if `name` is one."""
    return (
        read_text(Path(name), MOST_GAME_BYTES)
        if name.endswith(".jgn")
        else saved_text(folder, name)
    )

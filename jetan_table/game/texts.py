"""Games and series as texts: `.jgn` and CSV, and new games that go on from a text.

The tags tell of a game's series, wager and beginning: `Series "sunday"`, `Stake "10"`, `Prices
"P=1,T=3,..."`, `Heads "12-5"` (the price of the heads that Black and Orange have lost),
`FirstMove "orange table 4"`, `Bias "clockwise agreed"`.

A series is a row of games between the same two players. The journal names the series of each
game; all else follows from these games.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace as changed

from rules import (
    Duel,
    Game,
    Kind,
    RulesError,
    Sentence,
    Side,
    _,
    format_move,
    format_square,
    whole_number,
)
from rules.ledger import Account, Series, Wager
from rules.text import (
    LOST,
    WON,
    GameText,
    Note,
    format_fix,
    format_game,
    format_roll,
    format_throw,
    parse_game,
)

from ..errors import TableError
from ..files import csv_text
from .agreements import (
    CONDUCTS,
    FRIENDLY,
    BadTimeControl,
    format_prices,
    format_tag,
    format_time_control,
    parse_seconds,
    parse_tag,
)
from .commands import CommandRefused, NewGame
from .events import (
    Bias,
    ClockAgreed,
    ClockShows,
    ConductAgreed,
    DuelReport,
    Entry,
    Event,
    FirstMove,
    GameId,
    Header,
    Pause,
    Ply,
    Settled,
    Wander,
)
from .record import Record, TableDie, ending_of

UNNAMED = "?"
"""Stand-in for the name of a player that nobody gave."""

SERIES_NAME = re.compile(r"\w[\w .,()'+-]{0,39}")

FOR_NOTHING = Wager(0, dict.fromkeys(Kind, 0))

HEAD = (
    *("series", "game", "begun", "rules", "black", "orange", "first"),
    *("stake", "result", "termination", "plies"),
    *("heads_lost_by_black", "heads_lost_by_orange", "gain_of_black", "gain_of_orange"),
    *("player_1", "player_2", "balance_1", "balance_2"),
)
"""The columns of a series as CSV: one row a game, the balance of both players after it."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game of a series."""

    game: GameId
    record: Record
    black: int
    """Index of Black's player among the two: 0 or 1."""
    account: Account | None
    """Its cost; None if it has no result, because it goes on or was left."""
    balance: tuple[int, int]
    """Gain of each player by all games up to this one, in tokens."""

    def gain(self, player: int) -> int:
        """Return a player's gain by this game, in tokens."""
        if self.account is None:
            return 0
        return self.account.balance(Side.BLACK if player == self.black else Side.ORANGE)


@dataclass(frozen=True, slots=True)
class PlayedSeries:
    """A series as the journal tells it: `ledger` has the games that were decided or drawn."""

    name: str
    ledger: Series
    games: tuple[PlayedGame, ...]
    damaged: tuple[GameId, ...] = ()
    """Its games that cannot be read, and so count for nothing."""

    @property
    def is_last_damaged(self) -> bool:
        """True if nobody knows how the last game ended."""
        return any(game > self.games[-1].game for game in self.damaged)

    @property
    def players(self) -> tuple[str, str]:
        """Both names; the first had Black in the first game."""
        return self.ledger.players

    @property
    def balance(self) -> tuple[int, int]:
        """Gain of each player by all games, in tokens."""
        return self.ledger.balance(0), self.ledger.balance(1)

    @property
    def wins(self) -> tuple[int, int]:
        """Number of games that each player has won."""
        return self.ledger.wins(0), self.ledger.wins(1)


def series_of(
    name: str, records: Mapping[GameId, Record], damaged: Sequence[GameId] = ()
) -> PlayedSeries:
    """Return a series by the records of its games, oldest first, and its `damaged` ones."""
    headers = [record.header for record in records.values()]
    # The first game decides who is which: later on the two change sides after each game.
    ledger = Series((headers[0].black, headers[0].orange) if headers else (UNNAMED, UNNAMED))
    games = []
    for game, record in records.items():
        black = 0 if record.header.black == ledger.players[0] else 1
        account = None
        if record.game.outcome is not None:
            ledger = ledger.add(record.game, record.wager or FOR_NOTHING, black, record.set_up)
            account = ledger.games[-1].account
        balance = ledger.balance(0), ledger.balance(1)
        games.append(PlayedGame(game, record, black, account, balance))
    return PlayedSeries(name, ledger, tuple(games), tuple(damaged))


def checked_name(name: str) -> str:
    """Return `name`; CommandRefused if a series cannot be called so."""
    if not SERIES_NAME.fullmatch(name) or name.endswith((".", " ")):
        raise CommandRefused(
            _(
                "{name!r}: a series has a name of up to 40 letters, digits, spaces and . , ( ) "
                "' + -"
            ),
            name=name,
        )
    return name


def series_rows(series: PlayedSeries) -> list[dict[str, str | int]]:
    """Return a row for each game, by the columns of HEAD."""
    return [_row(series, played) for played in series.games]


def format_csv(series: PlayedSeries) -> str:
    """Write a series as CSV."""
    return csv_text([HEAD, *(row.values() for row in series_rows(series))])


def _row(series: PlayedSeries, played: PlayedGame) -> dict[str, str | int]:
    record = played.record
    header, ending = record.header, record.ending
    begun = datetime.fromtimestamp(header.started, UTC)
    heads = dict.fromkeys(Side, 0) if played.account is None else played.account.heads
    values = (
        *(series.name, played.game, f"{begun:%Y-%m-%d %H:%M}", record.rules_text),
        *(header.black, header.orange, record.game.start.side.word),
        (record.wager or FOR_NOTHING).stake,
        ending.result if ending else "*",
        ending.termination if ending else "",
        len(record.game.plies),
        *(heads[Side.BLACK], heads[Side.ORANGE]),
        *(played.gain(played.black), played.gain(1 - played.black)),
        *(*series.players, *played.balance),
    )
    return dict(zip(HEAD, values, strict=True))


S = TypeVar("S", FirstMove, Bias)

START_TAG = "DieStart"
"""Tag for the roll that put the Juggernaut on its first square."""


def game_text(record: Record) -> str:
    """Return the game as text; plies that wait for an answer are not in it."""
    header = record.header
    day = datetime.fromtimestamp(header.started, UTC)
    tags = {
        "Event": "Jetan",
        "Site": "?",
        "Date": f"{day:%Y.%m.%d}",
        "Round": "-",
        "Black": header.black,
        "Orange": header.orange,
    }
    if record.die is not None:
        tags |= die_tags(record.die)
    if record.start_roll is not None:
        tags[START_TAG] = format_roll(record.start_roll)
    if record.clocks is not None:
        tags["TimeControl"] = format_tag(record.clocks.control)
    if record.conduct is not FRIENDLY:
        tags["Conduct"] = record.conduct.name
    tags |= _preamble_tags(record)
    fixes = _by_ply(record, record.terms.fixes)
    preface = " ".join(map(format_fix, fixes.pop(-1, [])))
    return format_game(GameText(record.game, tags, preface, _notes(record, fixes)))


class Format(NamedTuple):
    """A form in which games are exported."""

    write: Callable[[Record], str]
    media_type: str
    help: str
    """Its description in `jetan games export --help`."""


FORMATS: Final = {
    "jgn": Format(game_text, "application/x-jgn", "game text, which the table reads again"),
}
"""Every such form by the ending of its files' names: commands, pages and API follow."""


def _notes(record: Record, fixes: Mapping[int, Sequence[str]]) -> dict[int, Note]:
    """Return the note on each ply: the time that it took, and the time that its player had left."""
    first = record.game.start.ply_number
    turns = {turn.number: turn for turn in record.clocks.turns} if record.clocks else {}
    notes: dict[int, Note] = {}
    remarks = _by_ply(record, record.terms.remarks)
    since = record.header.started
    for index, at in enumerate(record.times):
        turn = turns.get(first + index)
        elapsed = _clock(turn.thought_s if turn else at - since)
        shown = _clock(turn.shown) if turn else ""
        # A comment in brackets would be read as a command.
        comment = " ".join(remarks.get(index, ())).replace("[", "(").replace("]", ")")
        notes[index] = Note(comment, elapsed, shown, tuple(fixes.get(index, ())))
        since = at
    return notes


def _by_ply(record: Record, texts: Iterable[tuple[int, str]]) -> dict[int, list[str]]:
    """Return corrections or remarks by the index of the ply before them; -1: before the first."""
    first, last = record.game.start.ply_number, record.last_number
    by_index: dict[int, list[str]] = {}
    for number, what in texts:
        by_index.setdefault(max(min(number, last) - first, -1), []).append(what)
    return by_index


def die_tags(die: TableDie) -> dict[str, str]:
    """Return the tags of the table's die; with the seed only once it is no secret."""
    tags = {"DieCommit": die.commit}
    if die.added:
        tags["DieNumbers"] = ",".join(map(str, die.added))
    if die.seed is not None:
        tags["DieSeed"] = die.seed
    return tags


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(max(seconds, 0.0)), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def _preamble_tags(record: Record) -> dict[str, str]:
    """Return the tags of everything settled before the first ply, and of the game's account."""
    tags: dict[str, str] = {}
    if record.series is not None:
        tags["Series"] = record.series
    if record.wager is not None and record.account is not None:
        heads = record.account.heads
        tags["Stake"] = str(record.wager.stake)
        tags["Prices"] = format_prices(record.wager.prices)
        tags["Heads"] = f"{heads[Side.BLACK]}-{heads[Side.ORANGE]}"
    if first := record.opening.first_settled:
        tags["FirstMove"] = _told(first.side, first)
    if bias := record.opening.bias_settled:
        tags["Bias"] = _told(bias.way, bias)
    return tags


def first_of_tags(tags: Mapping[str, str]) -> FirstMove | None:
    """Return the event of who begins, from the tags of a game text; None without it."""
    return _settled(tags.get("FirstMove", ""), "side", FirstMove)


def bias_of_tags(tags: Mapping[str, str]) -> Bias | None:
    """Return the event of the bias, from the tags of a game text; None without it."""
    return _settled(tags.get("Bias", ""), "way", Bias)


def _told(what: str, settled: FirstMove | Bias) -> str:
    face = [] if settled.face is None else [str(settled.face)]
    return " ".join((what, settled.by, *face))


def _settled(text: str, name: str, kind: type[S]) -> S | None:
    what, by, *face = (*text.split(), "", "")[:3]
    values = {name: what, "by": by, "face": whole_number(face[0]) if face else None}
    try:
        return msgspec.convert(values, kind)
    except msgspec.ValidationError:
        return None


class NoSuchPly(TableError, LookupError):
    """A game text has no ply of that number."""


def read_saved(text: str) -> GameText:
    """Read the one game of a text; CommandRefused says what is wrong with it."""
    try:
        return parse_game(text)
    except RulesError as error:
        raise CommandRefused(_("the game cannot be read: {why}"), why=error) from error


def start_from(text: GameText, plies: int | None, at: float) -> NewGame:
    """Return a new game that goes on after the first `plies` of another; None: after all.

    They are played again in it, so that they can be looked at and taken back. Raises CommandRefused
    if there are fewer or if nothing may follow them, BadRecord if they cannot be made events.
    """
    game = text.game
    number = len(game.plies) if plies is None else plies
    if not 0 <= number <= len(game.plies):
        raise NoSuchPly(
            _("move {plies}: the game has moves 0..{most}"), plies=number, most=len(game.plies)
        )
    position = game.positions[number]
    if position.outcome is not None:
        over = Sentence(position.outcome.termination.value)
        raise CommandRefused(
            _("after move {number} the game is over ({over}): play on from before"),
            number=number,
            over=over,
        )
    header = _header(text, at)
    agreed, clock = _terms(text, number)
    events = (*agreed, *_events(game, number), *clock)
    # A text of another program may have plies that our rules refuse: better now than at the table.
    Record.read(header, (Entry(at, event) for event in events))
    return NewGame(header, events)


def events_of_text(text: str) -> tuple[Header, list[Entry]]:
    """Return the header and the events of a game, as far as its text has them.

    Raises CommandRefused if it cannot be read, BadRecord if it cannot be made events. The time of
    each is the beginning of its day: texts have no other.
    """
    read = read_saved(text)
    game, tags = read.game, read.tags
    started = _day(tags.get("Date", ""))
    header = _header(read, started)
    agreed, clock = _terms(read, len(game.plies))
    ending = ending_of(game)
    events = [*agreed, *_events(game, len(game.plies)), *([ending] if ending else clock)]
    return header, [Entry(started, event) for event in events]


def _header(text: GameText, at: float) -> Header:
    names = {name: text.tags.get(name.capitalize(), "?") for name in ("black", "orange")}
    return changed(Header.of(text.game.start, at), **names)


def _day(date: str) -> float:
    """Return the time at which a day began, in seconds since 1970; 0 for a text that is none."""
    try:
        return datetime.strptime(date, "%Y.%m.%d").replace(tzinfo=UTC).timestamp()
    except ValueError:
        return 0.0


def _terms(text: GameText, plies: int) -> tuple[list[Event], list[Event]]:
    """Return the events of clock and conduct, and those that set the clocks after `plies` plies.

    The clocks stand until somebody goes on.
    """
    agreed: list[Event] = []
    if conduct := CONDUCTS.get(text.tags.get("Conduct", "")):
        agreed.append(ConductAgreed(conduct.name))
    control = parse_tag(text.tags.get("TimeControl", "-"))
    if control is None:
        return agreed, []
    # The last time noted for each side is what its clock showed.
    left = dict.fromkeys(Side, control.main_s)
    for index in range(plies):
        note = text.notes.get(index)
        if note and note.clock:
            try:
                left[text.game.positions[index].side] = parse_seconds(note.clock)
            except BadTimeControl as error:
                raise CommandRefused(
                    _("move {number}: {why}"), number=index + 1, why=error
                ) from error
    shows = ClockShows(left[Side.BLACK], left[Side.ORANGE])
    return [*agreed, ClockAgreed(format_time_control(control))], [shows, Pause("people")]


def _events(game: Game, plies: int) -> Iterator[Event]:
    """Yield the first `plies` plies of a game as events."""
    stood = zip(game.positions[:plies], game.positions[1 : plies + 1], game.plies, strict=False)
    for before, after, ply in stood:
        # A roll is told by where the Juggernaut went: this table's seed did not make it.
        yield Ply(before.ply_number, format_move(ply.move, before))
        yield from (DuelReport(before.ply_number, result) for result in _fought(ply.duel))
        if ply.rolls and after.juggernaut is not None:
            yield Wander(before.ply_number, format_square(after.juggernaut))
    yield Settled()  # all of it is set up anew


def _fought(duel: Duel | None) -> list[str]:
    """Return the reports of a fight; none of its throws is by this table's die."""
    if duel is None:
        return []
    thrown = [format_throw(throw._replace(by_hand=True)) for throw in duel.throws]
    return thrown or [WON if duel.attacker_won else LOST]

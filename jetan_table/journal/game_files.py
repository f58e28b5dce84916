"""Games as `.jgn` files beside the journal: for people to copy and for folders to watch.

Their tags tell of a game's series, wager and beginning: `Series "sunday"`, `Stake "10"`,
`Prices "P=1,T=3,..."`, `Heads "12-5"` (what the heads that Black and Orange have lost cost them),
`FirstMove "orange table 4"`, `Bias "clockwise agreed"`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

import msgspec

from rules import RulesError, Side
from rules.game_reader import parse_game, parse_games
from rules.game_text import GameText, Note, format_fix, format_game, format_roll
from rules.numbers import whole_number
from rules.sentences import _

from ..errors import TableError
from ..files import read_text, set_aside, write_whole
from ..game.conduct import FRIENDLY
from ..game.die import TableDie
from ..game.events import Bias, FirstMove, GameId
from ..game.record import Record
from ..game.time_control import format_tag
from ..game.wagers import format_prices
from .journal import JournalUnwritable
from .schema import JOURNAL_NAME
from .sealing import Texts, Witness, is_signed, read_witness

Settled = TypeVar("Settled", FirstMove, Bias)

START_TAG = "DieStart"
"""The tag of a game text that tells the roll for the Juggernaut's first square."""


class BadGameFile(TableError, ValueError):
    """A file that is no game texts, or has a ply that cannot be: which file, line and ply."""


def read_games(path: Path) -> tuple[GameText, ...]:
    """Read every game of a file; BadGameFile where it has none, or says where one goes wrong."""
    try:
        games = parse_games(read_text(path))
    except RulesError as error:
        raise BadGameFile(_("{path}: {why}"), path=path, why=error) from error
    if not games:
        raise BadGameFile(_("{path}: holds no game"), path=path)
    return games


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
    """A form in which a game leaves the table."""

    write: Callable[[Record], str]
    media_type: str
    help: str
    """What it is, for `jetan games export --help`."""


FORMATS: Final = {
    "jgn": Format(game_text, "application/x-jgn", "game text, which the table reads again"),
}
"""Every such form, by what its files' names end with: commands, pages and API follow."""


def _notes(record: Record, fixes: Mapping[int, Sequence[str]]) -> dict[int, Note]:
    """Return what is to be said of each ply: how long it took, what its player had left."""
    first = record.game.start.ply_number
    turns = {turn.number: turn for turn in record.clocks.turns} if record.clocks else {}
    notes: dict[int, Note] = {}
    remarks = _by_ply(record, record.terms.notes)
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
    """Return corrections or remarks by the index of the ply they follow; -1: before the first."""
    first, last = record.game.start.ply_number, record.last_number
    by_index: dict[int, list[str]] = {}
    for number, what in texts:
        by_index.setdefault(max(min(number, last) - first, -1), []).append(what)
    return by_index


def die_tags(die: TableDie) -> dict[str, str]:
    """Return what a game text says of the table's die; the seed only once it is no secret."""
    tags = {"DieCommit": die.commit}
    if die.added:
        tags["DieNumbers"] = ",".join(map(str, die.added))
    if die.seed is not None:
        tags["DieSeed"] = die.seed
    return tags


def game_path(folder: Path, game: GameId) -> Path:
    """Return where a game's file stands in the data folder."""
    return Texts.beside(folder / JOURNAL_NAME).path(game)


def write_game(folder: Path, witness: Witness, record: Record) -> Path | None:
    """Write a game's file as a whole or not at all.

    What stands there and is not an earlier state of this game is kept under the name that is
    returned. Raises JournalUnwritable where the disk refuses.
    """
    path = game_path(folder, GameId(witness.game))
    with _told_as_unwritable(path):
        kept = None if _may_be_replaced(path, witness, record) else set_aside(path, "kept")
        write_whole(path, witness.signed(game_text(record)))
    return kept


def _may_be_replaced(path: Path, witness: Witness, record: Record) -> bool:
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return True
    found = read_witness(content)
    if found is not None:
        return found[1].begun == witness.begun and found[1].seq <= witness.seq
    if is_signed(content):
        return False
    try:
        plies = parse_game(content.decode()).game.plies
    except (RulesError, UnicodeError):
        return False
    return record.game.plies[: len(plies)] == plies


def write_text(path: Path, text: str) -> None:
    """Write a game's text to a file, as a whole or not at all; JournalUnwritable if refused."""
    with _told_as_unwritable(path):
        write_whole(path, text.encode())


@contextmanager
def _told_as_unwritable(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise JournalUnwritable(
            _("{path}: {strerror}; the journal has the game"), path=path, strerror=error.strerror
        ) from error


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(max(seconds, 0.0)), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def _preamble_tags(record: Record) -> dict[str, str]:
    """Return the tags of what was agreed and settled before the first ply, and of its account."""
    tags: dict[str, str] = {}
    if record.series is not None:
        tags["Series"] = record.series
    if record.wager is not None and record.account is not None:
        heads = record.account.heads
        tags["Stake"] = str(record.wager.stake)
        tags["Prices"] = format_prices(record.wager.prices)
        tags["Heads"] = f"{heads[Side.BLACK]}-{heads[Side.ORANGE]}"
    if first := record.opening.first_told:
        tags["FirstMove"] = _told(first.side, first)
    if bias := record.opening.bias_told:
        tags["Bias"] = _told(bias.way, bias)
    return tags


def first_of_tags(tags: Mapping[str, str]) -> FirstMove | None:
    """Return who begins as the tags of a game text say; None where they do not."""
    return _settled(tags.get("FirstMove", ""), "side", FirstMove)


def bias_of_tags(tags: Mapping[str, str]) -> Bias | None:
    """Return the bias as the tags of a game text say; None where they do not."""
    return _settled(tags.get("Bias", ""), "way", Bias)


def _told(what: str, settled: FirstMove | Bias) -> str:
    face = [] if settled.face is None else [str(settled.face)]
    return " ".join((what, settled.by, *face))


def _settled(text: str, name: str, kind: type[Settled]) -> Settled | None:
    what, by, *face = (*text.split(), "", "")[:3]
    values = {name: what, "by": by, "face": whole_number(face[0]) if face else None}
    try:
        return msgspec.convert(values, kind)
    except msgspec.ValidationError:
        return None

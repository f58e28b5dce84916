"""Rot: one bit of a data folder flips, or one of its files is cut short or lost.

After each of these all games that are shown must be whole, or named as damaged; no text of a game
may be replaced by a shorter one; the table must go on; and what is left of the games is salvaged.
"""

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Final, TypeAlias

from msgspec.structs import replace as changed

from hardware.ports import Evidence, Observation
from jetan_table.errors import TableError
from jetan_table.game.commands import NewGame
from jetan_table.game.events import Ending, Entry, GameId, Ply, SeriesAgreed, Turned
from jetan_table.game.record import Record
from jetan_table.journal.archive import Archive
from jetan_table.journal.backup import changed_texts, check_journal, read_record, salvage
from jetan_table.journal.file_format import JOURNAL_NAME, OtherVersion, read_witness
from jetan_table.journal.journal import Journal, JournalUnwritable, write_game
from jetan_table.table.games import open_game
from rules import SQUARES, RulesError, format_move, parse_square
from rules.text import parse_game
from tests.jetan_table.hands import EVIDENCE, header
from tests.jetan_table.sitting import sitting

IN_MEMORY: Final = "/dev/shm"
PAGE: Final = 4096
FRAME_HEAD: Final = 24
WAL_HEAD: Final = 32
GAMES: Final = 5
PLIES: Final = 24
GOING_PLIES: Final = 14
UNFOLDED: Final = 4
"""So many plies had been played since the journal was folded when the power went."""

SAMPLED: Final = 80_000
"""Of a large file so many bytes are looked at, to know its places."""

Files: TypeAlias = Mapping[str, bytes]

TURNED: Final = Turned("j10", "i10")

PAGE_KINDS: Final = {2: "index interior", 5: "table interior", 10: "index leaf", 13: "table leaf"}


@dataclass(frozen=True, slots=True)
class KeptEvening:
    """What lies in a data folder after an evening, and what was played."""

    name: str
    files: Files
    played: Mapping[GameId, Sequence[Entry]]
    is_signed: bool = True
    """Whether texts say how far the journal had come, as those of older versions do not."""


def keep_evening(folder: Path, name: str) -> KeptEvening:
    """Play an evening: `rested`, with the power gone in a game (`cut`), or with nothing folded.

    What is `old` is cut, with texts as an older version wrote them.
    """
    with closing(Journal(folder)) as journal:
        for number in range(1, GAMES + 2):
            _play(journal, number, name)
        if name == "rested":
            journal.fold_in()
        return _kept_of(journal, name)


def leave_a_game(folder: Path) -> KeptEvening:
    """Let a table leave a game for another, and the power go then; nothing is folded by then."""
    with sitting(folder) as evening:
        evening.move("d2", "d3")
        evening.tell(NewGame(changed(header(), started=1.7e9)))
        return _kept_of(evening.journal, "left")


def _kept_of(journal: Journal, name: str) -> KeptEvening:
    """Return what lies in a journal's folder now, as after an evening of a name."""
    folder, archive = journal.folder, journal.archive
    files = {
        str(path.relative_to(folder)): _as_kept(path, name)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix not in (".lock", ".sqlite-shm")
    }
    return KeptEvening(
        name, files, {one: archive.entries(one) for one in archive.numbers()}, name != "old"
    )


def _as_kept(path: Path, name: str) -> bytes:
    content = path.read_bytes()
    if name == "old" and path.suffix == ".jgn":
        found = read_witness(content)
        assert found is not None
        return found[0].encode()
    return content


def _play(journal: Journal, number: int, name: str) -> None:
    """Play a game of legal plies, one commit each, as a table writes it; the last is not over."""
    rng, most = Random(number), PLIES if number <= GAMES else GOING_PLIES
    record = Record.begin(changed(header(), started=1.7e9 + number))
    game = journal.begin(record.header)
    if number == 1:  # more than a page takes
        noise = {square: _random_evidence(rng) for square in SQUARES}
        journal.observe(game, [Observation(1.0, noise) for _ in range(2)])
    for event in (SeriesAgreed("sunday"), TURNED):
        record = _kept(journal, game, record, Entry(record.header.started, event))
    while len(record.game.plies) < most:
        position, at = record.position, record.header.started + len(record.game.plies)
        ply = Ply(position.ply_number, format_move(rng.choice(position.moves()), position))
        if record.after(Entry(at, ply)).game.outcome is None:
            record = _kept(journal, game, record, Entry(at, ply))
        if name != "unfolded" and len(record.game.plies) == GOING_PLIES - UNFOLDED:
            journal.fold_in()
    if number <= GAMES:
        _kept(journal, game, record, Entry(record.header.started + 99, Ending("*", "abandoned")))
        if name != "unfolded":
            journal.fold_in()
    if number == 2:
        journal.set_aside(game, 1.0, "game 2: set aside by hand")


def _random_evidence(rng: Random) -> Evidence:
    return -rng.random(), -rng.random(), -rng.random(), -rng.random()


def _kept(journal: Journal, game: GameId, record: Record, entry: Entry) -> Record:
    journal.observe(game, [Observation(entry.at, {parse_square("d3"): EVIDENCE[True]})])
    journal.append(game, [entry])
    record = record.after(entry)
    write_game(journal.folder, journal.witness(game), record)
    return record


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that happens to a file: a bit flips, it is cut at a byte, or it is lost (None)."""

    file: str
    at: int | None
    bit: int | None = None

    def happen(self, files: Files) -> dict[str, bytes]:
        """Return what lies there afterwards."""
        left = dict(files)
        content = left.pop(self.file)
        if self.at is None:
            return left
        if self.bit is None:
            return {**left, self.file: content[: self.at]}
        flipped = bytes([content[self.at] ^ 1 << self.bit])
        return {**left, self.file: content[: self.at] + flipped + content[self.at + 1 :]}


def place_of(file: str, content: bytes, at: int) -> str:
    """Return what stands at a byte of a file."""
    if file.endswith(".jgn"):
        signed = content.find(b"%journal")
        return "text" if at < signed or signed < 0 else "witness"
    page, inside = at // PAGE * PAGE, at % PAGE
    if file.endswith("-wal"):
        if at < WAL_HEAD:
            return "wal head"
        frame, inside = divmod(at - WAL_HEAD, PAGE + FRAME_HEAD)
        if inside < FRAME_HEAD:
            return "wal frame head"
        page, inside = WAL_HEAD + frame * (PAGE + FRAME_HEAD) + FRAME_HEAD, inside - FRAME_HEAD
        return f"wal {_place_in_page(content, page, inside)}"
    if at < 100:
        return "head"
    return _place_in_page(content, page, inside)


def _place_in_page(content: bytes, page: int, inside: int) -> str:
    kind = PAGE_KINDS.get(content[page], "other page" if page else "schema")
    return f"{kind} {'head' if inside < 12 else 'body'}"


def flips(files: Files, rng: Random) -> Iterator[Fault]:
    """Yield flips without end: each file, each place in it, as often as the others."""
    places: dict[tuple[str, str], list[int]] = {}
    for file, content in files.items():
        kind = file if "/" not in file else "text"
        for at in sorted(rng.sample(range(len(content)), min(len(content), SAMPLED))):
            places.setdefault((kind, place_of(file, content, at)), []).append(at)
    texts = [file for file in files if "/" in file]
    while True:
        for kind, place in list(places):
            file = rng.choice(texts) if kind == "text" else kind
            at = rng.choice(places[kind, place])
            if at < len(files[file]):
                yield Fault(file, at, rng.randrange(8))


def whole_file_faults(files: Files, rng: Random) -> Iterator[Fault]:
    """Yield for each file that it is lost, empty, and cut short at a few places."""
    for file, content in files.items():
        if not content:
            continue
        yield Fault(file, None)
        yield from (Fault(file, at) for at in (0, 1, *(rng.randrange(len(content)) for _ in "ab")))


class Silence(AssertionError):
    """Something was lost, and nobody was told."""


def assert_none_is_silent(evening: KeptEvening, faults: Iterable[Fault]) -> None:
    """Let faults happen one by one, each to what was whole before: look, play on and salvage."""
    for fault in faults:
        with tempfile.TemporaryDirectory(dir=IN_MEMORY) as name:
            looked_at, played_on, rescued = (Path(name, one) for one in ("look", "play", "rescued"))
            files = fault.happen(evening.files)
            lay_down(files, looked_at)
            lay_down(files, played_on)
            try:
                with suppress(TableError), closing(Archive.open(looked_at)) as archive:
                    _look(archive, evening)
                _check_named(looked_at, evening, fault)
                with suppress(OtherVersion):  # the table does not start, and says what to do
                    _play_on(played_on, evening)
                _check_texts(played_on, evening, fault)
                _salvage(looked_at, rescued, evening)
            except Silence as silence:
                raise Silence(f"{evening.name}: {fault}: {silence}") from None


def lay_down(files: Files, folder: Path) -> None:
    """Put files into a new folder."""
    for file, content in files.items():
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _look(archive: Archive, evening: KeptEvening) -> None:
    """Read all that is shown of games: whole, or named as damaged."""
    damaged = check_journal(archive)
    if any(turned != TURNED for _rules, turned in archive.turns()):
        raise Silence("the board lies as nobody has said")
    with suppress(TableError):
        if not archive.series().keys() <= {"sunday"}:
            raise Silence("there is a series that nobody has played")
    summaries = {summary.game: summary for summary in archive.games()}
    for game, entries in evening.played.items():
        summary = summaries.get(game)
        if summary is None:
            if evening.is_signed:
                raise Silence(f"game {game} is gone")
            continue
        if summary.damage is not None:
            if game not in damaged:
                raise Silence(f"game {game} is damaged in the list, and not by the check")
            continue
        try:
            shown: Sequence[Entry] = archive.entries(game)
        except TableError:
            if game not in damaged:
                raise Silence(f"game {game} cannot be read, and the check finds nothing") from None
            continue
        if shown != entries and (evening.is_signed or shown != entries[: len(shown)]):
            raise Silence(f"game {game} is shown with {len(shown)} of {len(entries)} events")
        if evening.is_signed and summary.plies != len(_plies(entries)):
            raise Silence(f"game {game} is listed with {summary.plies} moves")


def _plies(entries: Sequence[Entry]) -> list[str]:
    return [entry.event.move for entry in entries if isinstance(entry.event, Ply)]


def _play_on(folder: Path, evening: KeptEvening) -> None:
    """Start the table twice and play a ply each time; all that is amiss must be told.

    A ply may be refused as long as the file is named for it, and the next start plays on.
    """
    going = max(evening.played)
    was_refused = is_told = is_anew = False  # anew: the journal as a whole was put away
    for _ in range(2):
        with closing(Journal(folder)) as journal:
            opened = open_game(journal, header())
            is_anew = is_anew or bool(journal.damaged or journal.lost)
            is_told = is_told or bool(opened.damage) or is_anew
            goes_on = opened.game == going and opened.is_resumed
            if goes_on and evening.is_signed:
                before = _plies(evening.played[going])
                here = _plies(journal.archive.entries(going))
                if here[: len(before)] != before:
                    raise Silence(f"the table goes on after {len(here)} of {len(before)} moves")
            elif not (goes_on or is_told) and evening.is_signed:
                raise Silence("a new game was begun, and nobody was told why")
            position, at = opened.record.position, 1.8e9
            ply = Entry(at, Ply(position.ply_number, format_move(position.moves()[0], position)))
            try:
                journal.append(opened.game, [ply])
            except JournalUnwritable:
                if was_refused:
                    raise Silence("no start mends that nothing can be written") from None
                was_refused = is_told = True
                continue
            record = opened.record.after(ply)
            write_game(folder, journal.witness(opened.game), record)
            with suppress(TableError):  # then the next start tells that it cannot be read
                if read_record(journal.archive, opened.game).game != record.game:
                    raise Silence("what was played now is read as another game")
            if not is_anew:
                _look_again(journal.archive, evening, going)


def _look_again(archive: Archive, evening: KeptEvening, going: GameId) -> None:
    """Look at all games but the one that may have gone on."""
    others = {game: entries for game, entries in evening.played.items() if game != going}
    _look(archive, KeptEvening(evening.name, {}, others, evening.is_signed))


def _check_named(folder: Path, evening: KeptEvening, fault: Fault) -> None:
    """Find the text that a fault has changed named, if it still says anything of a journal."""
    path = folder / fault.file
    if evening.is_signed and path.suffix == ".jgn" and path.exists():
        with closing(Archive.open(folder)) as archive:
            is_named = path in changed_texts(archive)
        if b"%journal" in path.read_bytes() and not is_named:
            raise Silence(f"{path.name} has changed, and nobody says so")


def _check_texts(folder: Path, evening: KeptEvening, fault: Fault) -> None:
    """Find each text that was there: as it was, or with more of the same game."""
    left = [path.read_bytes() for path in folder.rglob("*.jgn")]
    games = [found for found in map(_moves_in, left) if found is not None]
    for file, content in evening.files.items():
        if not file.endswith(".jgn") or file == fault.file or content in left:
            continue
        moves = _moves_in(content)
        assert moves is not None
        if not any(game[: len(moves)] == moves for game in games):
            raise Silence(f"{file} was replaced by a shorter game")


@lru_cache(maxsize=64)
def _moves_in(content: bytes) -> list[object] | None:
    try:
        return list(parse_game(content.decode()).game.plies)
    except (RulesError, UnicodeError):
        return None


def _salvage(folder: Path, rescued: Path, evening: KeptEvening) -> None:
    """Bring out all games that were played, whole: each is in the journal or in its text."""
    path = folder / JOURNAL_NAME
    try:
        salvaged = salvage(path if path.exists() else folder / "games", rescued)
    except TableError:
        if evening.is_signed:
            raise Silence("nothing can be salvaged") from None
        return
    with closing(Archive.open(rescued)) as archive:
        brought = [_plies(archive.entries(game)) for game in archive.numbers()]
    assert len(brought) == salvaged.added
    for game, entries in evening.played.items() if evening.is_signed else ():
        if _plies(entries) not in brought:
            raise Silence(f"game {game} is not salvaged")
    for moves in brought if evening.is_signed else ():
        if moves not in map(_plies, evening.played.values()):
            raise Silence(f"a game of {len(moves)} moves is salvaged, and was never played")

"""What tells that a journal was damaged: its games' seals, and how far their texts say it had come.

Each row of a game is sealed over its content and the seal before it. A seal tells damage and
careless edits, not forgers: whoever may write the file can seal anew.

A text is on the disk before a ply is shown or another game begins. Its last line, `%journal GAME
SEQ BEGUN SEAL SUM`, is skipped by readers of games. It has the number of the last event, how the
seals of header and event begin, and a sum over all that stands before: a journal that has lost its
end is found out, and so is a text that has changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from os import scandir
from pathlib import Path
from typing import Final

import msgspec

from ..files import sync_folder
from ..game.events import KINDS, Correction, Ending, Event, Ply, Question, Recall, TakeBack
from .schema import JOURNAL_NAME

SEAL_BYTES = 16

EventRow = tuple[int, float, str, str, int, str | None, bytes]
"""An event as the journal has it, after its game: seq, at, kind, payload, and what stands after it:
how many plies, the payload of the ending if the game is over; and the seal."""

COUNTED = frozenset(
    kind
    for kind, event in KINDS.items()
    if event in (Ply, Question, TakeBack, Recall, Correction, Ending)
)
"""The kinds of events that change how many plies stand, or whether the game is over."""


def seal_header(game: int, values: Sequence[object]) -> bytes:
    """Return the seal of a game's number and header: its chain begins with it."""
    return blake2b(msgspec.json.encode([game, *values]), digest_size=SEAL_BYTES).digest()


def seal_event(before: bytes, row: Sequence[object]) -> bytes:
    """Return the seal of an event's row, whose own last column counts for nothing."""
    seq, at, kind, payload, plies, ending, *_ = row
    content = f"{seq} {at!r} {kind} {plies} {ending}\n{payload}"
    return blake2b(before + content.encode(errors="replace"), digest_size=SEAL_BYTES).digest()


@dataclass(frozen=True, slots=True)
class Tip:
    """The end of a game's chain: what its last row says, and what the next one needs."""

    seq: int
    """Number of the last event; 0 where there is none yet."""
    seal: bytes
    plies: tuple[int, ...] = ()
    """The numbers of the plies that stand."""
    ending: str | None = None
    """The payload of how the game has ended, while that stands."""

    def next_row(self, at: float, kind: str, payload: str) -> tuple[Tip, EventRow]:
        """Return the row of one event more, sealed, and the tip after it."""
        plies, ending = self.plies, self.ending
        event = _counted(kind, payload)
        match event:
            case Ply(number=number) | Question(number=number, is_ply=True):
                plies = (*plies, number)
            case TakeBack(number=number):
                plies, ending = tuple(earlier for earlier in plies if earlier < number), None
            case Recall():
                ending = None
            case Correction():
                plies, ending = (), None
            case Ending():
                ending = payload
        content = (self.seq + 1, float(at), kind, payload, len(plies), ending)
        seal = seal_event(self.seal, content)
        return Tip(self.seq + 1, seal, plies, ending), (*content, seal)


def _counted(kind: str, payload: str) -> Event | None:
    """Return an event that counts for the tip; None for others, and for one nobody can read."""
    if kind not in COUNTED:
        return None
    try:
        return msgspec.json.decode(payload, type=KINDS[kind])
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None


SHORT: Final = 8
"""So many bytes of a seal, and of the sum, are written."""

_LINE: Final = re.compile(
    rb"%journal (\d{1,7}) (\d{1,9}) ([0-9a-f]{16}) ([0-9a-f]{16}) ([0-9a-f]{16})\n"
)
LONGEST: Final = 100
"""So many bytes the last line has at most."""

_NAME: Final = re.compile(r"\d{5,7}\.jgn")


@dataclass(frozen=True, slots=True)
class Witness:
    """A game's number, its last event's, and how the seals of its header and that event begin."""

    game: int
    seq: int
    begun: bytes
    seal: bytes

    @classmethod
    def of(cls, game: int, seq: int, begun: bytes, seal: bytes) -> Witness:
        """Return what a text has to say of a game whose seals are these."""
        return cls(game, seq, begun[:SHORT], seal[:SHORT])

    def signed(self, text: str) -> bytes:
        """Return a text as it stands in its file."""
        content = text.encode()
        line = f"%journal {self.game} {self.seq} {self.begun.hex()} {self.seal.hex()}"
        return content + f"{line} {_sum(content + line.encode())}\n".encode()


def read_witness(content: bytes) -> tuple[str, Witness] | None:
    """Return the text and what it says; None where it is not as it was written."""
    at = content.rfind(b"%journal ", -LONGEST)
    found = _LINE.fullmatch(content, at) if at >= 0 else None
    if found is None or _sum(content[: found.start(5) - 1]) != found[5].decode():
        return None
    begun, seal = (bytes.fromhex(found[number].decode()) for number in (3, 4))
    return content[:at].decode(), Witness(int(found[1]), int(found[2]), begun, seal)


def is_signed(content: bytes) -> bool:
    """Whether a text says anything of a journal, be it right or wrong."""
    return b"%journal" in content


def _sum(content: bytes) -> str:
    return blake2b(content, digest_size=SHORT).hexdigest()


class Texts:
    """The texts of games beside a journal, one file each; none where the folder is None."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

    @classmethod
    def beside(cls, journal: Path) -> Texts:
        """Return those of a journal: `games`; of one that is kept, `games.damaged-1` and so on."""
        stem = Path(JOURNAL_NAME).stem
        if not journal.stem.startswith(stem):
            return cls(None)
        return cls(journal.with_name(f"games{journal.stem.removeprefix(stem)}"))

    def numbers(self) -> list[int]:
        """Return the numbers of the games that have a text, in order."""
        try:
            names = [] if self.folder is None else [entry.name for entry in scandir(self.folder)]
        except OSError:
            return []
        return sorted(int(name.removesuffix(".jgn")) for name in names if _NAME.fullmatch(name))

    def path(self, game: int) -> Path:
        """Return where a game's text stands."""
        assert self.folder is not None
        return self.folder / f"{game:05}.jgn"

    def read(self, game: int) -> tuple[str, Witness] | None:
        """Return a game's text and what it says; None without one that is as it was written."""
        if self.folder is None:
            return None
        try:
            found = read_witness(self.path(game).read_bytes())
        except OSError:
            return None
        return found if found is not None and found[1].game == game else None

    def witness(self, game: int) -> Witness | None:
        """Return what a game's text says of the journal; None where nothing can be trusted."""
        found = self.read(game)
        return None if found is None else found[1]

    def is_changed(self, game: int) -> bool:
        """Whether a game's text speaks of a journal, and is not as it was written."""
        try:
            return is_signed(self.path(game).read_bytes()) and self.read(game) is None
        except OSError:
            return False

    def witnesses(self, games: Iterable[int]) -> list[int]:
        """Return those of some games of which a text speaks that is as it was written."""
        return [game for game in games if self.witness(game) is not None]

    def move(self, other: Texts) -> None:
        """Let them lie beside another journal from now on. OSError."""
        if self.folder is not None and other.folder is not None and self.folder.is_dir():
            self.folder.rename(other.folder)
            sync_folder(self.folder.parent)

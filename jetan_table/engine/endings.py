"""Solved endings: what a position with few men comes to, looked up in a file of tables.

`jetan endings make` (the feature `extras/endings`) writes such a file for a set of rules; a release
has those of the recommended readings. A table tells of all positions with the same men and the same
escapes left, for the side to move. Its value is 0 for a draw, else one more than the plies to the
end, odd for a loss. The board is turned over where Orange is to move, and by its symmetries, so
that the first man stands on one of few squares.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from rules import (
    DEFAULT_PRESET,
    KINDS,
    OPTIONS,
    BadText,
    Kind,
    Move,
    Position,
    Rules,
    Side,
    _,
    format_rules,
    preset_rules,
)
from rules.movement import FEW_PLIES

from .library import cache_folder

MAGIC: Final = b"jetan endings 1\n"
SUFFIX: Final = ".jetan-endings"
SWITCH: Final = "JETAN_ENDINGS"
"""In the environment, the folder of the files, or `off`."""

ORDER: Final = "CQFDAWTP"
"""The kinds' letters as tables name them."""

IDLE: Final = ("set-up", "flier-name", "repetition", "captureless", "duel", "juggernaut-edge")
"""Options that change no table: a shortest win repeats nothing, and counts are seen to apart."""

BLOCK: Final = 1 << 15
"""Values that are packed together."""


class Material(NamedTuple):
    """The men of a table: letters in the order of `ORDER`, and whose escape is left."""

    movers: str
    others: str
    may_escape: bool = False
    """The side to move."""
    may_others: bool = False

    @property
    def text(self) -> str:
        """Its name, such as `CQ~-CQ`: an escape is left where there is a `~`."""
        return "-".join(
            letters + "~" * may
            for letters, may in ((self.movers, self.may_escape), (self.others, self.may_others))
        )

    @property
    def after(self) -> Material:
        """Those after a move that takes nothing."""
        return Material(self.others, self.movers, self.may_others, self.may_escape)


def parse_material(text: str) -> Material:
    """Read men such as `CQ~-CQT`; BadText. Which men there may be is for a `Solver` to say."""
    sides = text.upper().split("-")
    if len(sides) != 2:
        raise BadText(_("men {text!r}: must be two sides, as in CQ~-CQT"), text=text)
    letters = [side.removesuffix("~") for side in sides]
    mays = [side.endswith("~") for side in sides]
    return Material(letters[0], letters[1], mays[0], mays[1])


class Worth(NamedTuple):
    """What a position comes to for its side to move, if nobody errs."""

    result: int
    """1 for a win, 0 for a draw, -1 for a loss."""
    plies: int
    """Plies to the end; 0 for a draw."""


class TableHead(msgspec.Struct, frozen=True):
    """What a file says of a table beside its values."""

    rules: str
    """All that decides in these endings, as `rules_for` tells it."""
    material: Material
    symmetries: tuple[tuple[int, ...], ...]
    """Each maps the hundred squares so that the men go as before."""
    blocks: tuple[int, ...]
    """Where each block of values begins behind the head, and where the last one ends."""
    is_final: bool
    """True if every capture ends the game, so that the count of ten can be told from the plies."""
    won: int
    lost: int
    drawn: int
    """Of all placements, each symmetric one counted."""
    longest: int
    """Plies of the longest win or loss."""


class FileHead(msgspec.Struct, frozen=True):
    """What a file begins with, as JSON on one line behind `MAGIC`."""

    tables: tuple[TableHead, ...]


class Numbering:
    """How the placements of a table's men are numbered: by symmetry the first man has few squares.

    `symmetry` says by which of the symmetries a square of the first man is brought to its anchor,
    `rank` which anchor that is, `weights` how many squares share each anchor.
    """

    def __init__(self, symmetries: Iterable[tuple[int, ...]]) -> None:
        self.symmetries = tuple(symmetries)
        reached = [[each[square] for each in self.symmetries] for square in range(100)]
        least = [min(row) for row in reached]
        self.anchors = sorted(set(least))
        self.symmetry = [row.index(square) for row, square in zip(reached, least, strict=True)]
        self.rank = [self.anchors.index(square) for square in least]
        self.weights = [least.count(anchor) for anchor in self.anchors]

    def size(self, men: int) -> int:
        """Return the number of placements of so many men, impossible ones included."""
        return int(len(self.anchors) * 100 ** (men - 1))

    def index(self, squares: Iterable[int]) -> int:
        """Return the number of a placement: the men's squares, as the side to move sees them."""
        first, *others = squares
        symmetry, index = self.symmetries[self.symmetry[first]], self.rank[first]
        for square in others:
            index = 100 * index + symmetry[square]
        return index


class EndingTable:
    """One table of a file, read block by block."""

    def __init__(self, path: Path, start: int, head: TableHead) -> None:
        self._path, self._start, self.head = path, start, head
        self._block = lru_cache(maxsize=64)(self._read)

    @cached_property
    def frame(self) -> Numbering:
        return Numbering(self.head.symmetries)

    def value(self, index: int) -> int:
        """Return the value of a placement."""
        block, within = divmod(index, BLOCK)
        return self._block(block)[within]

    def _read(self, block: int) -> bytes:
        begin, end = self.head.blocks[block : block + 2]
        with self._path.open("rb") as file:
            file.seek(self._start + begin)
            return zlib.decompress(file.read(end - begin))


class Endings:
    """The tables of all files in some folders; a file that is no such file is not heard of."""

    def __init__(self, folders: Iterable[Path] = ()) -> None:
        self.files: dict[Path, FileHead] = {}
        self._tables: dict[tuple[str, Material], EndingTable] = {}
        for path in (path for folder in folders for path in sorted(folder.glob(f"*{SUFFIX}"))):
            self._open(path)

    def _open(self, path: Path) -> None:
        try:
            with path.open("rb") as file:
                if file.readline() != MAGIC:
                    return
                head = msgspec.json.decode(file.readline(), type=FileHead)
                start = file.tell()
        except (OSError, msgspec.DecodeError):
            return
        self.files[path] = head
        for each in head.tables:
            self._tables.setdefault((each.rules, each.material), EndingTable(path, start, each))

    def table(self, position: Position) -> EndingTable | None:
        """Return the table that tells of a position; None where none does."""
        if not self._tables or position.juggernaut is not None:
            return None
        if len(position.ours) + len(position.theirs) > 8 or position.rules["duel"] != "off":
            return None
        material = material_of(position)
        return self._tables.get((rules_for(position.rules, material), material))

    def worth(self, position: Position) -> Worth | None:
        """Return what a position comes to; None where no table tells, or the game is over."""
        table = None if position.ended is not None else self.table(position)
        if table is None:
            return None
        value = table.value(table.frame.index(men_of(position)))
        if not value:
            return Worth(0, 0)
        plies, law = value - 1, position.law
        counter = position.few_counter
        if counter is None and law.are_few_and_equal(position.ours, position.theirs):
            counter = -1  # it begins with the next ply
        if counter is not None and plies > FEW_PLIES - counter:
            return Worth(0, 0) if table.head.is_final else None
        if position.quiet_plies + plies > law.captureless_plies:
            return None
        return Worth(1 if plies % 2 else -1, plies)

    def answers(self, position: Position) -> dict[Move, Worth] | None:
        """Return what each move comes to for who plays it, the best first; None as `worth`."""
        if self.worth(position) is None:
            return None
        found = {}
        for move in position.moves():
            after = position.play(move)
            ended = after.outcome
            if ended is not None:
                result = 0 if ended.winner is None else 1 if ended.winner is position.side else -1
                found[move] = Worth(result, int(result != 0))
                continue
            worth = self.worth(after)
            if worth is None:
                return None
            found[move] = Worth(-worth.result, worth.plies + 1 if worth.result else 0)
        return dict(sorted(found.items(), key=lambda each: rank_of(each[1]), reverse=True))

    def line(self, position: Position) -> Iterator[Move]:
        """Yield the moves to the end, the quickest win against the longest defence."""
        while position.outcome is None and (answers := self.answers(position)):
            move = next(iter(answers))
            yield move
            position = position.play(move)


def rank_of(worth: Worth) -> tuple[int, int]:
    """Return a key by which better answers are greater: quick wins, draws, long losses."""
    return worth.result, -worth.result * worth.plies


def material_of(position: Position) -> Material:
    """Return the men and escapes of a position."""
    letters = [
        "".join(sorted((post.kind.value for post in army.posts()), key=ORDER.index))
        for army in (position.ours, position.theirs)
    ]
    mays = (
        army.may_escape and position.rules["escape"] != "none"
        for army in (position.ours, position.theirs)
    )
    return Material(letters[0], letters[1], *mays)


def men_of(position: Position) -> list[int]:
    """Return the squares of the men in their table's order, as the side to move sees them."""
    is_turned = position.side is Side.ORANGE
    return [
        turned(post.square) if is_turned else post.square
        for army in (position.ours, position.theirs)
        for post in sorted(
            army.posts(), key=lambda post: (ORDER.index(post.kind.value), post.square)
        )
    ]


def turned(square: int) -> int:
    """Return a square of the board turned over: Orange's seen as Black's."""
    return 90 - square + 2 * (square % 10)


@lru_cache(maxsize=256)
def rules_for(rules: Rules, material: Material) -> str:
    """Return what of some rules decides in such an ending: all else is as in the Appendix.

    So readings that differ in other things have tables in common.
    """
    standing, absent = material.movers + material.others, list(IDLE)
    for kind in KINDS:
        if kind.value not in standing and kind not in (Kind.CHIEF, Kind.PRINCESS):
            absent += [f"stride.{kind.word}", f"value.{kind.word}", kind.word]
    plain = preset_rules(DEFAULT_PRESET)
    return format_rules(
        Rules(rules.changed({name: plain[name] for name in absent if name in OPTIONS}).values)
    )


def find_endings(environment: Mapping[str, str]) -> Endings:
    """Return the tables on this machine: of the named folder, else of the user's cache."""
    named = environment.get(SWITCH)
    if named == "off":
        return Endings()
    return Endings([Path(named) if named else endings_folder(environment)])


def endings_folder(environment: Mapping[str, str]) -> Path:
    """Return where files of tables are looked for and made, unless another folder is named."""
    return cache_folder(environment) / "endings"

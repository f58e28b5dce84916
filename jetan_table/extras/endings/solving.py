"""Solves endings backwards, table by table, and packs them into the file that `jetan` looks up.

The work is done in C (`solve.c`), pass by pass: first what is lost at once, then what is won in one
ply, lost in two, and so on, until nothing more is settled. The tables are files of the work folder,
mapped into memory, so an interrupted run continues with the pass it was in. Tables reached by a
capture or an escape are solved first.
"""

import ctypes
import mmap
import zlib
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from hashlib import sha256
from itertools import product
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

import msgspec

from rules import (
    KINDS,
    Kind,
    Move,
    Piece,
    Position,
    Rules,
    Side,
    Square,
    _,
    at_sector_and_ring,
    format_rules,
    sector_and_ring,
    squares_of,
)
from rules.movement import FEW, FEW_PLIES, Law, law_of

from ...engine.endings import (
    BLOCK,
    MAGIC,
    ORDER,
    Endings,
    FileHead,
    Material,
    Numbering,
    TableHead,
    Worth,
    material_of,
    men_of,
    rank_of,
    rules_for,
    turned,
)
from ...engine.library import LibraryBuild
from ...errors import TableError
from ...files import read_json, write_whole

SOURCE: Final = Path(__file__).with_name("solve.c")
NOWHERE: Final = 255
"""The value of a placement with two men on a square."""

AT_ONCE: Final = 1 << 20
"""Placements settled in one call: between calls, Ctrl-C is heeded."""

NEEDED: Final = {"juggernaut": "off", "duel": "off", "princess-passes": "anywhere"}
"""Values without which endings cannot be solved."""

MOST_PLIES: Final = 250
"""Passes at most: a value is one byte."""

MOST_MEN: Final = 6


class CannotSolve(TableError, ValueError):
    """No table can be made for these rules or men."""


class _Law(ctypes.Structure):
    _fields_ = (
        ("first", ctypes.c_void_p),
        ("paths", ctypes.c_void_p),
        ("turned", ctypes.c_void_p),
        *((name, ctypes.c_int32) for name in ("princess_takes", "ends_safe", "escape")),
        *((name, ctypes.c_int32) for name in ("chief_by_other", "mate_ends", "no_move_draws")),
    )


class _Table(ctypes.Structure):
    _fields_ = (
        ("values", ctypes.c_void_p),
        ("symmetries", ctypes.c_void_p),
        *((name, ctypes.c_uint8 * 100) for name in ("symmetry", "rank", "anchors")),
        ("movers", ctypes.c_int32),
        ("others", ctypes.c_int32),
        ("kinds", ctypes.c_int32 * 8),
        *((name, ctypes.c_int32) for name in ("may_escape", "next", "escaped")),
        ("taken", ctypes.c_int32 * 8),
        ("most", ctypes.c_int32 * 8),
    )


ESCAPES: Final = ("unthreatened", "unoccupied", "when-threatened", "none")
BY_OTHER: Final = ("draw", "play-on", "forbidden", "win")


class TableProgress(msgspec.Struct):
    """How far a group of tables is: its finished passes, and whether it needs no more."""

    passes: int = 0
    is_solved: bool = False
    seconds: float = 0.0
    """By the clock, over all runs."""


class Shares(NamedTuple):
    """How many placements of a table are won, lost and drawn for the side to move.

    Symmetric ones count singly.
    """

    won: int
    lost: int
    drawn: int
    longest: int
    """Plies of the longest win or loss."""


class Solver:
    """Solves tables for a set of rules, in a work folder."""

    def __init__(self, rules: Rules, folder: Path, cache: Path) -> None:
        """Load the program in C, and build it first where the folder `cache` lacks it.

        NotBuilt; CannotSolve for rules with other values than `NEEDED`.
        """
        for option, must in NEEDED.items():
            if rules[option] != must:
                raise CannotSolve(
                    _("{name} = {value}: endings are solved only with {must}"),
                    name=option,
                    value=rules[option],
                    must=must,
                )
        self.rules, self.folder = rules, folder
        folder.mkdir(parents=True, exist_ok=True)
        self._law = law_of(rules)
        self._library = ctypes.CDLL(str(built(cache)))
        self._library.endings_pass.restype = ctypes.c_int64
        self._library.endings_pass.argtypes = [
            *(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32, ctypes.c_int32),
            *(ctypes.c_int64, ctypes.c_int64),
        ]
        self._frames: dict[str, Numbering] = {}
        self._maps: dict[Material, mmap.mmap] = {}
        self._c_law, self._kept = _c_law(self._law)

    # The order of tables

    def leads_to(self, material: Material) -> Iterator[Material]:
        """Yield the tables that an escape or a capture leads to; they are solved first."""
        after = material.after
        if material.may_escape:
            yield after._replace(may_others=False)
        for letter in sorted(set(material.others)):
            if self.goes_on_without(letter):
                yield after._replace(movers=after.movers.replace(letter, "", 1))

    def goes_on_without(self, letter: str) -> bool:
        """Return True if the game goes on after a piece of that letter is taken."""
        return letter not in "CQ" or (
            letter == "C" and self.rules["chief-taken-by-other"] == "play-on"
        )

    def in_order(self, wanted: Sequence[Material]) -> list[tuple[Material, ...]]:
        """Return groups of tables to be solved together, each after those it leads to.

        A group is a table and the one with the other side to move.
        """
        found: dict[frozenset[Material], None] = {}

        def add(material: Material) -> None:
            group = frozenset({material, material.after})
            for each in sorted(group):
                for before in self.leads_to(each):
                    if frozenset({before, before.after}) not in found and before not in group:
                        add(before)
            found.setdefault(group)

        for each in wanted:
            add(self.checked(each))
        return [tuple(sorted(group)) for group in found]

    def checked(self, material: Material) -> Material:
        """Return the men in the order that tables have; CannotSolve where no table is made."""
        men = material.movers + material.others
        for letters in (material.movers, material.others):
            if "Q" not in letters or set(letters) - set(ORDER) or letters.count("C") > 1:
                raise CannotSolve(
                    _("{men}: each side has a Princess (Q) and at most one Chief (C)"), men=letters
                )
        if len(men) > MOST_MEN:
            raise CannotSolve(_("{men}: at most {most} men"), men=material.text, most=str(MOST_MEN))
        if len(men) > 4 and self.rules["chief-taken-by-other"] == "play-on":
            raise CannotSolve(
                _("{men}: where a lost Chief ends nothing, at most four men"), men=material.text
            )
        may = self.rules["escape"] != "none"
        return Material(
            "".join(sorted(material.movers, key=ORDER.index)),
            "".join(sorted(material.others, key=ORDER.index)),
            material.may_escape and may,
            material.may_others and may,
        )

    # Solving

    def solve(
        self,
        group: Sequence[Material],
        clock: Callable[[], float],
        tell: Callable[[str, int, int], None] = lambda name, depth, settled: None,
    ) -> None:
        """Solve the tables of a group, whose `leads_to` are solved; `tell` each pass.

        After an interruption it continues with the same pass.
        """
        tables = self._tables(group)
        least = max((self.shares(each).longest for each in self._before(group)), default=0)
        done = self._progress(group[0])
        idle = 0
        while not done.is_solved and done.passes < MOST_PLIES:
            begun, settled = clock(), 0
            for number, material in enumerate(group):
                size = self.frame(material).size(len(material.movers + material.others))
                for at in range(0, size, AT_ONCE):
                    settled += self._library.endings_pass(
                        *(ctypes.byref(self._c_law), tables, number, done.passes),
                        *(at, min(at + AT_ONCE, size)),
                    )
            idle = 0 if settled else idle + 1
            done.seconds += clock() - begun
            tell(group[0].text, done.passes, settled)
            # Wins and losses take turns: two empty passes are the end, unless a table that this
            # one leads to has longer wins still to come.
            done.is_solved = idle >= 2 and done.passes > least + 1
            done.passes += 1
            for each in group:
                self._maps[each].flush()
            write_whole(self._file(group[0], ".json"), msgspec.json.encode(done))

    def _progress(self, material: Material) -> TableProgress:
        return read_json(self._file(material, ".json"), TableProgress) or TableProgress()

    def is_solved(self, material: Material) -> bool:
        """Return True if a table is finished."""
        return self._progress(min(material, material.after)).is_solved

    def _before(self, group: Sequence[Material]) -> set[Material]:
        return {each for material in group for each in self.leads_to(material)} - set(group)

    def _tables(self, group: Sequence[Material]) -> ctypes.Array[_Table]:
        """Return a group's tables as the program in C takes them, then those they lead to."""
        every = [*group, *sorted(self._before(group))]
        tables = (_Table * len(every))()
        for made, material in zip(tables, every, strict=True):
            frame, men = self.frame(material), material.movers + material.others
            made.values = ctypes.addressof(ctypes.c_uint8.from_buffer(self.values(material)))
            packed = array("B", [square for each in frame.symmetries for square in each])
            self._kept.append(packed)
            made.symmetries = packed.buffer_info()[0]
            made.symmetry[:], made.rank[:] = frame.symmetry, frame.rank
            made.anchors[: len(frame.anchors)] = frame.anchors
            made.movers, made.others = len(material.movers), len(material.others)
            made.kinds[: len(men)] = [KINDS.index(Kind(letter)) for letter in men]
            made.may_escape = material.may_escape
            made.next = made.escaped = -1
            made.taken[:] = [-1] * 8
            if material not in group:
                continue
            made.next = every.index(material.after)
            if material.may_escape:
                made.escaped = every.index(material.after._replace(may_others=False))
            for at, letter in enumerate(material.others, len(material.movers)):
                if self.goes_on_without(letter):
                    after = material.after
                    without = after._replace(movers=after.movers.replace(letter, "", 1))
                    made.taken[at] = every.index(without)
                    begins = self.is_counted(without) and not self.is_counted(material)
                    made.most[at] = FEW_PLIES if begins else MOST_PLIES
        return tables

    def is_counted(self, material: Material) -> bool:
        """Return True if ten plies without a win are a draw."""
        sides = [[Kind(letter) for letter in each] for each in material[:2]]
        if max(map(len, sides)) > FEW:
            return False
        if self._law.few_equal == "count":
            return len(sides[0]) == len(sides[1])
        worths = [sum(self._law.worth[kind] for kind in side) for side in sides]
        return self._law.few_equal == "any" or worths[0] == worths[1]

    def frame(self, material: Material) -> Numbering:
        """Return how a table's placements are numbered."""
        men = "".join(sorted({*material.movers, *material.others}))
        if men not in self._frames:
            self._frames[men] = Numbering(symmetries(self._law, [Kind(letter) for letter in men]))
        return self._frames[men]

    def values(self, material: Material) -> mmap.mmap:
        """Return a table's values, one byte each, as they are on the disk."""
        if material not in self._maps:
            path = self._file(material, ".values")
            size = self.frame(material).size(len(material.movers + material.others))
            if not path.exists() or path.stat().st_size != size:
                with path.open("wb") as file:
                    file.truncate(size)
            with path.open("r+b") as file:
                self._maps[material] = mmap.mmap(file.fileno(), size)
        return self._maps[material]

    def _file(self, material: Material, ending: str) -> Path:
        return self.folder / f"{material.text}{ending}"

    # Results

    def shares(self, material: Material) -> Shares:
        """Return the counts of a table's placements."""
        frame, values = self.frame(material), self.values(material)
        each = len(values) // len(frame.anchors)
        counts = [0] * 256
        for number, weight in enumerate(frame.weights):
            part = values[number * each : (number + 1) * each]
            left = len(part)
            for value in range(256):
                if not left:
                    break
                counts[value] += weight * part.count(value)
                left -= part.count(value)
        settled = [value for value in range(1, NOWHERE) if counts[value]]
        return Shares(
            won=sum(counts[value] for value in settled if value % 2 == 0),
            lost=sum(counts[value] for value in settled if value % 2),
            drawn=counts[0],
            longest=max(settled, default=1) - 1,
        )

    def worth(self, material: Material, squares: Sequence[int]) -> Worth:
        """Return a table's value, as if no plies had been counted yet."""
        value = self.values(material)[self.frame(material).index(squares)]
        return Worth(0, 0) if not value else Worth(-1 if value % 2 else 1, value - 1)

    def check(self, material: Material, count: int, seed: int) -> int:
        """Compare random positions with `rules`, one ply deep; return how many differ."""
        drawn = Random(f"{seed} {material.text}")
        men, differ = len(material.movers + material.others), 0
        for _at in range(count):
            squares = drawn.sample(range(100), men)
            here = self.worth(material, squares)
            differ += here != self._by_rules(material, squares)
        return differ

    def _by_rules(self, material: Material, squares: Sequence[int]) -> Worth:
        """Return a position's worth by its legal moves, and the tables of what follows them."""
        letters = material.movers + material.others
        sides = [Side.BLACK] * len(material.movers) + [Side.ORANGE] * len(material.others)
        mays = (material.may_escape, material.may_others)
        position = Position.of(
            self.rules,
            {
                Square(at): Piece(side, Kind(letter))
                for at, side, letter in zip(squares, sides, letters, strict=True)
            },
            Side.BLACK,
            escapes=frozenset(side for side, may in zip(Side, mays, strict=True) if may),
        )
        is_counted = self.is_counted(material)
        worths = [self._after(after, is_counted) for after in position.after_each()]
        if worths:
            return max(worths, key=rank_of)
        ended = position.outcome
        return Worth(0, 0) if ended is None or ended.winner is None else Worth(-1, 0)

    def _after(self, after: Position, was_counted: bool) -> Worth:
        """Return what a move of Black's is worth to Black, by the position after it.

        `was_counted`: ten plies without a win were a draw before it, too.
        """
        if after.ended is not None:
            winner = after.ended.winner
            result = 0 if winner is None else 1 if winner is Side.BLACK else -1
            return Worth(result, abs(result))
        worth = self.worth(material_of(after), men_of(after))
        if after.few_counter is not None and not was_counted and worth.plies > FEW_PLIES:
            return Worth(0, 0)
        return Worth(-worth.result, worth.plies + 1 if worth.result else 0)

    def head_of(self, material: Material, blocks: Sequence[int]) -> TableHead:
        """Return what the file says of a table, besides its values."""
        shares = self.shares(material)
        return TableHead(
            rules=rules_for(self.rules, material),
            material=material,
            symmetries=self.frame(material).symmetries,
            blocks=tuple(blocks),
            is_final=not any(map(self.goes_on_without, material.movers + material.others)),
            won=shares.won,
            lost=shares.lost,
            drawn=shares.drawn,
            longest=shares.longest,
        )

    def pack(self, materials: Sequence[Material], out: Path) -> None:
        """Write solved tables into one file, always the same for the same tables; OSError."""
        parts: list[bytes] = []
        heads, at = [], 0
        for material in materials:
            values = self.values(material)
            blocks = [at]
            for begin in range(0, len(values), BLOCK):
                packed = zlib.compress(values[begin : begin + BLOCK].translate(_SPARE), 9)
                parts.append(packed)
                at += len(packed)
                blocks.append(at)
            heads.append(self.head_of(material, blocks))
        head = msgspec.json.encode(FileHead(tuple(heads)))
        write_whole(out, b"".join([MAGIC, head, b"\n", *parts]))


_SPARE: Final = bytes(0 if value == NOWHERE else value for value in range(256))
"""Turns impossible placements into draws, which pack better: nobody asks for them."""


def symmetries(law: Law, kinds: Sequence[Kind]) -> list[tuple[int, ...]]:
    """Return the turns and mirrorings of the board that keep these kinds' moves.

    The first leaves the board as it is.
    """
    board = law.rules.board
    every: list[tuple[int, ...]]
    if board.columns_around:
        places = [sector_and_ring(Square(square)) for square in range(100)]
        every = [
            tuple(at_sector_and_ring(sector + turn, ring) for sector, ring in places)
            for turn in range(board.columns_around)
        ]
    else:
        every = [
            tuple(_placed(*divmod(square, 10), *flips) for square in range(100))
            for flips in product((False, True), repeat=3)
        ]
    pieces = [Piece(side, kind) for kind in kinds for side in Side]
    found = []
    for mapping in every:
        bits = [1 << square for square in mapping]
        if all(_goes_alike(law, piece, mapping, bits) for piece in pieces):
            found.append(mapping)
    return found


def _placed(rank: int, file: int, swaps: bool, ranks: bool, files: bool) -> int:
    if swaps:
        rank, file = file, rank
    return 10 * (9 - rank if ranks else rank) + (9 - file if files else file)


def _goes_alike(law: Law, piece: Piece, mapping: tuple[int, ...], bits: list[int]) -> bool:
    """Return True if a piece has the same moves on the mapped board."""

    @cache
    def mapped(mask: int) -> int:
        return sum(bits[square] for square in squares_of(mask))

    ways = _ways(law, piece)
    return all(
        {mapped(between): mapped(ends) for between, ends in ways[square].items()} == ways[there]
        for square, there in enumerate(mapping)
    )


@lru_cache(maxsize=64)
def _ways(law: Law, piece: Piece) -> list[dict[int, int]]:
    """Return for each square the ends of a piece's paths, by what must be free; both are masks."""
    peers = law.peers[piece]
    return [peers.paths_from(peers[square]) for square in range(100)]


def _c_law(law: Law) -> tuple[_Law, list[object]]:
    """Return rules as the program in C takes them, and the arrays it points into."""
    first, paths = array("i", [0]), array("Q")
    word = (1 << 64) - 1
    for piece in (Piece(side, kind) for side in Side for kind in KINDS):
        for square in range(100):
            for between, ends in _ways(law, piece)[square].items():
                paths.extend((between & word, between >> 64, ends & word, ends >> 64))
            first.append(len(paths) // 4)
    over = array("B", map(turned, range(100)))
    made = _Law(
        first.buffer_info()[0],
        paths.buffer_info()[0],
        over.buffer_info()[0],
        int(law.princess_takes),
        int(law.princess_ends_safe),
        ESCAPES.index(law.escape),
        BY_OTHER.index(law.chief_by_other),
        int(law.mate_ends),
        int(law.no_move_draws),
    )
    return made, [first, paths, over]


def built(cache: Path) -> Path:
    """Return the compiled program, building it where the folder `cache` lacks it; NotBuilt."""
    path = cache / f"endings-{sha256(SOURCE.read_bytes()).hexdigest()[:16]}.so"
    return path if path.is_file() else LibraryBuild(path, folder=SOURCE.parent).wait()


class NoTable(TableError, LookupError):
    """No table covers a position."""


def asked(found: Endings, position: Position) -> tuple[Worth, dict[Move, Worth]]:
    """Return the worth of a position and of each of its moves; NoTable."""
    worth, answers = found.worth(position), found.answers(position)
    if worth is None or answers is None:
        raise NoTable(
            _("no table tells of {men} by {rules}; `jetan endings list` shows what there is"),
            men=material_of(position).text,
            rules=format_rules(position.rules),
        )
    return worth, answers

"""The nets that correct the weights: what a search carries of them, and what their files say."""

import ctypes
from array import array
from itertools import product
from pathlib import Path
from random import Random
from zlib import compress

import pytest

from bench.opponent.in_c import Seat, library_with, quick_game
from jetan_table.engine.evaluation import NETS, fitted_weights, net_for, piece_square_table
from jetan_table.engine.library import FLAGS, KEYS, quick_law, standing_of
from jetan_table.extras.opponent.match import random_opening
from rules import Position, Side, parse_rules
from tests.jetan_table.engine.alike import scattered

pytestmark = pytest.mark.needs("cc")

HIDDEN, PHASES, ROWS = 32, 4, 1602
GAMES = 40
READINGS = sorted(path.stem for path in NETS.glob("*.net"))


@pytest.fixture(scope="module")
def library() -> ctypes.CDLL:
    return compiled()


def compiled(*flags: str) -> ctypes.CDLL:
    return library_with(Path(__file__).with_name("netted.c"), (*FLAGS, *flags))


def game(library: ctypes.CDLL, position: Position, net: bytes, seed: int) -> tuple[int, int, int]:
    """Return after how many plies a game at random was over, and what the net says.

    First that of the first position, then a digest of all others.
    """
    weights, corrects, digest = fitted_weights(), ctypes.c_int32(), ctypes.c_uint64()
    table = piece_square_table(position, weights)
    plies = library.netted_game(
        ctypes.c_void_p(quick_law(library, position.law).address),
        KEYS,
        array("i", [*table, round(weights.escape), round(weights.tempo)]).tobytes(),
        standing_of(position),
        net,
        ctypes.c_uint64(seed),
        200,
        ctypes.byref(corrects),
        ctypes.byref(digest),
    )
    return plies, corrects.value, digest.value


def told(position: Position, net: bytes) -> int:
    """Return what a net says of a position, by its file alone."""
    numbers = array("h", net)
    rows = [numbers[HIDDEN * row :][:HIDDEN] for row in range(ROWS + 1)]
    out, base = numbers[HIDDEN * (ROWS + 1) :][: 2 * HIDDEN * PHASES], numbers[-PHASES:]
    pieces = position.occupied.bit_count()
    phase = min((pieces - 1) * PHASES // 40, PHASES - 1)
    total = base[phase] * 256
    for view, (viewer, other) in enumerate(
        ((position.ours, position.theirs), (position.theirs, position.ours))
    ):
        is_turned = position.side is (Side.BLACK if view else Side.ORANGE)
        summands = [rows[ROWS]]
        for place, army in enumerate((viewer, other)):
            for post in army.posts():
                rank, file = divmod(post.square, 10)
                square = 10 * (9 - rank if is_turned else rank) + file
                summands.append(rows[800 * place + 100 * (post.index // 100 % 8) + square])
            if army.may_escape:
                summands.append(rows[ROWS - 2 + place])
        sums = [min(max(sum(column), 0), 256) for column in zip(*summands, strict=True)]
        weights = out[2 * HIDDEN * phase + HIDDEN * view :][:HIDDEN]
        total += sum(s * w for s, w in zip(sums, weights, strict=True))
    return int(total / 4096)


@pytest.mark.parametrize(("reading", "seed"), [*product(READINGS, range(40))])
def test_what_a_search_carries_is_what_is_found_anew(
    library: ctypes.CDLL, reading: str, seed: int
) -> None:
    rules, chance = parse_rules(reading), Random(seed)
    net = net_for(rules)
    assert net is not None
    is_open = seed % 2 == 0
    position = random_opening(rules, chance).position if is_open else scattered(rules, chance)
    plies, corrects, _ = game(library, position, net, seed)
    assert plies >= 0
    assert corrects == told(position, net)


def test_compilers_find_the_same_with_wide_instructions_and_without() -> None:
    libraries = [compiled(), compiled("-O0"), compiled("-O3", "-march=native")]
    for reading in READINGS:
        rules = parse_rules(reading)
        net = net_for(rules)
        assert net is not None
        for seed in range(GAMES):
            position = random_opening(rules, Random(seed)).position
            assert len({game(library, position, net, seed) for library in libraries}) == 1


@pytest.mark.parametrize("reading", READINGS)
def test_a_file_holds_what_the_search_reads(library: ctypes.CDLL, reading: str) -> None:
    net = net_for(parse_rules(reading))
    assert net is not None
    assert len(net) == library.netted_size()
    numbers = array("h", net)
    most = max(map(abs, numbers[: HIDDEN * ROWS]))
    begins = max(map(abs, numbers[HIDDEN * ROWS :][:HIDDEN]))
    assert 102 * most + begins < 1 << 15, "a hundred pieces would not fit into two bytes"


def test_a_net_that_says_nothing_changes_nothing(tmp_path: Path) -> None:
    opening = random_opening(parse_rules("cazaux"), Random(5))
    net = net_for(opening.position.rules)
    assert net is not None
    silent, none = tmp_path / "silent", tmp_path / "none"
    silent.mkdir()
    (silent / "cazaux.net").write_bytes(b"{}\n" + compress(bytes(len(net))))
    games = [
        quick_game(opening, (seat, seat), 60)
        for seat in (Seat(fitted_weights(), 500, nets=nets) for nets in (silent, none, NETS))
    ]
    assert games[0] == games[1]
    assert games[1].scores != games[2].scores


def test_other_readings_keep_the_tables() -> None:
    assert READINGS
    assert net_for(parse_rules("manator")) is None
    assert net_for(parse_rules("cazaux,escape=when-threatened")) is None

"""A bit flips, a file is cut or lost: what is shown is whole or named, and no text gets shorter."""

from collections import Counter
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from random import Random
from typing import Final

import pytest

from jetan_table.game.events import Ending, GameId
from jetan_table.journal import archive, journal
from jetan_table.journal.file_format import JOURNAL_NAME
from tests.faults.rot import (
    FRAME_HEAD,
    PAGE,
    WAL_HEAD,
    Fault,
    KeptEvening,
    Silence,
    assert_none_is_silent,
    flips,
    keep_evening,
    leave_a_game,
    place_of,
    whole_file_faults,
)

EVENINGS: Final = ("rested", "cut", "unfolded", "old")
CORPUS: Final = 40
"""So many flips of each evening are tried in CI."""

SOAKED: Final = 1000
SEEDS: Final = range(5)

PLACES: Final = frozenset(
    (
        *("head", "schema body", "text", "witness", "wal head", "wal frame head"),
        *("index interior head", "index interior body", "index leaf head", "index leaf body"),
        *("table leaf head", "table leaf body", "wal index interior body", "wal index leaf body"),
        *("wal index leaf head", "wal table leaf body"),
    )
)
"""What the bits that flip in CI are of; there are more."""


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], KeptEvening]:
    """Play each evening once."""
    played = dict[str, KeptEvening]()

    def keep(name: str) -> KeptEvening:
        if name not in played:
            played[name] = keep_evening(tmp_path_factory.mktemp(name), name)
        return played[name]

    return keep


def test_a_few_bits_flip(kept: Callable[[str], KeptEvening]) -> None:
    evening = kept("cut")
    assert_none_is_silent(evening, islice(flips(evening.files, Random(1)), 12))


def test_a_bit_of_each_page_that_is_not_folded_in_hides_no_end_of_a_game(tmp_path: Path) -> None:
    evening, rng = leave_a_game(tmp_path), Random(1)
    assert Ending("*", "abandoned") in [entry.event for entry in evening.played[GameId(1)]]
    wal = f"{JOURNAL_NAME}-wal"
    frames = range(WAL_HEAD, len(evening.files[wal]), FRAME_HEAD + PAGE)
    assert_none_is_silent(
        evening, (Fault(wal, at + rng.randrange(FRAME_HEAD + PAGE), 0) for at in frames)
    )


@pytest.mark.ci
@pytest.mark.parametrize("name", EVENINGS)
def test_every_place_rots(kept: Callable[[str], KeptEvening], name: str) -> None:
    evening = kept(name)
    assert_none_is_silent(evening, islice(flips(evening.files, Random(name)), CORPUS))


@pytest.mark.ci
def test_bits_flip_in_every_place(kept: Callable[[str], KeptEvening]) -> None:
    hit = Counter[str]()
    for name in EVENINGS:
        files = kept(name).files
        for fault in islice(flips(files, Random(name)), CORPUS):
            assert fault.at is not None
            hit[place_of(fault.file, files[fault.file], fault.at)] += 1
    assert hit.keys() >= PLACES


@pytest.mark.ci
@pytest.mark.parametrize("name", EVENINGS)
def test_files_are_lost_and_cut_short(kept: Callable[[str], KeptEvening], name: str) -> None:
    evening = kept(name)
    faults = list(whole_file_faults(evening.files, Random(1)))
    texts = [fault for fault in faults if fault.file.endswith(".jgn")]
    others = [fault for fault in faults if fault not in texts]
    assert_none_is_silent(evening, [*others, *texts[::5]])


def trust_the_list(patch: pytest.MonkeyPatch) -> None:
    """Take the last row that is found for the last there was."""
    patch.setattr(archive, "_check_end", lambda *_: None)


def write_over(patch: pytest.MonkeyPatch) -> None:
    """Replace whatever text stands there."""
    patch.setattr(journal, "_may_be_replaced", lambda *_: True)


@pytest.mark.parametrize(("plant", "name"), [(trust_the_list, "cut"), (write_over, "old")])
def test_what_is_lost_in_silence_is_found(
    kept: Callable[[str], KeptEvening],
    plant: Callable[[pytest.MonkeyPatch], None],
    name: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    evening = kept(name)
    faults = flips_of_wal(evening)
    plant(monkeypatch)
    with pytest.raises(Silence, match=r"moves|events|shorter"):
        assert_none_is_silent(evening, faults)


def flips_of_wal(evening: KeptEvening) -> list[Fault]:
    """Flips of what was not folded in when the power went."""
    wal = {file: evening.files[file] for file in evening.files if file.endswith("-wal")}
    return list(islice(flips(wal, Random(1)), 12))


@pytest.mark.soak("faults")
@pytest.mark.parametrize("name", EVENINGS)
@pytest.mark.parametrize("seed", SEEDS)
def test_twenty_thousand_bits_flip(
    kept: Callable[[str], KeptEvening], name: str, seed: int
) -> None:
    evening = kept(name)
    assert_none_is_silent(evening, islice(flips(evening.files, Random(seed)), SOAKED))
    assert_none_is_silent(evening, whole_file_faults(evening.files, Random(seed)))

"""The die of a match: sealed by both sides, and looked through when both seeds are shown."""

from pathlib import Path
from random import Random

from msgspec.structs import replace

from hardware.die import commitment, throws
from jetan_table.extras.hall.far_die import find_bent, opened, sealed, shown
from jetan_table.extras.hall.payloads import DieShare
from jetan_table.table.dice import Seeds

SEED = bytes(range(32))
OWN = DieShare("0" * 64)
FAR = DieShare(commitment(SEED), {"1 Pd2-d3 1": throws(SEED, (), "1 Pd2-d3 1")}, SEED.hex())


def test_a_far_share_that_its_seed_gives_is_right() -> None:
    assert find_bent(OWN, FAR) is None
    assert find_bent(OWN, replace(FAR, seed="")) is None


def test_a_face_that_the_sealed_seed_does_not_give_is_found() -> None:
    face, second, third = FAR.faces["1 Pd2-d3 1"]
    bent = face % 10 + 1, second, third
    assert find_bent(OWN, replace(FAR, faces={"1 Pd2-d3 1": bent})) is not None


def test_another_seed_than_the_sealed_one_is_found() -> None:
    assert find_bent(OWN, replace(FAR, seed="11" * 32)) is not None


def test_who_seals_the_seed_of_the_other_is_found_before_a_roll() -> None:
    assert find_bent(replace(OWN, commit=FAR.commit), replace(FAR, seed="", faces={})) is not None


def test_a_seed_is_shown_once_and_blacks_stands_first(tmp_path: Path) -> None:
    seeds = Seeds(tmp_path, Random(1).randbytes)
    own = DieShare(seeds.draw())
    open_share = shown(own, seeds)
    assert commitment(bytes.fromhex(open_share.seed)) == own.commit
    assert shown(open_share, seeds) is open_share
    assert sealed(FAR, own).commit == f"{FAR.commit}+{own.commit}"
    assert opened(FAR, open_share).seed == f"{FAR.seed}+{open_share.seed}"

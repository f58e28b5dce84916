"""The electronic die: its throws by another road, and its fairness."""

import hashlib
from collections import Counter

from hardware.die import (
    FACES,
    FAIR_BYTES,
    commitment,
    joint_numbers,
    roll_numbers,
    throw,
)

SEED = bytes(range(32))
NUMBERS = (17, 4)


def first_byte(seed: bytes, message: str) -> int:
    """The first byte of HMAC-SHA256, as RFC 2104 builds it of plain hashes."""
    key = seed.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in key) + message.encode()).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in key) + inner).digest()[0]


def face_by_hand(message: str) -> tuple[int, int]:
    """A face, and how many bytes were passed over for it."""
    for attempt in range(50):
        byte = first_byte(SEED, f"{message}:{attempt}")
        if byte < 250:
            return byte % 10 + 1, attempt
    raise AssertionError(f"{message}: never one of the 250")


def test_throws_follow_from_seed_and_message_as_the_page_says() -> None:
    by_hand = [face_by_hand(f"test:{number}") for number in range(500)]
    assert [throw(SEED, f"test:{number}") for number in range(500)] == [face for face, _ in by_hand]
    assert max(passed for _, passed in by_hand) > 0


def test_each_face_has_as_many_bytes_as_another() -> None:
    assert set(Counter(byte % FACES for byte in range(FAIR_BYTES)).values()) == {25}


def test_all_faces_come() -> None:
    assert {throw(SEED, str(number)) for number in range(200)} == set(range(1, 11))


def test_a_roll_is_one_throw_and_a_teleport_three() -> None:
    rolls = [roll_numbers([SEED], NUMBERS, f"{ply} Pd2-d3 1") for ply in range(300)]
    for ply, roll in enumerate(rolls):
        faces = [face_by_hand(f"17,4:{ply} Pd2-d3 1:{number}")[0] for number in (1, 2, 3)]
        assert roll == (tuple(faces) if faces[0] == 10 else (faces[0],))
    assert {len(roll) for roll in rolls} == {1, 3}


def test_two_seeds_roll_as_evenly_as_one_and_neither_tells_the_roll() -> None:
    other = bytes(reversed(SEED))
    faces = [roll_numbers([SEED, other], (), f"{ply} Pd2-d3 1")[0] for ply in range(3000)]
    assert all(240 < faces.count(face) < 360 for face in range(1, 11))
    shares = [(4, 1, 1), (7, 10, 2)]
    assert joint_numbers(shares) == (10, 10, 2)
    assert joint_numbers([(4, 1, 1), (8, 10, 2)]) == (1,)
    # For every face of one seed each face of the other gives another roll.
    assert len({joint_numbers([(4, 1, 1), (face, 1, 1)])[0] for face in range(1, 11)}) == 10


def test_the_players_numbers_change_the_rolls() -> None:
    rolls = {
        tuple(roll_numbers([SEED], added, str(ply)) for ply in range(20))
        for added in ((), (1,), (2,), (1, 2), (12,))
    }
    assert len(rolls) == 5


def test_the_commitment_is_the_hash_of_the_seed() -> None:
    assert commitment(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

"""Packs an image as the drive of a Raspberry Pi Pico takes it (UF2)."""

from collections.abc import Iterator
from struct import pack

FLASH = 0x10000000
PAYLOAD = 256
FIRST, SECOND, LAST = 0x0A324655, 0x9E5D5157, 0x0AB16F30
HAS_FAMILY, RP2040 = 0x2000, 0xE48BFF56
STAGE = 256
"""So many bytes the boot ROM runs first, if the last four are the checksum of the others."""


def checked(image: bytes) -> bytes:
    """Return the image with the checksum that the boot ROM looks for in its first stage."""
    stage = image[: STAGE - 4]
    return stage + pack("<I", crc_32(stage)) + image[STAGE:]


def crc_32(data: bytes) -> int:
    """Return the checksum of the RP2040's boot ROM: highest bit first, not inverted."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte << 24
        for _ in range(8):
            crc = (crc << 1 ^ (0x04C11DB7 if crc >> 31 else 0)) & 0xFFFFFFFF
    return crc


def format_uf2(image: bytes) -> bytes:
    """Return the drive's file for an image that stands at the begin of the flash."""
    return b"".join(_blocks(image))


def _blocks(image: bytes) -> Iterator[bytes]:
    count = -(-len(image) // PAYLOAD)
    for number in range(count):
        at = number * PAYLOAD
        part = image[at : at + PAYLOAD].ljust(PAYLOAD, b"\0")
        head = (FIRST, SECOND, HAS_FAMILY, FLASH + at, PAYLOAD, number, count, RP2040)
        yield pack("<8I", *head) + part.ljust(476, b"\0") + pack("<I", LAST)

"""What sensors saw, packed: many observations in few bytes, each batch with its own check sum.

A batch is JSON (`[[at, {"d2": [log-likelihoods], "e4": null}], ...]`), deflated by a dictionary of
what such batches commonly hold.
"""

import zlib
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from hardware.ports import Evidence, Observation
from rules import RulesError, format_square, parse_square
from rules.sentences import _

from ..game.events import BadRecord

COMMON: Final = (
    b'"a1":"b1":"c1":"d1":"e1":"f1":"g1":"h1":"i1":"j1":null'
    b'[[17000000.0,{"d2":[-6.2146,-0.0101,-0.0101,-0.0101]}],[17'
    b'00000.0,{"d2":[-0.002,-4.6052,-4.6052,-4.6052]}],[17'
)
"""What batches have in common; part of the format: files are read by no other."""

MOST_TEXT: Final = 64 << 20
"""A batch is unpacked up to so many bytes: a bomb must not take the memory."""

_BATCH = msgspec.json.Decoder(list[tuple[float, dict[str, Evidence | None]]])


def pack(observations: Iterable[Observation]) -> bytes:
    """Return observations as one batch."""
    return _deflated(msgspec.json.encode([(one.at, _named(one)) for one in observations]))


def merge(batches: Iterable[bytes]) -> bytes | None:
    """Return batches as one, much smaller; None where that is more than one may hold.

    BadRecord where one of them is damaged.
    """
    rows = b",".join(filter(None, (_inflated(batch)[1:-1] for batch in batches)))
    return _deflated(b"[%b]" % rows) if len(rows) < MOST_TEXT - 2 else None


def unpack(batch: bytes) -> list[Observation]:
    """Return the observations of a batch, oldest first; BadRecord where it is damaged."""
    try:
        rows = _BATCH.decode(_inflated(batch))
        return [
            Observation(at, {parse_square(name): named[name] for name in named})
            for at, named in rows
        ]
    except (msgspec.DecodeError, UnicodeError, RulesError) as error:
        raise BadRecord(_("a batch of observations is damaged: {why}"), why=error) from error


def _deflated(text: bytes) -> bytes:
    packer = zlib.compressobj(9, zdict=COMMON)
    return packer.compress(text) + packer.flush()


def _inflated(batch: bytes) -> bytes:
    try:
        unpacker = zlib.decompressobj(zdict=COMMON)
        text = unpacker.decompress(batch, MOST_TEXT)
    except (zlib.error, TypeError) as error:
        raise BadRecord(_("a batch of observations is damaged: {why}"), why=error) from error
    if not unpacker.eof:
        raise BadRecord(_("a batch of observations is cut short"))
    return text


def _named(observation: Observation) -> dict[str, Sequence[float] | None]:
    return {
        format_square(square): evidence and [round(value, 4) for value in evidence]
        for square, evidence in observation.squares.items()
    }

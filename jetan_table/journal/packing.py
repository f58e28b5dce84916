"""What sensors saw, packed: many observations in few bytes, each batch with its own check sum.

A batch is JSON (`[[at, {"d2": [log-likelihoods], "e4": null}], ...]`), deflated by a dictionary of
what such batches commonly hold.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from hardware.ports import Evidence, Observation
from rules import RulesError, format_square, parse_square
from rules.sentences import _

from ..game.errors import BadRecord

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
    packer = zlib.compressobj(9, zdict=COMMON)
    rows = [(one.at, _named(one)) for one in observations]
    return packer.compress(msgspec.json.encode(rows)) + packer.flush()


def unpack(batch: bytes) -> list[Observation]:
    """Return the observations of a batch, oldest first; BadRecord where it is damaged."""
    try:
        unpacker = zlib.decompressobj(zdict=COMMON)
        text = unpacker.decompress(batch, MOST_TEXT)
        if not unpacker.eof:
            raise BadRecord(_("a batch of observations is cut short"))
        return [observation_of(at, named) for at, named in _BATCH.decode(text)]
    except (zlib.error, msgspec.DecodeError, UnicodeError, TypeError, RulesError) as error:
        raise BadRecord(_("a batch of observations is damaged: {why}"), why=error) from error


def observation_of(at: float, named: Mapping[str, Evidence | None]) -> Observation:
    """Return what was seen of squares by their names; a RulesError where there is none such."""
    return Observation(at, {parse_square(name): named[name] for name in named})


def _named(observation: Observation) -> dict[str, Sequence[float] | None]:
    return {
        format_square(square): evidence and [round(value, 4) for value in evidence]
        for square, evidence in observation.squares.items()
    }

"""What a bad cable does to bytes: a proxy for either direction, from a seed."""

from dataclasses import dataclass, field
from random import Random


@dataclass(slots=True)
class BadCable:
    """Harms packets, those between zeros, with the given probability each.

    A packet that is hit is lost, doubled, has a bit flipped, is cut in two by a zero, loses its
    end, or is held back until the next one; what a host reads at once may be split anywhere.
    """

    rng: Random
    share: float = 0.01
    hits: int = 0
    packets: int = 0
    _held: bytes = field(default=b"")

    def __call__(self, data: bytes) -> bytes:
        out = b""
        for run in data.split(b"\0"):
            if run:
                self.packets += 1
                out += b"\0" + self._pass(run) + b"\0"
        return out

    def _pass(self, run: bytes) -> bytes:
        held, self._held = self._held, b""
        if self.rng.random() >= self.share:
            return held + b"\0" + run if held else run
        self.hits += 1
        harm = self.rng.choice((self._drop, self._double, self._flip, self._cut, self._shorten))
        if self.rng.random() < 0.15:
            self._held = run
            return held
        return held + b"\0" + harm(run)

    def _drop(self, run: bytes) -> bytes:
        return b""

    def _double(self, run: bytes) -> bytes:
        return run + b"\0" + run

    def _flip(self, run: bytes) -> bytes:
        at = self.rng.randrange(len(run))
        return run[:at] + bytes((run[at] ^ 1 << self.rng.randrange(8),)) + run[at + 1 :]

    def _cut(self, run: bytes) -> bytes:
        at = self.rng.randrange(len(run))
        return run[:at] + b"\0" + run[at:]

    def _shorten(self, run: bytes) -> bytes:
        return run[: self.rng.randrange(len(run))]

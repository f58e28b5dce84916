"""What a scan sees of contacts: each row at its own times, and nothing in between."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil

from hardware.ports import Change, Switch

from ..replay.recordings import microseconds, seconds
from .reed_bank import Edge

ROWS = 10


@dataclass(frozen=True, slots=True)
class Scan:
    """The rows are sampled in turn, row 0 first, all of them `hertz` times a second."""

    hertz: float

    def sampled(self, row: int, at: float) -> int:
        """Return the number of the first sample of a row that is not before `at`."""
        return max(0, ceil(at * self.hertz - row / ROWS - 1e-9))

    def time_of(self, row: int, sample: int) -> float:
        """Return when a row is sampled, in seconds, to the microsecond."""
        return seconds(microseconds((sample + row / ROWS) / self.hertz))

    def changes(
        self, edges: Sequence[Sequence[Edge]], closed: Iterable[bool], ends: float
    ) -> list[Change]:
        """Return what the scan sees change until `ends`; `closed` is what it saw at first."""
        changes = []
        for reed, (begun, contact) in enumerate(zip(closed, edges, strict=True)):
            level, row = begun, reed // ROWS
            samples = [self.sampled(row, at) for at, _ in contact]
            for index, (_, closes) in enumerate(contact):
                sample = samples[index]
                is_overtaken = index + 1 < len(samples) and samples[index + 1] == sample
                at = self.time_of(row, sample)
                if not is_overtaken and closes != level and at <= ends:
                    level = closes
                    changes.append(Change(at, Switch(reed), closes))
        return sorted(changes, key=lambda change: (change.at, change.switch))

"""Counts what became of plies, reader by reader."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from statistics import median, quantiles
from typing import TypeAlias

from jetan_table.simulation.scoring import ReadingVerdict, Score

Shares: TypeAlias = dict[str, float]

SHOWN = (ReadingVerdict.WRONG, ReadingVerdict.ASKED, ReadingVerdict.NEVER)
"""What is shown of every behaviour."""

LOSING = (ReadingVerdict.WRONG, ReadingVerdict.NEVER, ReadingVerdict.EXTRA)
"""After one of these a reader mostly stays lost."""


@dataclass(slots=True)
class Tally:
    """What one reader has made of all games."""

    verdicts: Counter[ReadingVerdict] = field(default_factory=Counter)
    behaviours: dict[str, Counter[ReadingVerdict]] = field(default_factory=dict)
    lost_at: list[int] = field(default_factory=list)
    spent: list[float] = field(default_factory=list)

    def add(self, scores: list[Score]) -> None:
        """Count one game."""
        self.verdicts.update(line.verdict for line in scores if line.sort == "ply")
        for line in until_lost(scores):
            for behaviour in line.behaviours:
                self.behaviours.setdefault(behaviour, Counter())[line.verdict] += 1
        lost = [line.number for line in scores if line.verdict in LOSING]
        self.lost_at += lost[:1]

    @property
    def event_ms(self) -> tuple[float, float]:
        """The time an event takes in milliseconds: median and 99th percentile."""
        return median(self.spent) * 1e3, quantiles(self.spent, n=100)[98] * 1e3

    def figures(self) -> dict[str, object]:
        """Return everything measured; shares are per thousand plies."""
        return {
            "plies": plies_of(self.verdicts),
            **per_thousand(self.verdicts, tuple(ReadingVerdict)),
            "games_lost": len(self.lost_at),
            "lost_at_ply_median": median(self.lost_at) if self.lost_at else None,
            "event_median_ms": self.event_ms[0],
            "event_p99_ms": self.event_ms[1],
            "behaviours": {
                behaviour: {"plies": plies_of(counted), **per_thousand(counted, SHOWN)}
                for behaviour, counted in sorted(self.behaviours.items())
            },
        }


def until_lost(scores: Iterable[Score]) -> Iterator[Score]:
    """Yield the scores of a game up to the first that shows its reader lost."""
    for line in scores:
        yield line
        if line.verdict in LOSING:
            return


def plies_of(counted: Counter[ReadingVerdict]) -> int:
    """Return how many plies there were; what was told besides is none."""
    return counted.total() - counted[ReadingVerdict.AMENDED] - counted[ReadingVerdict.EXTRA]


def per_thousand(counted: Counter[ReadingVerdict], verdicts: Iterable[ReadingVerdict]) -> Shares:
    """Return each verdict's share."""
    plies = max(plies_of(counted), 1)
    return {verdict.value: round(1000 * counted[verdict] / plies, 2) for verdict in verdicts}

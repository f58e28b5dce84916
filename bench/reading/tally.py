"""Counts what became of plies, reader by reader."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from statistics import mean, median
from typing import TypeAlias

from jetan_table.people.truth import ReadingVerdict, Score

Shares: TypeAlias = dict[str, float]

SHOWN = (ReadingVerdict.WRONG, ReadingVerdict.ASKED, ReadingVerdict.NEVER)
"""What is shown of every behaviour."""

FINE = (ReadingVerdict.RIGHT, ReadingVerdict.AMENDED)
"""What leaves a game clean."""

LONG_SILENT = 6
"""Plies: a reader that has told none of more in a row was lost, and not for a moment."""

LOSING = (ReadingVerdict.WRONG, ReadingVerdict.NEVER, ReadingVerdict.EXTRA)
"""After one of these a reader mostly stays lost."""


@dataclass(slots=True)
class Tally:
    """What one reader has made of all games."""

    verdicts: Counter[ReadingVerdict] = field(default_factory=Counter)
    behaviours: dict[str, Counter[ReadingVerdict]] = field(default_factory=dict)
    after_fault: Counter[ReadingVerdict] = field(default_factory=Counter)
    """Of what was played once a failed switch had shown."""
    lost_at: list[int] = field(default_factory=list)
    games_silent: int = 0
    """Games in which more than `LONG_SILENT` plies in a row were never told."""
    games: int = 0
    clean: int = 0
    """Games in which all was told right, and no sound switch named."""
    false_faults: int = 0
    delays: list[float] = field(default_factory=list)
    """Of plies told right that show before the reply, seconds from the landing."""
    reply_delays: list[float] = field(default_factory=list)
    """Of captures told right that do not, for no gap shows, seconds from the reply's landing."""
    spent: list[float] = field(default_factory=list)
    """Seconds of CPU time of every call."""

    def add(self, scores: list[Score], false_faults: int) -> None:
        """Count one game, in which so many sound switches were named."""
        self.games += 1
        self.clean += not false_faults and all(line.verdict in FINE for line in scores)
        self.false_faults += false_faults
        for line in scores:
            if line.sort == "ply" and line.verdict in FINE and line.delay_s is not None:
                if "capture-no-gap" not in line.behaviours:
                    self.delays.append(line.delay_s)
                elif line.reply_delay_s is not None:
                    self.reply_delays.append(line.reply_delay_s)
        self.games_silent += longest_silence(scores) > LONG_SILENT
        self.verdicts.update(line.verdict for line in scores if line.sort == "ply")
        for line in until_lost(scores):
            for behaviour in line.behaviours:
                self.behaviours.setdefault(behaviour, Counter())[line.verdict] += 1
        lost = [line.number for line in scores if line.verdict in LOSING]
        self.lost_at += lost[:1]

    @property
    def event_ms(self) -> tuple[float, float, float]:
        """The CPU time of a call in milliseconds: mean, 99th percentile and longest."""
        return mean(self.spent) * 1e3, percentile(self.spent) * 1e3, max(self.spent) * 1e3

    @property
    def delay_s(self) -> tuple[float, float]:
        """From landings to what is told of them, in seconds: median and 99th percentile."""
        return spread(self.delays)

    @property
    def reply_delay_s(self) -> tuple[float, float]:
        """From a reply's landing to what is told of a capture that showed no gap, likewise."""
        return spread(self.reply_delays)

    def figures(self) -> dict[str, object]:
        """Return everything measured; shares are per thousand plies."""
        return {
            "plies": plies_of(self.verdicts),
            **per_thousand(self.verdicts, tuple(ReadingVerdict)),
            "games_lost": len(self.lost_at),
            "lost_at_ply_median": median(self.lost_at) if self.lost_at else None,
            "after_fault": {verdict.value: n for verdict, n in self.after_fault.items()},
            "games_silent": self.games_silent,
            "games_clean": self.clean,
            "false_faults": self.false_faults,
            "delay_median_s": self.delay_s[0],
            "delay_p99_s": self.delay_s[1],
            "reply_delay_median_s": self.reply_delay_s[0],
            "reply_delay_p99_s": self.reply_delay_s[1],
            "event_mean_ms": self.event_ms[0],
            "event_p99_ms": self.event_ms[1],
            "event_longest_ms": self.event_ms[2],
            "behaviours": {
                behaviour: {"plies": plies_of(counted), **per_thousand(counted, SHOWN)}
                for behaviour, counted in sorted(self.behaviours.items())
            },
        }


def spread(values: list[float]) -> tuple[float, float]:
    """Return median and 99th percentile; zeros where there is nothing."""
    return median(values or [0.0]), percentile(values or [0.0])


def percentile(values: list[float]) -> float:
    """Return the 99th percentile."""
    return sorted(values)[len(values) * 99 // 100]


def longest_silence(scores: Iterable[Score]) -> int:
    """Return how many plies in a row were never told, at the most."""
    runs = groupby(line.verdict for line in scores if line.sort == "ply")
    return max(
        (len(list(run)) for verdict, run in runs if verdict is ReadingVerdict.NEVER), default=0
    )


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

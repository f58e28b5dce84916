"""How well hands are read, beside two plain readers, and how quickly.

Simulated games are read: by themselves one of 40 plies of each of six kinds of people. The
environment chooses others (`choice.py`). JETAN_BENCH_RECORDINGS=FOLDER reads the recordings in that
folder instead, NAME.jsonl with NAME.truth.json beside it. JETAN_BENCH_STALLS=0.2 shows simulated
games as a busy machine sees them: again and again it does not look for up to so many seconds.
JETAN_BENCH_READERS=jetan,snapshot says which readers read, the first of them by kind of game.

Figures are per thousand plies. A reader that has told a wrong ply, or missed one, mostly stays
lost; so the table of behaviours counts each game only up to the first ply that is wrong or
missing: what a behaviour does to a reader that is not lost yet. The last table is by kind of game:
what their names have before the last hyphen, as make and people.
"""

from __future__ import annotations

import json as json_text
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from math import inf
from pathlib import Path
from random import Random
from statistics import mean, median
from typing import TypeAlias

from bench._figures import p99, print_table
from hardware.ports import Observation
from jetan_table.game.events import Fault
from jetan_table.people.truth import (
    Happened,
    ReadingVerdict,
    Score,
    happened,
    landed,
    read_truth,
    score,
)
from jetan_table.reading.readings import JetanGame, Reading, Standing
from jetan_table.replay.recordings import Looks, Recording, read_seen, seconds
from jetan_table.replay.replay import Listener, Replay, advance, replay_of_recording
from rules import Position

from .choice import chosen, named, played, stalled
from .plain_readers import FirstLandingReader, SnapshotReader

SHOWN = (ReadingVerdict.WRONG, ReadingVerdict.ASKED, ReadingVerdict.NEVER)
"""What is shown of every behaviour."""

FINE = (ReadingVerdict.RIGHT, ReadingVerdict.AMENDED)
"""What leaves a game clean."""

LONG_SILENT = 6
"""Plies: a reader that has told none of more in a row was lost, and not for a moment."""

LOSING = (ReadingVerdict.WRONG, ReadingVerdict.NEVER, ReadingVerdict.EXTRA)
"""After one of these a reader mostly stays lost."""

Hands: TypeAlias = "Listener[Reading[Standing]]"


def _plainly(start: Position) -> tuple[JetanGame, Standing, int]:
    """Return Jetan from a position, as the plain readers are given it."""
    return JetanGame(), Standing(start), start.ply_number


READERS: Mapping[str, Callable[[Replay], Hands]] = {
    "jetan": Replay.reader,
    "snapshot": lambda replay: SnapshotReader(*_plainly(replay.start)),
    "first-landing": lambda replay: FirstLandingReader(*_plainly(replay.start)),
}
USUAL_READERS = "jetan,snapshot,first-landing"


@dataclass(slots=True)
class Timed:
    """A reader with a stop-watch: `spent` is the CPU time of each call, in seconds."""

    reader: Hands
    spent: list[float] = field(default_factory=list)

    @property
    def due(self) -> float | None:
        return self.reader.due

    def observe(self, observation: Observation) -> Iterable[Reading[Standing]]:
        return self._timed(lambda: self.reader.observe(observation))

    def tick(self, now: float) -> Iterable[Reading[Standing]]:
        return self._timed(lambda: self.reader.tick(now))

    def _timed(self, ask: Callable[[], Iterable[Reading[Standing]]]) -> Iterable[Reading[Standing]]:
        begun = time.process_time()
        readings = ask()
        self.spent.append(time.process_time() - begun)
        return readings


def main(json: bool) -> None:
    """Measure, and print three tables, or one JSON object."""
    count, tallies, kinds = measure(games())
    if json:
        by_kind = {kind: figures(each) for kind, each in kinds.items()}
        print(json_text.dumps({"games": count, "readers": figures(tallies), "kinds": by_kind}))
    else:
        print_tables(count, tallies)
        print_kinds(kinds)


def figures(tallies: Mapping[str, Tally]) -> dict[str, object]:
    """Return everything measured, by reader."""
    return {name: tally.figures() for name, tally in tallies.items()}


def games() -> Iterator[tuple[str, Recording | Looks, Happened]]:
    """Yield every game that is to be read: its name, recording and truth."""
    folder = os.environ.get("JETAN_BENCH_RECORDINGS")
    if folder is not None:
        for path in sorted(Path(folder).glob("*.truth.json")):
            name = path.name.removesuffix(".truth.json")
            yield name, read_seen(path.with_name(f"{name}.jsonl")), read_truth(path)
        return
    stalls_s = float(chosen("STALLS", "0"))
    for name, game in played():
        recording = game.recording
        if stalls_s:
            recording = stalled(recording, stalls_s, Random(name))
        yield name, recording, happened(game.truth)


def measure(
    to_read: Iterable[tuple[str, Recording | Looks, Happened]],
) -> tuple[int, dict[str, Tally], dict[str, dict[str, Tally]]]:
    """Let every reader read every game.

    Returns how many games there were, the readers' tallies, and those by kind of game.
    """
    readers = {name: READERS[name] for name in named(READERS, chosen("READERS", USUAL_READERS))}
    tallies = {name: Tally() for name in readers}
    kinds: dict[str, dict[str, Tally]] = {}
    count = 0
    for name, recording, truth in to_read:
        count += 1
        for reader_name, reader_at in readers.items():
            replay = replay_of_recording(recording, name)
            timed = Timed(reader_at(replay))
            readings = list(advance(replay.source, timed, replay.ends_at))
            scores = score(truth, readings)
            failed = truth.fault and truth.fault.square
            faults = [each.event for each in readings if isinstance(each.event, Fault)]
            false_faults = sum(fault.square != failed for fault in faults)
            here = kinds.setdefault(name.rpartition("-")[0], {each: Tally() for each in readers})
            for tally in (tallies[reader_name], here[reader_name]):
                tally.add(scores, false_faults)
                tally.after_fault.update(after_fault(truth, readings))
                tally.spent += timed.spent
    return count, tallies, kinds


def after_fault(truth: Happened, readings: Iterable[Reading[Standing]]) -> Iterator[ReadingVerdict]:
    """Yield what became of each ply that came down once a failed switch had shown."""
    if truth.fault is None:
        return
    shown = seconds(truth.fault.t_visible_us)
    first = min((row.ply for row in truth.plies if landed(row) >= shown), default=inf)
    for line in score(Happened(truth.plies, truth.juggernaut_moves), readings):
        if line.sort == "ply" and line.number >= first:
            yield line.verdict


def print_tables(games: int, tallies: Mapping[str, Tally]) -> None:
    """Print all plies of all games, and each behaviour up to where a game is lost."""
    every = tallies.values()
    rows = [
        (v.value, *(f"{per_thousand(tally.verdicts, [v])[v.value]:.1f}" for tally in every))
        for v in ReadingVerdict
    ]
    rows.append(("games lost", *(f"{len(tally.lost_at)} of {games}" for tally in every)))
    silent = (f"{tally.games_silent} of {games}" for tally in every)
    rows.append((f"games silent for more than {LONG_SILENT} plies", *silent))
    if any(tally.after_fault for tally in every):
        for verdict in (ReadingVerdict.RIGHT, *SHOWN):
            plies = (str(tally.after_fault[verdict]) for tally in every)
            rows.append((f"plies after a fault: {verdict.value}", *plies))
    for at, name in enumerate(
        ("CPU ms a call, mean", "CPU ms a call, p99", "CPU ms, longest call")
    ):
        rows.append((name, *(f"{tally.event_ms[at]:.3f}" for tally in every)))
    print_table("All plies", ("per thousand plies", *tallies), rows)
    behaviours = sorted(set().union(*(tally.behaviours for tally in every)))
    print_table(
        "Until lost: plies, then wrong / asked / never per thousand of them",
        ("behaviour", *tallies),
        [
            (each, *(shown(tally.behaviours.get(each, Counter())) for tally in every))
            for each in behaviours
        ],
    )


def print_kinds(kinds: Mapping[str, Mapping[str, Tally]]) -> None:
    """Print how the first reader does in every kind of game; delays are median and p99."""
    first = next((name for tallies in kinds.values() for name in tallies), "")
    verdicts = [verdict.value for verdict in ReadingVerdict]
    rows = [
        (
            kind,
            *(str(tally.verdicts[verdict]) for verdict in ReadingVerdict),
            str(tally.false_faults),
            f"{tally.clean}/{tally.games}",
            "/".join(f"{delay:.2f}" for delay in tally.delay_s),
        )
        for kind, tallies in kinds.items()
        for tally in [tallies[first]]
    ]
    headings = ("kind of game", *verdicts, "false faults", "clean games", "delay s")
    print_table(f"By kind of game, {first}: plies", headings, rows)


def shown(counted: Counter[ReadingVerdict]) -> str:
    """Return one reader's figures for one behaviour."""
    if not plies_of(counted):
        return "-"
    shares = per_thousand(counted, SHOWN).values()
    return f"{plies_of(counted)}: " + " / ".join(f"{share:.0f}" for share in shares)


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
        return mean(self.spent) * 1e3, p99(self.spent) * 1e3, max(self.spent) * 1e3

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
    return median(values or [0.0]), p99(values or [0.0])


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


def per_thousand(
    counted: Counter[ReadingVerdict], verdicts: Iterable[ReadingVerdict]
) -> dict[str, float]:
    """Return each verdict's share."""
    plies = max(plies_of(counted), 1)
    return {verdict.value: round(1000 * counted[verdict] / plies, 2) for verdict in verdicts}

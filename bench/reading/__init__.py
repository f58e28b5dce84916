"""How well hands are read, beside two plain readers, and how quickly.

Simulated games are read: by themselves one of 40 plies of each of six kinds of people. The
environment chooses others (`choice.py`). JETAN_BENCH_RECORDINGS=FOLDER reads the recordings in that
folder instead, NAME.jsonl with NAME.truth.json beside it. JETAN_BENCH_STALLS=0.2 shows simulated
games as a busy machine sees them: again and again it does not look for up to so many seconds.

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
from math import inf
from pathlib import Path
from random import Random
from typing import TypeAlias

from hardware.ports import Observation
from jetan_table.people.truth import Happened, ReadingVerdict, happened, landed, read_truth, score
from jetan_table.reading.jetan_game import Standing
from jetan_table.reading.readings import Failed, Reading
from jetan_table.replay.recordings import Looks, Recording, read_seen, seconds
from jetan_table.replay.replay import Listener, Replay, advance, replay_of_recording
from jetan_table.terminal.text import print_table
from rules import parse_square

from .choice import chosen, played
from .plain_readers import FirstLandingReader, SnapshotReader
from .stalls import stalled
from .tally import SHOWN, Tally, per_thousand, plies_of

FOUND = (ReadingVerdict.RIGHT, *SHOWN)
"""What is shown of plies after a fault."""

Hands: TypeAlias = "Listener[Reading[Standing]]"

READERS: Mapping[str, Callable[[Replay], Hands]] = {
    "jetan": Replay.reader,
    "snapshot": lambda replay: SnapshotReader(replay.start),
    "first-landing": lambda replay: FirstLandingReader(replay.start),
}


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
    tallies = {name: Tally() for name in READERS}
    kinds: dict[str, dict[str, Tally]] = {}
    count = 0
    for name, recording, truth in to_read:
        count += 1
        for reader_name, reader_at in READERS.items():
            replay = replay_of_recording(recording, name)
            timed = Timed(reader_at(replay))
            readings = list(advance(replay.source, timed, replay.ends_at))
            scores = score(truth, readings)
            failed = truth.fault and parse_square(truth.fault.square)
            false_faults = sum(isinstance(r, Failed) and r.square != failed for r in readings)
            here = kinds.setdefault(name.rpartition("-")[0], {each: Tally() for each in READERS})
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
    rows = []
    for verdict in ReadingVerdict:
        shares = (per_thousand(tally.verdicts, [verdict]) for tally in tallies.values())
        rows.append((verdict.value, *(f"{share[verdict.value]:.1f}" for share in shares)))
    rows.append(("games lost", *(f"{len(t.lost_at)} of {games}" for t in tallies.values())))
    silent = (f"{tally.games_silent} of {games}" for tally in tallies.values())
    rows.append(("games silent for more than 6 plies", *silent))
    for verdict in FOUND if any(tally.after_fault for tally in tallies.values()) else ():
        plies = (str(tally.after_fault[verdict]) for tally in tallies.values())
        rows.append((f"plies after a fault: {verdict.value}", *plies))
    rows.append(("CPU ms a call, mean", *(f"{t.event_ms[0]:.3f}" for t in tallies.values())))
    rows.append(("CPU ms a call, p99", *(f"{t.event_ms[1]:.3f}" for t in tallies.values())))
    rows.append(("CPU ms, longest call", *(f"{t.event_ms[2]:.3f}" for t in tallies.values())))
    print_table(("per thousand plies", *tallies), rows, "All plies", is_right=True)
    title = "Until lost: plies, then wrong / asked / never per thousand of them"
    rows = []
    for behaviour in sorted(set().union(*(tally.behaviours for tally in tallies.values()))):
        figures = [shown(tally.behaviours.get(behaviour, Counter())) for tally in tallies.values()]
        rows.append((behaviour, *figures))
    print_table(("behaviour", *tallies), rows, title, is_right=True)


def print_kinds(kinds: Mapping[str, Mapping[str, Tally]]) -> None:
    """Print how the real reader does in every kind of game; delays are median and p99."""
    verdicts = (verdict.value for verdict in ReadingVerdict)
    headings = ("kind of game", *verdicts, "false faults", "clean games", "delay s")
    rows = []
    for kind, tallies in kinds.items():
        tally = tallies["jetan"]
        rows.append(
            (
                kind,
                *(str(tally.verdicts[verdict]) for verdict in ReadingVerdict),
                str(tally.false_faults),
                f"{tally.clean}/{tally.games}",
                "/".join(f"{delay:.2f}" for delay in tally.delay_s),
            )
        )
    print_table(headings, rows, "By kind of game, jetan: plies", is_right=True)


def shown(counted: Counter[ReadingVerdict]) -> str:
    """Return one reader's figures for one behaviour."""
    if not plies_of(counted):
        return "-"
    shares = per_thousand(counted, SHOWN).values()
    return f"{plies_of(counted)}: " + " / ".join(f"{share:.0f}" for share in shares)

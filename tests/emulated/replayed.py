"""Recordings as switch edges into an emulated chip: are the readings those of the recording itself?

`python -m tests.emulated.replayed FILE...` compares the readings of any recordings.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from firmware_bridge import BoardSettings
from firmware_bridge.build import MEGA
from firmware_bridge.emulation import emulator
from hardware.ports import Change, Observation, Switch
from jetan_table.reading.readings import Reading, Standing
from jetan_table.replay.recordings import Recording
from jetan_table.replay.replay import (
    ArchivedSensor,
    JsonLines,
    Replay,
    advance,
    replay_of_recording,
)
from tests.emulated.emulated_board import EmulatedBoard
from tests.emulated.rig import Rig
from tests.recordings import read_recording

QUIET_S = 0.06
"""Longer pauses without an edge are cut to this: the chip only scans on meanwhile."""

START_S = 0.2


class Cuts:
    """A recording's time with its pauses cut out, and back again."""

    def __init__(self, recording: Recording) -> None:
        self._cuts: list[tuple[float, float]] = [(0.0, START_S)]  # from when on, how much later
        self.changes: list[Change] = []
        offset, last = START_S, 0.0
        for change in recording.changes:
            if change.at - last > QUIET_S:
                offset -= change.at - last - QUIET_S
                self._cuts.append((change.at + offset - QUIET_S / 2, offset))
            last = change.at
            self.changes.append(replace(change, at=change.at + offset))

    def restore(self, at: float) -> float:
        """Return the recording's time of a time on the chip's side."""
        offset = next(offset for since, offset in reversed(self._cuts) if at >= since or not since)
        return max(0.0, at - offset)


def observe(board: EmulatedBoard, recording: Recording, debounce_ms: int) -> list[Observation]:
    """Play a recording into the chip; return what the driver observed, in the recording's time."""
    rig = Rig(board, BoardSettings(debounce_ms=debounce_ms))
    standing = [Change(0.0, Switch(index), True) for index, on in enumerate(recording.closed) if on]
    cuts = Cuts(recording)
    rig.change([*standing, *cuts.changes])
    observations: list[Observation] = []
    ends = cuts.changes[-1].at + 1.0
    while rig.now < ends:
        observations += rig.step()
    return [replace(observation, at=cuts.restore(observation.at)) for observation in observations]


def lines(replay: Replay) -> Iterator[dict[str, object]]:
    """Yield what is read, without the times."""
    form = JsonLines()
    for reading in readings(replay):
        for line in form.lines(reading):
            row = json.loads(line)
            row.pop("t_us")
            yield row


def readings(replay: Replay) -> Iterator[Reading[Standing]]:
    """Yield the readings of a replay."""
    return advance(replay.source, replay.reader(), replay.ends_at)


def compare(board: EmulatedBoard, recording: Recording, name: str) -> tuple[list[object], ...]:
    """Return what is read through the chip, and from the recording itself."""
    direct = replay_of_recording(recording, name)
    observations = observe(board, recording, debounce_ms=6)
    through = replace(direct, source=ArchivedSensor(observations))
    return list(lines(through)), list(lines(direct))


def main(names: list[str]) -> int:
    """Compare the readings of files; return 1 if any differ."""
    differing = 0
    for name in names:
        board = emulator.board(MEGA)
        through, direct = compare(board, read_recording(Path(name)), name)
        seconds = board.now
        board.close()
        same = sum(a == b for a, b in zip(through, direct, strict=False))
        differing += through != direct
        print(f"{name}: {same} of {len(direct)} readings alike, {seconds:.0f} s on the chip")
        for a, b in zip(through, direct, strict=False):
            if a != b:
                print(f"  first other: {a} through the chip, {b} directly")
                break
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

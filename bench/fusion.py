"""What a camera beside the switches is worth: asks and errors, with both and with either dead.

The same simulated hands, read as at a table through the switches; through both, their
evidence added; through both with the camera gone from the middle of each game; through both with
every switch stuck from there on; and through the camera alone. By themselves these are games of 30
plies, one of each of six kinds of people; the environment chooses others (`reading/choice.py`).
Blitz is left out where the camera is alone: it sees nothing while hands are in the picture.

`asked` are questions about captures, `wrong` plies told wrongly, `never` plies never told, all of
so many `plies`; `contradicted` are squares on which one sensor was outvoted.
"""

from __future__ import annotations

import json as json_text
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import TypedDict

from hardware.fusion import FusedSensor
from hardware.ports import Observation, Sensor
from hardware.thinned import ThinnedSensor
from jetan_table.people.truth import ReadingVerdict, happened, score
from jetan_table.reading.jetan_game import Standing
from jetan_table.reading.readings import Asked, Reading
from jetan_table.reading.table_reader import by_looks, by_switches
from jetan_table.replay.recordings import seconds
from jetan_table.replay.replay import TimedSensor, advance, replay_of_recording
from tools.recordings import Generated

from .fusion_camera import SimulatedCamera
from .reading.choice import played

HASTY = "blitz"
WAYS = ("switches", "both", "camera gone", "switches stuck", "camera")
FOREVER = float("inf")


class Figures(TypedDict):
    """What is printed of one way to see; the keys are kept stable."""

    plies: int
    captures: int
    asked: int
    wrong: int
    never: int
    contradicted: int


@dataclass
class Watched:
    """A sensor, and the sources that feed it, whose time comes by what they have to tell."""

    sensor: Sensor
    sources: Sequence[TimedSensor]

    @property
    def due(self) -> float | None:
        return min((s.due for s in self.sources if s.due is not None), default=None)

    def poll(self, now: float) -> list[Observation]:
        return list(self.sensor.poll(now))


class Stuck:
    """Switches that all stick from `since` on."""

    def __init__(self, source: TimedSensor, since: float) -> None:
        self._source, self._since = source, since

    @property
    def due(self) -> float | None:
        due = self._source.due
        return None if due is None or due >= self._since else due

    def poll(self, now: float) -> list[Observation]:
        return [
            observation for observation in self._source.poll(now) if observation.at < self._since
        ]


def main(json: bool) -> None:
    """Measure, and print a table, or one JSON object by way to see."""
    games = list(played(plies=30))
    figures = {way: measure(way, games) for way in WAYS}
    if json:
        print(json_text.dumps(figures))
        return
    print(f"{'':15}" + "".join(f"{name:>14}" for name in Figures.__annotations__))
    for way, row in figures.items():
        print(f"{way:15}" + "".join(f"{value:>14}" for value in row.values()))


def measure(way: str, games: Sequence[tuple[str, Generated]]) -> Figures:
    """Return the figures of one way to see these games, which are told by name."""
    figures = Figures(plies=0, captures=0, asked=0, wrong=0, never=0, contradicted=0)
    for name, game in games:
        if HASTY in name and way in ("camera", "switches stuck"):
            continue
        readings, contradicted = read(way, name, game)
        captures = {row.ply for row in game.truth.plies if row.captured}
        scores = [each for each in score(happened(game.truth), readings) if each.sort == "ply"]
        figures["plies"] += len(scores)
        figures["captures"] += len(captures)
        figures["asked"] += sum(isinstance(reading, Asked) for reading in readings)
        figures["wrong"] += sum(
            each.verdict in (ReadingVerdict.WRONG, ReadingVerdict.EXTRA) for each in scores
        )
        figures["never"] += sum(each.verdict is ReadingVerdict.NEVER for each in scores)
        figures["contradicted"] += contradicted
    return figures


def read(way: str, name: str, game: Generated) -> tuple[list[Reading[Standing]], int]:
    """Read one game in one way; return what was told, and how many squares were contradicted."""
    replay = replay_of_recording(game.recording, name)
    middle = seconds(game.truth.plies[len(game.truth.plies) // 2].t_settled_us)
    gone = (middle, FOREVER) if way == "camera gone" else None
    rng = Random(f"camera {name}")
    camera = SimulatedCamera(replay.start, game.paths, replay.ends_at, rng, gone)
    switches: TimedSensor = (
        Stuck(replay.source, middle) if way == "switches stuck" else replay.source
    )
    beside = replay.start.rules.topology.neighbours.__getitem__
    fused = FusedSensor(switches, camera, beside)
    watched = {
        "switches": Watched(switches, (switches,)),
        "camera": Watched(ThinnedSensor(camera), (camera,)),
    }.get(way, Watched(ThinnedSensor(fused), (switches, camera)))
    read_by = by_looks if way == "camera" else by_switches
    reader = read_by(Standing(replay.start), {})
    readings = list(advance(watched, reader, replay.ends_at))
    return readings, len(fused.contradictions)

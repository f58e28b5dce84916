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
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import dist, inf
from random import Random

from hardware.build import Spot
from hardware.ports import Evidence, Observation, Sensor
from hardware.sensors import FusedSensor, ThinnedSensor
from jetan_table.game.events import Question
from jetan_table.people.strokes import Magnet, MagnetPath
from jetan_table.people.truth import ReadingVerdict, happened, score
from jetan_table.people.world import geometry_of
from jetan_table.reading.readings import Reading, Standing, occupants_of
from jetan_table.reading.table_reader import by_looks, by_switches
from jetan_table.replay.recordings import seconds
from jetan_table.replay.replay import TimedSensor, advance, replay_of_recording
from rules import SQUARES, Occupant, Position, Square
from tools.recordings import Generated

from .reading.choice import played

HASTY = "blitz"
WAYS = ("switches", "both", "camera gone", "switches stuck", "camera")
FIGURES = ("plies", "captures", "asked", "wrong", "never", "contradicted")

FRAME_S = 0.2
"""From one frame to the next."""

BEFORE_S, AFTER_S = 0.25, 0.45
"""A hand is in the picture from so long before a stroke until so long after it."""

DELAY_S = 0.12
"""From a frame to the observation made of it."""

MISREAD = 0.005
"""The share of squares that is taken for something else, when a piece has come or gone there, as
long as nothing changes."""

SURE, UNSURE = (15.0, 25.0), (1.0, 12.0)
"""By how many nats what is seen is ahead of everything else, and where it is misread."""


@dataclass(frozen=True, slots=True)
class Rest:
    """A piece that comes to rest at a spot, and is taken to stand on the nearest square.

    `square` is None where that is off the board.
    """

    at: float
    magnet: Magnet
    spot: Spot
    square: Square | None


class SimulatedCamera:
    """Tells whole looks at a board from `start`, where pieces go by `paths`, up to `until` seconds.

    It is `gone` from and until the times of that pair, if it is given.
    """

    def __init__(
        self,
        start: Position,
        paths: Iterable[MagnetPath],
        until: float,
        rng: Random,
        gone: tuple[float, float] | None = None,
    ) -> None:
        self._geometry = geometry_of(start.rules.board)
        self._owners = {Magnet(at): owner for at, owner in enumerate(occupants_of(start)) if owner}
        self._gone, self._until, self._rng = gone, until, rng
        self._frame_at = 0.0
        self._is_dark = False
        by_end = sorted(paths, key=lambda path: path.ended, reverse=True)
        self._covered = [(path.begun - BEFORE_S, path.ended + AFTER_S) for path in by_end]
        self._coming = [self._rest(path.ended, path.magnet, path.end.spot) for path in by_end]
        self._standing = {
            magnet: self._rest(0.0, magnet, self._geometry.centres[magnet])
            for magnet in self._owners
        }
        self._evidence = {square: self._look_at(square) for square in SQUARES}

    @property
    def due(self) -> float | None:
        """When the next frame arrives, in seconds; None after the last."""
        at = self._frame_at + DELAY_S
        return at if at <= self._until else None

    def poll(self, now: float) -> list[Observation]:
        """Return the frames that have arrived since the last call, and showed the board."""
        observations = []
        while self.due is not None and self.due <= now:
            observations += self._frame(self._frame_at)
            self._frame_at += FRAME_S
        return observations

    def _frame(self, at: float) -> list[Observation]:
        while self._coming and self._coming[-1].at <= at:
            self._move(self._coming.pop())
        if self._gone is not None and self._gone[0] <= at < self._gone[1]:
            was_dark, self._is_dark = self._is_dark, True
            return [] if was_dark else [Observation(at, dict.fromkeys(SQUARES))]
        self._is_dark = False
        return [] if self._is_covered(at) else [Observation(at, dict(self._evidence))]

    def _is_covered(self, at: float) -> bool:
        while self._covered and self._covered[-1][1] <= at:
            self._covered.pop()
        return any(begun <= at for begun, _ in self._covered)

    def _rest(self, at: float, magnet: Magnet, spot: Spot) -> Rest:
        centres = self._geometry.centres
        square = min(SQUARES, key=lambda square: dist(centres[square], spot))
        return Rest(at, magnet, spot, square if self._geometry.is_on_board(spot) else None)

    def _move(self, rest: Rest) -> None:
        left = self._standing[rest.magnet].square
        self._standing[rest.magnet] = rest
        for square in dict.fromkeys((left, rest.square)):
            if square is not None:
                self._evidence[square] = self._look_at(square, MISREAD)

    def _look_at(self, square: Square, misread: float = 0.0) -> Evidence:
        """Return what is seen of a square: the piece that stands nearest to its middle."""
        middle = self._geometry.centres[square]
        there = [rest for rest in self._standing.values() if rest.square == square]
        nearest = min(there, key=lambda rest: dist(rest.spot, middle), default=None)
        shown = Occupant.EMPTY if nearest is None else Occupant(self._owners[nearest.magnet])
        doubt = SURE
        if self._rng.random() < misread:
            others = [Occupant.EMPTY, Occupant.BLACK, Occupant.ORANGE]
            shown = self._rng.choice([other for other in others if other is not shown])
            doubt = UNSURE
        empty, black, orange, neutral = (
            0.0 if other is shown else -self._rng.uniform(*doubt) for other in Occupant
        )
        return empty, black, orange, neutral


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
    print(f"{'':15}" + "".join(f"{name:>14}" for name in FIGURES))
    for way, row in figures.items():
        print(f"{way:15}" + "".join(f"{value:>14}" for value in row.values()))


def measure(way: str, games: Sequence[tuple[str, Generated]]) -> dict[str, int]:
    """Return the figures of one way to see these games, which are told by name."""
    figures = dict.fromkeys(FIGURES, 0)
    for name, game in games:
        if HASTY in name and way in ("camera", "switches stuck"):
            continue
        readings, contradicted = read(way, name, game)
        scores = [each for each in score(happened(game.truth), readings) if each.sort == "ply"]
        verdicts = Counter(each.verdict for each in scores)
        figures["plies"] += len(scores)
        figures["captures"] += len({row.ply for row in game.truth.plies if row.captured})
        figures["asked"] += sum(isinstance(reading.event, Question) for reading in readings)
        figures["wrong"] += verdicts[ReadingVerdict.WRONG] + verdicts[ReadingVerdict.EXTRA]
        figures["never"] += verdicts[ReadingVerdict.NEVER]
        figures["contradicted"] += contradicted
    return figures


def read(way: str, name: str, game: Generated) -> tuple[list[Reading[Standing]], int]:
    """Read one game in one way; return what was told, and how many squares were contradicted."""
    replay = replay_of_recording(game.recording, name)
    middle = seconds(game.truth.plies[len(game.truth.plies) // 2].t_settled_us)
    gone = (middle, inf) if way == "camera gone" else None
    rng = Random(f"camera {name}")
    camera = SimulatedCamera(replay.start, game.paths, replay.ends_at, rng, gone)
    switches: TimedSensor = (
        Stuck(replay.source, middle) if way == "switches stuck" else replay.source
    )
    beside = replay.start.rules.board.neighbours.__getitem__
    fused = FusedSensor(switches, camera, beside)
    watched = {
        "switches": Watched(switches, (switches,)),
        "camera": Watched(ThinnedSensor(camera), (camera,)),
    }.get(way, Watched(ThinnedSensor(fused), (switches, camera)))
    read_by = by_looks if way == "camera" else by_switches
    reader = read_by(Standing(replay.start), {})
    readings = list(advance(watched, reader, replay.ends_at))
    return readings, len(fused.contradictions)

"""What a game showed whenever its board had come to rest, and what had truly been played by then.

A game is cut where the board stands just as the true position says: there nothing is open, and what
came before bears on nothing any more. So each piece of it is a trace that the true plies explain,
as the reader would have to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import inf

from msgspec import UNSET

from jetan_table.people.truth import Happened, PlyRow
from jetan_table.reading.accounts import Hypothesis, World
from jetan_table.reading.cost import weigh
from jetan_table.reading.costs import PRICES
from jetan_table.reading.jetan_game import JetanGame, Standing
from jetan_table.reading.readings import Step
from jetan_table.reading.scene import Scene, Tempo, Trace
from jetan_table.reading.search import HypothesisSearch, Work
from jetan_table.replay.recordings import Recording, seconds
from rules import parse_square

LONG_S = 1.5
"""A board that rests for longer is looked at once more, just before it changes again."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The board at rest: where it began, what had truly been played since, and what was seen."""

    start: Standing
    steps: tuple[Step[Standing], ...]
    scene: Scene
    is_over: bool
    """Whether the board stands as the true plies say, and nothing is under way."""

    def true_account(self) -> Hypothesis[Standing] | None:
        """Return what goes against the truth; None where it is held for impossible."""
        return weigh(JetanGame(), 0, self.start, self.steps, self.scene, 0, (), inf)

    def best_rival(self, game: JetanGame) -> Hypothesis[Standing] | None:
        """Return the best account that says otherwise, if there is any."""
        work = Work(10**9)
        search = HypothesisSearch(game, work).explain([World(self.start, 0.0)], self.scene, ())
        while True:
            try:
                next(search)
            except StopIteration as ended:
                found: list[Hypothesis[Standing]] = ended.value
                break
        true = [step.squares for step in self.steps]
        others = (each for each in found if [step.squares for step in each.steps] != true)
        return min(others, key=lambda each: each.cost, default=None)


@dataclass(slots=True)
class _Ply:
    row: PlyRow
    lifted_at: float
    landed_at: float
    undone_at: float

    @classmethod
    def of(cls, row: PlyRow) -> _Ply:
        landed = row.t_settled_us if row.t_landed_us is UNSET else row.t_landed_us
        undone = inf if row.taken_back_us is UNSET else seconds(row.taken_back_us)
        return cls(row, seconds(row.t_lift_us), seconds(landed), undone)


@dataclass(slots=True)
class _Walk:
    game: JetanGame
    start: Standing
    trace: Trace
    tempo: Tempo = field(default_factory=Tempo)
    flickering: int = 0

    def scene(self, now: float) -> Scene:
        return Scene(self.trace, self.tempo.pace, self.tempo.slowest, self.flickering, now)


def moments(recording: Recording, truth: Happened, start: Standing) -> Iterator[Moment]:
    """Yield what can be weighed of a game, in order; up to where a switch has failed.

    What was taken back meanwhile is left out, and so is all after the Juggernaut has moved.
    """
    game, plies = JetanGame(), [_Ply.of(row) for row in truth.plies]
    ends = inf if truth.fault is None else seconds(truth.fault.t_fault_us)
    if truth.juggernaut_moves:
        return
    level = sum(1 << square for square, closed in enumerate(recording.closed) if closed)
    walk, done = _Walk(game, start, Trace(level, level)), 0
    changes, index = recording.changes, 0
    while index < len(changes) and changes[index].at < ends:
        change = changes[index]
        walk.trace.add(change.switch, change.closed, change.at)
        index += 1
        following = changes[index].at if index < len(changes) else recording.ends_at
        rest_s = following - change.at
        if rest_s < PRICES.HOLD_S:
            continue
        due = [plies[at] for at in range(done, len(plies)) if plies[at].landed_at <= change.at]
        steps = _steps(game, walk.start, [ply for ply in due if ply.undone_at > change.at])
        if steps is None:
            return
        expected = game.occupied(steps[-1].after if steps else walk.start)
        is_open = any(change.at < ply.undone_at < inf for ply in due)
        is_open |= any(ply.lifted_at < change.at for ply in plies[done + len(due) :][:1])
        is_home = walk.trace.level == expected and not is_open
        is_sound = all(ply.undone_at > following for ply in due)
        if is_sound:
            yield Moment(walk.start, steps, walk.scene(change.at + PRICES.HOLD_S), is_home)
            if rest_s > LONG_S and not is_home:
                yield Moment(walk.start, steps, walk.scene(following), is_home)
        if is_home:
            _learn(walk, steps)
            done += len(due)
            walk.start = steps[-1].after if steps else walk.start
            walk.trace = Trace(walk.trace.level, walk.trace.level)


def _steps(
    game: JetanGame, start: Standing, plies: Sequence[_Ply]
) -> tuple[Step[Standing], ...] | None:
    """Return the steps of some plies; None where they are not legal (the Juggernaut moved)."""
    found: list[Step[Standing]] = []
    for ply in plies:
        source, target = parse_square(ply.row.from_), parse_square(ply.row.to)
        before = found[-1].after if found else start
        step = next(iter(game.steps_from(before, source, 1 << target)), None)
        if step is None:
            return None
        found.append(step)
    return tuple(found)


def _learn(walk: _Walk, steps: Sequence[Step[Standing]]) -> None:
    """Learn the pace of plain moves, as the reader does."""
    for step in steps:
        left = walk.trace.departures().get(step.from_square, ())
        came = walk.trace.landings().get(step.to_square, ())
        if len(left) == len(came) == 1 and not step.capture:
            walk.tempo.learn(came[0] - left[0])

"""How often hands do what the reader holds for odd: `python -m bench.reading.evidence`.

Simulated games, whose truth is known: by themselves two of 60 plies of each of six kinds of people,
seeds from 8101 on; the environment chooses others (`choice.py`). Printed is the share of the
occasions on which something was seen, as costs are: in nats, beside what `costs.py` holds for it,
with the median and the 99th percentile of how long it took. A cost is for one account against all
others, and some stand for more than one oddity; so they need not be equal, but what differs by more
than the margin (2.5) is held wrongly, or for a reason that belongs beside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import inf, log

from rich.console import Console
from rich.table import Table

from jetan_table.reading import costs
from jetan_table.replay.recordings import seconds
from jetan_table.simulation.generate import Generated
from jetan_table.simulation.scan_truth import LATE_S, MeantPly, ScanRecord, longest
from jetan_table.simulation.truth import PlyRow
from rules import parse_square

from .choice import played

PUT_BACK = ("hesitation", "jadoube", "fidget")
"""Incidents by which pieces are lifted and put back."""

THOUGHT_LONG_S = 12.5
"""Who holds a piece for longer thinks of more than where to put it."""

STANDS_WRONG = ("illegal", "wrong-square")
"""Incidents by which something stands where it may not, or not for long."""


@dataclass(slots=True)
class Behaviour:
    """What is counted: on how many occasions it might have been seen, and for how long it was."""

    cost: float
    """What the reader holds for it, in nats."""
    occasions: int = 0
    lasted_s: list[float] = field(default_factory=list)

    def count(self, lasted_s: float | None) -> None:
        """Take note of one occasion; None where it was not seen."""
        self.occasions += 1
        if lasted_s is not None:
            self.lasted_s.append(lasted_s)

    @property
    def nats(self) -> float:
        """How unlikely it is on one occasion."""
        return -log(len(self.lasted_s) / self.occasions) if self.lasted_s else inf


def behaviours() -> dict[str, Behaviour]:
    """Return what is counted, each with what the reader holds for it."""
    return {
        "a capture whose victim shows no gap": Behaviour(costs.UNSEEN),
        "... and something passes elsewhere meanwhile": Behaviour(costs.UNSEEN_TRAIL),
        "a capture whose victim is put beside": Behaviour(costs.ASIDE),
        "a piece in the air for longer than HELD_S": Behaviour(costs.HELD),
        "... than AIR_LONG_S": Behaviour(costs.LONG_AIR),
        "... than 12.5 s": Behaviour(costs.HELD + costs.LINGERED),
        "a reply lifted before the landing": Behaviour(costs.OVERLAPPED),
        "... by more than OVERLAP_REPLY_S": Behaviour(costs.HASTY),
        "its own switch stays closed": Behaviour(costs.HELD_CLOSED),
        "pieces lifted and put back before a ply": Behaviour(costs.TOUCH),
        "something stands wrong before a ply": Behaviour(costs.STRANGER),
        "a bump before a ply, or in it": Behaviour(costs.BLIP),
    }


def main() -> None:
    """Play, count and print."""
    found, names = behaviours(), list[str]()
    for name, game in played(games=2, plies=60, first=8101):
        count(game, found)
        names.append(name)
    title = f"{len(names)} games, {names[0]} to {names[-1]}"
    table = Table("behaviour", title=title, title_justify="left")
    for heading in ("seen", "of", "nats", "held", "median s", "p99 s"):
        table.add_column(heading, justify="right")
    for name, each in found.items():
        times = sorted(each.lasted_s) or [0.0]
        spans = f"{times[len(times) // 2]:.2f}", f"{times[len(times) * 99 // 100]:.2f}"
        numbers = str(len(each.lasted_s)), str(each.occasions)
        table.add_row(name, *numbers, f"{each.nats:.1f}", f"{each.cost:.1f}", *spans)
    Console().print(table)


def count(game: Generated, found: dict[str, Behaviour]) -> None:
    """Count what was seen in one game."""
    recording = game.recording
    scan = ScanRecord(recording.closed, recording.changes, recording.ends_at)
    before: PlyRow | None = None
    for ply in game.game.plies:
        assert isinstance(ply.row, PlyRow)
        for name, lasted_s in seen_of(ply, ply.row, before, scan):
            found[name].count(lasted_s)
        before = ply.row
    for name, kinds in (
        ("pieces lifted and put back before a ply", PUT_BACK),
        ("something stands wrong before a ply", STANDS_WRONG),
        ("a bump before a ply, or in it", ("bump",)),
    ):
        times = [
            seconds(int(str(line["t_end_us"])) - int(str(line["t_us"])))
            for line in game.game.incidents
            if line["type"] in kinds
        ]
        found[name].lasted_s += times
        found[name].occasions += len(game.game.plies)


def seen_of(
    ply: MeantPly, row: PlyRow, before: PlyRow | None, scan: ScanRecord
) -> Iterator[tuple[str, float | None]]:
    """Yield what could be seen of one ply, each with how long it took where it was."""
    begun, ends = ply.deed.begun, ply.deed.landed + LATE_S
    own = [at for at, closes in scan.edges(parse_square(row.from_), begun, ends) if not closes]
    landed = scan.landed(parse_square(row.to), begun, ends)
    stays = "from-stays-closed" in row.behaviours
    yield "its own switch stays closed", 0.0 if stays else None
    if row.captured is not None:
        gap = longest(scan.openings(parse_square(row.to), begun, ends))
        unseen = gap < costs.BLINK_S
        yield "a capture whose victim shows no gap", gap if unseen else None
        if unseen:
            crossed = "crossed" in row.behaviours
            yield "... and something passes elsewhere meanwhile", gap if crossed else None
        beside = "capture-beside" in row.behaviours
        yield "a capture whose victim is put beside", ply.deed.landed - begun if beside else None
    if own and landed is not None and landed > own[0]:
        air_s = landed - own[0]
        yield "a piece in the air for longer than HELD_S", air_s if air_s > costs.HELD_S else None
        yield "... than AIR_LONG_S", air_s if air_s > costs.AIR_LONG_S else None
        yield "... than 12.5 s", air_s if air_s > THOUGHT_LONG_S else None
    if own and before is not None:
        early_s = seconds(before.t_settled_us) - own[0]
        yield "a reply lifted before the landing", early_s if early_s > 0 else None
        hasty = early_s > costs.OVERLAP_REPLY_S
        yield "... by more than OVERLAP_REPLY_S", early_s if hasty else None


if __name__ == "__main__":
    main()

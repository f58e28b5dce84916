"""Counts how fast hands play, for what a camera's reader believes of plies that no look has shown.

`python -m training.reading.deeds FOLDER` reads the truths of recordings (`docs/recordings.md`). A
deed is a ply that has come down, or its taking back; what the recordings of hurried and of
thoughtful people say together is one process, whose mean is `DEED_S` of `costs.toml`.
"""

from itertools import groupby, pairwise
from math import log
from pathlib import Path

import click
from msgspec import UNSET

from jetan_table.people.truth import Happened, landed, read_truth
from jetan_table.reading.camera_beam import haste
from jetan_table.reading.costs import PRICES
from jetan_table.replay.recordings import seconds

SPANS_S = (1.0, 2.0, 4.0, 8.0)


def deeds(truth: Happened) -> list[float]:
    """Return when each deed of a recording was done, in seconds."""
    back = (ply.taken_back_us for ply in truth.plies if ply.taken_back_us is not UNSET)
    return sorted([*map(landed, truth.plies), *map(seconds, back)])


def taken_back(truth: Happened) -> list[int]:
    """Return how many plies were taken back in each act, no ply being played between them."""
    back = [
        (seconds(ply.taken_back_us), 1) for ply in truth.plies if ply.taken_back_us is not UNSET
    ]
    done = sorted([*back, *((landed(ply), 0) for ply in truth.plies)])
    return [len(list(act)) for is_back, act in groupby(done, key=lambda deed: deed[1]) if is_back]


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
def main(folder: Path) -> None:
    """Count deeds, and hold what the price says of several in a short time to what was seen."""
    truths = [read_truth(path) for path in sorted(folder.glob("*.truth.json"))]
    times = [deeds(truth) for truth in truths]
    gaps = [after - before for each in times for before, after in pairwise(each)]
    beyond = sum(gap > PRICES.DEED_S for gap in gaps)
    click.echo(f"DEED_S: mean {sum(gaps) / len(gaps):.2f} s; beyond it {beyond} of {len(gaps)}")
    plies = sum(len(truth.plies) for truth in truths)
    acts = [act for truth in truths for act in taken_back(truth)]
    click.echo(f"TAKEN_BACK: {len(acts)} of {plies}, {-log(len(acts) / plies):.1f} nats")
    more = max(sum(act > 1 for act in acts), 0.5)
    click.echo(f"TAKEN_BACK_TOO: {more:.0f} of {len(acts)}, {-log(more / len(acts)):.1f} nats")
    for further in (1, 2, 3):
        spans = [
            late - early
            for each in times
            for early, late in zip(each, each[further:], strict=False)
        ]
        for most in SPANS_S:
            count = sum(span < most for span in spans)
            click.echo(
                f"{further} more within {most:.0f} s: {count} of {len(spans)}, "
                f"{-log(max(count, 0.5) / len(spans)):.1f} nats; priced {haste(further, most):.1f}"
            )


if __name__ == "__main__":
    main()

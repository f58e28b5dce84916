"""Counts and fits the figures of `costs.toml`: `python -m training.reading.fit FILE`.

Games are played as the environment says (`choice.py`), or read from JETAN_BENCH_RECORDINGS, and
walked along their truth. FILE keeps a line for each, and who is broken off goes on from there.

First it is counted how often each thing went against the truth, and how long what hands do lasts:
a charge should be about as many nats as that is unlikely. Then the true account is held against its
best rival, wherever the board had come to rest, and a logistic regression finds what the charges
should be for the truth to be the likelier one, held to what they are now. `--judge OTHER` says how
much the truth surprises before and after on games that it was not fitted on; `--take NAMES` writes
what was counted into the table, `--fitted NAMES` what was fitted. Nothing is taken by itself: what
a figure does to games only `jetan bench reading` shows.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeAlias

import click
import msgspec
import numpy as np
import tomlkit
from numpy.typing import NDArray

from bench._figures import print_table
from bench.reading import games
from jetan_table.people.truth import Happened
from jetan_table.reading.costs import COSTS_FILE, Provenance, entries
from jetan_table.reading.readings import JetanGame, Standing
from jetan_table.replay.recordings import Looks, Recording
from jetan_table.replay.replay import replay_of_recording

from .counts import (
    OCCASIONS,
    PLIES,
    SHORTER,
    is_beyond,
    ledger,
    moments,
    nats_of,
    occasions_of,
    spans_of,
)

PULL = 4.0
"""How strongly what a charge is now holds: as so many decisions do that are quite open."""

CLOSE = 8.0
"""A rival by so many nats worse is none: what it is charged decides nothing."""

STEPS = 15

Names: TypeAlias = Sequence[str]
Array: TypeAlias = NDArray[np.float64]


class Counted(msgspec.Struct):
    """What one game has shown."""

    game: str
    occasions: dict[str, int]
    charged: dict[str, float]
    """How often the true account was, by name."""
    spans: dict[str, list[float]]
    decisions: list[dict[str, float]]
    """How much more often the true account was charged something than its best rival."""
    impossible: int = 0
    """How often the truth was held for impossible."""


def count(name: str, recording: Recording, truth: Happened) -> Counted:
    """Walk along one game."""
    start, game = Standing(replay_of_recording(recording, name).start), JetanGame()
    found = Counted(name, {}, {}, {}, [])
    for moment in moments(recording, truth, start):
        account = moment.true_account()
        if account is None:
            found.impossible += 1
            continue
        true = ledger(account.charges)
        if moment.is_over and moment.steps:
            found.charged = dict(Counter(found.charged) + Counter(true))
            found.occasions = dict(Counter(found.occasions) + Counter(occasions_of(account)))
            for bound, lasted_s in spans_of(moment, account):
                found.spans.setdefault(bound, []).append(round(lasted_s, 4))
        rival = moment.best_rival(game)
        is_plain = "STRANGER" not in true  # else only patience tells what a hand will do
        if rival is not None and is_plain and rival.cost < account.cost + CLOSE:
            other = ledger(rival.charges)
            more = {each: true.get(each, 0.0) - other.get(each, 0.0) for each in {*true, *other}}
            found.decisions.append({each: times for each, times in more.items() if times})
    return found


def gathered(
    path: Path, to_read: Iterable[tuple[str, Recording | Looks, Happened]]
) -> list[Counted]:
    """Return what all games have shown, those in a file first; the others are put there."""
    decoder = msgspec.json.Decoder(Counted)
    kept = (
        [decoder.decode(line) for line in path.read_bytes().splitlines()] if path.exists() else []
    )
    known = {each.game for each in kept}
    with path.open("ab") as file, click.progressbar(to_read, label="games") as bar:
        for name, recording, truth in bar:
            if name not in known and isinstance(recording, Recording):
                kept.append(count(name, recording, truth))
                file.write(msgspec.json.encode(kept[-1]) + b"\n")
                file.flush()
    return kept


def rates(found: Sequence[Counted]) -> dict[str, tuple[int, int]]:
    """Return on how many of how many occasions each thing was charged to the truth."""
    charged = sum((Counter(each.charged) for each in found), Counter[str]())
    of = sum((Counter(each.occasions) for each in found), Counter[str]())
    return {
        name: (round(charged[name]), of[OCCASIONS.get(name, PLIES)])
        for name, entry in entries().items()
        if entry.nats
    }


def spans(found: Sequence[Counted]) -> dict[str, list[float]]:
    """Return what lasted for how long, by the bound it is held to, the shortest first."""
    merged: dict[str, list[float]] = {}
    for each in found:
        for name, lasted in each.spans.items():
            merged.setdefault(name, []).extend(lasted)
    known = entries()
    return {name: sorted(lasted) for name, lasted in merged.items() if name in known}


def matrix(found: Sequence[Counted], names: Names) -> Array:
    """Return a row for each decision: how much more often the truth was charged each of `names`."""
    rows = [[more.get(n, 0.0) for n in names] for each in found for more in each.decisions]
    return np.array(rows).reshape(len(rows), len(names))


def surprise(rows: Array, nats: Array) -> float:
    """Return the mean surprise at the truth, in nats."""
    return float(np.mean(np.logaddexp(0.0, rows @ nats))) if len(rows) else 0.0


def fitted(rows: Array, first: Array, pull: float = PULL) -> Array:
    """Return what the charges should be for the truth to cost less, by Newton's steps."""
    now = first.copy()
    for _ in range(STEPS):
        wrong = 1 / (1 + np.exp(-np.clip(rows @ now, -60, 60)))
        slope = rows.T @ wrong + pull * (now - first) / 4
        bend = rows.T @ (rows * (wrong * (1 - wrong))[:, None]) + pull / 4 * np.eye(len(now))
        now = np.maximum(now - np.clip(np.linalg.solve(bend, slope), -1.0, 1.0), 0.0)
    return now


@click.command()
@click.argument("path", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--judge", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.option("--take", default="", help="write what was counted for these names")
@click.option("--fitted", "taken", default="", help="write what was fitted for these names")
def main(path: Path, judge: Path | None, take: str, taken: str) -> None:
    """Walk, count, fit and print; write what is said."""
    report(gathered(path, games()), gathered(judge, ()) if judge else [], take, taken)


def report(found: Sequence[Counted], others: Sequence[Counted], take: str, taken: str) -> None:
    """Print what was counted and fitted, and write what is to be taken."""
    table, counted = entries(), rates(found)
    names = [name for name in counted if any(name in more for f in found for more in f.decisions)]
    rows, first = matrix(found, names), np.array([table[name].nats for name in names])
    best = dict(zip(names, fitted(rows, first), strict=True))
    decided = {name: int(np.count_nonzero(rows[:, at])) for at, name in enumerate(names)}
    rows_shown = []
    for name, (k, n) in counted.items():
        if k or name in best:
            nats, held = f"{nats_of(k, n):.1f}", f"{table[name].nats:.1f}"
            fit = (f"{best[name]:.1f}", str(decided[name])) if name in best else ("", "")
            rows_shown.append((name, str(k), str(n), nats, held, *fit))
    headings = ("charge", "seen", "of", "nats", "held", "fitted", "on")
    print_table(f"{len(found)} games, {len(rows)} decisions", headings, rows_shown)
    lasted = []
    for name, times in spans(found).items():
        n, beyond = len(times), sum(is_beyond(name, each) for each in times)
        cuts = (times[n * share // 100] for share in (50, 1, 99))
        bound = f"{'<' if name in SHORTER else '>'} {table[name].seconds:g}"
        lasted.append((name, str(beyond), str(n), bound, *(f"{cut:.3f}" for cut in cuts)))
    headings = ("bound", "beyond", "of", "held s", "median s", "1 %", "99 %")
    print_table("how long it lasts", headings, lasted)
    after = np.array([best[name] for name in names])
    for label, each in (("fitted on", found), ("judged on", others)):
        mine = matrix(each, names)
        wrong = [int(np.count_nonzero(mine @ nats >= 0)) for nats in (first, after)]
        print(
            f"{label} {len(mine)}: surprise {surprise(mine, first):.4f} -> "
            f"{surprise(mine, after):.4f}, truth not the likeliest {wrong[0]} -> {wrong[1]}, "
            f"held for impossible {sum(one.impossible for one in each)}"
        )
    write(found, {n: (round(best[n], 1), decided[n]) for n in taken.split(",") if n}, take)


def write(found: Sequence[Counted], fits: dict[str, tuple[float, int]], take: str) -> None:
    """Write what was counted of the names in `take`, and what was fitted, into the table."""
    text, counted, lasted = tomlkit.parse(COSTS_FILE.read_text("utf-8")), rates(found), spans(found)
    for name in filter(None, take.split(",")):
        if name in lasted:
            beyond = sum(is_beyond(name, each) for each in lasted[name])
            entry = Provenance(counted=(beyond, len(lasted[name])))
        else:
            nats = round(nats_of(*counted[name]), 1)
            entry = Provenance(nats=nats, counted=counted[name])
        _put(text, name, entry)
    for name, (nats, decisions) in fits.items():
        _put(text, name, Provenance(nats=nats, fitted=decisions))
    COSTS_FILE.write_text(tomlkit.dumps(text), "utf-8")


def _put(text: tomlkit.TOMLDocument, name: str, entry: Provenance) -> None:
    """Put what is known now of a figure in the place of what was held."""
    kept = text[name]
    assert isinstance(kept, dict)
    for source in ("counted", "fitted", "chosen"):
        kept.pop(source, None)
    kept.update(msgspec.to_builtins(entry))


if __name__ == "__main__":
    main()

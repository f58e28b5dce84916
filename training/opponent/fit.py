"""Fits the opponent's weights to what it thinks, a few plies later, of games against itself.

`python -m training.opponent.fit FILE` plays 20,000 games in C, fits, prints, and writes the weights
anew. Some quiet positions of each game are witnesses: what their features weigh should tell at once
what a search of forty times as many positions finds. How a game ended would tell what goes with
winning, not what wins. FILE keeps the witnesses, a line for each game, and who is broken off goes
on from there. The fit is a logistic regression, held a little towards the weights that played, and
the new weights go further on the way it shows.
"""

import json
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Final

import click
import numpy as np
from msgspec.structs import astuple
from msgspec.structs import replace as with_values

from bench.opponent.in_c import QuickGame, Seat, quick_game
from jetan_table.engine.evaluation import (
    UNIT,
    WEIGHTS_FILE,
    Royals,
    Weights,
    WeightsFile,
    fitted_weights,
    mobility_of,
    royals_of,
    shares,
    win_probability,
)
from jetan_table.extras.opponent.match import random_opening
from rules import Game, Kind, MoveKind, Position, Side, parse_rules
from rules.movement import Law, Post

RULES: Final = (
    "cazaux",
    "retired-chief",
    "zillions",
    "ninth-ray-clockwise,chief-taken-by-other=win",
)
"""Rules that let most games be won, so that there is something to learn from."""

GAMES: Final = 20_000
NODES: Final = 500
MOST_PLIES: Final = 200
SKIPPED_PLIES: Final = 4
WITNESSES: Final = 3
"""So many of a game's positions at most are asked: those that follow each other are alike."""

JUDGED_NODES: Final = 20_000
"""So many positions are searched to judge one."""

DECIDED: Final = 1000
PULL: Final = 2000.0
"""How strongly the first weights hold: so many positions' worth of evidence."""

STRIDE: Final = 3.0
"""So many times as far as the fit: a search judges by the old weights at its ends, and so shows but
a part of the way. Matches say how far: 1, 3 and 5 were tried."""

STEPS: Final = 12
SHOWN: Final = 100


def features_of(law: Law, post: Post, own: Royals, enemy: Royals) -> tuple[float, ...]:
    """Return what a piece brings on its square, by the weights `presence` .. `hunted`."""
    presence, mean, more, wide = mobility_of(law)[1][post.index]
    zones = (enemy.princess, enemy.chief, own.princess)
    near = (shares(law, zone)[post.index] for zone in zones)
    exposed, hunted = (
        -own.danger[post.square] if post.kind is kind else 0 for kind in (Kind.PRINCESS, Kind.CHIEF)
    )
    return presence, mean, more, *near, wide, exposed, hunted


def features(position: Position) -> list[float]:
    """Return what a position holds for the side to move less the other's, in the order of Weights.

    What fits the weights needs this: the sum of features times weights is the evaluation with its
    tempo, but for rounding.
    """
    royals = royals_of(position)
    if position.side is Side.ORANGE:
        royals = royals[::-1]
    total = [0.0] * len(Weights.__struct_fields__)
    sides = ((position.ours, royals, 1), (position.theirs, royals[::-1], -1))
    for army, (own, enemy), sign in sides:
        for post in army.posts():
            for place, brought in enumerate(features_of(position.law, post, own, enemy)):
                total[place] += sign * brought
        total[-2] += sign * army.may_escape
    total[-1] = 1.0
    return total


@dataclass(frozen=True, slots=True)
class Witness:
    """A position's features for the side to move, and the share of the points it should get."""

    features: Sequence[float]
    share: float


def play_game(seed: int, seat: Seat) -> list[Witness]:
    """Play one game; return what some of its quiet positions witness."""
    chance = Random(seed)
    opening = random_opening(parse_rules(RULES[seed % len(RULES)]), chance)
    game = quick_game(opening, (seat, seat), MOST_PLIES)
    quiet = [*quiet_positions(game)]
    asked = chance.sample(quiet, min(WITNESSES, len(quiet)))
    found = ((features(position), judged(position, seat)) for position in asked)
    return [Witness(f, win_probability(score, None)) for f, score in found if abs(score) < DECIDED]


def quiet_positions(game: QuickGame) -> Iterator[Position]:
    """Yield the positions where nothing is to be taken or fled from, and nothing decided."""
    played = zip(game.positions(), game.moves, game.scores, strict=True)
    for number, (position, move, score) in enumerate(played):
        princess = position.ours.princess
        is_open = abs(score) < DECIDED and move.kind is not MoveKind.CAPTURE
        if number >= SKIPPED_PLIES and is_open and princess is not None:  # noqa: SIM102
            if not position.threats() & princess.bit:
                yield position


def judged(position: Position, seat: Seat) -> int:
    """Return the score that a longer search, impartial to draws, finds for who moves."""
    judge = replace(seat, nodes=JUDGED_NODES, contempt=0)
    return quick_game(Game.begin(position), (judge, judge), 1).scores[0]


def fit(witnesses: Sequence[Witness], old: Sequence[float], pull: float = PULL) -> list[float]:
    """Return the weights that tell the shares best, by Newton's steps."""
    rows = np.array([witness.features for witness in witnesses]) / UNIT
    shares = np.array([witness.share for witness in witnesses])
    first = now = np.array(old)
    # Held alike whatever the size of a feature.
    holds = np.diag(pull * np.mean(rows**2, axis=0) / 4 + 1e-12)
    for _ in range(STEPS):
        chances = 1 / (1 + np.exp(-rows @ now))
        slope = rows.T @ (chances - shares) + holds @ (now - first)
        bend = rows.T @ (rows * (chances * (1 - chances))[:, None]) + holds
        now = now - np.linalg.solve(bend, slope)
    return [float(value) for value in now]


def surprise(witnesses: Sequence[Witness], weights: Sequence[float]) -> float:
    """Return the mean surprise at the shares, in nats, above the least that is possible."""
    scores = np.array([witness.features for witness in witnesses]) @ np.array(weights) / UNIT
    shares = np.array([witness.share for witness in witnesses])
    sure = np.clip(shares, 1e-12, 1 - 1e-12)
    least = -shares * np.log(sure) - (1 - shares) * np.log(1 - sure)
    found = np.logaddexp(0, -scores) * shares + np.logaddexp(0, scores) * (1 - shares)
    return float(np.mean(found - least))


def gathered(path: Path, games: int, seat: Seat) -> list[list[Witness]]:
    """Return the witnesses of so many games, those in a file first; the others are put there."""
    kept = path.read_text().splitlines() if path.exists() else []
    with path.open("a") as file, click.progressbar(range(len(kept), games)) as numbers:
        for number in numbers:
            found = [(w.share, *(round(v, 4) for v in w.features)) for w in play_game(number, seat)]
            kept.append(json.dumps(found))
            print(kept[-1], file=file, flush=number % SHOWN == 0)
    return [[Witness(rest, share) for share, *rest in json.loads(line)] for line in kept[:games]]


@click.command()
@click.argument("path", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--games", type=click.IntRange(10), default=GAMES)
@click.option("--out", type=click.Path(path_type=Path), default=WEIGHTS_FILE)
def main(path: Path, games: int, out: Path) -> None:
    """Play, fit to nine games in ten, look at the tenth, and write the weights."""
    old = fitted_weights()
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], check=True, capture_output=True, text=True
    ).stdout.strip()
    played = gathered(path, games, Seat(old, NODES))
    learned = [w for number, game in enumerate(played) if number % 10 for w in game]
    held_out = [w for game in played[::10] for w in game]
    first = np.array(astuple(old))
    fitted = np.array(fit(learned, astuple(old)))
    weights = Weights(*(first + STRIDE * (fitted - first)).tolist())
    provenance: dict[str, str | int | float] = {
        "made_by": f"python -m training.opponent.fit FILE --games {games}",
        "commit": commit,
        "games": games,
        "seeds": f"0..{games - 1}",
        "positions": len(learned),
        "nodes_a_move": NODES,
        "nodes_judged": JUDGED_NODES,
        "rules": " ".join(RULES),
        "stride": STRIDE,
        "surprise_before": round(surprise(held_out, astuple(old)), 5),
        "surprise_after": round(surprise(held_out, fitted.tolist()), 5),
    }
    text = as_text(WeightsFile(provenance, not_liking(weights)))
    out.write_text(text)
    print(text)


def not_liking(weights: Weights) -> Weights:
    """Return weights by which no square pleases a Princess: the order of moves counts on that."""
    return with_values(weights, wide=max(weights.wide, 0.0), exposed=max(weights.exposed, 0.0))


def as_text(kept: WeightsFile) -> str:
    """Return weights as their file has them."""
    values = zip(Weights.__struct_fields__, astuple(kept.weights), strict=True)
    lines = ["[provenance]", *(f"{key} = {json.dumps(v)}" for key, v in kept.provenance.items())]
    lines += ["", "[weights]", *(f"{key} = {value:.1f}" for key, value in values)]
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    main()

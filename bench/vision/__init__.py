"""How quick and how right the camera is, on painted pictures or on your own photographs.

Without more words the milliseconds of each stage for a frame of 1280 by 720 on one core, the best
of many, and the memory. With `--sequences DIR` the plies and squares of rendered or photographed
Jetan (a folder for each sequence, with pictures and `truth.json`), with `--chess DIR` those of
photographed chess: `positions.csv` beside the pictures of a game, `labels.json` beside single ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from bench._figures import print_figures

from .sequences import measure_sequences
from .speed import measure_speed


def measure_chess(folder: Path, answered: bool) -> dict[str, float | int]:
    """Return the figures of photographed chess; only this stands on python-chess."""
    from .chess_photos import measure_chess

    return measure_chess(folder, answered)


OPTIONS = {"--sequences": measure_sequences, "--chess": measure_chess}


def main(json: bool, arguments: Sequence[str] = ()) -> None:
    """Measure, and print a line for each figure, or one JSON object."""
    print_figures(_measure(arguments), json)


def _measure(arguments: Sequence[str]) -> dict[str, float | int]:
    if not arguments:
        return measure_speed()
    answered = len(arguments) > 2 and arguments[2] == "--answered"
    if len(arguments) != 2 + answered or arguments[0] not in OPTIONS:
        raise click.UsageError(
            "jetan bench vision takes --sequences DIR or --chess DIR, then --answered or nothing"
        )
    folder = Path(arguments[1])
    if not folder.is_dir():
        raise click.UsageError(f"{folder}: no such folder")
    return OPTIONS[arguments[0]](folder, answered)

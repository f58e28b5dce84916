"""The small files of a data folder: what is damaged is said at the start, and kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from rules.sentences import Worded, _

from ..errors import TableError
from ..files import Damaged, read_json, set_aside
from ..lamps import choice
from ..languages import worded
from ..lessons import progress, trainer
from ..setup import guide
from ..wiring import ARBITER_PIN, TABLE_PIN, kept_pin

KEPT: Final[Mapping[str, type]] = {
    progress.KEPT_IN: progress.Progress,
    trainer.KEPT_IN: progress.Progress,
    choice.FILE_NAME: choice.KeptChoice,
    guide.FILE_NAME: guide.SetUpProgress,
}
"""What is begun anew where it is damaged, after it was given another name."""


def damage_told(folder: Path) -> Iterator[str]:
    """Set damaged files aside, and yield what there is to say of each; OSError.

    Of PINs none is made anew: who deletes the file wants another.
    """
    for name, kind in KEPT.items():
        try:
            read_json(folder / name, kind)
        except Damaged as error:
            kept = set_aside(folder / name)
            yield Worded(_("{why}: it is kept as {path}, and begun anew"), why=error, path=kept)
    for name in (TABLE_PIN, ARBITER_PIN):
        try:
            kept_pin(folder, name)
        except TableError as error:
            yield worded(error)

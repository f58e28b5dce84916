"""How quick and how right the camera is, on painted pictures or on your own photographs.

Without more words the milliseconds of each stage for a frame of 1280 by 720 on one core, the best
of many, and the memory. With `--sequences DIR` the plies and squares of rendered or photographed
Jetan (a folder for each sequence, with pictures and `truth.json`), with `--chess DIR` those of
photographed chess: `positions.csv` beside the pictures of a game, `labels.json` beside single ones.
With `--injected DIR` a wrong move is put in the place of each move of such sequences, and it is
counted how many are taken back. What is asked is answered by the truth, where that is among the
answers, as `--answered` says, too; after `--sequences DIR` or `--chess DIR`, `--unanswered` leaves
questions open, and then `--spoilt NAME` makes the pictures worse.

With `--live FPS --rest S DIR` such sequences are shown to a table as a camera would show them, FPS
pictures a second, with hands that rest for S seconds in each picture that has one; `--pumping` lets
exposure and white balance pump. Nobody answers there unless `--answered` says so.
"""

from collections.abc import Sequence
from pathlib import Path

import click

from bench._figures import print_figures

from .injection import measure_injections
from .sequences import measure_sequences
from .speed import measure_speed
from .spoiling import SPOILT, Spoil


def measure_chess(folder: Path, answered: bool, spoil: Spoil | None) -> dict[str, float | int]:
    """Return the figures of photographed chess; only this stands on python-chess."""
    from .chess_photos import measure_chess

    return measure_chess(folder, answered, spoil)


LIVELY = {"--pumping", "--answered"}
FOLLOWED = {"--sequences": measure_sequences, "--chess": measure_chess}


def main(json: bool, arguments: Sequence[str] = ()) -> None:
    """Measure, and print a line for each figure, or one JSON object."""
    figures = _measure(list(arguments))
    if not figures:
        raise click.UsageError(
            f"{' '.join(arguments)}: no game with its truth lies there, which is a truth.json, or "
            "positions.csv of chess, beside the pictures"
        )
    print_figures(figures, json)


def _measure(arguments: list[str]) -> dict[str, float | int]:
    match arguments:
        case []:
            return measure_speed()
        case ["--live", fps, "--rest", rest, folder, *more] if {*more} <= {
            "--pumping",
            "--answered",
        }:
            from .live import LiveShow, measure_live  # a table and a journal: dear to import

            show = LiveShow(_number(fps), _number(rest), "--pumping" in more, "--answered" in more)
            return measure_live(_folder(folder), show)
        case ["--injected", folder] | ["--injected", folder, "--answered"]:
            return measure_injections(_folder(folder))
        case [option, folder, *rest] if option in FOLLOWED:
            answered = rest[:1] != ["--unanswered"]
            if rest[:1] in (["--answered"], ["--unanswered"]):
                rest = rest[1:]
            match rest:
                case []:
                    return FOLLOWED[option](_folder(folder), answered, None)
                case ["--spoilt", name] if name in SPOILT:
                    return FOLLOWED[option](_folder(folder), answered, SPOILT[name])
    raise click.UsageError(
        "jetan bench vision takes nothing, --injected DIR, --live FPS --rest S DIR and perhaps "
        "--pumping and --answered, or --sequences DIR or --chess DIR, then "
        f"--answered or --unanswered, then --spoilt and one of {', '.join(SPOILT)}"
    )


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if number <= 0:
        raise click.UsageError(f"{text}: must be a number above 0")
    return number


def _folder(name: str) -> Path:
    folder = Path(name)
    if not folder.is_dir():
        raise click.UsageError(f"{folder}: no such folder")
    return folder

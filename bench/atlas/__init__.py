"""What each published reading is like as a game: the full player against itself, many times.

`jetan bench atlas --games 1000` plays on until so many games of each reading are in its file in
`--out`, one a line, and may be broken off at any time. It writes what they say, of equally many of
each, to `docs/atlas.json`, and from that the page `docs/atlas.md` with its pictures.
"""

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Final

import click
import msgspec

from bench._figures import print_figures
from bench.atlas.figures import Atlas, recommended, summed_up, worth_of
from bench.atlas.games import AtlasGame, played
from bench.atlas.page import write_page
from jetan_table.files import find_checkout
from rules.options import DEFAULT_PRESET, PRESETS

NODES: Final = 4000


def main(json: bool, arguments: Sequence[str] = ()) -> None:
    """Play what is missing, write the summary and the page, and print what is recommended."""
    atlas_command.main([*arguments, *(["--json"] if json else [])], standalone_mode=False)


@click.command()
@click.option("--games", type=click.IntRange(1), default=1000, help="Of each reading.")
@click.option("--nodes", type=click.IntRange(100), default=NODES, help="Positions a move.")
@click.option("--seed", type=int, default=1)
@click.option("--reading", "names", multiple=True, default=PRESETS, type=click.Choice([*PRESETS]))
@click.option("--out", type=click.Path(path_type=Path), default=Path("dist/atlas"))
@click.option("--docs", type=click.Path(path_type=Path), help="Where the summary and page go.")
@click.option("--json", is_flag=True)
def atlas_command(
    games: int,
    nodes: int,
    seed: int,
    names: tuple[str, ...],
    out: Path,
    docs: Path | None,
    json: bool,
) -> None:
    """Play on, a game of each reading in turn, until there are so many; then sum up."""
    is_whole = set(names) == set(PRESETS)
    if not is_whole and (docs is None or DEFAULT_PRESET not in names):
        raise click.UsageError(
            f"--reading: some alone need {DEFAULT_PRESET} among them, to compare with, and --docs, "
            "so that the page of all readings stays as it is"
        )
    out.mkdir(parents=True, exist_ok=True)
    files = {name: out / f"{name}-{nodes}-{seed}.jsonl" for name in names}
    kept = {name: read_games(file) for name, file in files.items()}
    for number in range(games):
        for name, file in files.items():
            if len(kept[name]) == number:
                kept[name].append(played(name, number, nodes, seed))
                with file.open("ab") as lines:
                    lines.write(msgspec.json.encode(kept[name][-1]) + b"\n")
    counted = {name: played[:games] for name, played in kept.items()}
    worth = worth_of(list(chain.from_iterable(counted.values())))
    readings = {name: summed_up(played) for name, played in counted.items()}
    atlas = Atlas(games, nodes, seed, worth, readings)
    write_page(atlas, docs or find_checkout() / "docs")
    decided = {name: reading.decided[0] for name, reading in readings.items()}
    print_figures({"games": games, "recommended": recommended(atlas), **decided}, json)


def read_games(file: Path) -> list[AtlasGame]:
    """Return the whole lines of a file, and cut off what was torn."""
    text = file.read_bytes() if file.exists() else b""
    whole = text[: text.rfind(b"\n") + 1]
    if whole != text:
        file.write_bytes(whole)
    return [msgspec.json.decode(line, type=AtlasGame) for line in whole.splitlines()]

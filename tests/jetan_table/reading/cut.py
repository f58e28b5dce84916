"""Cuts the moment of a misreading out of an evening, as a case for `tests/data/hands`.

`python -m tests.jetan_table.reading.cut evening.jsonl --seconds 30.5 41` prints what the switches
of a recording showed in that time; `--game 3` in place of the file takes a game that the table has
kept. The last line of the case is what the reader tells of it today: replace it by what was
really played.
"""

from __future__ import annotations

import os
import textwrap
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import click

from hardware.ports import Observation, Occupancy
from jetan_table.game.events import GameId
from jetan_table.journal.archive import Archive
from jetan_table.reading.readings import JetanGame, Reading, Standing
from jetan_table.reading.switch_reader import SwitchReader
from jetan_table.reading.table_reader import TableReader, by_switches
from jetan_table.replay.recordings import read_seen
from jetan_table.replay.replay import Replay, advance, replay_of_game, replay_of_recording
from jetan_table.settings import data_folder
from rules import format_position, format_rules, format_square, squares_of
from tests.jetan_table.reading.hand import RULES, Table

LEAD_S: Final = 1.0
"""The first moment of a case is at this second of its own time."""

WIDTH: Final = 100
MOST_NAMED: Final = 5


@dataclass
class Watched:
    """A reader, and which squares are occupied by all that it has been shown."""

    reader: TableReader
    occupancy: Occupancy = field(default_factory=Occupancy)

    @property
    def due(self) -> float | None:
        return self.reader.due

    def observe(self, observation: Observation) -> list[Reading[Standing]]:
        self.occupancy.update(observation)
        return self.reader.observe(observation)

    def tick(self, now: float) -> list[Reading[Standing]]:
        return self.reader.tick(now)


def cut(replay: Replay, begin: float, end: float) -> str:
    """Return what hands did from `begin` to `end` seconds, as a case.

    Raises click's error where no switches were seen, or where the board does not stand as the game
    does at `begin`: a case starts from a position.
    """
    if replay.read_by is not by_switches:
        raise click.ClickException(f"{replay.name} was seen by a camera: cases have switches")
    watched = Watched(replay.read_by(Standing(replay.start), {}))
    for _reading in advance(replay.source, watched, begin):
        pass  # the belief holds what follows from it
    before = watched.reader.belief.position.position
    if wrong := watched.occupancy.occupied ^ set(squares_of(before.occupied)):
        names = " ".join(map(format_square, sorted(wrong)[:MOST_NAMED]))
        raise click.ClickException(
            f"at {begin:g} s the board stands otherwise than the game on {names}: begin where all "
            "pieces stand and every ply has been told"
        )
    hands = []
    for observation in replay.source.poll(end):
        for square, is_occupied in watched.occupancy.update(observation):
            at, sign = observation.at - begin + LEAD_S, "+" if is_occupied else "-"
            hands.append(f"{at:.3f}{sign}{format_square(square)}")
    until = end - begin + LEAD_S
    readings = Table(SwitchReader(JetanGame(), Standing(before))).hands(" ".join(hands), until)
    lines = [f"rules  {format_rules(before.rules)}"] if before.rules != RULES else []
    lines.append(f"board  {format_position(before)}")
    lines.append(f"hands  {' '.join(hands)} until {until:.3f}")
    lines.append(f"told   {'; '.join(readings) or 'nothing'}")
    return "\n".join(map(indented, lines))


def indented(line: str) -> str:
    """Break a line of a case where it is too long; what goes on is indented further."""
    further = " " * 11
    return textwrap.fill(
        line, WIDTH, break_on_hyphens=False, initial_indent=" " * 4, subsequent_indent=further
    )


@click.command(help=__doc__)
@click.argument(
    "file", type=click.Path(exists=True, dir_okay=False, path_type=Path), required=False
)
@click.option("--game", type=int, help="A game that was kept.")
@click.option("--data", type=click.Path(file_okay=False, path_type=Path), help="Where games are.")
@click.option("--seconds", type=(float, float), required=True, help="The first and the last.")
def main(
    file: Path | None, game: int | None, data: Path | None, seconds: tuple[float, float]
) -> None:
    if game is not None:
        with closing(Archive.open(data_folder(data, os.environ))) as archive:
            replay = replay_of_game(archive, GameId(game))
    elif file is not None:
        replay = replay_of_recording(read_seen(file), file.name)
    else:
        raise click.UsageError("name a recording, or a kept game with --game")
    click.echo(cut(replay, *seconds))


if __name__ == "__main__":
    main()

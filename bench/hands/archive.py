"""The games of HANDS: what their switches show, and what was played, in one file of text each.

`python -m bench.hands.archive` makes them anew and prints the hash; they are kept in
`hands-1.tar.xz` so that everybody reads the same ones, whatever becomes of what made them.
"""

from __future__ import annotations

import io
import os
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import msgspec

from bench.reading.choice import played
from hardware.ports import Observation, presence
from hardware.reeds import reed_evidence
from jetan_table.people.truth import LAST_WAIT, Happened, happened
from jetan_table.reading.readings import JetanGame, Reading, Standing
from jetan_table.replay.replay import ArchivedSensor, Listener, advance, replay_of_recording
from rules import (
    format_position,
    format_rules,
    format_square,
    parse_position,
    parse_rules,
    parse_square,
)

from .entry import Legal

ARCHIVE: Final = Path(__file__).with_name("hands-1.tar.xz")
SHA256: Final = "4f401697a6f56ae74ea4e750c8640e108ea5d57cf053507296c9f6f22b37ef65"
"""The hash of the archive: with another one it is another benchmark."""
MAKES: Final = "crossed,upright,lying,careless"
PEOPLE: Final = "club-night,neighbours-club"
CHESS: Final = ("club", "blitz")
SEEDS: Final = 2
CHESS_SEEDS: Final = 4
LICENCE: Final = """\
The recordings of HANDS 1: simulated hands at simulated boards of switches, made by the Jetan Table
contributors, under the MIT licence like the rest of the project. Each NAME.txt has what the
switches show, each NAME.truth.json what was played; docs/hands.md describes both.
"""


@dataclass(frozen=True, slots=True)
class Case:
    """A game to be read."""

    name: str
    game: Legal
    start: Any
    """The position, as the game has it."""
    number: int
    """The first ply's."""
    shown: list[Observation]
    ends_at: float
    truth: Happened

    known = ()
    """Lines that a program is given before all others."""

    @property
    def kind(self) -> str:
        """Its board and its people: `jetan-crossed-club-night`."""
        return self.name.rpartition("-")[0]

    def read_by(self, reader: Listener[Reading[Any]]) -> list[Reading[Any]]:
        """Show a reader all of it, and return its readings."""
        return list(advance(ArchivedSensor(self.shown), reader, self.ends_at))


def cases() -> Iterator[Case]:
    """Yield every game of the archive; ValueError if that is another one."""
    content = ARCHIVE.read_bytes()
    if sha256(content).hexdigest() != SHA256:
        raise ValueError(f"{ARCHIVE.name}: is not HANDS 1, by its hash")
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        texts = {
            member.name: (archive.extractfile(member) or io.BytesIO()).read().decode()
            for member in archive.getmembers()
        }
    for name in sorted(texts):
        if name.endswith(".txt") and f"{name[:-4]}.truth.json" in texts:
            yield parse(name[:-4], texts[name], texts[f"{name[:-4]}.truth.json"])


def parse(name: str, text: str, truth: str) -> Case:
    """Read a game from its two texts."""
    rules, position, *lines, end = text.splitlines()
    if rules == "rules chess":
        from .chess import ChessGame, ChessStanding, board_of  # python-chess: GPL, for chess alone

        game: Legal = ChessGame()
        start: Any = ChessStanding(board_of(position.partition(" ")[2]))
        number = 1
    else:
        game = JetanGame()
        stands = parse_position(position.partition(" ")[2], parse_rules(rules.partition(" ")[2]))
        start, number = Standing(stands), stands.ply_number
    shown = list(map(_observed, lines))
    ends_at = float(end.split()[1])
    return Case(
        name, game, start, number, shown, ends_at, msgspec.json.decode(truth, type=Happened)
    )


def _observed(line: str) -> Observation:
    _at, time, *changes = line.split()
    squares = {parse_square(each[1:]): reed_evidence(each[0] == "+") for each in changes}
    return Observation(float(time), squares)


def _text(rules: str, position: str, shown: list[Observation], ends_at: float) -> str:
    lines = [f"rules {rules}", f"position {position}"]
    for each in shown:
        changes = [
            ("+" if presence(evidence) > 0 else "-") + format_square(square)
            for square, evidence in sorted(each.squares.items())
            if evidence is not None
        ]
        lines.append(" ".join((f"at {each.at:.3f}", *changes)))
    return "\n".join((*lines, f"end {ends_at:.3f}\n"))


def _made() -> Iterator[tuple[str, str]]:
    """Yield every file of the archive, made anew."""
    from .chess import START
    from .chess import played as played_chess

    yield "LICENCE", LICENCE
    os.environ |= {"JETAN_BENCH_MAKES": MAKES, "JETAN_BENCH_PEOPLE": PEOPLE}
    for name, generated in played(SEEDS):
        replay = replay_of_recording(generated.recording, name)
        shown: list[Observation] = []
        while (due := replay.source.due) is not None:
            shown += replay.source.poll(due)
        rules, position = format_rules(replay.start.rules), format_position(replay.start)
        yield f"jetan-{name}.txt", _text(rules, position, shown, replay.ends_at)
        yield f"jetan-{name}.truth.json", _written(happened(generated.truth))
    for people in CHESS:
        for seed in range(1, CHESS_SEEDS + 1):
            shown, truth = played_chess(people, seed)
            ends_at = shown[-1].at + LAST_WAIT
            yield f"chess-{people}-{seed}.txt", _text("chess", START, shown, ends_at)
            yield f"chess-{people}-{seed}.truth.json", _written(truth)


def _written(truth: Happened) -> str:
    return msgspec.json.format(msgspec.json.encode(truth), indent=0).decode()


def make(to: Path) -> str:
    """Make the archive anew, and return its hash."""
    with tarfile.open(to, "w:xz", format=tarfile.USTAR_FORMAT) as archive:
        for name, text in sorted(_made()):
            member = tarfile.TarInfo(name)
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))
    return sha256(to.read_bytes()).hexdigest()


if __name__ == "__main__":
    print(make(ARCHIVE))

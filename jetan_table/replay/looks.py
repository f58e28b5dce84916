"""Recordings of looks: what a camera saw of every square, a header line and a line for each look.

`docs/recordings.md` describes the format. They are no pictures: nothing of a room is in them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec

from hardware.ports import Evidence, Observation
from rules import RulesError, format_square, parse_square
from rules.sentences import _

from ..files import read_text
from .recordings import BadRecording, Board, Recording, microseconds, parse_recording, seconds

LOOKS: Literal["jetan-looks/1"] = "jetan-looks/1"


class LooksHeader(msgspec.Struct, frozen=True, kw_only=True):
    """The first line; its keys are those of a recording of switches, as far as it has them."""

    format: Literal["jetan-looks/1"] = LOOKS
    board: Board = "grid"
    rules: Mapping[str, Any] = {}
    first_move: Literal["black", "orange"] = "black"
    juggernaut: str | None = None
    t_end_us: int
    made_by: str = ""


class LookLine(msgspec.Struct, frozen=True):
    """One line after it: the squares that look otherwise than before, by name."""

    t_us: int
    sees: Mapping[str, Evidence | None]


@dataclass(frozen=True, slots=True)
class Looks:
    """A recording of looks as read, oldest first; times are seconds from its beginning."""

    header: LooksHeader
    observations: tuple[Observation, ...]

    @property
    def ends_at(self) -> float:
        """When it ends, in seconds."""
        return seconds(self.header.t_end_us)


_HEADER = msgspec.json.Decoder(LooksHeader)
_LINE = msgspec.json.Decoder(LookLine)


def format_looks(looks: Looks) -> str:
    """Return the text of a recording of looks; `parse_looks` reads it back as it was."""
    lines: list[LooksHeader | LookLine] = [looks.header]
    for each in looks.observations:
        named = {format_square(square): evidence for square, evidence in each.squares.items()}
        lines.append(LookLine(microseconds(each.at), named))
    return "".join(f"{msgspec.json.encode(line).decode()}\n" for line in lines)


def parse_looks(text: str, name: str) -> Looks:
    """Read a recording of looks; `name` stands in error messages. Raises BadRecording."""
    head, *lines = text.splitlines()
    try:
        header = _HEADER.decode(head)
    except msgspec.DecodeError as error:
        raise BadRecording(_("{place}: header: {why}"), place=f"{name}:1", why=error) from None
    observations: list[Observation] = []
    for number, line in enumerate(lines, 2):
        try:
            look = _LINE.decode(line)
            squares = {parse_square(named): evidence for named, evidence in look.sees.items()}
        except (msgspec.DecodeError, RulesError) as error:
            raise BadRecording(
                _("{place}: {why}: expected {form}"),
                place=f"{name}:{number}",
                why=error,
                form='{"t_us":…,"sees":{"a1":[…]}}',
            ) from None
        last_us = microseconds(observations[-1].at) if observations else 0
        if look.t_us < last_us:
            raise BadRecording(
                _("{place}: t_us {t_us} is before {last_us}: sort the lines"),
                place=f"{name}:{number}",
                t_us=look.t_us,
                last_us=last_us,
            )
        observations.append(Observation(seconds(look.t_us), squares))
    return Looks(header, tuple(observations))


def read_seen(path: Path) -> Recording | Looks:
    """Read a recording's file, of switches or of looks; BadRecording, NotText or OSError."""
    text = read_text(path)
    first = text.partition("\n")[0]
    return (parse_looks if LOOKS in first else parse_recording)(text, path.name)

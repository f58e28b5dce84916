"""Reed recordings: a header line and one JSON line for each change of a switch.

`docs/recordings.md` describes the format. Times are whole microseconds in the text (`t_us`) and
seconds on the table clock in the program.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec

from hardware.debounce import DEBOUNCE_MS
from hardware.ports import Observation
from hardware.reed_sensor import ReedErrors, Reeds
from hardware.switches import Change, Switch
from rules.sentences import _
from rules.topology import SQUARE_NAMES

from ..errors import TableError

Board = Literal["grid", "ninth-ray-cw", "ninth-ray-ccw"]


class BadRecording(TableError, ValueError):
    """A recording that cannot be read; the message names file, line and mend."""


class RecordingHeader(msgspec.Struct, frozen=True, kw_only=True):
    """The first line of a recording; the keys are described in `docs/recordings.md`."""

    format: Literal["jetan-reed-recording/1"] = "jetan-reed-recording/1"
    board: Board = "grid"
    rules: Mapping[str, Any] = {}
    """What the writer says of the rules, in words of its own."""
    start: str = "standard"
    squares: tuple[str, ...] = SQUARE_NAMES
    """The square of each switch, in the order in which switches are counted."""
    start_rows: Mapping[str, str] = {}
    """The pieces of ranks 1, 2, 9 and 10."""
    first_move: Literal["black", "orange"] = "black"
    juggernaut: str | None = None
    """The square it begins on."""
    closed: tuple[str, ...]
    """The squares whose switches are closed at time 0."""
    t_end_us: int
    """When the recording ends, in microseconds."""
    made_by: str = ""


class ChangeLine(msgspec.Struct, frozen=True):
    """One line after the header: the switch under `sq` has closed (`on`) or opened."""

    t_us: int
    sq: str
    on: bool


@dataclass(frozen=True, slots=True)
class Recording:
    """A recording as read: every change, oldest first, and when it ends (seconds)."""

    header: RecordingHeader
    changes: tuple[Change, ...]

    @property
    def ends_at(self) -> float:
        """When the recording ends, in seconds: timers run on until then."""
        return seconds(self.header.t_end_us)

    @property
    def closed(self) -> tuple[bool, ...]:
        """Which switches are closed at time 0."""
        return tuple(name in self.header.closed for name in self.header.squares)

    @property
    def switch_of(self) -> tuple[Switch, ...]:
        """The switch under each square, by square."""
        return tuple(Switch(self.header.squares.index(name)) for name in SQUARE_NAMES)


def seconds(t_us: int) -> float:
    """Return microseconds as seconds on the table clock."""
    return t_us / 1_000_000


def microseconds(at: float) -> int:
    """Return seconds on the table clock as whole microseconds."""
    return round(at * 1_000_000)


_HEADER = msgspec.json.Decoder(RecordingHeader)
FORM = '{"t_us":…,"sq":…,"on":…}'
_LINE = msgspec.json.Decoder(ChangeLine)


def parse_recording(text: str, name: str = "recording") -> Recording:
    """Read a recording; `name` stands in error messages. Raises BadRecording."""
    lines = text.splitlines()
    if not lines:
        raise BadRecording(_("{name}:1: empty: a recording begins with a header line"), name=name)
    header = _parse_header(lines[0], f"{name}:1")
    levels = {square: square in header.closed for square in header.squares}
    switches = {square: Switch(index) for index, square in enumerate(header.squares)}
    changes: list[Change] = []
    last_us = 0
    for number, text_line in enumerate(lines[1:], 2):
        place = f"{name}:{number}"
        try:
            line = _LINE.decode(text_line)
        except msgspec.DecodeError as error:
            raise BadRecording(
                _("{place}: {why}: expected {form}"), place=place, why=error, form=FORM
            ) from None
        if line.sq not in levels:
            raise BadRecording(
                _("{place}: {sq}: no such square in the header's squares"), place=place, sq=line.sq
            )
        if line.t_us < last_us:
            raise BadRecording(
                _("{place}: t_us {t_us} is before {last_us}: sort the lines"),
                place=place,
                t_us=line.t_us,
                last_us=last_us,
            )
        if line.on == levels[line.sq]:
            state = "closed" if line.on else "open"
            raise BadRecording(
                _("{place}: {sq} is {state} already: only changes have a line"),
                place=place,
                sq=line.sq,
                state=state,
            )
        levels[line.sq] = line.on
        last_us = line.t_us
        changes.append(Change(seconds(line.t_us), switches[line.sq], line.on))
    if last_us > header.t_end_us:
        raise BadRecording(
            _("{name}:1: t_end_us {t_end_us}: the last change is at {last_us}"),
            name=name,
            t_end_us=header.t_end_us,
            last_us=last_us,
        )
    return Recording(header, tuple(changes))


def format_recording(recording: Recording) -> str:
    """Return the text of a recording; `parse_recording` reads it back as it was."""
    names = recording.header.squares
    lines: list[RecordingHeader | ChangeLine] = [recording.header]
    for change in recording.changes:
        lines.append(ChangeLine(microseconds(change.at), names[change.switch], change.closed))
    return "".join(f"{msgspec.json.encode(line).decode()}\n" for line in lines)


def read_recording(path: Path) -> Recording:
    """Read a recording's file. Raises BadRecording, or OSError where it cannot be opened."""
    try:
        return parse_recording(path.read_text(encoding="utf-8"), path.name)
    except UnicodeDecodeError as error:
        raise BadRecording(
            _("{name}: not UTF-8 text at byte {start}"), name=path.name, start=error.start
        ) from None


def _parse_header(text: str, place: str) -> RecordingHeader:
    try:
        header = _HEADER.decode(text)
    except msgspec.DecodeError as error:
        raise BadRecording(_("{place}: header: {why}"), place=place, why=error) from None
    if sorted(header.squares) != sorted(SQUARE_NAMES):
        raise BadRecording(_("{place}: squares: must name a1 to j10, each once"), place=place)
    extra = _unknown([*header.closed, *filter(None, [header.juggernaut])])
    if extra:
        raise BadRecording(_("{place}: {extra}: no such square"), place=place, extra=extra)
    return header


def _unknown(names: Iterable[str]) -> str | None:
    return next((name for name in names if name not in SQUARE_NAMES), None)


class RecordedSensor:
    """A recording as a sensor: it tells nothing of what lies after the time it is asked for."""

    def __init__(
        self,
        recording: Recording,
        debounce_ms: float = DEBOUNCE_MS,
        errors: ReedErrors | None = None,
    ) -> None:
        self._reeds = Reeds(recording.closed, recording.switch_of, debounce_ms, errors)
        self._changes = recording.changes
        self._next = 0
        self._started = False

    @property
    def due(self) -> float | None:
        """When `poll` has something to look at next, in seconds; None once all is told."""
        if not self._started:
            return 0.0
        times = [change.at for change in self._changes[self._next : self._next + 1]]
        if self._reeds.due is not None:
            times.append(self._reeds.due)
        return min(times, default=None)

    def poll(self, now: float) -> list[Observation]:
        """Return what has been seen since the last call, oldest first."""
        observations = [] if self._started else [self._reeds.whole(0.0)]
        self._started = True
        while self._next < len(self._changes) and self._changes[self._next].at <= now:
            observations += self._reeds.feed(self._changes[self._next])
            self._next += 1
        return observations + self._reeds.advance(now)

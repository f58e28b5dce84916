"""Recordings: of switches, a line for each change; of looks, a camera's evidence of each square.

`docs/recordings.md` describes the formats: a header, then JSON lines. Times are whole microseconds
in the text (`t_us`), and seconds once they have been read.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from hardware.ports import Change, Evidence, Observation, Switch
from hardware.reeds import DEBOUNCE_MS, Reeds
from rules import SQUARE_NAMES, RulesError, _, format_square, parse_square

from ..errors import TableError
from ..files import read_text

Board = Literal["grid", "ninth-ray-cw", "ninth-ray-ccw"]

LATEST_US = 2**53
"""The latest time of a text, in microseconds: seconds would be inexact beyond."""

FORM = '{"t_us":…,"sq":…,"on":…}'


class BadRecording(TableError, ValueError):
    """A recording that cannot be read; the message names file, line and mend."""


class RecordingHeader(msgspec.Struct, frozen=True, kw_only=True):
    """The first line of a recording; the keys are described in `docs/recordings.md`."""

    format: Literal["jetan-reed-recording/1"] = "jetan-reed-recording/1"
    board: Board = "grid"
    rules: Mapping[str, Any] = {}
    """The writer's own description of the rules."""
    start: str = "standard"
    squares: tuple[str, ...] = SQUARE_NAMES
    """The square of each switch, in the order in which switches are counted."""
    start_rows: Mapping[str, str] = {}
    """The pieces of ranks 1, 2, 9 and 10."""
    first_move: Literal["black", "orange"] = "black"
    juggernaut: str | None = None
    closed: tuple[str, ...]
    """The squares whose switches are closed at time 0."""
    t_end_us: int
    """Time of its end, in microseconds."""
    made_by: str = ""

    def __post_init__(self) -> None:
        check_end(self.t_end_us)


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
        """Time of its end, in seconds: timers run on until then."""
        return seconds(self.header.t_end_us)

    @property
    def closed(self) -> tuple[bool, ...]:
        return tuple(name in self.header.closed for name in self.header.squares)

    @property
    def switch_of(self) -> tuple[Switch, ...]:
        """The switch under each square, by square."""
        return tuple(Switch(self.header.squares.index(name)) for name in SQUARE_NAMES)


def check_end(t_end_us: int) -> None:
    """Raise ValueError, which a decoder puts into its own words, for a time that cannot be."""
    if not 0 <= t_end_us <= LATEST_US:
        raise ValueError(f"t_end_us {t_end_us}: must be 0 to {LATEST_US}")


def seconds(t_us: int) -> float:
    """Return microseconds as seconds on the table clock."""
    return t_us / 1_000_000


def microseconds(at: float) -> int:
    """Return seconds on the table clock as whole microseconds."""
    return round(at * 1_000_000)


H = TypeVar("H")
R = TypeVar("R", ChangeLine, "LookLine")


def read_lines(
    text: str, name: str, head: type[H], row: type[R], form: str
) -> tuple[H, Iterator[tuple[str, R]]]:
    """Read a header, and then lines of a `form`, each with its place; BadRecording.

    `name` is the file's in what is refused. Lines are in the order of their times.
    """
    first, *rest = text.splitlines() or [""]
    if not first:
        raise BadRecording(_("{name}:1: empty: a recording begins with a header line"), name=name)
    try:
        header = msgspec.json.decode(first, type=head)
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadRecording(_("{place}: header: {why}"), place=f"{name}:1", why=error) from None

    def rows() -> Iterator[tuple[str, R]]:
        decoder, last_us = msgspec.json.Decoder(row), 0
        for number, line in enumerate(rest, 2):
            place = f"{name}:{number}"
            try:
                read = decoder.decode(line)
            except (msgspec.DecodeError, RecursionError) as error:
                raise misformed(place, error, form) from None
            if read.t_us > LATEST_US:
                raise misformed(place, ValueError(f"t_us {read.t_us}"), form)
            if read.t_us < last_us:
                raise BadRecording(
                    _("{place}: t_us {t_us} is before {last_us}: sort the lines"),
                    place=place,
                    t_us=read.t_us,
                    last_us=last_us,
                )
            last_us = read.t_us
            yield place, read

    return header, rows()


def misformed(place: str, why: Exception, form: str) -> BadRecording:
    """Return the refusal of a line that is not of its form."""
    return BadRecording(_("{place}: {why}: expected {form}"), place=place, why=why, form=form)


def parse_recording(text: str, name: str = "recording") -> Recording:
    """Read a recording; `name` stands in error messages. Raises BadRecording."""
    header, rows = read_lines(text, name, RecordingHeader, ChangeLine, FORM)
    _check_header(header, f"{name}:1")
    levels = {square: square in header.closed for square in header.squares}
    switches = {square: Switch(index) for index, square in enumerate(header.squares)}
    changes: list[Change] = []
    for place, line in rows:
        if line.sq not in levels:
            raise BadRecording(
                _("{place}: {sq}: no such square in the header's squares"), place=place, sq=line.sq
            )
        if line.on == levels[line.sq]:
            state = "closed" if line.on else "open"
            raise BadRecording(
                _("{place}: {sq} is {state} already: only changes have a line"),
                place=place,
                sq=line.sq,
                state=state,
            )
        if line.t_us > header.t_end_us:
            raise BadRecording(
                _("{name}:1: t_end_us {t_end_us}: the last change is at {last_us}"),
                name=name,
                t_end_us=header.t_end_us,
                last_us=line.t_us,
            )
        levels[line.sq] = line.on
        changes.append(Change(seconds(line.t_us), switches[line.sq], line.on))
    return Recording(header, tuple(changes))


def format_recording(recording: Recording) -> str:
    """Return the text of a recording; `parse_recording` reads it back as it was."""
    names = recording.header.squares
    rows = (ChangeLine(microseconds(c.at), names[c.switch], c.closed) for c in recording.changes)
    return written_lines(recording.header, *rows)


def written_lines(*lines: msgspec.Struct) -> str:
    """Return a header and lines as a file has them."""
    return "".join(f"{msgspec.json.encode(line).decode()}\n" for line in lines)


def _check_header(header: RecordingHeader, place: str) -> None:
    if sorted(header.squares) != sorted(SQUARE_NAMES):
        raise BadRecording(_("{place}: squares: must name a1 to j10, each once"), place=place)
    for named in (*header.closed, *filter(None, [header.juggernaut])):
        if named not in SQUARE_NAMES:
            raise BadRecording(_("{place}: {extra}: no such square"), place=place, extra=named)


class RecordedSensor:
    """A recording as a sensor, which reveals nothing later than the time of its poll."""

    def __init__(
        self,
        recording: Recording,
        debounce_ms: float = DEBOUNCE_MS,
    ) -> None:
        self._reeds = Reeds(recording.closed, recording.switch_of, debounce_ms)
        self._changes = recording.changes
        self._next = 0
        self._started = False

    @property
    def due(self) -> float | None:
        if not self._started:
            return 0.0
        times = [change.at for change in self._changes[self._next : self._next + 1]]
        if self._reeds.due is not None:
            times.append(self._reeds.due)
        return min(times, default=None)

    def poll(self, now: float) -> list[Observation]:
        observations = [] if self._started else [self._reeds.whole(0.0)]
        self._started = True
        while self._next < len(self._changes) and self._changes[self._next].at <= now:
            observations += self._reeds.feed(self._changes[self._next])
            self._next += 1
        return observations + self._reeds.advance(now)


LOOKS: Literal["jetan-looks/1"] = "jetan-looks/1"
LOOK_FORM = '{"t_us":…,"sees":{"a1":[…]}}'


class LooksHeader(msgspec.Struct, frozen=True, kw_only=True):
    """The first line; its keys are those of a recording of switches, as far as it has them."""

    format: Literal["jetan-looks/1"] = LOOKS
    board: Board = "grid"
    rules: Mapping[str, Any] = {}
    first_move: Literal["black", "orange"] = "black"
    juggernaut: str | None = None
    t_end_us: int
    made_by: str = ""

    def __post_init__(self) -> None:
        check_end(self.t_end_us)


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
        return seconds(self.header.t_end_us)


def format_looks(looks: Looks) -> str:
    """Return the text of a recording of looks; `parse_looks` reads it back as it was."""
    rows = (
        LookLine(microseconds(each.at), {format_square(s): e for s, e in each.squares.items()})
        for each in looks.observations
    )
    return written_lines(looks.header, *rows)


def parse_looks(text: str, name: str) -> Looks:
    """Read a recording of looks; `name` stands in error messages. Raises BadRecording."""
    header, rows = read_lines(text, name, LooksHeader, LookLine, LOOK_FORM)
    observations: list[Observation] = []
    for place, look in rows:
        try:
            squares = {parse_square(named): evidence for named, evidence in look.sees.items()}
        except RulesError as error:
            raise misformed(place, error, LOOK_FORM) from None
        observations.append(Observation(seconds(look.t_us), squares))
    return Looks(header, tuple(observations))


def read_seen(path: Path) -> Recording | Looks:
    """Read a recording's file, of switches or of looks; BadRecording, NotText or OSError."""
    text = read_text(path)
    first = text.partition("\n")[0]
    return (parse_looks if LOOKS in first else parse_recording)(text, path.name)

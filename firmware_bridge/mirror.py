"""The board by its messages: its levels, its clock, and the lights on their way to it.

Levels are packed into bits on the wire, and are evidence for the table. They are followed by the
numbers of the board's events, and what was lost on the way is mended. Of the lights one frame is in
flight, and only the newest waits.
"""

import enum
from collections import deque
from collections.abc import Mapping, Sequence
from math import log

from hardware.ports import RGB, Evidence
from hardware.reeds import reed_evidence
from rules import _

from .errors import BadPacket
from .messages import ShowColours, ShowPalette, SwitchEvent

TURN_US = 1 << 32
"""The board counts microseconds in 32 bits."""

KEPT = 4
"""Answers that are compared: few, for a cheap board's clock is off by 5 ms a second."""


class BoardClock:
    """Learns how far the board's clock is off from pings: the quickest of the last answers counts.

    Half the time an answer took is the most by which it can be wrong.
    """

    def __init__(self) -> None:
        self._answers: deque[tuple[float, int, float]] = deque(maxlen=KEPT)
        """Seconds taken, the time on the board's clock, and the middle on the table's."""

    def learn(self, at_us: int, asked: float, answered: float) -> None:
        """Take in the board's time from an answer to a ping, and the times of ping and answer."""
        # The answer may have been given at any moment between: the middle is wrong by half at most.
        took = answered - asked
        self._answers.append((took, at_us, answered - took / 2))

    def forget(self) -> None:
        """Forget all answers: the board has started anew, and its clock at 0."""
        self._answers.clear()

    def table_time(self, at_us: int, now: float) -> float:
        """Return a time of the board on the table clock, at most `now`; `now` if nothing is known.

        The time must lie within 35 minutes of the last answer, or the turns are counted wrongly.
        """
        if not self._answers:
            return now
        _took, best_us, best_at = min(self._answers, key=lambda answer: answer[0])
        since = (at_us - best_us + TURN_US // 2) % TURN_US - TURN_US // 2
        return min(best_at + since / 1_000_000, now)


MOST_COLOURS = 16
"""The colours that four bits a lamp can name; frames with more are sent in full."""

ANSWER_S = 0.1
"""A frame is sent again when its answer has not come by then: 300 bytes take 27 ms at 115200."""


def show_command(lights: Sequence[RGB]) -> ShowColours | ShowPalette:
    """Return the shortest message that shows `lights`, in lamp order; their number is even."""
    colours = sorted(set(lights))
    if len(colours) > MOST_COLOURS:
        return ShowColours(bytes(channel for rgb in lights for channel in rgb))
    number_of = {rgb: number for number, rgb in enumerate(colours)}
    numbers = [number_of[rgb] for rgb in lights]
    pairs = zip(numbers[::2], numbers[1::2], strict=True)
    packed = bytes(low | high << 4 for low, high in pairs)
    return ShowPalette(len(colours), bytes(c for rgb in colours for c in rgb) + packed)


class LampFrames:
    """The lights that the lamps should show, those they show, and those on their way."""

    def __init__(self) -> None:
        self._wanted: tuple[RGB, ...] | None = None
        self._shown: tuple[RGB, ...] | None = None
        self._flying: tuple[RGB, ...] | None = None
        self._sequence = 0
        self._sent_at = 0.0

    def show(self, lights: Sequence[RGB]) -> None:
        """Take lights to be shown; earlier ones that were not sent yet are forgotten."""
        self._wanted = tuple(lights)

    def forget(self) -> None:
        """Send the lights again: the lamps may be dark."""
        self._shown = self._flying = None

    def next(self, now: float) -> ShowColours | ShowPalette | None:
        """Return the frame to send now, if any; `sent` tells which packet carried it."""
        if self._flying is not None and now < self._sent_at + ANSWER_S:
            return None
        # Only the newest lights wait: those between were wished for and are over.
        if self._wanted is None or (self._flying is None and self._wanted == self._shown):
            return None
        return show_command(self._wanted)

    def sent(self, sequence: int, now: float) -> None:
        """Take note that the frame of `next` was sent as the packet with this number."""
        self._flying, self._sequence, self._sent_at = self._wanted, sequence, now

    def done(self, sequence: int) -> bool:
        """Take note of a packet that the board has carried out; True if it was a frame's."""
        if self._flying is None or sequence != self._sequence:
            return False
        self._shown, self._flying = self._flying, None
        return True


class SwitchLevel(enum.IntEnum):
    """The level of a switch: of a reed OPEN or NORTH, whatever the pole; of a Hall switch any."""

    OPEN = 0
    NORTH = 1
    SOUTH = 2


BITS = {0: 1, 1: 2}
"""Bits a switch takes in a snapshot, by the sensor's number in `messages.SENSORS`."""


def unpack_levels(packed: bytes, sensor: int, count: int) -> tuple[SwitchLevel, ...]:
    """Read `count` levels; BadPacket if there are fewer, or one is no level."""
    bits = BITS[sensor]
    if len(packed) != (count * bits + 7) // 8:
        raise BadPacket(
            _("{size} bytes cannot hold {levels} levels of {bits} bits"),
            size=len(packed),
            levels=count,
            bits=bits,
        )
    number = int.from_bytes(packed, "little")
    mask = (1 << bits) - 1
    try:
        return tuple(SwitchLevel(number >> bits * index & mask) for index in range(count))
    except ValueError:
        raise BadPacket(_("a level is neither open nor a pole")) from None


WRONG_POLE = 0.001
"""The share of pieces with a magnet upside down, of which a Hall switch shows the other pole.

So the right side is 7 nats, 1,000 to 1, ahead of the other.
"""


def hall_evidence(level: SwitchLevel) -> Evidence:
    """Return the log-likelihoods of a three-state switch's level, for each occupant.

    Black's magnets show their north, Orange's their south; a neutral piece may show either. About
    whether a magnet is there it is wrong as often as a reed.
    """
    empty, black, orange, neutral = reed_evidence(level is not SwitchLevel.OPEN)
    if level is SwitchLevel.OPEN:
        return empty, black, orange, neutral
    right, wrong, either = log(1 - WRONG_POLE), log(WRONG_POLE), log(0.5)
    if level is SwitchLevel.NORTH:
        return empty + either, black + right, orange + wrong, neutral + either
    return empty + either, black + wrong, orange + right, neutral + either


TURN = 1 << 16
"""Events are numbered in 16 bits."""

PATIENCE_S = 0.05
"""Seconds after which a repetition that has not come is asked for again."""

MOST_REPEATS = 3
"""Times a repetition is asked for before the next snapshot is taken as it is."""


class LevelFollower:
    """The board's levels as its events make them. None counts twice, out of order, or is left out.

    A gap is mended by a repetition; where the board keeps the events no more, by a snapshot, whose
    differences count as changes.
    """

    def __init__(self) -> None:
        self.levels: tuple[SwitchLevel, ...] | None = None
        """By switch; None before the first snapshot."""
        self.healed = 0
        """The number of changes that came with a snapshot only."""
        self.repeats = 0
        self._next = 0
        self._is_behind = False
        self._asked = 0
        self._asked_at = 0.0
        self._awaits_snapshot = False

    @property
    def is_whole(self) -> bool:
        """True if nothing is known to be missing."""
        return not (self._is_behind or self._awaits_snapshot)

    def restart(self) -> None:
        """Begin with number 0 and the next snapshot: the board has started anew."""
        self._next = 0
        self._awaits_snapshot = True

    def event(self, event: SwitchEvent) -> Mapping[int, SwitchLevel]:
        """Take in an event, and return the new level by its switch's index.

        There is none for an event whose turn has not come, or has.
        """
        if self.levels is None or self._awaits_snapshot:
            return {}
        # Numbers turn over, so half the circle counts as the past: a repetition of what is known.
        ahead = (event.number - self._next) % TURN
        if ahead >= TURN // 2:
            return {}  # taken in already
        if ahead:
            self._is_behind = True
            return {}
        self._next = (self._next + 1) % TURN
        self._asked = 0
        self._is_behind = False
        return self._changed({event.switch_index: SwitchLevel(event.level)})

    def snapshot(
        self, levels: Sequence[SwitchLevel], next_number: int
    ) -> Mapping[int, SwitchLevel]:
        """Take in a snapshot, and return the levels that are new: all of them, of the first one.

        It proves that nothing is missing, or mends what is.
        """
        if self.levels is None:
            self.levels = tuple(levels)
            self._caught_up(next_number)
            return dict(enumerate(levels))
        # Events are missing before this snapshot and are asked for first: to take it now would
        # swallow a piece that was lifted and put back meanwhile.
        if next_number != self._next and not self._awaits_snapshot:
            self._is_behind = True
            return {}
        changes = self._changed(dict(enumerate(levels)))
        self.healed += len(changes)
        self._caught_up(next_number)
        return changes

    def gone(self) -> None:
        """Take the next snapshot as it is: the board does not keep the events any more."""
        self._awaits_snapshot = True

    def wants_repeat(self, now: float) -> int | None:
        """Return the number from which events are to be repeated, if that is to be asked now."""
        if not self._is_behind or self._awaits_snapshot:
            return None
        if self._asked and now < self._asked_at + PATIENCE_S:
            return None
        if self._asked == MOST_REPEATS:
            self._awaits_snapshot = True
            return None
        self._asked += 1
        self.repeats += 1
        self._asked_at = now
        return self._next

    def _caught_up(self, next_number: int) -> None:
        self._next = next_number
        self._asked = 0
        self._is_behind = self._awaits_snapshot = False

    def _changed(self, new_levels: Mapping[int, SwitchLevel]) -> Mapping[int, SwitchLevel]:
        assert self.levels is not None
        before = self.levels
        changed = {
            index: level for index, level in new_levels.items() if level is not before[index]
        }
        self.levels = tuple(changed.get(index, level) for index, level in enumerate(before))
        return changed

"""Lights on their way to the board: one frame in flight, and only the newest waits."""

from collections.abc import Sequence

from hardware.ports import RGB

from .messages import ShowColours, ShowPalette

MOST_COLOURS = 16
"""So many colours fit four bits a lamp; frames with more are sent in full."""

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
    """What the lamps should show, what they show, and what is being sent."""

    def __init__(self) -> None:
        self._wanted: tuple[RGB, ...] | None = None
        self._shown: tuple[RGB, ...] | None = None
        self._flying: tuple[RGB, ...] | None = None
        self._sequence = 0
        self._sent_at = 0.0

    def show(self, lights: Sequence[RGB]) -> None:
        """Wish for these lights; earlier wishes that were not sent yet are forgotten."""
        self._wanted = tuple(lights)

    def forget(self) -> None:
        """The lamps may be dark: whatever is wished for is to be sent again."""
        self._shown = self._flying = None

    def next(self, now: float) -> ShowColours | ShowPalette | None:
        """Return the frame to send now, if any; `sent` tells which packet carried it."""
        if self._flying is not None and now < self._sent_at + ANSWER_S:
            return None
        if self._wanted is None or (self._flying is None and self._wanted == self._shown):
            return None
        return show_command(self._wanted)

    def sent(self, sequence: int, now: float) -> None:
        """The frame of `next` was sent as the packet with this number."""
        self._flying, self._sequence, self._sent_at = self._wanted, sequence, now

    def done(self, sequence: int) -> bool:
        """The board has done what this packet asked; returns whether that was to show a frame."""
        if self._flying is None or sequence != self._sequence:
            return False
        self._shown, self._flying = self._flying, None
        return True

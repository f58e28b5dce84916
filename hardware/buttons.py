"""Buttons at pins with pull-ups: short presses, and long ones."""

import enum
from collections.abc import Mapping
from dataclasses import dataclass

from .matrix import Pin, Pins
from .ports import Change, Switch
from .reeds import Debounce

BUTTON_DEBOUNCE_MS = 20.0
LONG_PRESS_S = 3.0
"""A button held for so long is meant."""


class Button(enum.Enum):
    """What a button is for."""

    DIE = "die"
    MENU = "menu"


@dataclass(frozen=True, slots=True)
class ButtonPress:
    """A press of a button: a short one when it ends, a long one as soon as it is one."""

    at: float
    button: Button
    is_long: bool


class Buttons:
    """Each joins its pin to ground while it is pressed."""

    def __init__(self, pins: Pins, pin_of: Mapping[Button, Pin]) -> None:
        """Release the pins, and take the buttons as they are: one held from the start is none."""
        self._pins, self._pin_of = pins, dict(pin_of)
        for pin in self._pin_of.values():
            pins.release(pin)
        self._levels = self._read()
        self._debounce = Debounce(self._levels, BUTTON_DEBOUNCE_MS)
        self._since: dict[Button, float] = {}

    def poll(self, now: float) -> list[ButtonPress]:
        """Return the presses since the last call, oldest first."""
        steady: list[Change] = []
        levels = self._read()
        for index, (is_down, before) in enumerate(zip(levels, self._levels, strict=True)):
            if is_down != before:
                steady += self._debounce.feed(Change(now, Switch(index), is_down))
        self._levels = levels
        steady += self._debounce.advance(now)
        buttons, presses = tuple(self._pin_of), list[ButtonPress]()
        for change in steady:
            button = buttons[change.switch]
            if change.closed:
                self._since[button] = change.at
            elif self._since.pop(button, None) is not None:
                presses.append(ButtonPress(change.at, button, is_long=False))
        for button, since in list(self._since.items()):
            if now >= since + LONG_PRESS_S:
                del self._since[button]
                presses.append(ButtonPress(since + LONG_PRESS_S, button, is_long=True))
        return presses

    def _read(self) -> list[bool]:
        return [not is_high for is_high in self._pins.read(list(self._pin_of.values()))]

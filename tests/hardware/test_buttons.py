"""Buttons: short presses when they end, long ones once, bounce never."""

from collections.abc import Sequence

from hardware.matrix import Pin
from hardware.reeds import LONG_PRESS_S, Button, ButtonPress, Buttons

DIE, MENU = Pin(2), Pin(3)


class Fingers:
    """Pins with pull-ups, of which `down` are joined to ground."""

    def __init__(self) -> None:
        self.down: set[Pin] = set()
        self.released: list[Pin] = []

    def drive_low(self, pin: Pin) -> None:
        raise AssertionError("a button's pin must never be driven")

    def release(self, pin: Pin) -> None:
        self.released.append(pin)

    def read(self, pins: Sequence[Pin]) -> list[bool]:
        return [pin not in self.down for pin in pins]


def presses(held: Sequence[tuple[float, float, Pin]], until: float) -> list[ButtonPress]:
    """What is told when pins are held from and to these times, looked at every 5 ms."""
    fingers = Fingers()
    buttons = Buttons(fingers, {Button.DIE: DIE, Button.MENU: MENU})
    assert fingers.released == [DIE, MENU]
    found = []
    for step in range(int(until * 200)):
        now = step / 200
        fingers.down = {pin for begin, end, pin in held if begin <= now < end}
        found += buttons.poll(now)
    return found


def test_a_short_press_is_told_when_it_ends() -> None:
    assert presses([(1.0, 1.3, DIE)], 2.0) == [ButtonPress(1.3, Button.DIE, is_long=False)]


def test_a_long_press_is_told_once_while_it_lasts() -> None:
    (press,) = presses([(1.0, 9.0, MENU)], 10.0)
    assert press == ButtonPress(1.0 + LONG_PRESS_S, Button.MENU, is_long=True)


def test_both_at_once_are_two_presses() -> None:
    found = presses([(1.0, 1.5, DIE), (1.2, 1.6, MENU)], 2.0)
    assert [press.button for press in found] == [Button.DIE, Button.MENU]


def test_bounce_is_no_press() -> None:
    assert len(presses([(1.0, 1.005, DIE), (1.01, 1.4, DIE), (1.405, 1.41, DIE)], 2.0)) == 1


def test_a_button_held_from_the_start_is_no_press() -> None:
    fingers = Fingers()
    fingers.down = {MENU}
    buttons = Buttons(fingers, {Button.MENU: MENU})
    assert [press for step in range(2000) for press in buttons.poll(step / 200)] == []

"""The board on the Pi's own pins: its switches, lamps and buttons as the table wants them."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence

from rules import Notice, Sentence, Square, Worded, _

from .lamps import SpiLamps
from .matrix import Matrix, Pin
from .pins import BoardPins, PinMap
from .ports import DOUBTED, RGB, Observation, Switch, part_notice
from .reeds import DEBOUNCE_MS, Bouncing, Button, ButtonPress, Buttons, ReedSensor

LATE_S = 0.03
"""Longest time between scans that misses no square over which a piece is slid."""

MANY_LATE, LATELY_S = 5, 10.0
"""This many late scans in this many seconds mean that the machine is too busy."""


class PinBoard:
    """All ports of the board: `poll` is a Sensor's, `show` a Lamps', `take_presses` the buttons'.

    The pins are inputs until the first scan, and again after `close`.
    """

    trouble: None = None
    """A board on the machine's own pins is always there."""
    hands: None = None
    cabled: None = None

    def __init__(
        self,
        pins: BoardPins,
        lamps: SpiLamps,
        pin_map: PinMap,
        switch_of: Sequence[Switch],
        wait: Callable[[float], None],
        clock: Callable[[], float],
        debounce_ms: float = DEBOUNCE_MS,
        diodes: bool = True,
    ) -> None:
        """Scan once. `pins` pull up columns and buttons, `switch_of` is by square, and each switch
        has a diode or none has; `wait(seconds)` lets wires settle, `clock` tells the table's time.

        Raises BadWiring before any pin is touched, HardwareError where something else holds one.
        """
        # I2C's pins are checked before any pin is touched. What is refused later leaves all pins as
        # inputs, which harm nothing that is wired wrongly.
        self._clock, self._lamps = clock, lamps
        pin_map.check_free()
        buttons: dict[Button, Pin | None] = {
            "die": pin_map.die_button,
            "menu": pin_map.menu_button,
        }
        wired = {button: pin for button, pin in buttons.items() if pin is not None}
        self._pins = pins
        try:
            matrix = Matrix(pins, pin_map.rows, pin_map.columns, wait, diodes=diodes)
            self._buttons = Buttons(pins, wired)
            self._sensor = ReedSensor(matrix, switch_of, debounce_ms)
        except Exception:
            pins.close()
            raise
        self._presses: list[ButtonPress] = []
        self._began_at, self._scans, self._scanning_s = clock(), 0, 0.0
        self._scanned_at: float | None = None
        self._late_scans = 0
        self._late: deque[tuple[float, float]] = deque(maxlen=MANY_LATE)
        """Time and delay of the last late scans."""
        self._latest_s = 0.0
        """The longest delay while it is too busy; kept, so that the note changes seldom."""

    @property
    def notes(self) -> tuple[Notice, ...]:
        """Warnings about a board that works."""
        notes = []
        if doubted := len(self._sensor.doubted):
            notes.append(part_notice("doubted", DOUBTED, count=doubted))
        if (error := self._lamps.trouble) is not None:
            why = Sentence(error.strerror) if error.strerror else str(error)
            notes.append(part_notice("lamps-lost", _("the lamps get no data: {why}"), why=why))
        if self._is_busy:
            late = _(
                "this machine is too busy: the switches were looked at up to {ms:.0f} ms late, and "
                "what hands do quickly may be missed: end other programs, or take a board on a "
                "cable"
            )
            notes.append(part_notice("late", late, ms=1000 * self._latest_s))
        return tuple(notes)

    @property
    def _is_busy(self) -> bool:
        """True if many of the latest scans were late; a single late one is usual."""
        if self._scanned_at is None or len(self._late) < MANY_LATE:
            return False
        return self._late[0][0] > self._scanned_at - LATELY_S

    def statistics(self) -> list[str]:
        """Return what has been counted."""
        passed = max(self._clock() - self._began_at, 1e-9)
        scans = max(self._scans, 1)
        lamps = self._lamps.current_ma
        return [
            Worded(
                _(
                    "{scans} scans, {hz:.0f} a second; one takes {ms:.1f} ms and {calls} library "
                    "calls, all together {share:.0%} of the time"
                ),
                scans=self._scans,
                hz=self._scans / passed,
                ms=self._scanning_s / scans * 1000,
                calls=round(self._pins.calls / scans),
                share=self._scanning_s / passed,
            ),
            Worded(
                _("{late} scans came {ms:.0f} ms late or later"),
                late=self._late_scans,
                ms=1000 * LATE_S,
            ),
            Worded(
                _("the lamps draw {ma:.0f} mA of {limit:.0f}"),
                ma=lamps,
                limit=self._lamps.limit_ma,
            ),
        ]

    @property
    def bouncing(self) -> Mapping[Square, Bouncing]:
        """The bouncing of the switches under squares, of those that have bounced."""
        return self._sensor.bouncing

    def catch_up(self, at: float) -> bool:
        """Say yes: what a scan sees is told at once."""
        return True

    def poll(self, now: float) -> list[Observation]:
        """Scan the switches and look at the buttons once; return what has been seen."""
        # Measured from scan to scan: it does not matter to a sliding piece what kept the machine.
        begun = self._clock()
        if self._scanned_at is not None and now - self._scanned_at > LATE_S:
            before = self._latest_s if self._is_busy else 0.0
            self._late.append((now, now - self._scanned_at))
            self._latest_s = max(before, *(late for _at, late in self._late))
            self._late_scans += 1
        self._scanned_at = now
        observations = self._sensor.poll(now)
        self._presses += self._buttons.poll(now)
        self._scans += 1
        self._scanning_s += self._clock() - begun
        return observations

    def show(self, lights: Sequence[RGB]) -> None:
        """Show one colour a lamp, in lamp order."""
        self._lamps.show(lights)

    def take_presses(self) -> list[ButtonPress]:
        """Return the presses of buttons since the last call, oldest first."""
        presses, self._presses = self._presses, []
        return presses

    def close(self) -> None:
        """Make the lamps dark and all pins inputs."""
        self._lamps.close()
        self._pins.close()

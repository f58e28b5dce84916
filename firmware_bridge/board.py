"""The board as the table knows it: a sensor of switches, and lamps, at the end of a cable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext

from hardware.ports import RGB, BadWiring, Evidence, Observation, Switch
from hardware.reeds import Bouncing, ButtonPress, reed_evidence
from rules import Notice, Square, Worded, _, format_square

from .link import BoardSettings, Link, Sensed
from .messages import Count
from .mirror import SwitchLevel, hall_evidence
from .port import Port, PortClosed, PortOpened, Received, SerialPort

__all__ = ["BoardSettings", "SerialBoard"]

MOST_BOUNCING = 5
"""The number of switches named as those that bounce most."""


LONGEST_LINE = 120
"""Letters of a message that are shown."""


class SerialBoard:
    """Both ports of one board: `poll` is a Sensor's, `show` a Lamps'.

    `switch_of` is indexed by square, lights are in lamp order. Squares that change while the cable
    is out are reported when it is back, each once.
    """

    hands: None = None

    def __init__(
        self,
        port: Port,
        settings: BoardSettings,
        switch_of: Sequence[Switch],
    ) -> None:
        if sorted(switch_of) != list(range(len(switch_of))):
            raise BadWiring(_("each square needs a switch of its own, from 0 on"))
        self.link = Link(settings)
        self._port = port
        self._squares = {switch: Square(square) for square, switch in enumerate(switch_of)}
        self._now = 0.0

    @property
    def trouble(self) -> Notice | None:
        """The fault of the board as of the last poll; None if it has none."""
        return self.link.trouble(self._now)

    @property
    def notes(self) -> tuple[Notice, ...]:
        """Warnings about a board that works."""
        return tuple(self.link.notes.values())

    def catch_up(self, at: float) -> bool:
        """Ask for all that the switches showed until `at`; return True once it has come."""
        has_come = self.link.catch_up(at, self._now)
        self._write()
        return has_come

    def statistics(self) -> list[str]:
        """Return what has been counted; asks the board for newer counts."""
        link = self.link
        link.ask(Count())
        lines: list[str] = [
            Worded(
                _("the board on {port} speaks {board}; it has started anew {restarts} times"),
                port=link.port,
                board=link.version,
                restarts=link.restarts,
            ),
            Worded(
                _(
                    "the line: {bad} packets came damaged, {repeats} repetitions were asked for, "
                    "{healed} changes came only with a snapshot"
                ),
                bad=link.bad_packets,
                repeats=link.follower.repeats,
                healed=link.follower.healed,
            ),
            Worded(
                _("the lamps draw {ma} mA of {limit}"),
                ma=link.current_ma,
                limit=link.settings.limit_ma,
            ),
        ]
        if link.counts is not None:
            chip = link.counts
            gap = chip.longest_gap_us / 1000
            lines.append(
                Worded(
                    _(
                        "the chip is up for {up} s; its longest gap between scans was {gap:.1f} "
                        "ms; {lost} bytes lost, {bad} packets damaged"
                    ),
                    up=chip.up_s,
                    gap=gap,
                    lost=chip.lost_bytes,
                    bad=chip.bad_packets,
                )
            )
        if any(link.bounces):
            most = _("switches that bounce most: {squares}")
            lines.append(Worded(most, squares=", ".join(self._bounciest())))
        return lines

    @property
    def bouncing(self) -> Mapping[Square, Bouncing]:
        """The bouncing of the switches under squares by the board's last report, without times."""
        counted = enumerate(self.link.bounces)
        return {self._squares[Switch(index)]: Bouncing(count) for index, count in counted if count}

    def poll(self, now: float) -> list[Observation]:
        """Return what has been seen since the last call, oldest first; never blocks."""
        self._now = now
        for event in self._port.take():
            match event:
                case PortOpened():
                    self.link.opened(event.port, event.at)
                case Received():
                    self.link.receive(event.data, event.at)
                case PortClosed():
                    self.link.closed(event.why, event.port)
        self._write()
        return self._observed(self.link.take_sensed())

    def show(self, lights: Sequence[RGB]) -> None:
        """Show one colour a lamp, in lamp order, as soon as the line has room."""
        self.link.show(lights)
        self._write()

    @property
    def cabled(self) -> SerialBoard:
        """The board itself: its line can be watched and lent."""
        return self

    @property
    def port(self) -> str:
        """The name of its port; empty before one was found."""
        return self.link.port

    def heard(self) -> list[str]:
        """Return the last messages on the line, oldest first, each as a line of text."""
        passed = list(self.link.lately)
        return [
            f"{at:.3f} {'>' if is_sent else '<'} {message!s:.{LONGEST_LINE}}"
            for at, is_sent, message in passed
        ]

    def lent(self) -> AbstractContextManager[None]:
        """Let another program have the port while the block runs."""
        return self._port.lent() if isinstance(self._port, SerialPort) else nullcontext()

    def take_presses(self) -> list[ButtonPress]:
        """Return no presses: these boards have no buttons."""
        return []

    def close(self) -> None:
        """Let go of the cable; the board makes its lamps dark by itself."""
        self._port.close()

    def _bounciest(self) -> list[str]:
        counted = sorted(enumerate(self.link.bounces), key=lambda pair: -pair[1])[:MOST_BOUNCING]
        return [
            f"{format_square(self._squares[Switch(index)])} ({count})"
            for index, count in counted
            if count
        ]

    def _write(self) -> None:
        data = self.link.send(self._now)
        if data:
            self._port.write(data)

    def _observed(self, sensed: Sequence[Sensed]) -> list[Observation]:
        """Join what was sensed at one time into one observation, each square once."""
        # A square that changes twice at one time needs two observations: one would hide a change.
        joined: list[tuple[float, dict[Square, Evidence | None]]] = []
        for changed_at, switch, level in sensed:
            at, square = min(changed_at, self._now), self._squares[switch]
            if not joined or joined[-1][0] != at or square in joined[-1][1]:
                joined.append((at, {}))
            joined[-1][1][square] = self._evidence(level)
        return [Observation(at, squares) for at, squares in joined]

    def _evidence(self, level: SwitchLevel) -> Evidence:
        if self.link.is_three_state:
            return hall_evidence(level)
        return reed_evidence(level is not SwitchLevel.OPEN)

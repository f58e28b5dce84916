"""How quick a board on a serial line is: from a switch's edge to the host, and to lit lamps.

The real firmware runs in an emulated ATmega2560 at 500,000 baud, in virtual time, to which the CPU
time that the host needs is added; the table looks every 5 ms, as in play. The floor is what no
program can go below: 5 ms of debounce, the bytes on the wire, and 3 ms for 100 WS2812 lamps. The
firmware tells a change before its contact is quiet, so it can be below that floor. Not in it: the
1 ms that a USB adapter adds each way.
"""

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from statistics import median

from bench._figures import p99, print_figures
from firmware_bridge import BoardSettings, SerialBoard
from firmware_bridge.build import MEGA
from firmware_bridge.emulation import emulator
from firmware_bridge.messages import SwitchEvent, Unpacker
from hardware.ports import RGB, Change, Switch
from jetan_table.game.events import Header
from jetan_table.journal.journal import Journal
from jetan_table.people.board import SWITCH_OF
from jetan_table.settings import LampSettings, Settings
from jetan_table.table.games import begin_game
from jetan_table.wiring import join
from rules import SQUARES, Position, parse_rules
from tests.emulated.cable import VirtualPort

DEBOUNCE_MS = 5
BITS_A_BYTE = 10
BAUD = 500_000
FRAME_MS = 3.0
LOOK_S = 0.005
LIFTS = 100
BETWEEN_S = 0.12


class TimedPort(VirtualPort):
    """A cable whose host takes time: what it writes goes out when its CPU time has passed."""

    def __init__(self, closed: Sequence[bool]) -> None:
        board = emulator.board(MEGA)
        board.change(Change(0.0, Switch(index), on) for index, on in enumerate(closed))
        super().__init__(board)
        self.heard_events: list[float] = []
        self.frame_bytes = 0
        self._unpacker = Unpacker()
        self._waiting: list[bytes] = []

    def hear(self, at: float, data: bytes) -> None:
        super().hear(at, data)
        for _sequence, message in self._unpacker.feed(data):
            if isinstance(message, SwitchEvent):
                self.heard_events.append(at)

    def write(self, data: bytes) -> None:
        self._waiting.append(data)

    def flush(self) -> None:
        """Send what was written."""
        for data in self._waiting:
            self.frame_bytes = max(self.frame_bytes, len(data))
            super().write(data)
        self._waiting.clear()


def main(json: bool) -> None:
    """Measure, and print a table, or one JSON object; times are milliseconds."""
    print_figures(measure(), json)


def measure() -> dict[str, float]:
    """Return every figure of one run."""
    with tempfile.TemporaryDirectory() as folder, closing(Journal(Path(folder))) as journal:
        heard, lit, cpu, frame_bytes = lift_at_table(journal)
    _, full, _, full_bytes = lift_at_driver()
    event_ms = on_wire_ms(17)
    edge_floor = DEBOUNCE_MS + event_ms
    lit_floor = DEBOUNCE_MS + event_ms + on_wire_ms(frame_bytes) + FRAME_MS
    full_floor = DEBOUNCE_MS + event_ms + on_wire_ms(full_bytes) + FRAME_MS
    figures = {}
    for name, times, floor in (
        ("edge_to_host", heard, edge_floor),
        ("lift_to_lit", lit, lit_floor),
        ("all_colours_to_lit", full, full_floor),
    ):
        figures[f"{name}_median_ms"] = median(times)
        figures[f"{name}_p99_ms"] = p99(times)
        figures[f"{name}_floor_ms"] = floor
        figures[f"{name}_vs_floor"] = median(times) / floor
    return {**figures, "host_cpu_median_ms": median(cpu)}


Times = tuple[list[float], list[float], list[float], int]
"""Milliseconds from edge to host, to light, and of CPU; and the bytes of the longest frame."""


def lift_at_table(journal: Journal) -> Times:
    """Lift pieces of the side to move, one after the other, at a whole table; put them back."""
    start = Position.start(parse_rules("appendix"))
    header = Header.of(start, 0.0)
    opened = begin_game(journal, header)
    port = TimedPort([bool(start.occupied >> square & 1) for square in SQUARES])
    settings = Settings(lamps=LampSettings(limit_ma=6000))
    driver = SerialBoard(port, BoardSettings(DEBOUNCE_MS, 6000), SWITCH_OF)
    table = join(driver, journal, opened, settings)
    movable = [square for square in SQUARES if start.moves_from(square)]
    return lift(port, movable, table.step)


def lift_at_driver() -> Times:
    """Lift pieces at a driver that answers each with 100 lamps of as many colours."""
    port = TimedPort([True] * len(SQUARES))
    driver = SerialBoard(port, BoardSettings(DEBOUNCE_MS, 6000), SWITCH_OF)
    counted = 0

    def look(now: float) -> None:
        nonlocal counted
        if driver.poll(now):
            counted += 1
            lights: list[RGB] = [(counted % 256, lamp, 10) for lamp in range(100)]
            driver.show(lights)

    return lift(port, SQUARES, look)


def lift(port: TimedPort, squares: Sequence[int], look: Callable[[float], object]) -> Times:
    """Lift and put back in turn at any moment of a scan, looking every 5 ms."""
    rng, heard, lit, cpu = Random(2), list[float](), list[float](), list[float]()
    pass_time(port, look, 1.5)
    for number in range(LIFTS):
        switch = Switch(squares[number % len(squares)])
        edge = port.now + 0.01 + rng.uniform(0, 0.01)
        port.heard_events.clear()
        port.board.change([Change(edge, switch, False)])
        lit_at, longest = None, 0.0
        before = port.board.strip.lights
        for spent in run(port, look, edge + BETWEEN_S):
            strip = port.board.strip
            longest = max(longest, spent)
            if lit_at is None and strip.lights != before and strip.shown_at > edge:
                lit_at = strip.shown_at
            elif strip.shown_at < edge:
                before = strip.lights
        assert lit_at is not None, f"no light for switch {switch}"
        cpu.append(longest)
        heard.append((port.heard_events[0] - edge) * 1000)
        lit.append((lit_at - edge) * 1000)
        port.board.change([Change(port.now + 0.001, switch, True)])
        pass_time(port, look, port.now + 2 * BETWEEN_S)
    return heard, lit, cpu, port.frame_bytes


def run(port: TimedPort, look: Callable[[float], object], until: float) -> Iterator[float]:
    """Let time pass; yield after each look the CPU milliseconds it took."""
    while port.now < until:
        port.run_until(port.now + LOOK_S)
        begun = time.process_time()
        look(port.now)
        spent = time.process_time() - begun
        port.run_until(port.now + spent)
        port.flush()
        yield spent * 1000


def pass_time(port: TimedPort, look: Callable[[float], object], until: float) -> None:
    """Let time pass."""
    for _ in run(port, look, until):
        pass


def on_wire_ms(count: int) -> float:
    """Return how long bytes take on the line."""
    return count * BITS_A_BYTE / BAUD * 1000

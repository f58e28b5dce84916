"""The driver over an emulated chip, as the contract of all sensors wants it."""

from collections.abc import Sequence
from dataclasses import replace

from firmware_bridge import BoardSettings, SerialBoard
from firmware_bridge.build import Microcontroller
from hardware.ports import Change, Observation
from tests.emulated.boards import board
from tests.emulated.cable import VirtualPort
from tests.emulated.rig import SWITCH_OF

POWER_ON = -1.0


class Driven:
    """An emulated board that was switched on a second before time 0."""

    def __init__(
        self, build: Microcontroller, standing: Sequence[Change], changes: Sequence[Change]
    ) -> None:
        made = board(build)
        made.change(standing)
        made.change([replace(change, at=change.at - POWER_ON) for change in changes])
        self._port = VirtualPort(made, POWER_ON)
        self._driver = SerialBoard(self._port, BoardSettings(), SWITCH_OF)
        self._early: list[Observation] = []
        for step in range(-199, 0):
            observations = self._poll(step / 200)
            self._early += [replace(observation, at=0.0) for observation in observations]

    def poll(self, now: float) -> list[Observation]:
        early, self._early = self._early, []
        return early + self._poll(now)

    def _poll(self, now: float) -> list[Observation]:
        self._port.run_until(now)
        return self._driver.poll(now)

"""What can go wrong with the table's parts."""

from __future__ import annotations


class HardwareError(Exception):
    """The base of every error of this package."""


class BadWiring(HardwareError, ValueError):
    """Pins, switches or lamps are assigned in a way that cannot work."""


class BadSensorSetting(HardwareError, ValueError):
    """A number in a sensor's settings is outside what the sensor can use."""

"""Stands in for `spidev.SpiDev`: keeps the bytes that were sent last."""

from hardware.lamps import SPI_HZ


class SpiWire:
    """An SPI data wire; `error` is what the next transfer fails with."""

    def __init__(self) -> None:
        self.max_speed_hz, self.mode = SPI_HZ, 0
        self.sent = b""
        self.transfers = 0
        self.error: OSError | None = None
        self.is_closed = False

    def writebytes2(self, values: bytes, /) -> None:
        if self.error is not None:
            raise self.error
        self.sent = values
        self.transfers += 1

    def close(self) -> None:
        self.is_closed = True

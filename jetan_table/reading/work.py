"""How much is worked at once: searches pause, so that no call takes long whatever has come in."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

AT_ONCE = 200
"""What a call may do: as many steps tried. 10 ms on a computer, 70 on a Pi 3."""


@dataclass(slots=True)
class Allowance:
    """What may still be done before a search is to pause."""

    left: int = AT_ONCE

    def spend(self, amount: int) -> bool:
        """Take note of work done; whether it was the last for now."""
        self.left -= amount
        return self.left < 0

    def renew(self) -> None:
        """Another call has begun."""
        self.left = AT_ONCE


@dataclass(slots=True)
class Job:
    """Work in progress, that may be gone on with in later calls."""

    work: Generator[None, None, None] | None = None

    def go_on(self, allowance: Allowance) -> bool:
        """Do what this call may still do; whether all is done."""
        while self.work is not None:
            if allowance.left < 0:
                return False
            try:
                next(self.work)
            except StopIteration:
                self.work = None
        return True

"""How much is tried of what could be tried without end; nowhere else is that said.

Machines differ in speed, and no test is about time.
"""

import os
from collections.abc import Iterable
from typing import Any, Final

import pytest
from hypothesis import settings

IN_CI: Final = os.environ.get("JETAN_CI") == "1"
SOAK_AREA: Final = os.environ.get("JETAN_SOAK")
DEAREST: Final = os.environ.get("JETAN_TIER", "ci" if IN_CI else "parts")
"""The dearest tier (`tests/tiers.py`) that is run where no files are named."""

PATIENCE_S: Final = 90.0
"""How long a test waits at most for what a quiet machine does at once: others may be busy."""

SHORT_GAME: Final = (
    *("--hands", "auto", "--preset", "careful", "--seed", "4", "--speed", "0"),
    *("--position", "10/10/10/4qp4/4pp4/4PP4/4PQ4/10/2C3c3/10 b - - 0 60"),
)
"""Options of `jetan play` by which simulated people end a game of few pieces after six plies."""

settings.register_profile("default", deadline=None, max_examples=25)
settings.register_profile("ci", deadline=None, max_examples=40, derandomize=True, print_blob=True)
settings.register_profile("soak", deadline=None, max_examples=300, print_blob=True)


def chosen() -> str:
    """The name of the profile that the environment asks for."""
    if SOAK_AREA is not None:
        return "soak"
    return "ci" if IN_CI else "default"


def sampled(values: Iterable[Any], by_hand: int) -> list[Any]:
    """A slow test's parameters: all of them in CI, by hand only the first so many."""
    ci = pytest.mark.ci
    return [
        value if number < by_hand else pytest.param(value, marks=ci)
        for number, value in enumerate(values)
    ]


def before_release(values: Iterable[Any]) -> list[Any]:
    """A test's parameters, of which only the first is tried before a release."""
    first, *others = values
    return [first, *(pytest.param(value, marks=pytest.mark.release) for value in others)]

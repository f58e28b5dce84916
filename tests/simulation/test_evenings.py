"""Whole evenings, with the plug pulled at every kind of moment: nothing is lost or misread."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.simulation.sayings import WholeEvenings

QUICK = settings(
    max_examples=15,
    stateful_step_count=20,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
LONG = settings(QUICK, max_examples=300, stateful_step_count=50)


def assert_holds(sample: settings) -> None:
    """Play evenings, and fail with the shortest one that goes wrong."""
    run_state_machine_as_test(WholeEvenings, settings=sample)


def test_evenings_with_power_cuts_lose_and_misread_nothing() -> None:
    assert_holds(QUICK)


@pytest.mark.soak
def test_many_evenings_with_power_cuts_lose_and_misread_nothing() -> None:
    assert_holds(LONG)

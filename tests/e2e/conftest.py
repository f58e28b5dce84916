"""One browser for the tests here, and for those of a module a served table, each with a new game.

A module's `options` say how its table is played with. Who leaves more behind at a table than a
game or an exercise, or kills it, is marked `own_table`, with the options of its own. Unless these
say otherwise, time passes quickly: moves are read sooner.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.profiles import PATIENCE_S

if TYPE_CHECKING:  # a browser's driver: where it is missing these tests are skipped
    from tests.e2e.served import Served, Visitor
    from tests.e2e.windows import Windows

QUICK: Final = ("--speed", "4")


@pytest.fixture(scope="package")  # in a whole session, others could not use event loops
def windows() -> Iterator[Windows]:
    from playwright.sync_api import expect

    from tests.e2e.windows import Windows, chromium

    # Machines differ in speed: what is expected comes at once, or there is a defect.
    expect.set_options(timeout=1000 * PATIENCE_S)
    with chromium() as running:
        yield Windows(running)


@pytest.fixture(scope="module")
def options() -> tuple[str, ...]:
    return ()


@pytest.fixture(scope="module")
def shared_table(
    options: tuple[str, ...], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    """A table that is left after each test as it was found, but for its games."""
    from tests.e2e.served import served

    with served(tmp_path_factory.mktemp("table"), *QUICK, *options) as running:
        running.found = of_the_game(running.await_playing())
        yield running


@pytest.fixture
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Served]:
    from tests.e2e.served import served

    marker = request.node.get_closest_marker("own_table")
    if marker is not None:
        with served(tmp_path, *QUICK, *marker.args) as own:
            yield own
        return
    shared: Served = request.getfixturevalue("shared_table")
    yield shared
    shared.leave_exercises()
    shared.begin_anew()
    assert of_the_game(shared.state()) == shared.found, "a trace of this test is left"


def of_the_game(state: dict[str, Any]) -> dict[str, Any]:
    """Leave out what is amiss with the machine: how busy it is, no test of a page has a say in."""
    return {name: value for name, value in state.items() if name != "notices"}


@pytest.fixture
def visitor(windows: Windows, table: Served) -> Iterator[Visitor]:
    from tests.e2e.served import visiting

    with visiting(windows, table) as guest:
        guest.await_playing()
        yield guest

"""The event stream: in full at first, then numbered changes, and never more than is kept."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from jetan_table.page.state import TableState, state_of
from jetan_table.page.stream import MOST_KEPT, Stream
from tests.jetan_table.sitting import sitting


@pytest.fixture
def state(tmp_path: Path) -> TableState:
    with sitting(tmp_path) as evening:
        return state_of(evening.table, evening.hands)


def later(state: TableState, **game: Any) -> TableState:
    """Return a state in which the game has gone on so."""
    return replace(state, game=msgspec.structs.replace(state.game, **game))


async def take(events: AsyncIterator[bytes], count: int) -> list[tuple[str, str, Any]]:
    """Return the next events as id, name and data."""
    taken: list[tuple[str, str, Any]] = []
    while len(taken) < count:
        event = await asyncio.wait_for(anext(events), 5)
        for one in event.decode().split("\n\n")[:-1]:  # what was missed comes together
            lines = [line.partition(": ")[2] for line in one.splitlines()]
            taken.append((lines[0], lines[1], json.loads(lines[2])))
    return taken


def follow(stream: Stream, last: str | None, count: int) -> list[tuple[str, str, Any]]:
    async def following() -> list[tuple[str, str, Any]]:
        async with aclosing(stream.follow(last)) as events:  # type: ignore[type-var]
            return await take(events, count)

    return asyncio.run(following())


def test_the_state_comes_in_full_and_then_what_changes(state: TableState) -> None:
    stream = Stream("now")
    stream.push(state)

    async def following() -> list[tuple[str, str, Any]]:
        events = stream.follow(None)
        taken = await take(events, 1)
        stream.push(later(state, quiet=7))
        stream.push(later(state, quiet=7))
        stream.push(later(state, quiet=8, side="orange"))
        return taken + await take(events, 2)

    full, first, second = asyncio.run(following())
    assert full[:2] == ("now-1", "state")
    assert full[2]["moves"] == []
    assert first == ("now-2", "change", {"quiet": 7})
    assert second == ("now-3", "change", {"quiet": 8, "side": "orange"})


def test_who_comes_back_gets_what_was_missed(state: TableState) -> None:
    stream = Stream("now")
    for quiet in range(5):
        stream.push(later(state, quiet=quiet))
    missed = follow(stream, "now-3", 2)
    assert missed == [("now-4", "change", {"quiet": 3}), ("now-5", "change", {"quiet": 4})]


@pytest.mark.parametrize("last", ["before-3", "now-99", "now-", "3", "", "now-x", "now-0"])
def test_who_comes_from_elsewhere_gets_all(state: TableState, last: str) -> None:
    stream = Stream("now")
    for quiet in range(5):
        stream.push(later(state, quiet=quiet))
    [(number, name, content)] = follow(stream, last, 1)
    assert (number, name, content["quiet"]) == ("now-5", "state", 4)


def test_who_falls_too_far_behind_gets_all(state: TableState) -> None:
    stream = Stream("now")
    for quiet in range(MOST_KEPT + 10):
        stream.push(later(state, quiet=quiet))
    [(_, name, content)] = follow(stream, "now-3", 1)
    assert (name, content["quiet"]) == ("state", MOST_KEPT + 9)


def test_a_closed_stream_lets_its_followers_go(state: TableState) -> None:
    stream = Stream("now")
    stream.push(state)

    async def following() -> list[bytes]:
        asyncio.get_running_loop().call_later(0.05, stream.close)
        return [event async for event in stream.follow(None) if event]

    assert len(asyncio.run(following())) == 1

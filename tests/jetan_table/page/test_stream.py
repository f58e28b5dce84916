"""The event stream: in full at first, then numbered changes, and never more than is kept.

And what monitors are told of a table.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from jetan_table.game.record import Record
from jetan_table.page.asked import MoveRequest
from jetan_table.page.house import Mailbox, health_of
from jetan_table.page.server import watch_disk
from jetan_table.page.state import State, state_of
from jetan_table.page.stream import MOST_KEPT, Stream
from jetan_table.table.supervision import SLOW_DISK_S, WATCHDOG_S
from rules import Notice
from tests.jetan_table.hands import header
from tests.jetan_table.page.described import assert_described
from tests.jetan_table.page.test_on_screen import on_screen
from tests.jetan_table.sitting import sitting
from tests.sentences import said


@pytest.fixture
def state(tmp_path: Path) -> State:
    with sitting(tmp_path) as evening:
        return state_of(evening.table, evening.hands)


def later(state: State, **game: Any) -> State:
    """Return a state in which the game has gone on so."""
    return {**state, **game}


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


def test_the_state_comes_in_full_and_then_what_changes(state: State) -> None:
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


def test_who_comes_back_gets_what_was_missed(state: State) -> None:
    stream = Stream("now")
    for quiet in range(5):
        stream.push(later(state, quiet=quiet))
    missed = follow(stream, "now-3", 2)
    assert missed == [("now-4", "change", {"quiet": 3}), ("now-5", "change", {"quiet": 4})]


@pytest.mark.parametrize("last", ["before-3", "now-99", "now-", "3", "", "now-x", "now-0"])
def test_who_comes_from_elsewhere_gets_all(state: State, last: str) -> None:
    stream = Stream("now")
    for quiet in range(5):
        stream.push(later(state, quiet=quiet))
    [(number, name, content)] = follow(stream, last, 1)
    assert (number, name, content["quiet"]) == ("now-5", "state", 4)


def test_who_falls_too_far_behind_gets_all(state: State) -> None:
    stream = Stream("now")
    for quiet in range(MOST_KEPT + 10):
        stream.push(later(state, quiet=quiet))
    [(_, name, content)] = follow(stream, "now-3", 1)
    assert (name, content["quiet"]) == ("state", MOST_KEPT + 9)


def test_a_closed_stream_lets_its_followers_go(state: State) -> None:
    stream = Stream("now")
    stream.push(state)

    async def following() -> list[bytes]:
        asyncio.get_running_loop().call_later(0.05, stream.close)
        return [event async for event in stream.follow(None) if event]

    assert len(asyncio.run(following())) == 1


STARTED = 1000.0
CALM: tuple[Notice, ...] = ()
CABLE, DISK = Notice("cable", "fail", "no cable"), Notice("disk", "fail", "no room")
BOTH = ["no cable", "no room"]
LATE = STARTED + WATCHDOG_S + 5
SLOW = STARTED + SLOW_DISK_S + 1


@pytest.mark.promises("a scan stands still for 20 s", "`/health`")
@pytest.mark.promises("the disk takes long to answer", "`/health`")
@pytest.mark.parametrize(
    ("step", "now", "is_at_disk", "sensing", "disk", "troubles"),
    [
        (None, STARTED, False, False, True, ["the board was not scanned yet"]),
        ((STARTED - 0.25, CALM), STARTED, False, True, True, []),
        ((STARTED, (CABLE, DISK)), STARTED, False, False, False, BOTH),
        ((STARTED, (DISK,)), STARTED, False, True, False, ["no room"]),
        ((STARTED, CALM), STARTED + WATCHDOG_S, False, True, True, []),
        ((STARTED, CALM), LATE, False, False, True, ["no scan for 25 s"]),
        ((STARTED, CALM), SLOW - 2, True, True, True, []),
        (
            *((STARTED, CALM), SLOW, True, True, False),
            ["the disk takes long to answer; it is waited for"],
        ),
        ((STARTED, CALM), SLOW, False, True, True, []),
    ],
)
def test_a_board_and_a_disk_that_refuse_or_take_long_are_told_apart(
    step: tuple[float, tuple[Notice, ...]] | None,
    now: float,
    is_at_disk: bool,
    sensing: bool,
    disk: bool,
    troubles: list[str],
) -> None:
    mailbox = Mailbox({"notices": []}, Record.begin(header()))
    mailbox.last_step, mailbox.is_at_disk = step, is_at_disk
    health = health_of(mailbox, now)
    assert_described(health, "Health")
    assert (health["sensing"], health["disk"]) == (sensing, disk)
    assert health["troubles"] == troubles
    assert health["last_scan_s"] == (None if step is None else now - step[0])


def test_the_server_knows_when_the_table_waits_for_its_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with on_screen(tmp_path) as table:
        mailbox, at_disk = table.page.mailbox, list[bool]()
        with monkeypatch.context() as watched:
            watched.setattr("os.fsync", lambda file: at_disk.append(mailbox.is_at_disk))
            table.ask(MoveRequest("d2", "d3"))
        assert at_disk
        assert all(at_disk)
        assert not mailbox.is_at_disk


@pytest.mark.promises("the disk takes long to answer", "page")
def test_a_page_says_that_the_disk_takes_long_until_it_has_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server says so by itself, for the table's thread says nothing meanwhile."""
    monkeypatch.setattr("jetan_table.page.server.TICK_S", 0.0)
    stream = Stream("epoch")
    with on_screen(tmp_path) as table:
        mailbox, clock = table.page.mailbox, table.clock
        stream.push(table.state)
        mailbox.last_step = (clock.now(), ())

        async def following() -> list[dict[str, Any]]:
            watching = asyncio.create_task(watch_disk(mailbox, stream, clock.now))
            async with aclosing(stream.follow(None)) as events:  # type: ignore[type-var]
                await take(events, 1)
                mailbox.is_at_disk = True
                clock.sleep(SLOW_DISK_S + 1)
                changes = await take(events, 1)
                mailbox.is_at_disk = False
                changes += await take(events, 1)
            watching.cancel()
            return [change for _id, _name, change in changes]

        slow, answered = asyncio.run(following())
    assert said(slow["trouble"]) == "the disk takes long to answer; it is waited for"
    assert [said(line, "de") for line in slow["said"]] == [
        "Jetzt wird nichts bestätigt. Der Datenträger lässt auf sich warten."
    ]
    assert answered == {name: table.state[name] for name in slow}

"""Names of uvicorn's own classes that the page's server stands on, for any version it runs with.

`BoundedProtocol` and `QuietServer` are made from classes that uvicorn does not promise to keep:
its own limits close no connection of somebody who asks nothing, and count no addresses, so a crowd
could lock the owner out. What they take from there is named here alone.
"""

import asyncio
import inspect
from typing import Any

import pytest
import uvicorn
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.server import ServerState

from jetan_table.page.server import BoundedProtocol, QuietServer, bounded

OVERRIDDEN = {
    "connection_made": ["self", "transport"],
    "connection_lost": ["self", "exc"],
    "data_received": ["self", "data"],
    "on_response_complete": ["self"],
    "send_400_response": ["self", "msg"],
    "pause_writing": ["self"],
    "resume_writing": ["self"],
}


async def nothing(scope: Any, receive: Any, send: Any) -> None:
    """An application that answers nothing."""


@pytest.mark.parametrize("name", OVERRIDDEN)
def test_what_is_overridden_is_there_and_takes_the_same(name: str) -> None:
    theirs, ours = getattr(H11Protocol, name), getattr(BoundedProtocol, name)
    assert list(inspect.signature(theirs).parameters) == OVERRIDDEN[name]
    assert list(inspect.signature(ours).parameters) == OVERRIDDEN[name]


def test_nothing_else_of_it_is_overridden_unawares() -> None:
    common = vars(BoundedProtocol).keys() & {name for name in dir(H11Protocol) if name[:2] != "__"}
    assert common == OVERRIDDEN.keys()
    common = vars(QuietServer).keys() & {name for name in dir(uvicorn.Server) if name[:2] != "__"}
    assert common == {"main_loop"}


def test_what_a_connection_knows_is_called_so() -> None:
    async def made() -> H11Protocol:
        config = bounded(nothing)
        config.load()
        return BoundedProtocol(config, ServerState(), {})

    protocol = asyncio.run(made())
    wanted = {"app_state", "connections", "cycle", "flow", "loop", "transport"}
    assert wanted <= vars(protocol).keys()
    source = inspect.getsource(FlowControl) + inspect.getsource(RequestResponseCycle)
    for name in ("write_paused", "response_started", "response_complete"):
        assert f"self.{name}" in source


def test_a_server_can_be_woken_and_left() -> None:
    server = QuietServer(bounded(nothing))
    assert list(inspect.signature(uvicorn.Server.on_tick).parameters) == ["self", "counter"]
    assert server.should_exit is False
    assert server.server_state.connections == set()

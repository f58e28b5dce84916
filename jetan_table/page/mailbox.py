"""What passes between the table's thread and the server's: requests in, snapshots out."""

from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass
from queue import Empty, Full, Queue
from typing import NamedTuple, TypeAlias

from rules.sentences import Worded, _

from ..game.record import Record
from ..table.loop import Troubles
from ..table.supervision import SLOW_DISK_S
from .answers import Busy
from .asked import Request
from .state import TableState

MOST_WAITING = 64
"""So many requests wait for the table; it does hundreds a second."""


class PageAnswer(NamedTuple):
    """What came of a request: what there is to say, and whether it is still to be kept."""

    said: list[str]
    waits: bool = False
    """Whether it happens for certain once the disk takes it."""


Done: TypeAlias = tuple[Future[PageAnswer], PageAnswer | Exception]
"""A request's answer to be, and what came of it."""


@dataclass(frozen=True, slots=True)
class PageSnapshot:
    """All that may be shown at one moment, as values that any thread may read."""

    state: TableState
    record: Record


@dataclass(frozen=True, slots=True)
class LastStep:
    """A step of the table: when it was made, and what was wrong then."""

    at: float
    troubles: Troubles


class Mailbox:
    """Where the server hands in what is asked, and the table hands out what can be seen."""

    def __init__(self, first: PageSnapshot) -> None:
        self.snapshot = first
        self.last_step: LastStep | None = None
        self.is_at_disk = False
        """Whether the table waits for its disk, and makes no step meanwhile."""
        self._asked: Queue[tuple[Request, Future[PageAnswer]]] = Queue(MOST_WAITING)
        self._tell: Callable[[TableState], object] = lambda state: None

    def slow_disk(self, now: float) -> Worded | None:
        """Return that the disk is waited for, where that takes long; any thread may ask."""
        step = self.last_step
        is_slow = self.is_at_disk and step is not None and now > step.at + SLOW_DISK_S
        return Worded(_("the disk takes long to answer; it is waited for")) if is_slow else None

    # The server's side

    def ask(self, request: Request) -> Future[PageAnswer]:
        """Hand a request in; its result is what comes of it. Raises Busy."""
        answer: Future[PageAnswer] = Future()
        try:
            self._asked.put_nowait((request, answer))
        except Full:
            raise Busy(_("the table has too much to do just now; ask again")) from None
        return answer

    def follow(self, tell: Callable[[TableState], object]) -> None:
        """Let `tell` be called, on the table's thread, with every state from now on."""
        self._tell = tell
        tell(self.snapshot.state)

    # The table's side

    def serve(self, do: Callable[[Request], PageAnswer], wait_s: float) -> list[Done]:
        """Do what is asked, after waiting for it for at most `wait_s`; answer it by and by."""
        done: list[Done] = []
        try:
            request, answer = (
                self._asked.get(timeout=wait_s) if wait_s else self._asked.get_nowait()
            )
            while True:
                if answer.set_running_or_notify_cancel():
                    done.append((answer, _result(do, request)))
                request, answer = self._asked.get_nowait()
        except Empty:
            return done

    def answer(self, done: Iterable[Done]) -> None:
        """Answer what was done, once it can be seen."""
        for answer, result in done:
            if isinstance(result, Exception):
                answer.set_exception(result)
            else:
                answer.set_result(result)

    def publish(self, snapshot: PageSnapshot) -> None:
        """Hand out what can be seen now."""
        self.snapshot = snapshot
        self._tell(snapshot.state)


def _result(do: Callable[[Request], PageAnswer], request: Request) -> PageAnswer | Exception:
    try:
        return do(request)
    except Exception as error:  # whoever asked is told; a defect of ours must not stop the table
        return error

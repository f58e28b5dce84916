"""Who is at the door: how many may be, and who leaves so that somebody else may come in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass

MOST_CONNECTIONS = 400
"""So many connections of strangers. Below the 1024 files a process may commonly open, with those
who are known: the journal must always find one."""

MOST_OF_ONE = 100
"""So many from one address: a router cannot take the room of all others."""

MOST_KNOWN = 100
"""So many connections of those who are known are let alone."""

MOST_FOLLOWERS, MOST_FOLLOWERS_OF_ONE = 200, 60
"""So many strangers may follow the state, together and from one address: what is left of its
connections is for whatever else is asked from there."""

GRACE_S = 2.0
"""Who has come, or was answered, may take so long to ask before somebody else's need counts."""


@dataclass(eq=False, slots=True)
class Visit:
    """A connection, as far as it takes room."""

    address: str
    leave: Callable[[], None]
    """Ends it at once."""
    since: float
    """When it began to wait, or to be answered."""
    waits: bool = True
    """Whether nothing whole has been asked that is not answered."""
    is_known: bool = False
    """Whether the PIN was told by whoever it is, or they are at this machine's own screen."""


def who_leaves(visits: Collection[Visit], newcomer: Visit, now: float) -> Visit | None:
    """Return who must leave for a newcomer; None where there is room.

    It is one of the newcomer's own address where that has too many, else one of the address that
    has most: who has waited long without asking, or else who is there longest. Whoever is known
    stays, as long as these are few.
    """
    known = [visit for visit in visits if visit.is_known]
    others = visits if len(known) >= MOST_KNOWN else [one for one in visits if not one.is_known]
    count = Counter(visit.address for visit in others)
    if count[newcomer.address] >= MOST_OF_ONE:
        crowded = newcomer.address
    elif len(others) >= MOST_CONNECTIONS:
        crowded = count.most_common(1)[0][0]
    else:
        return None

    def worth(visit: Visit) -> tuple[bool, float]:
        is_idle = visit.waits and visit.since < now - GRACE_S
        return not is_idle, visit.since

    return min((visit for visit in others if visit.address == crowded), key=worth)


def makes_room(followers: Collection[Visit], newcomer: Visit) -> tuple[bool, Visit | None]:
    """Return whether a newcomer may follow the state, and who must leave for that, if anybody.

    Whoever is known always may. Strangers share what room there is by their addresses.
    """
    if newcomer.is_known:
        return True, None
    strangers = [follower for follower in followers if not follower.is_known]
    count = Counter(follower.address for follower in strangers)
    if count[newcomer.address] >= MOST_FOLLOWERS_OF_ONE:
        return False, None
    if len(strangers) < MOST_FOLLOWERS:
        return True, None
    address, most = count.most_common(1)[0]
    if most <= count[newcomer.address] + 1:
        return False, None
    return True, next(one for one in strangers if one.address == address)

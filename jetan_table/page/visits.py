"""Who is at the door: how many may be, and who leaves so that somebody else may come in.

A connection is a visit of an address. Where all places are taken, one of the address with the most
visits leaves, and of these whoever has waited longest without asking anything whole. Who is known
by a PIN, or at the machine itself, stays, as long as these are few. So a crowd from one address
crowds itself out. It cannot tell people behind one router apart: those have one address, and share
its places.
"""

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final

MOST_KNOWN = 100
"""So many connections of those who are known are let alone."""

GRACE_S = 2.0
"""Who has come, or was answered, may take so long to ask before somebody else's need counts."""


@dataclass(frozen=True, slots=True)
class Room:
    """How many strangers a door lets in."""

    connections: int = 400
    """So many. Below the 1024 files a process may commonly open, with those who are known: the
    journal must always find one."""
    of_one: int = 100
    """So many from one address: a router cannot take the room of all others."""
    followers: int = 200
    """So many may follow the state: what is left of the connections is for whatever else is asked
    from there."""
    followers_of_one: int = 60
    """And from one address."""
    slice_s: float = 0.02
    """The next few who follow are sent something so much later."""


AT_A_TABLE: Final = Room()

IN_A_HALL: Final = Room(
    connections=700, of_one=300, followers=500, followers_of_one=250, slice_s=0.005
)
"""Where people come to watch: a whole club may stand behind one router."""


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


def who_leaves(
    visits: Collection[Visit], newcomer: Visit, now: float, room: Room = AT_A_TABLE
) -> Visit | None:
    """Return who must leave for a newcomer; None where there is room.

    It is one of the newcomer's own address where that has too many, else one of the address that
    has most: who has waited long without asking, or else who is there longest. Whoever is known
    stays, as long as these are few.
    """
    known = [visit for visit in visits if visit.is_known]
    others = visits if len(known) >= MOST_KNOWN else [one for one in visits if not one.is_known]
    count = Counter(visit.address for visit in others)
    if count[newcomer.address] >= room.of_one:
        crowded = newcomer.address
    elif len(others) >= room.connections:
        crowded = count.most_common(1)[0][0]
    else:
        return None

    def worth(visit: Visit) -> tuple[bool, float]:
        is_idle = visit.waits and visit.since < now - GRACE_S
        return not is_idle, visit.since

    return min((visit for visit in others if visit.address == crowded), key=worth)


def makes_room(
    followers: Collection[Visit], newcomer: Visit, room: Room = AT_A_TABLE
) -> tuple[bool, Visit | None]:
    """Return whether a newcomer may follow the state, and who must leave for that, if anybody.

    Whoever is known always may. Strangers share what room there is by their addresses.
    """
    if newcomer.is_known:
        return True, None
    strangers = [follower for follower in followers if not follower.is_known]
    count = Counter(follower.address for follower in strangers)
    if count[newcomer.address] >= room.followers_of_one:
        return False, None
    if len(strangers) < room.followers:
        return True, None
    address, most = count.most_common(1)[0]
    if most <= count[newcomer.address] + 1:
        return False, None
    return True, next(one for one in strangers if one.address == address)

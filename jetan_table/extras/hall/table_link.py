"""A table's own link to its hall, as its settings say."""

import os
import secrets
import string
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event
from typing import Final

from rules import format_position
from rules.options import format_rules
from rules.sentences import _

from ... import __version__
from ...cli.at_table import start_position
from ...settings import Settings
from ...table.dice import Seeds
from ...wiring import Seating
from .broker import BadBroker, Broker, BrokerLink, Links, check_name, parse_broker
from .far import FarDoor, FarPlayer
from .far_match import FarState, accepted, read_state, side_of_match
from .home_assistant import Bridge
from .payloads import ONLINE, SEAT, WORD, MatchSide, decode, hall_topic, match_topic, table_topic
from .settings import FarOptions, HallSettings
from .teller import Teller

FAR_AGAIN_S: Final = 5.0
"""In a match both tables say their words again after so long."""

LOOK_S: Final = 3.0
"""So long is looked whether somebody has invited to a match."""


def broker_of(settings: Settings) -> Broker:
    """Return the broker of the settings, as this table comes to it; BadBroker, or OSError."""
    hall = settings.of(HallSettings)
    table = check_name(hall.table)
    user = hall.user or (table if hall.password else "")
    return parse_broker(hall.broker).as_user(user, hall.password, hall.certificate)


@contextmanager
def telling(settings: Settings, since: float, steady: Callable[[], float]) -> Iterator[Teller]:
    """Give a table's teller while the block runs; MissingPackage without the client.

    `since` is when the program began, in seconds since 1970; `steady` tells the time for retries.
    """
    hall = settings.of(HallSettings)
    table, broker = hall.table, broker_of(settings)
    bridge = None
    if hall.home_assistant:
        bridge = Bridge(table, __version__, settings.table.language)
    teller = Teller(table, settings.table.board, __version__, since, bridge)
    reads = [hall_topic(table, what) for what in (SEAT, WORD)]
    will = table_topic(table, ONLINE), b"0"
    link = BrokerLink(broker, f"jetan-{table}", reads, teller.take_in, will)
    with closing(teller), closing(Links([link], steady).start()):
        yield teller.start(link)


def far_player(
    teller: Teller, code: str, folder: Path, invitation: MatchSide, steady: Callable[[], float]
) -> FarPlayer:
    """Return the far player of a match: go on, accept, or else invite by `invitation`.

    What the broker has of the match is awaited for a moment. BadBroker where there is no line.
    """
    link, path = teller.link, folder / "far" / f"{code}.json"
    assert link is not None
    heard: dict[str, bytes] = {}
    link.again_s = FAR_AGAIN_S
    state, reads = read_state(path), [match_topic(code, "+")]
    if state is None:
        link.read_too(reads, heard.__setitem__)
        state = FarState(_side_for(link, code, teller.table, heard, invitation, steady))
    seeds = Seeds(folder / "seeds", os.urandom)
    far = FarPlayer(code, teller.table, state, path, seeds)
    link.read_too(reads, far.take_in)
    return far.start(link)


def _side_for(
    link: BrokerLink,
    code: str,
    table: str,
    heard: Mapping[str, bytes],
    invitation: MatchSide,
    steady: Callable[[], float],
) -> MatchSide:
    """Return this table's side: the other one of who invites, or the one that invites."""
    ends, pause = steady() + LOOK_S, Event()
    own = match_topic(code, table)
    while steady() < ends:
        for topic, content in dict(heard).items():
            if topic.startswith(match_topic(code, "")) and topic != own:
                inviter = topic.rpartition("/")[2]
                return accepted(decode(content, MatchSide), inviter, invitation.name)
        pause.wait(0.05)
    if not link.is_up:
        raise BadBroker(_("no connection to the broker: {why}"), why=link.trouble or "?")
    return invitation


@contextmanager
def told(seating: Seating) -> Iterator[tuple[Teller, FarDoor]]:
    """Give what tells a table's hall, and where far players come in, while the block runs."""
    settings, folder = seating.settings, seating.folder
    with telling(settings, time.time(), time.monotonic) as teller:

        def join(code: str, proposed: MatchSide) -> FarPlayer:
            return far_player(teller, code, folder, proposed, time.monotonic)

        player = played_far(seating.asked.get(FarOptions), settings, seating.rules, folder, teller)
        door = FarDoor(settings.of(HallSettings).table, join, made_up_code, player)
        if player is not None:
            code = _("Match {code}: tell it to the far table.")
            print(seating.speaker.say(code, code=player.match), flush=True)
        yield teller, door


def made_up_code() -> str:
    """Return six letters that nobody can guess."""
    return "".join(secrets.choice(string.ascii_uppercase) for _letter in range(6))


def played_far(
    far: FarOptions | None, settings: Settings, rules: str, folder: Path, teller: Teller
) -> FarPlayer | None:
    """Return the far player of the match that was asked for; None for none."""
    if far is None or far.match is None:
        return None
    start = start_position(rules, None)
    name = settings.of(HallSettings).table
    texts = format_rules(start.rules), format_position(start), settings.table.clock
    side = side_of_match(name, far.far_side, *texts)
    return far_player(teller, far.code(made_up_code()), folder, side, time.monotonic)

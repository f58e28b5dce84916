"""`[hall]`: which broker a table tells what is played at it."""

from typing import Final

import msgspec

from rules import _

TABLE_NAME: Final = r"[a-z0-9][a-z0-9-]{0,31}"
"""The pattern of a table's name, which is part of topics, files and users' names."""

NO_TABLE_NAME: Final = _(
    "{name!r}: a table is called by up to 32 small letters, digits and dashes, such as alpha"
)


class HallSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[hall]`: the broker that a table reports its games to, if any."""

    broker: str = ""
    """`mqtt://host:1883`, or `mqtts://host:8883`."""
    table: str = ""
    """This table's name there: small letters, digits, dashes."""
    user: str = ""
    """The user at the broker; empty for the table's name."""
    password: str = ""
    """The file with its password."""
    certificate: str = ""
    """The file of the broker's certificate; empty to trust the system's."""
    home_assistant: bool = False
    """True to show the table in Home Assistant."""
    home_buttons: bool = False
    """True to let Home Assistant ask for a hint, and stop and restart the clock."""

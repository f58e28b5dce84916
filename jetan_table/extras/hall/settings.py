"""`[hall]`: which broker a table tells what is played at it."""

from typing import Final

import msgspec

from rules import _

TABLE_NAME: Final = r"[a-z0-9][a-z0-9-]{0,31}"
"""What a table may be called in a hall: it stands in topics, files and the names of users."""

NO_TABLE_NAME: Final = _(
    "{name!r}: a table is called by up to 32 small letters, digits and dashes, such as alpha"
)


class HallSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[hall]`: where a table tells what is played at it; without a broker nowhere."""

    broker: str = ""
    """`mqtt://host:1883`, or `mqtts://host:8883`."""
    table: str = ""
    """What this table is called there: small letters, digits, dashes."""
    user: str = ""
    """Who it is for the broker; empty: as the table is called."""
    password: str = ""
    """The file with its password."""
    certificate: str = ""
    """The file by which the broker's certificate is trusted; empty: as the system trusts."""
    home_assistant: bool = False
    """Whether the table shows itself to Home Assistant."""

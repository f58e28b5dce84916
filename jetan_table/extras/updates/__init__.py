"""Another version of the table, and the way back."""

from .. import Extra


class Updates(Extra):
    """What installs a newer version."""

    commands = {
        "update": "Install a newer version, with a way back.",
    }


EXTRA = Updates()

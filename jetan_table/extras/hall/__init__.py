"""Many tables: what one tells a broker, a hall that shows them all, and two boards far apart."""

from .. import Extra


class Hall(Extra):
    """What joins a table with others."""

    commands = {
        "hall": "Show many tables at once, and hold a tournament.",
    }


EXTRA = Hall()

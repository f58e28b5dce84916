"""What only a checkout has: its tests and measurements."""

from jetan_table.extras import Extra


class Tools(Extra):
    """The commands of whoever changes the table."""

    commands = {
        "bench": "Measure speed and accuracy on this machine.",
        "check": "Check the project's code in about two minutes.",
        "test": "Run the project's own tests.",
    }


EXTRA = Tools()

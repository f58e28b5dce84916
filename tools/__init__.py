"""What only a checkout has: its tests, measurements and pages."""

from jetan_table.extras import Extra


class Tools(Extra):
    """The commands of whoever changes the table."""

    commands = {
        "bench": "Measure speed and accuracy on this machine.",
        "check": "Check the project's code in about two minutes.",
        "docs": "Read all pages, without a network.",
        "test": "Run the project's own tests.",
    }


EXTRA = Tools()

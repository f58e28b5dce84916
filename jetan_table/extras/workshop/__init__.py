"""What a table is made of, as files to order, print and cut: all sizes come from one `Build`."""

from .. import Extra

__all__ = (
    "EXTRA",
    "case",
    "circuits",
    "commands",
    "paper",
    "parts",
    "pieces",
    "sheet",
    "solids",
)


class Workshop(Extra):
    """What is needed to make a table."""

    commands = {
        "camera sheet": "Write a sheet to print at its true size.",
        "build": "Write the files to print and order a table from.",
    }


EXTRA = Workshop()

"""Files to order, print and cut a table by; all sizes come from one `Build`."""

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
    """The extra by which people make a table."""

    commands = {
        "camera sheet": "Write a sheet to print at its true size.",
        "build": "Write the files to print and order a table from.",
    }


EXTRA = Workshop()

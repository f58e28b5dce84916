"""From parts to a first game: the machine examined, the board wired, set up and proved."""

from importlib import import_module

import click

from .. import Extra


class Commissioning(Extra):
    """What brings a table into service."""

    commands = {
        "doctor": "Check this machine, and say how to mend it.",
        "setup": "Set a table up on the page, to its first game.",
        "trial": "Test a board or a camera by a game of known moves.",
        "wire": "Find out how the board is wired.",
    }

    def command(self, name: str) -> click.Command:
        made: click.Command = getattr(import_module(f"{self.module}.{name}_command"), name)
        return made


EXTRA = Commissioning()

"""`jetan setup`: from a box of parts to a first game, on the page."""

import click

from ...cli.options import Browser, Config, Data, Lan, Lang, Port, command
from ...cli.play import play


@command("jetan setup", "jetan setup --lan", "jetan setup --config here.toml")
def setup(lan: Lan, port: Port, browser: Browser, data: Data, config: Config, lang: Lang) -> int:
    """Set a table up on the page: its board, wires, lamps, sound, and a first game.

    An interrupted set-up goes on where it was. At the end it writes the settings, and the table
    starts with them. A table that is running holds its board: stop it first.
    """
    code: int = click.get_current_context().invoke(
        play,
        lan=lan,
        port=port,
        browser=browser,
        data=data,
        config=config,
        lang=lang,
        board="screen",
        sets_up=True,
    )
    return code

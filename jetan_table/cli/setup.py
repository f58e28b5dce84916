"""`jetan setup`: from a box of parts to a first game, on the page."""

from __future__ import annotations

from pathlib import Path

import click

from ..languages import Language
from . import examples
from .options import CONFIG, DATA, LANGUAGE
from .play import play


@click.command(
    epilog=examples("jetan setup", "jetan setup --lan", "jetan setup --config here.toml")
)
@click.option("--lan", is_flag=True, help="Let everybody on this network see the page.")
@click.option("--port", type=click.IntRange(0, 65_535), help="The page's; 0: any free one.")
@click.option("--browser/--no-browser", default=True, help="Open the page where it can be seen.")
@DATA
@CONFIG
@LANGUAGE
@click.pass_context
def setup(
    context: click.Context,
    lan: bool,
    port: int | None,
    browser: bool,
    data: Path | None,
    config: Path | None,
    lang: Language | None,
) -> int:
    """Set a table up on the page: its board, wires, lamps, sound, and a first game.

    A set-up that was cut goes on where it was. In the end it writes the settings, and the table
    begins by them. A table that is running holds its board: stop it first.
    """
    code: int = context.invoke(
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

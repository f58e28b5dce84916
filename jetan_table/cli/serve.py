"""`jetan serve`: the table and its page, for a wall or a headless machine."""

from __future__ import annotations

from pathlib import Path

import click

from ..languages import Language
from . import examples
from .options import CONFIG, DATA, LANGUAGE
from .play import play


@click.command(
    epilog=examples(
        "jetan serve --lan", "jetan serve --port 8080 --data here", "jetan serve --help"
    )
)
@click.option("--lan", is_flag=True, help="Let everybody on this network watch.")
@click.option("--port", type=click.IntRange(0, 65_535), help="The page's; 0: any free one.")
@DATA
@CONFIG
@LANGUAGE
@click.pass_context
def serve(
    context: click.Context,
    lan: bool,
    port: int | None,
    data: Path | None,
    config: Path | None,
    lang: Language | None,
) -> int:
    """Run the table and serve its page, without opening a browser.

    Add `?wall` to the address for a screen on the wall: the board alone, large.
    """
    code: int = context.invoke(
        play, lan=lan, port=port, data=data, config=config, lang=lang, browser=False
    )
    return code

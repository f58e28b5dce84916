"""`jetan serve`: the table and its page, for a wall or a headless machine."""

from __future__ import annotations

import os
from pathlib import Path

import click

from rules.sentences import _

from ..languages import Language, refused_in, say_in
from . import examples, refusals
from .options import CONFIG, DATA, LANGUAGE, spoken
from .play import play


@click.command(
    epilog=examples(
        "jetan serve --lan", "jetan serve --port 8080 --data here", "jetan serve --help"
    )
)
@click.option("--lan", is_flag=True, help="Let everybody on this network watch.")
@click.option("--port", type=click.IntRange(0, 65_535), help="The page's; 0: any free one.")
@click.option("--safe", is_flag=True, help="The page, the games and the doctor's word alone.")
@DATA
@CONFIG
@LANGUAGE
@click.pass_context
def serve(
    context: click.Context,
    lan: bool,
    port: int | None,
    safe: bool,
    data: Path | None,
    config: Path | None,
    lang: Language | None,
) -> int:
    """Run the table and serve its page, without opening a browser.

    Add `?wall` to the address for a screen on the wall: the board alone, large. A service that has
    not started three times comes up with --safe: without a board, and says on the page why.
    """
    from ..table.starts import MOST_BAD, Starts  # a table: only once its help is not all

    starts = Starts(os.environ)
    if safe or starts.bad >= MOST_BAD:
        from .safe import serve_safely  # a server: only where there is no table

        starts.give_one_more()
        unknown = _("it was asked to, by --safe") if safe else _("it hung, or was killed")
        why = starts.why or say_in(spoken(lang, config), unknown)
        if not serve_safely(why, lan, port, data, config, lang):
            return 0
    starts.begin()
    try:
        code: int = context.invoke(
            play, lan=lan, port=port, data=data, config=config, lang=lang, browser=False
        )
    except Exception as error:
        why = refused_in(spoken(lang, config), error)
        is_defect = not isinstance(error, (*refusals(), click.ClickException))
        starts.failed(f"{type(error).__name__}: {why}" if is_defect else why)
        raise
    except SystemExit:
        starts.good()
        raise
    starts.good()
    return code

"""`jetan serve`: the table and its page, for a wall or a headless machine."""

import os
from typing import Annotated

import click

from rules.sentences import _

from ..languages import refused_in, say_in
from ..settings import find_settings, read_settings
from . import refusals
from .options import Config, Data, Lang, Port, command
from .play import play


@command("jetan serve --lan", "jetan serve --port 8080 --data here", "jetan serve --help")
def serve(
    lan: Annotated[bool, "Let everybody on this network watch."],
    port: Port,
    safe: Annotated[bool, "Only the page, the games and what the doctor says."],
    data: Data,
    config: Config,
    lang: Lang,
) -> int:
    """Run the table and serve its page, without opening a browser.

    Add `?wall` to the address for a screen on the wall: the board alone, large. A service that has
    failed to start three times comes up with --safe: without a board, and its page says why.
    """
    from ..table.supervision import MOST_BAD, Starts  # a table: only once its help is not all

    starts = Starts(os.environ)
    if safe or starts.bad >= MOST_BAD:
        from .safe import serve_safely  # a server: only where there is no table

        starts.give_one_more()
        unknown = _("it was asked to, by --safe") if safe else _("it hung, or was killed")
        why = starts.why or say_in(lang, unknown)
        if not serve_safely(why, lan, port, data, config, lang):
            return 0
    starts.begin()
    try:
        if port is None:  # phones and updates look for it where it was: it gives way to nobody
            port = read_settings(find_settings(config, os.environ)).web.port
        code: int = click.get_current_context().invoke(
            play, lan=lan, port=port, data=data, config=config, lang=lang, browser=False
        )
    except Exception as error:
        why = refused_in(lang, error)
        is_defect = not isinstance(error, (*refusals(), click.ClickException))
        starts.failed(f"{type(error).__name__}: {why}" if is_defect else why)
        raise
    except SystemExit:
        starts.good()
        raise
    starts.good()
    return code

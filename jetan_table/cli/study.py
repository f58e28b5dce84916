"""`jetan study`: moves tried freely, in the terminal and by a real board's lamps."""

from __future__ import annotations

import os
import sys
from contextlib import closing
from pathlib import Path

import click

from rules.game_reader import parse_lines
from rules.sentences import _

from ..files import read_text, write_whole
from ..game.events import Header
from ..game.record import Record
from ..journal.archive import Archive
from ..journal.saved_games import Start, read_saved, start_from
from ..languages import Language, say_in
from ..lessons.lines import KEPT_IN, all_lines
from ..session.umpire import check_help
from ..settings import data_folder
from ..words.words import Speaker
from . import examples
from .options import CONFIG, DATA, LANGUAGE, misused
from .play_options import EMULATED, chosen_settings
from .start import start_position

FOLDER = "study"
"""A study has a journal of its own there: the game that is played goes on after it."""
HOW_TO_STUDY = _(
    "Move for both sides; `back` takes a move back, and another one is another line. `quit` leaves."
)


@click.command(
    epilog=examples(
        "jetan study",
        "jetan study mine.jgn --ply 12",
        "jetan study --rules cazaux --board pins",
        "jetan study --position 'q9/10/10/D9/10/10/10/10/10/9Q b - - 0 1'",
        "jetan study --lines",
    )
)
@click.argument("game", required=False, type=click.Path(exists=True, path_type=Path))
@click.option("--ply", type=click.IntRange(0), help="From where GAME stood after so many moves.")
@click.option("--rules", metavar="NAME", help="A new study by these rules.")
@click.option("--position", metavar="TEXT", help="A new study from this position.")
@click.option("--lines", "is_printed", is_flag=True, help="Print the lines as game text.")
@click.option("--plain", is_flag=True, help="Plain lines, as where there is no terminal.")
@click.option("--board", metavar="BOARD", help="As `jetan play` has it; without: as settings say.")
@DATA
@CONFIG
@LANGUAGE
def study(
    game: Path | None,
    ply: int | None,
    rules: str | None,
    position: str | None,
    is_printed: bool,
    plain: bool,
    board: str | None,
    data: Path | None,
    config: Path | None,
    lang: Language | None,
) -> int:
    """Move freely, back and forth: the three best moves are lit, every line is kept.

    The study that was left goes on; GAME, a file of game text, begins one anew.
    """
    settings = chosen_settings(config, lang, None, board, None)
    language, folder = settings.table.language, data_folder(data, os.environ)
    if is_printed:
        kept = folder / FOLDER / KEPT_IN
        print(read_text(kept) if kept.exists() else say_in(language, _("nothing was studied yet")))
        return 0
    if game is not None and (rules is not None or position is not None):
        raise misused(_("GAME brings its own rules and position: leave --rules and --position out"))
    if game is None and ply is not None:
        raise misused(_("--ply says where to begin in a game: name its file, too"))
    _refuse_in_tournament(folder)
    from ..table.loop import WallClock
    from .at_table import PlayOptions, play_there

    is_plain = plain or not (sys.stdin.isatty() and sys.stdout.isatty())
    options = PlayOptions(
        settings=settings,
        rules=rules or settings.table.rules,
        speaker=Speaker(language, settings.reed.switch_of()),
        clock=WallClock(),
        seed=1,
        is_plain=is_plain,
        is_study=True,
    )
    now, asked = options.clock.now(), None
    if position is not None or rules is not None:
        asked = Start(Header.of(start_position(options.rules, position), now))
    start = _start(game, ply, asked, folder, now)
    print(say_in(language, HOW_TO_STUDY), flush=True)
    play_there(options, folder / FOLDER, start, board == EMULATED, None, 1)
    return 0


def _start(
    game: Path | None, ply: int | None, asked: Start | None, folder: Path, now: float
) -> Start | None:
    """Return where a study begins, its game's lines kept for it; None where the last goes on."""

    if game is not None:
        text = read_text(game)
        start = start_from(read_saved(text), ply or 0, now)
        lines = all_lines(parse_lines(text))
        write_whole(folder / FOLDER / KEPT_IN, lines.text().encode())
        return start
    return asked


def _refuse_in_tournament(folder: Path) -> None:
    """Raise CommandRefused where the game that goes on at the table allows no help."""
    with closing(Archive.open(folder)) as archive:
        unfinished = archive.unfinished()
        if unfinished is not None:
            check_help(Record.read(archive.header(unfinished), archive.entries(unfinished)))

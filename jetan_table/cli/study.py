"""`jetan study`: moves tried freely, in the terminal and by a real board's lamps."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import click

from rules import Side
from rules.game_reader import parse_lines
from rules.sentences import _

from ..files import read_text, write_whole
from ..game.events import Header
from ..game.record import Record
from ..journal.archive import Archive, GameId
from ..journal.game_files import game_text
from ..journal.saved_games import Start, read_saved, start_from
from ..languages import say_in
from ..lessons.exercise import GuessExercise, to_guess
from ..lessons.lines import KEPT_IN, all_lines
from ..session.umpire import check_help
from . import examples
from .options import misused
from .own_table import OwnTable, own_table
from .start import start_position

FOLDER = "study"
"""A study has a journal of its own there: the game that is played goes on after it."""
HOW_TO_STUDY = _(
    "Move for both sides; `back` takes a move back, and another one is another line. `quit` leaves."
)
HOW_TO_GUESS = _("Type the move that was played, like `e3 d4`; `quit` leaves.")
PLAYERS = ("Black", "Orange")


@click.command(
    epilog=examples(
        "jetan study",
        "jetan study mine.jgn --ply 12",
        "jetan study 3 --guess black",
        "jetan study --rules cazaux --board pins",
        "jetan study --position 'q9/10/10/D9/10/10/10/10/10/9Q b - - 0 1'",
        "jetan study --lines",
    )
)
@click.argument("game", required=False)
@click.option("--ply", type=click.IntRange(0), help="From where GAME stood after so many moves.")
@click.option(
    "--guess", type=click.Choice([side.word for side in Side]), help="Guess this side's moves."
)
@click.option("--rules", metavar="NAME", help="A new study by these rules.")
@click.option("--position", metavar="TEXT", help="A new study from this position.")
@click.option("--lines", "is_printed", is_flag=True, help="Print the lines as game text.")
@own_table
def study(
    game: str | None,
    ply: int | None,
    guess: str | None,
    rules: str | None,
    position: str | None,
    is_printed: bool,
    table: OwnTable,
) -> int:
    """Move freely, back and forth: the three best moves are lit, every line is kept.

    The study that was left goes on; GAME, the number of a game that was kept or a file of game
    text, begins one anew, or lets you guess the moves that were played in it.
    """
    folder = table.folder / FOLDER
    if is_printed:
        kept, nothing = folder / KEPT_IN, _("nothing was studied yet")
        print(read_text(kept) if kept.exists() else say_in(table.language, nothing))
        return 0
    if game is not None and (rules is not None or position is not None):
        raise misused(_("GAME brings its own rules and position: leave --rules and --position out"))
    if game is None and (ply is not None or guess is not None):
        raise misused(_("--ply and --guess are about a game: name its file or number, too"))
    _refuse_in_tournament(table.folder)
    text = None if game is None else _text(game, table.folder)
    if text is not None and guess is not None:
        exercise = _to_guess(text, Side[guess.upper()], ply or 0)
        return table.play(table.options(exercise=exercise), folder, None, HOW_TO_GUESS)
    options = table.options(rules, is_study=True)
    start, now = None, options.clock.now()
    if text is not None:
        start = start_from(read_saved(text), ply or 0, now)
        write_whole(folder / KEPT_IN, all_lines(parse_lines(text)).text().encode())
    elif position is not None or rules is not None:
        start = Start(Header.of(start_position(options.rules, position), now))
    return table.play(options, folder, start, HOW_TO_STUDY)


def _text(game: str, folder: Path) -> str:
    """Return the text of a game, by its number among those kept, or by its file."""
    if not game.isdecimal():
        return read_text(Path(game))
    with closing(Archive.open(folder)) as archive:
        number = GameId(int(game))
        return game_text(Record.read(archive.header(number), archive.entries(number)))


def _to_guess(text: str, side: Side, after: int) -> GuessExercise:
    saved = read_saved(text)
    return to_guess(saved.game, side, after, " - ".join(saved.tags.get(s, "?") for s in PLAYERS))


def _refuse_in_tournament(folder: Path) -> None:
    """Raise CommandRefused where the game that goes on at the table allows no help."""
    with closing(Archive.open(folder)) as archive:
        unfinished = archive.unfinished()
        if unfinished is not None:
            check_help(Record.read(archive.header(unfinished), archive.entries(unfinished)))

"""`jetan study`: moves tried freely, in the terminal and by a real board's lamps."""

import time
from contextlib import closing
from pathlib import Path
from typing import Annotated

from rules import Side
from rules.game_reader import parse_lines
from rules.sentences import _

from ..files import read_text, write_whole
from ..game.events import GameId, Header, SideName
from ..journal.archive import Archive, read_kept
from ..journal.game_files import game_text
from ..journal.saved_games import Start, read_saved, start_from
from ..languages import say_in
from ..lessons.exercise import GuessExercise, to_guess
from ..lessons.lines import KEPT_IN, all_lines
from ..session.umpire import check_help
from .options import command, misused, option
from .own_table import OwnTable
from .start import start_position

FOLDER = "study"
"""A study has a journal of its own there: the game that is played goes on after it."""
HOW_TO_STUDY = _(
    "Move for both sides; `back` takes a move back, and another one is another line. `quit` leaves."
)
HOW_TO_GUESS = _("Type the move that was played, like `e3 d4`; `quit` leaves.")
PLAYERS = ("Black", "Orange")


@command(
    "jetan study",
    "jetan study mine.jgn --ply 12",
    "jetan study 3 --guess black",
    "jetan study --rules cazaux --board pins",
    "jetan study --position 'q9/10/10/D9/10/10/10/10/10/9Q b - - 0 1'",
    "jetan study --lines",
)
def study(
    game: str | None,
    ply: Annotated[int | None, option("From where GAME stood after so many moves.", least=0)],
    guess: Annotated[SideName | None, "Guess this side's moves."],
    rules: Annotated[str | None, option("A new study by these rules.", metavar="NAME")],
    position: Annotated[str | None, option("A new study from this position.", metavar="TEXT")],
    is_printed: Annotated[bool, option("Print the lines as game text.", "--lines")],
    table: OwnTable,
) -> int:
    """Move freely, back and forth: the three best moves are lit, every line is kept.

    The study that was left goes on; GAME, the number of a game that was kept or a file of game
    text, begins one anew, or lets you guess the moves that were played in it.
    """
    folder = table.data / FOLDER
    if is_printed:
        kept, nothing = folder / KEPT_IN, _("nothing was studied yet")
        print(read_text(kept) if kept.exists() else say_in(table.lang, nothing))
        return 0
    if game is not None and (rules is not None or position is not None):
        raise misused(_("GAME brings its own rules and position: leave --rules and --position out"))
    if game is None and (ply is not None or guess is not None):
        raise misused(_("--ply and --guess are about a game: name its file or number, too"))
    _refuse_in_tournament(table.data)
    text = None if game is None else _text(game, table.data)
    if text is not None and guess is not None:
        exercise = _to_guess(text, Side[guess.upper()], ply or 0)
        return table.play(folder, None, HOW_TO_GUESS, exercise=exercise)
    start, now = None, time.time()
    if text is not None:
        start = start_from(read_saved(text), ply or 0, now)
        write_whole(folder / KEPT_IN, all_lines(parse_lines(text)).text().encode())
    elif position is not None or rules is not None:
        start = Start(Header.of(start_position(rules or table.settings.table.rules, position), now))
    return table.play(folder, start, HOW_TO_STUDY, rules=rules, is_study=True)


def _text(game: str, folder: Path) -> str:
    """Return the text of a game, by its number among those kept, or by its file."""
    if not game.isdecimal():
        return read_text(Path(game))
    return game_text(read_kept(folder, Archive.record, GameId(int(game))))


def _to_guess(text: str, side: Side, after: int) -> GuessExercise:
    saved = read_saved(text)
    return to_guess(saved.game, side, after, " - ".join(saved.tags.get(s, "?") for s in PLAYERS))


def _refuse_in_tournament(folder: Path) -> None:
    """Raise CommandRefused where the game that goes on at the table allows no help."""
    with closing(Archive.open(folder)) as archive:
        unfinished = archive.unfinished()
        if unfinished is not None:
            check_help(archive.record(unfinished))

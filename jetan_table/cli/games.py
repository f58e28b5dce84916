"""`jetan games`: the games that a table has kept, and where one turned."""

import os
import time
from contextlib import closing
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from statistics import mean
from typing import Annotated, TextIO

import click
import msgspec
from rich.console import Console, Group
from rich.padding import Padding
from rich.progress import track
from rich.table import Table

from rules import Rules, Side, format_position
from rules.game_reader import parse_games
from rules.game_text import GameText
from rules.sentences import Sentence, _, in_words, printable

from ..engine.library import quick_library
from ..engine.search import Limits
from ..engine.weights import fitted_weights
from ..extras.opponent.analysis import PlyMark, PlyVerdict
from ..extras.opponent.analysis import analyse as verdicts_on
from ..extras.opponent.explained import explained, row_of
from ..extras.opponent.plot import plot
from ..game.events import KIND_OF, Entry, GameId
from ..game.record import Record
from ..journal.archive import Archive, NoSuchGame, Summary, read_kept, told_as_damaged
from ..journal.backup import back_up, changed_texts, check_journal, restore, salvage
from ..journal.game_files import FORMATS, game_text, read_games
from ..journal.read_only import is_sound
from ..journal.saved_games import save_game, saved_names
from ..journal.schema import JOURNAL_NAME
from ..languages import Language, say_in, translation
from .options import (
    EXIT_AMISS,
    FILE,
    Data,
    Json,
    Lang,
    Say,
    Words,
    argument,
    command,
    group,
    option,
    print_json,
)


@command(
    "jetan games analyse 1",
    "jetan games analyse mine.jgn",
    "jetan games analyse mine.jgn --plot mine.svg --nodes 50000",
    "jetan games analyse match.jgn --number 3 --json",
)
def analyse(
    game: str,
    number: Annotated[int, option("Which game of a file.", least=1, default=1)],
    nodes: Annotated[int, option(least=1, default=5000)],
    picture: Annotated[
        TextIO | None, option("SVG.", "--plot", type=click.File("w", "utf-8", lazy=False))
    ],
    data: Data,
    lang: Lang,
    as_json: Annotated[bool, option("One JSON text a move.", "--json")],
) -> None:
    """Tell where GAME turned, and what was better.

    GAME is the number of a game that was kept, or a file of game text.

    Marks are for winning chances given away: ?! a little (8 %), ? much (15 %), ?? very much (30 %).
    """
    text = _kept(int(game), data) if game.isdecimal() else _game(Path(game), number)
    limits, library = Limits(nodes=nodes), quick_library(os.environ)
    found = verdicts_on(text.game, fitted_weights(), time.perf_counter, limits, library)
    console, plies = Console(stderr=True), len(text.game.plies)
    verdicts = list(
        track(found, say_in(lang, _("Thinking")), total=plies, console=console, transient=True)
    )
    if picture is not None:
        names = [text.tags.get(side, "?") for side in ("Black", "Orange")]
        picture.write(plot(verdicts, " - ".join(names), translation(lang)))
    rules = text.game.start.rules
    if as_json:
        for verdict in verdicts:
            print_json(row_of(verdict, rules, lang))
        return
    shown = Console()
    shown.print(_score_sheet(verdicts, lang))
    for verdict in verdicts:
        if verdict.mark is not None:
            shown.print(_turning_point(verdict, verdict.mark, rules, lang))
    shown.print(_summary(verdicts, lang), highlight=False)


def _kept(game: int, data: Path) -> GameText:
    """Return a kept game as its text has it."""
    return parse_games(game_text(read_kept(data, Archive.record, GameId(game))))[0]


def _game(file: Path, number: int) -> GameText:
    games = read_games(file)
    if number > len(games):
        raise NoSuchGame(
            _("{file}: has {count} games, there is no number {number}"),
            file=file,
            count=len(games),
            number=number,
        )
    return games[number - 1]


def _score_sheet(verdicts: list[PlyVerdict], language: Language) -> Table:
    """Return the moves, a row each, with Black's chances after each ply."""
    say = translation(language)
    headings = (say(_("Move")), say(_("Black")), "", say(_("Orange")), "")
    table = Table(*headings, title=say(_("Black's chances, move by move")))
    for number, plies in groupby(verdicts, key=lambda verdict: (verdict.number + 1) // 2):
        columns = {verdict.side: _ply_and_chance(verdict) for verdict in plies}
        black, orange = (columns.get(side, ("", "")) for side in Side)
        table.add_row(str(number), *black, *orange)
    return table


def _ply_and_chance(verdict: PlyVerdict) -> tuple[str, str]:
    mark = f" {verdict.mark.value}" if verdict.mark else ""
    return f"{verdict.played}{mark}", f"{verdict.chance:.0%}"


def _turning_point(verdict: PlyVerdict, mark: PlyMark, rules: Rules, language: Language) -> Group:
    """Return what a ply cost, what was better and why, and what it allows."""
    say = translation(language)
    chances = in_words(
        say,
        _("Black's chances {before:.0%} -> {after:.0%}"),
        before=verdict.chance_before,
        after=verdict.chance,
    )
    table = Table.grid(padding=(0, 2))
    table.add_row(say(_("better")), " ".join(verdict.line))
    if verdict.reply:
        table.add_row(say(_("allows")), " ".join(verdict.reply))
    for words in explained(verdict, rules, language):
        table.add_row("", words)
    heading = f"[bold]{verdict.numbered} {mark.value}[/bold]  {chances}"
    return Group(heading, Padding(table, (0, 0, 0, 3)))


def _summary(verdicts: list[PlyVerdict], language: Language) -> str:
    """Return how much both sides gave away in the mean."""
    losses = {side: [v.loss for v in verdicts if v.side is side] or [0.0] for side in Side}
    return say_in(
        language,
        _("Given away by each move in the mean: Black {black:.1%}, Orange {orange:.1%}."),
        black=mean(losses[Side.BLACK]),
        orange=mean(losses[Side.ORANGE]),
    )


HEADINGS = (_("Game"), _("Begun (UTC)"), _("Rules"), _("Moves"), _("Result"), _("Termination"))
RESULTS = {"black": _("black"), "orange": _("orange"), "draw": _("draw"), "*": Sentence("*")}
GAMES_IN, WHY = _("{path}: {count} games"), _("{why}")


@group("jetan games list", "jetan games show 3", "jetan games export 3 > mine.jgn")
def games() -> None:
    """List, show, export, save and back up the games that a table has kept."""


@command("jetan games list", "jetan games list --json", of=games, name="list")
def list_games(data: Data, say: Words, as_json: Json) -> None:
    """List all games, oldest first."""
    summaries = read_kept(data, Archive.games)
    if as_json:
        for summary in summaries:
            print_json(_row(summary))
        return
    names = saved_names(data)
    rows = [[say(heading) for heading in HEADINGS]]
    rows += [[printable(text) for text in _row_in_words(one, say)] for one in summaries]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        line = "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True))
        print(line.rstrip())
    for summary in summaries:
        if summary.damage is not None:
            print(printable(say(WHY, why=summary.damage)))
    if names:
        print(say(_("Saved: {names}"), names=", ".join(names)))


@command("jetan games show", "jetan games show 3 --json", of=games)
def show(game: int | None, data: Data, say: Words, as_json: Json) -> None:
    """Show GAME (the newest, unless told), and where it stands.

    With --json all its events.
    """
    from ..terminal.terminal import move_rows  # takes longer to load than most lists to print

    with closing(Archive.open(data)) as archive:
        chosen = _chosen(archive, game)
        summary, entries = archive.summary(chosen), archive.entries(chosen)
    if as_json:
        for entry in entries:
            print_json(_event(entry))
        return
    record = Record.read(summary.header, entries)
    headings = list(map(say, HEADINGS))
    width = max(map(len, headings))
    for heading, value in zip(headings, _row_in_words(summary, say), strict=True):
        print(f"{heading:{width}}  {printable(value)}")
    print("", *move_rows(record.moves, record.game.start.ply_number), "", sep="\n")
    print(format_position(record.position))


FORMATS_TOLD = "; ".join(f"{name}: {form.help}" for name, form in FORMATS.items())


@command("jetan games export 3 > mine.jgn", of=games)
def export(
    game: int | None,
    form: Annotated[
        str,
        option(f"{FORMATS_TOLD}.", "--format", type=click.Choice([*FORMATS]), default="jgn"),
    ],
    data: Data,
) -> None:
    """Print GAME (the newest, unless told) as game text, or in another format."""
    with closing(Archive.open(data)) as archive:
        record = archive.record(_chosen(archive, game))
    print(printable(FORMATS[form].write(record)), end="")


@command("jetan games save sunday", "jetan games save sunday 3", of=games)
def save(name: str, game: int | None, data: Data) -> None:
    """Save GAME (the newest, unless told) under NAME.

    `jetan play --load NAME` plays on from it.
    """
    with closing(Archive.open(data)) as archive:
        text = game_text(archive.record(_chosen(archive, game)))
    print(save_game(data, name, text))


@command("jetan games check", "jetan games check mine.jgn", of=games)
def check(files: Annotated[tuple[Path, ...], argument(type=FILE)], data: Data, say: Words) -> int:
    """Check FILES of games; without any, the games kept here.

    They are checked up to the first ply that cannot be, each by the rules it names; of those kept
    here, that nothing has changed since it was written. Ends with exit code 1 where one of
    these or their file is damaged.
    """
    if not files:
        with closing(Archive.open(data)) as archive:
            damaged, count = check_journal(archive), len(archive.games())
            texts = changed_texts(archive)
        for why in damaged.values():
            print(printable(say(WHY, why=why)))
        for text in texts:
            print(say(_("{path}: is not as it was written; see jetan games export"), path=text))
        whole = count - len(damaged)
        print(say(_("{whole} of {count} games are as they were written"), whole=whole, count=count))
        path = data / JOURNAL_NAME
        is_unsound = _is_unsound(path)
        if is_unsound:
            unsound = _(
                "{path}: the file is damaged and may hide games; stop the table, then "
                "jetan games salvage {path}"
            )
            print(say(unsound, path=path))
        return EXIT_AMISS if damaged or texts or is_unsound else 0
    for file in files:
        read_games(file)
        print(say(_("{file}: all moves are legal"), file=file))
    return 0


@command("jetan games backup /media/stick/jetan.sqlite", of=games)
def backup(file: Annotated[Path, argument(type=FILE)], data: Data, say: Words) -> None:
    """Copy all games to FILE; the table may play meanwhile."""
    count = back_up(data, file)
    print(say(GAMES_IN, path=file, count=count))


@command("jetan games restore /media/stick/jetan.sqlite", of=games, name="restore")
def restore_games(file: Annotated[Path, argument(type=FILE)], data: Data, say: Words) -> None:
    """Put the games of a backup in the place of those here.

    What is here is kept under another name.
    """
    count, kept = restore(file, data)
    print(say(GAMES_IN, path=data, count=count))
    if kept is not None:
        print(say(_("what was there before is kept as {kept}"), kept=kept))


@command("jetan games salvage journal.damaged-1.sqlite", of=games, name="salvage")
def salvage_games(file: Path, data: Data, say: Words) -> None:
    """Add the whole games of a journal to those here.

    It may be damaged, or of another version, or the folder of the texts of one that is lost. They
    get new numbers; what is here already is not added again. What the journal has lost of a game,
    its text beside it tells.
    """
    is_unsound = _is_unsound(file)
    added, lost, retold = salvage(file, data)
    for why in lost.values():
        print(printable(say(WHY, why=why)))
    for why, count in retold.values():
        taken = _("{why}; its text has all {count} moves")
        print(printable(say(taken, why=why, count=count)))
    outcome = _("{folder}: {added} games added, {lost} cannot be read")
    print(say(outcome, folder=data, added=added, lost=len(lost)))
    if is_unsound:
        hidden = _("{file}: damaged pages may hide games, or the last moves of these: compare them")
        print(say(hidden, file=file))


games.add_command(analyse)


def _is_unsound(path: Path) -> bool:
    """Whether a journal's file is damaged so that games, or ends of games, may be hidden in it."""
    with told_as_damaged(str(path)):
        return path.is_file() and not is_sound(path)


def _chosen(archive: Archive, game: int | None) -> GameId:
    if game is not None:
        return GameId(game)
    kept = archive.games()
    if not kept:
        raise NoSuchGame(_("no game has been kept here yet; begin one with jetan play"))
    return kept[-1].game


def _row(summary: Summary) -> dict[str, str | int]:
    begun = datetime.fromtimestamp(summary.header.started, UTC)
    return {
        "game": summary.game,
        "begun": f"{begun:%Y-%m-%d %H:%M}",
        "rules": summary.header.rules,
        "plies": summary.plies,
        "result": summary.result,
        "termination": summary.termination,
    }


def _row_in_words(summary: Summary, say: Say) -> list[str]:
    """Return a line of the table of games in a language."""
    *rest, result, ending = map(str, _row(summary).values())
    return [*rest, say(RESULTS[result]), say(Sentence(ending)) if ending else ""]


def _event(entry: Entry) -> dict[str, object]:
    kind = KIND_OF[type(entry.event)]
    return {"at": entry.at, "kind": kind, **msgspec.structs.asdict(entry.event)}

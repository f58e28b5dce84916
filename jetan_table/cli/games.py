"""`jetan games`: the games that a table has kept."""

from __future__ import annotations

import os
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import click
import msgspec

from rules import format_position
from rules.sentences import Sentence, Translate, _, in_words, printable

from ..game.events import KIND_OF, Entry
from ..game.record import Record
from ..journal.archive import Archive, GameId, NoSuchGame, Summary, told_as_damaged
from ..journal.backup import back_up, changed_texts, check_journal, restore, salvage
from ..journal.game_files import game_text, read_games
from ..journal.read_only import is_sound
from ..journal.saved_games import save_game, saved_names
from ..journal.schema import JOURNAL_NAME
from ..languages import Language, translation
from ..settings import data_folder
from . import examples
from .games_analyse import analyse
from .options import DATA, JSON, LANGUAGE, print_json, saying, spoken

HEADINGS = (_("Game"), _("Begun (UTC)"), _("Rules"), _("Moves"), _("Result"), _("Termination"))
RESULTS = {"black": _("black"), "orange": _("orange"), "draw": _("draw"), "*": Sentence("*")}
GAMES_IN, WHY = _("{path}: {count} games"), _("{why}")

EXIT_DAMAGED = 1


@click.group(
    epilog=examples("jetan games list", "jetan games show 3", "jetan games export 3 > mine.jgn")
)
def games() -> None:
    """List, show, export, save and back up the games that a table has kept."""


@games.command("list", epilog=examples("jetan games list", "jetan games list --json"))
@DATA
@LANGUAGE
@JSON
def list_games(data: Path | None, lang: Language | None, as_json: bool) -> None:
    """List all games, oldest first."""
    with closing(_archive(data)) as archive:
        summaries = archive.games()
    if as_json:
        for summary in summaries:
            print_json(_row(summary))
        return
    names = saved_names(data_folder(data, os.environ))
    say = translation(spoken(lang))
    rows = [[say(heading) for heading in HEADINGS]]
    rows += [[printable(text) for text in _row_in_words(one, say)] for one in summaries]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        line = "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True))
        print(line.rstrip())
    for summary in summaries:
        if summary.damage is not None:
            print(printable(in_words(say, WHY, why=summary.damage)))
    if names:
        print(in_words(say, _("Saved: {names}"), names=", ".join(names)))


@games.command(epilog=examples("jetan games show", "jetan games show 3 --json"))
@click.argument("game", type=int, required=False)
@DATA
@LANGUAGE
@JSON
def show(game: int | None, data: Path | None, lang: Language | None, as_json: bool) -> None:
    """Show GAME (the newest, unless told), and where it stands.

    With --json all its events.
    """
    from ..terminal.terminal import move_rows  # takes longer to load than most lists to print

    with closing(_archive(data)) as archive:
        chosen = _chosen(archive, game)
        summary, entries = archive.summary(chosen), archive.entries(chosen)
    if as_json:
        for entry in entries:
            print_json(_event(entry))
        return
    record = Record.read(summary.header, entries)
    say = translation(spoken(lang))
    headings = list(map(say, HEADINGS))
    width = max(map(len, headings))
    for heading, value in zip(headings, _row_in_words(summary, say), strict=True):
        print(f"{heading:{width}}  {printable(value)}")
    print("", *move_rows(record.moves, record.game.start.ply_number), "", sep="\n")
    print(format_position(record.position))


@games.command(epilog=examples("jetan games export 3 > mine.jgn"))
@click.argument("game", type=int, required=False)
@DATA
def export(game: int | None, data: Path | None) -> None:
    """Print GAME (the newest, unless told) as game text."""
    with closing(_archive(data)) as archive:
        chosen = _chosen(archive, game)
        record = Record.read(archive.header(chosen), archive.entries(chosen))
    print(printable(game_text(record)), end="")


@games.command(epilog=examples("jetan games save sunday", "jetan games save sunday 3"))
@click.argument("name")
@click.argument("game", type=int, required=False)
@DATA
def save(name: str, game: int | None, data: Path | None) -> None:
    """Save GAME (the newest, unless told) under NAME.

    `jetan play --load NAME` plays on from it.
    """
    folder = data_folder(data, os.environ)
    with closing(Archive.open(folder)) as archive:
        chosen = _chosen(archive, game)
        record = Record.read(archive.header(chosen), archive.entries(chosen))
    print(save_game(folder, name, game_text(record)))


@games.command(epilog=examples("jetan games check", "jetan games check mine.jgn"))
@click.argument("files", nargs=-1, type=click.Path(path_type=Path, dir_okay=False))
@DATA
@LANGUAGE
def check(files: tuple[Path, ...], data: Path | None, lang: Language | None) -> int:
    """Check FILES of games; without any, the games kept here.

    They are checked up to the first ply that cannot be, each by the rules it names; of those kept
    here, that nothing has changed since it was written. Ends with exit code 1 where one of
    these or their file is damaged.
    """
    say = saying(lang)
    if not files:
        with closing(_archive(data)) as archive:
            damaged, count = check_journal(archive), len(archive.games())
            texts = changed_texts(archive)
        for why in damaged.values():
            print(printable(say(WHY, why=why)))
        for text in texts:
            print(say(_("{path}: is not as it was written; see jetan games export"), path=text))
        whole = count - len(damaged)
        print(say(_("{whole} of {count} games are as they were written"), whole=whole, count=count))
        path = data_folder(data, os.environ) / JOURNAL_NAME
        is_unsound = _is_unsound(path)
        if is_unsound:
            unsound = _(
                "{path}: the file is damaged and may hide games; stop the table, then "
                "jetan games salvage {path}"
            )
            print(say(unsound, path=path))
        return EXIT_DAMAGED if damaged or texts or is_unsound else 0
    for file in files:
        read_games(file)
        print(say(_("{file}: all moves are legal"), file=file))
    return 0


@games.command(epilog=examples("jetan games backup /media/stick/jetan.sqlite"))
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@DATA
@LANGUAGE
def backup(file: Path, data: Path | None, lang: Language | None) -> None:
    """Copy all games to FILE; the table may play meanwhile."""
    count = back_up(data_folder(data, os.environ), file)
    print(saying(lang)(GAMES_IN, path=file, count=count))


@games.command("restore", epilog=examples("jetan games restore /media/stick/jetan.sqlite"))
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@DATA
@LANGUAGE
def restore_games(file: Path, data: Path | None, lang: Language | None) -> None:
    """Put the games of a backup in the place of those here.

    What is here is kept under another name.
    """
    folder = data_folder(data, os.environ)
    count, kept = restore(file, folder)
    say = saying(lang)
    print(say(GAMES_IN, path=folder, count=count))
    if kept is not None:
        print(say(_("what was there before is kept as {kept}"), kept=kept))


@games.command("salvage", epilog=examples("jetan games salvage journal.damaged-1.sqlite"))
@click.argument("file", type=click.Path(path_type=Path))
@DATA
@LANGUAGE
def salvage_games(file: Path, data: Path | None, lang: Language | None) -> None:
    """Add the whole games of a journal to those here.

    It may be damaged, or of another version, or the folder of the texts of one that is lost. They
    get new numbers; what is here already is not added again. What the journal has lost of a game,
    its text beside it tells.
    """
    folder, is_unsound = data_folder(data, os.environ), _is_unsound(file)
    added, lost, retold = salvage(file, folder)
    say = saying(lang)
    for why in lost.values():
        print(printable(say(WHY, why=why)))
    for why, count in retold.values():
        taken = _("{why}; its text has all {count} moves")
        print(printable(say(taken, why=why, count=count)))
    outcome = _("{folder}: {added} games added, {lost} cannot be read")
    print(say(outcome, folder=folder, added=added, lost=len(lost)))
    if is_unsound:
        hidden = _("{file}: damaged pages may hide games, or the last moves of these: compare them")
        print(say(hidden, file=file))


games.add_command(analyse)


def _archive(data: Path | None) -> Archive:
    return Archive.open(data_folder(data, os.environ))


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


def _row_in_words(summary: Summary, say: Translate) -> list[str]:
    """Return a line of the table of games in a language."""
    *rest, result, ending = map(str, _row(summary).values())
    return [*rest, say(RESULTS[result]), say(ending) if ending else ""]


def _event(entry: Entry) -> dict[str, object]:
    kind = KIND_OF[type(entry.event)]
    return {"at": entry.at, "kind": kind, **msgspec.structs.asdict(entry.event)}

"""`jetan games`, `series` and `die`: what a table has kept, and what stands on it."""

import os
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import click
import msgspec
from msgspec.structs import replace as changed

from hardware.die import FACES, SEED_BYTES, throw
from rules import Sentence, _, format_position, printable

from ..game.commands import New
from ..game.events import KIND_OF, Entry, GameId
from ..game.record import Record
from ..game.rolling import START_MOVE
from ..game.texts import FORMATS, PlayedSeries, format_csv, game_text, series_rows
from ..journal.archive import (
    Archive,
    NoSuchGame,
    Summary,
    damage_as_bad_record,
    is_sound,
    read_kept,
)
from ..journal.backup import back_up, changed_texts, check_journal, restore, salvage
from ..journal.file_format import JOURNAL_NAME
from ..journal.journal import Journal
from ..languages import Language
from ..light.news import damaged_lines
from ..light.words import Speaker
from ..settings import find_settings, read_settings
from ..table.dice import (
    FairnessVerdict,
    chi_square,
    die_of_tags,
    judge,
    rolls_of_game,
    rolls_of_journal,
    share_as_uneven,
    shown,
)
from ..table.games import begin_game, read_games, save_game, saved_names
from ..terminal.text import print_rows, print_table, progress
from .options import (
    EXIT_PROBLEM,
    FILE_TYPE,
    Config,
    Data,
    Json,
    Lang,
    Say,
    Words,
    argument,
    command,
    group,
    misused,
    option,
    print_json,
    saying,
)
from .play_options import agreement

UNFAIR_BELOW = 1e-6
"""A fair die is called loaded once in a million tests."""

BATCH = 10_000

ROLL_MATTERS = {
    "first": _("who begins"),
    "bias": _("the bias"),
    START_MOVE: _("the Juggernaut's start"),
}
"""Matters that rolls before play settle, in words."""


@group("jetan die verify 3", "jetan die verify mine.jgn", "jetan die test --rolls 5000")
def die() -> None:
    """Check the rolls of a game against their seed, or count many throws."""


@command("jetan die verify 3", "jetan die verify mine.jgn --json", of=die)
def verify(game: str, data: Data, say: Words, as_json: Json) -> int:
    """Check the rolls of GAME against the seed they came from.

    GAME is a number of the journal, or a file of game texts. The seed must be the one whose hash
    stood in the record before the first roll, and every roll of the table's die must follow from
    it. Ends with exit code 1 where one does not.
    """
    is_fair = True
    for name, verdict in _verdicts(game, data, say):
        is_fair &= verdict.is_fair
        if as_json:
            print_json({"game": name, **_summary_of_die(verdict)})
        else:
            print("\n".join(_lines(name, verdict, say)))
    return 0 if is_fair else EXIT_PROBLEM


@command("jetan die test", "jetan die test --rolls 5000 --seed 00ff --json", of=die)
def test(
    rolls: Annotated[int, option(within=(100, 100_000_000), default=1_000_000)],
    seed: Annotated[str | None, "Throw by this seed, in hex, and not by a new one."],
    say: Words,
    as_json: Json,
) -> int:
    """Throw the die many times, and count its faces.

    Chi-square says how uneven the counts are. Ends with exit code 1 where a fair die would be as
    uneven in less than one of a million tests.
    """
    chosen = _seed(seed)
    counts = [0] * FACES
    starts = range(0, rolls, BATCH)
    # In batches, because drawing the bar takes longer than a throw.
    for start in progress(starts, say(_("Throwing")), is_hidden=as_json):
        for number in range(start, min(start + BATCH, rolls)):
            counts[throw(chosen, f"test:{number}") - 1] += 1
    uneven = chi_square(counts)
    share = share_as_uneven(uneven)
    if as_json:
        print_json({"seed": chosen.hex(), "counts": counts, "chi_square": uneven, "share": share})
    else:
        for face, count in enumerate(counts, 1):
            of_share = say(_("{part:7.2%} of its share"), part=count * FACES / rolls)
            print(f"{face:2} {count:9}  {of_share}")
        outcome = _("chi-square {uneven:.2f}; a fair die is as uneven in {share:.2%} of such tests")
        print(say(outcome, uneven=uneven, share=share))
    return 0 if share >= UNFAIR_BELOW else EXIT_PROBLEM


def _seed(text: str | None) -> bytes:
    if text is None:
        return os.urandom(SEED_BYTES)
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise misused(_("--seed {seed}: must be bytes in hex, such as 00ff"), seed=text) from None


def _verdicts(game: str, data: Path, say: Say) -> Iterator[tuple[str, FairnessVerdict]]:
    """Yield each game by its name, with the verdict on its rolls."""
    if not game.isdecimal():
        texts = read_games(Path(game))
        for number, text in enumerate(texts, 1):
            several = _("{file}, game {number}")
            name = game if len(texts) == 1 else say(several, file=game, number=number)
            yield name, judge(die_of_tags(text.tags), rolls_of_game(text.game, text.tags))
        return
    with closing(Archive.open(data)) as archive:
        header, entries = archive.header(GameId(int(game))), archive.entries(GameId(int(game)))
    record = Record.read(header, entries)
    yield say(_("game {game}"), game=game), judge(record.die, rolls_of_journal(header, entries))


def _lines(name: str, verdict: FairnessVerdict, say: Say) -> list[str]:
    seed = (
        _("{name}: the seed is the one that the table had committed itself to.")
        if verdict.is_kept
        else _("{name}: the seed is NOT the one that the table had committed itself to.")
    )
    lines = [say(seed, name=name)]
    lines += [
        say(
            _("after move {number} {move}: the record tells {told}, the seed {due}")
            if roll.number
            else _("before play, {move}: the record tells {told}, the seed {due}"),
            number=roll.number,
            move=ROLL_MATTERS.get(roll.move, roll.move),
            told=shown(roll.roll),
            due=shown(due),
        )
        for roll, due in verdict.bent
    ]
    as_due, rolls = verdict.by_table - len(verdict.bent), verdict.by_table
    followed = _("{as_due} of {rolls} rolls by the table are as the seed tells.")
    lines.append(say(followed, as_due=as_due, rolls=rolls))
    if verdict.by_hand:
        lines.append(say(_("By hand, so not the table's: {by_hand}."), by_hand=verdict.by_hand))
    return lines


def _summary_of_die(verdict: FairnessVerdict) -> dict[str, object]:
    return {
        "fair": verdict.is_fair,
        "seed_kept": verdict.is_kept,
        "by_table": verdict.by_table,
        "by_hand": verdict.by_hand,
        "bent": [
            {"ply": roll.number, "move": roll.move, "told": shown(roll.roll), "due": shown(due)}
            for roll, due in verdict.bent
        ],
    }


HEADINGS = (_("Game"), _("Begun (UTC)"), _("Rules"), _("Moves"), _("Result"), _("Termination"))
RESULT_WORDS = {"black": _("black"), "orange": _("orange"), "draw": _("draw"), "*": Sentence("*")}
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
    print_rows(
        [[say(heading) for heading in HEADINGS], *(_row_in_words(one, say) for one in summaries)]
    )
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


FORMATS_HELP = "; ".join(f"{name}: {form.help}" for name, form in FORMATS.items())


@command("jetan games export 3 > mine.jgn", of=games)
def export(
    game: int | None,
    form: Annotated[
        str,
        option(f"{FORMATS_HELP}.", "--format", type=click.Choice([*FORMATS]), default="jgn"),
    ],
    data: Data,
) -> None:
    """Print GAME (the newest, unless told) in one of the formats."""
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
def check(
    files: Annotated[tuple[Path, ...], argument(type=FILE_TYPE)], data: Data, say: Words
) -> int:
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
        return EXIT_PROBLEM if damaged or texts or is_unsound else 0
    for file in files:
        read_games(file)
        print(say(_("{file}: all moves are legal"), file=file))
    return 0


@command("jetan games backup /media/stick/jetan.sqlite", of=games)
def backup(file: Annotated[Path, argument(type=FILE_TYPE)], data: Data, say: Words) -> None:
    """Copy all games to FILE; the table may play meanwhile."""
    count = back_up(data, file)
    print(say(GAMES_IN, path=file, count=count))


@command("jetan games restore /media/stick/jetan.sqlite", of=games, name="restore")
def restore_games(file: Annotated[Path, argument(type=FILE_TYPE)], data: Data, say: Words) -> None:
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


def _is_unsound(path: Path) -> bool:
    """Return True if damage to a journal's file may hide games, or ends of games."""
    with damage_as_bad_record(str(path)):
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
    return [*rest, say(RESULT_WORDS[result]), say(Sentence(ending)) if ending else ""]


def _event(entry: Entry) -> dict[str, object]:
    kind = KIND_OF[type(entry.event)]
    return {"at": entry.at, "kind": kind, **msgspec.structs.asdict(entry.event)}


SHOWN = {
    "game": _("Game"),
    "black": _("Black"),
    "orange": _("Orange"),
    "stake": _("Stake"),
    "result": _("Result"),
    "gain_of_black": _("Gain of black"),
}
"""The columns that people are shown, before the balance of both."""


@group(
    "jetan series start sunday --players Tara,Gahan --stake 10",
    "jetan series list",
    "jetan series show sunday",
    "jetan series export sunday > sunday.csv",
)
def series() -> None:
    """List, show, start and export series: games of two people in a row, and their account."""


@command("jetan series list", "jetan series list --json", of=series, name="list")
def list_series(data: Data, lang: Lang, as_json: Json) -> None:
    """List all series with their players, and how they stand."""
    with closing(Archive.open(data)) as archive:
        all_series = [archive.played_series(name) for name in archive.series()]
    for each in all_series:
        _warn(each, lang)
    if as_json:
        for each in all_series:
            print_json(_summary_of_series(each))
        return
    say = saying(lang)
    headings = (_("Series"), _("Games"), _("Players"), _("Won"), _("Balance"))
    rows = [
        (
            each.name,
            str(len(each.games)),
            " - ".join(each.players),
            " - ".join(map(str, each.wins)),
            " / ".join(f"{tokens:+}" for tokens in each.balance),
        )
        for each in all_series
    ]
    print_table(list(map(say, headings)), rows)


@command("jetan series show sunday", "jetan series show sunday --json", of=series, name="show")
def show_series(name: str, data: Data, lang: Lang, as_json: Json) -> None:
    """Show the games of a series, and what each has cost."""
    played = read_kept(data, Archive.played_series, name)
    _warn(played, lang)
    if as_json:
        for row in series_rows(played):
            print_json(row)
        return
    say = saying(lang)
    balances = [say(_("Balance of {player}"), player=player) for player in played.players]
    rows = []
    for row in series_rows(played):
        row["result"] = say(RESULT_WORDS[str(row["result"])])
        shown = [str(row[name]) for name in SHOWN]
        rows.append([*shown, f"{row['balance_1']:+}", f"{row['balance_2']:+}"])
    print_table([*map(say, SHOWN.values()), *balances], rows)


@command(
    "jetan series start sunday --players Tara,Gahan --stake 10 --price 2,C=30",
    "jetan series start sunday",
    of=series,
)
def start(
    name: str,
    rules: Annotated[str | None, option("By these rules; without: as before.", metavar="RULES")],
    data: Data,
    config: Config,
    say: Words,
    agreed: Annotated[New, agreement],
) -> int:
    """Begin a series, or its next game.

    `jetan play` goes on with it.
    """
    settings = read_settings(find_settings(config, os.environ))
    from ..wiring import usual_game
    from .at_table import requested_game  # a table: only where a game is begun

    begun = requested_game(
        changed(agreed, rules=rules, series=name), usual_game(settings), data, time.time()
    )
    if begun is None:
        print(say(_("{name}: its game goes on: jetan play"), name=name))
        return 0
    with closing(Journal(data)) as journal:
        opened = begin_game(journal, begun.header, begun.events)
    begun_in_words = say(
        _("{name}, game {game}: {black} has Black, {orange} Orange"),
        name=name,
        game=opened.game,
        black=begun.header.black,
        orange=begun.header.orange,
    )
    print(printable(begun_in_words))
    return 0


@command("jetan series export sunday > sunday.csv", of=series, name="export")
def export_series(name: str, data: Data, lang: Lang) -> None:
    """Print the series NAME as CSV, one row a game."""
    played = read_kept(data, Archive.played_series, name)
    _warn(played, lang)
    print(printable(format_csv(played)), end="")


def _warn(series: PlayedSeries, lang: Language) -> None:
    """Name the damaged games of a series, beside what is printed."""
    for line in Speaker(lang).all_of(damaged_lines(series)):
        click.echo(printable(f"{series.name}: {line}"), err=True)


def _summary_of_series(series: PlayedSeries) -> dict[str, object]:
    return {
        "series": series.name,
        "games": [played.game for played in series.games],
        "players": series.players,
        "wins": series.wins,
        "balance": series.balance,
        "damaged": series.damaged,
    }

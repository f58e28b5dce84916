"""`jetan match` and `jetan games analyse`: who is the stronger, and where a game turned."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from itertools import groupby
from pathlib import Path
from statistics import mean
from typing import Annotated, TextIO

import click

from rules import Rules, Side, _, format_rules, in_words
from rules.text import GameText, parse_games

from ...cli.options import FILE_TYPE, Data, Lang, RulesText, Say, Words, command, option, print_json
from ...engine.endings import find_endings
from ...engine.evaluation import fitted_weights
from ...engine.library import quick_library
from ...engine.process import start_engine
from ...engine.protocol import format_go
from ...engine.search import Limits
from ...game.agreements import named_rules
from ...game.events import GameId
from ...game.texts import game_text
from ...journal.archive import Archive, NoSuchGame, read_kept
from ...languages import Language, say_in, translation
from ...table.games import read_games
from ...terminal.text import print_rows, print_table, progress
from .analysis import PlyMark, PlyVerdict, explained, plot, row_of
from .analysis import analyse as verdicts_on
from .match import MatchFile, MatchGame, MatchPlayer, Tally, play_match


@command(
    "jetan match dwar padwar",
    "jetan match jeddak jed --nodes 5000 --games 100 --rules cazaux",
    "jetan match jeddak 'command:./other-engine --quiet' --movetime 100 --out games.jgn",
)
def match(
    first: str,
    second: str,
    games: Annotated[int, option(least=2, default=20)],
    rules: RulesText,
    nodes: Annotated[int | None, option("Positions a move, the same on any machine.", least=1)],
    movetime: Annotated[int | None, option("Time a move.", least=1, metavar="MS")],
    depth: Annotated[int | None, option("Plies a move.", least=1)],
    seed: Annotated[int, option("Seed of openings and dice.", default=1)],
    out: Annotated[
        Path | None,
        option(
            "File for the games; a match that was broken off goes on from those there.",
            type=FILE_TYPE,
        ),
    ],
    say: Words,
) -> None:
    """Let FIRST and SECOND play in pairs of games, with colours exchanged after each.

    A player is a level (panthan, than, padwar, dwar, odwar, jedwar, jed, jeddak), or `command:` and
    the command line of another engine that speaks the protocol. The figures are FIRST's; intervals
    are of 95 %.
    """
    chosen = named_rules(rules)
    seconds = None if movetime is None else movetime / 1000
    limits = Limits(depth, nodes, seconds)
    if limits == Limits():
        limits = Limits(nodes=2000)
    with (
        closing(start_engine(first, chosen, seed)) as one,
        closing(start_engine(second, chosen, seed + 1)) as two,
    ):
        names = one.name, two.name
        conditions = f"{first} {second} {format_rules(chosen)} {format_go(limits)} seed {seed}"
        file = None if out is None else MatchFile(out, conditions, names)
        players = MatchPlayer(one, limits), MatchPlayer(two, limits)
        play = partial(play_match, players, chosen, seed=seed)
        tally = tallied(" - ".join(names), games, file, play)
    report(*names, tally, say)


def tallied(
    title: str, games: int, file: MatchFile | None, play: Callable[[range], Iterator[MatchGame]]
) -> Tally:
    """Play the games of a match behind a progress bar, each kept in `file`; return the tally.

    `play` yields games by their numbers. Those in the file already are not played again.
    """
    tally = Tally.of(file.played[:games] if file else ())
    with click.progressbar(
        length=games, label=title, hidden=not sys.stderr.isatty(), show_pos=True, file=sys.stderr
    ) as bar:
        bar.update(tally.games)
        for played in play(range(tally.games, games)):
            if file is not None:
                file.add(played)
            tally = tally.after(played)
            bar.label = f"{title} {score_line(tally)}"
            bar.update(1)
    return tally


def score_line(tally: Tally) -> str:
    """Write wins, draws and losses."""
    return f"+{tally.wins} ={tally.draws} -{tally.losses}"


def elo_line(tally: Tally) -> str:
    """Write the difference in Elo with its interval."""
    low, mid, high = tally.elo
    return f"Elo {mid:+.0f} ({low:+.0f} .. {high:+.0f})"


def result_line(tally: Tally) -> str:
    """Write a match's result as the measurements do."""
    points = f"{tally.share:.1%} +- {tally.error:.1%}"
    return f"{score_line(tally)}  {points}  {elo_line(tally)}"


def report(first: str, second: str, tally: Tally, say: Say) -> None:
    """Print what the match has shown."""
    between = _("{first} against {second}: {count} games")
    counted = say(between, first=first, second=second, count=tally.games)
    print(f"{counted}, {score_line(tally)}")
    points = _("points {share:.1%} +- {error:.1%}")
    print(f"{say(points, share=tally.share, error=tally.error)}, {elo_line(tally)}")


@command(
    "jetan games analyse 1",
    "jetan games analyse mine.jgn",
    "jetan games analyse mine.jgn --plot mine.svg --nodes 50000",
    "jetan games analyse match.jgn --number 3 --json",
    name="analyse",
)
def games_analyse(
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
    given = fitted_weights(), time.perf_counter, limits, library, find_endings(os.environ)
    found = verdicts_on(text.game, *given)
    verdicts = list(progress(found, say_in(lang, _("Thinking")), len(text.game.plies)))
    if picture is not None:
        names = [text.tags.get(side, "?") for side in ("Black", "Orange")]
        picture.write(plot(verdicts, " - ".join(names), translation(lang)))
    rules = text.game.start.rules
    if as_json:
        for verdict in verdicts:
            print_json(row_of(verdict, rules, lang))
        return
    _print_score_sheet(verdicts, lang)
    for verdict in verdicts:
        if verdict.mark is not None:
            _print_turning_point(verdict, verdict.mark, rules, lang)
    print(_summary(verdicts, lang))


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


def _print_score_sheet(verdicts: list[PlyVerdict], language: Language) -> None:
    """Print the moves, a row each, with Black's chances after each ply."""
    say = translation(language)
    rows = []
    for number, plies in groupby(verdicts, key=lambda verdict: (verdict.number + 1) // 2):
        columns = {verdict.side: _ply_and_chance(verdict) for verdict in plies}
        black, orange = (columns.get(side, ("", "")) for side in Side)
        rows.append((str(number), *black, *orange))
    headings = (say(_("Move")), say(_("Black")), "", say(_("Orange")), "")
    print_table(headings, rows, say(_("Black's chances, move by move")))


def _ply_and_chance(verdict: PlyVerdict) -> tuple[str, str]:
    mark = f" {verdict.mark}" if verdict.mark else ""
    return f"{verdict.played}{mark}", f"{verdict.chance:.0%}"


def _print_turning_point(
    verdict: PlyVerdict, mark: PlyMark, rules: Rules, language: Language
) -> None:
    """Print what a ply cost, what was better and why, and what it allows."""
    say = translation(language)
    chances = in_words(
        say,
        _("Black's chances {before:.0%} -> {after:.0%}"),
        before=verdict.chance_before,
        after=verdict.chance,
    )
    rows = [(say(_("better")), " ".join(verdict.line))]
    if verdict.reply:
        rows.append((say(_("allows")), " ".join(verdict.reply)))
    rows += [("", words) for words in explained(verdict, rules, language)]
    click.echo(click.style(f"{verdict.numbered} {mark}", bold=True) + f"  {chances}")
    print_rows(rows, "   ")


def _summary(verdicts: list[PlyVerdict], language: Language) -> str:
    """Return how much both sides gave away in the mean."""
    losses = {side: [v.loss for v in verdicts if v.side is side] or [0.0] for side in Side}
    return say_in(
        language,
        _("Given away by each move in the mean: Black {black:.1%}, Orange {orange:.1%}."),
        black=mean(losses[Side.BLACK]),
        orange=mean(losses[Side.ORANGE]),
    )

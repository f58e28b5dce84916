"""`jetan match`: two players against each other, and which is the stronger."""

from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Annotated

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from rules import format_rules
from rules.sentences import _

from ...cli.options import FILE, RulesText, Say, Words, command, option
from ...engine.process import start_engine
from ...engine.protocol import format_go
from ...engine.search import Limits
from ...game.agreements import named_rules
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
            "File for the games; a match that was broken off goes on from those there.", type=FILE
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
    with progress() as bar:
        task = bar.add_task(title, total=games, completed=tally.games)
        for played in play(range(tally.games, games)):
            if file is not None:
                file.add(played)
            tally = tally.after(played)
            bar.update(task, advance=1, description=f"{title} {score_line(tally)}")
    return tally


def progress() -> Progress:
    """Return a bar of games, on standard error."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    return Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True))


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

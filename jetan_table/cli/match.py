"""`jetan match`: two players against each other, and which is the stronger."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from rules.game_text import GameText, format_game

from ..errors import TableError
from ..opponent.match import EnginePlayer, Played, Tally, play_match
from ..opponent.process import start_engine
from ..opponent.search import Limits
from ..rules_named import named_rules
from . import examples


class MatchFileExists(TableError, FileExistsError):
    """A file of games that would be overwritten."""


@click.command(
    epilog=examples(
        "jetan match dwar padwar",
        "jetan match jeddak jed --nodes 5000 --games 100 --rules cazaux",
        "jetan match jeddak 'command:./other-engine --quiet' --movetime 100 --out games.jgn",
    )
)
@click.argument("first")
@click.argument("second")
@click.option("--games", type=click.IntRange(2), default=20, show_default=True)
@click.option("--rules", default="appendix", show_default=True, metavar="RULES")
@click.option("--nodes", type=click.IntRange(1), help="Positions a move, the same on any machine.")
@click.option("--movetime", type=click.IntRange(1), metavar="MS", help="Time a move.")
@click.option("--depth", type=click.IntRange(1), help="Plies a move.")
@click.option("--seed", type=int, default=1, show_default=True, help="Of openings and dice.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="File for the games.")
def match(
    first: str,
    second: str,
    games: int,
    rules: str,
    nodes: int | None,
    movetime: int | None,
    depth: int | None,
    seed: int,
    out: Path | None,
) -> None:
    """Let FIRST and SECOND play in pairs of games, with colours exchanged after each.

    A player is a level (panthan, padwar, dwar, odwar, jed, jeddak), or `command:` and the command
    line of another engine that speaks the protocol. The figures are FIRST's; intervals are of 95 %.
    """
    chosen = named_rules(rules)
    seconds = None if movetime is None else movetime / 1000
    limits = Limits(depth, nodes, seconds)
    if limits == Limits():
        limits = Limits(nodes=2000)
    if out is not None and out.exists():
        raise MatchFileExists(f"{out} is there already; name another file or remove it")
    with (
        closing(start_engine(first, chosen, seed)) as one,
        closing(start_engine(second, chosen, seed + 1)) as two,
        progress() as bar,
    ):
        task = bar.add_task(f"{one.name} - {two.name}", total=games)
        tally = Tally()
        players = EnginePlayer(one, limits), EnginePlayer(two, limits)
        for played in play_match(players, chosen, games, seed):
            tally = tally.after(played)
            bar.update(task, advance=1, description=score_line(tally))
            if out is not None:
                with out.open("a", encoding="utf-8") as file:
                    print(game_text(played, (one.name, two.name), tally.games), file=file)
    report(one.name, two.name, tally)


def progress() -> Progress:
    """Return a bar of games, on standard error."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    return Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True))


def score_line(tally: Tally) -> str:
    """Write wins, draws and losses."""
    return f"+{tally.wins} ={tally.draws} -{tally.losses}"


def report(first: str, second: str, tally: Tally) -> None:
    """Print what the match has shown."""
    low, mid, high = tally.elo
    print(f"{first} against {second}: {tally.games} games, {score_line(tally)}")
    points = f"points {tally.share:.1%} +- {tally.error:.1%}"
    print(f"{points}, Elo {mid:+.0f} ({low:+.0f} .. {high:+.0f})")


def game_text(played: Played, names: tuple[str, str], number: int) -> str:
    """Write a game of the match."""
    black, orange = names if played.black == 0 else names[::-1]
    tags = {"Event": "Match", "Round": str(number), "Black": black, "Orange": orange}
    return format_game(GameText(played.game, tags))

"""What a change to the search or its weights is worth: the table's own player against itself.

`python -m training.opponent.levers` plays it as it is against another one: with other weights
(`--weights FILE`), another search in C (`--search FOLDER`, a changed copy of
`jetan_table/engine/quick`), more or fewer positions a move, a table of another size, or another
opinion of draws. Games are bounded by positions, so they can be repeated to the move, or by the
processor's time (`--seconds`), where two searches that spend it otherwise are to be compared.
"""

from dataclasses import replace
from pathlib import Path

import click

from bench.opponent.in_c import Seat, quick_match
from jetan_table.engine.evaluation import fitted_weights, read_weights
from jetan_table.extras.opponent.commands import result_line
from rules import parse_rules

NODES = 5000


@click.command()
@click.option("--weights", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--search", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--half", type=click.IntRange(2), help="Entries of a half of its table.")
@click.option("--nodes", type=click.IntRange(1), default=NODES, help="A move, both players'.")
@click.option("--others", type=click.IntRange(1), help="The other player's, if not as many.")
@click.option("--seconds", type=float, default=0.0, help="CPU time a move, instead of positions.")
@click.option("--contempt", type=int, help="How much less than nothing a draw is worth to it.")
@click.option(
    "--nets", type=click.Path(path_type=Path), help="Where its nets are; an empty folder for none."
)
@click.option("--rules", default="cazaux")
@click.option("--games", type=click.IntRange(2), default=400)
@click.option("--seed", type=int, default=1)
def main(
    weights: Path | None,
    search: Path | None,
    half: int | None,
    nodes: int,
    others: int | None,
    seconds: float,
    contempt: int | None,
    nets: Path | None,
    rules: str,
    games: int,
    seed: int,
) -> None:
    """Print what the other player gets against the table's."""
    own = Seat(fitted_weights(), nodes, seconds=seconds)
    other = replace(
        own,
        weights=read_weights(weights) if weights else own.weights,
        search=search or own.search,
        half=half or own.half,
        nodes=others or nodes,
        contempt=own.contempt if contempt is None else contempt,
        nets=nets or own.nets,
    )
    print(result_line(quick_match((other, own), parse_rules(rules), games, seed)))


if __name__ == "__main__":
    main()

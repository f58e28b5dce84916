"""`jetan endings`: tables of endings made, listed, held to the rules, and asked who wins."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Final

from rules import (
    SIDES,
    Position,
    _,
    format_move,
    format_rules,
    parse_position,
)

from ...cli.options import (
    EXIT_PROBLEM,
    FILE_TYPE,
    FOLDER_TYPE,
    Json,
    RulesText,
    Say,
    Words,
    command,
    group,
    option,
    print_json,
)
from ...engine.endings import (
    SUFFIX,
    Worth,
    endings_folder,
    find_endings,
    parse_material,
)
from ...engine.library import cache_folder
from ...game.agreements import named_rules
from ...terminal.text import print_table
from .solving import Solver, asked

FOUR: Final = "CQ~-CQ~"
"""Chief and Princess on each side, both escapes left: what leads to it is solved, too."""

WORDS: Final = {1: _("{side} wins in {plies}"), 0: _("a draw"), -1: _("{side} loses in {plies}")}

Work = Annotated[
    Path | None, option("Where it works, and goes on after a break.", type=FOLDER_TYPE)
]


@group("jetan endings make zillions", "jetan endings list")
def endings() -> None:
    """Solve endings with few men, and look up who wins.

    MEN are letters for each side, C Chief, Q Princess, F Flier, D Dwar, A Padwar, W Warrior, T
    Thoat, P Panthan, with ~ where her escape is left: CQT-CQ~.
    """


def _solver(rules: str, work: Path | None) -> Solver:
    chosen, cache = named_rules(rules), cache_folder(os.environ)
    folder = work or cache / "endings" / "work" / format_rules(chosen)
    return Solver(chosen, folder, cache)


@command(
    "jetan endings make zillions",
    "jetan endings make appendix --out appendix.jetan-endings",
    "jetan endings make cazaux CQ-CQ Q-CQ",
    of=endings,
)
def make(
    rules: str,
    men: tuple[str, ...],
    out: Annotated[
        Path | None, option("The file; where endings are looked up, if not said.", type=FILE_TYPE)
    ],
    work: Work,
    say: Words,
) -> None:
    """Solve the endings with MEN by RULES, and those they lead to; then write the file.

    Broken off by Ctrl-C, it goes on where it was. Four men take minutes, five take hours.
    """
    solver = _solver(rules, work)
    groups = solver.in_order([parse_material(text) for text in men or (FOUR,)])
    for each in groups:
        solver.solve(each, time.perf_counter, _telling(say))
    every = [material for each in groups for material in each]
    path = out or endings_folder(os.environ) / f"{format_rules(solver.rules)}{SUFFIX}"
    path.parent.mkdir(parents=True, exist_ok=True)
    solver.pack(every, path)
    size = f"{path.stat().st_size / 1e6:.1f}"
    print(say(_("{path}: {count} tables, {size} MB"), path=path, count=len(every), size=size))


def _telling(say: Say) -> Callable[[str, int, int], None]:
    def tell(name: str, depth: int, settled: int) -> None:
        words = _("{men}: {count} settled in {plies} plies")
        print(say(words, men=name, count=f"{settled:,}", plies=depth), flush=True)

    return tell


@command("jetan endings list", "jetan endings list --json", of=endings, name="list")
def list_tables(as_json: Json, say: Words) -> None:
    """List the tables that are here: what share of all placements is won, lost and drawn."""
    found = find_endings(os.environ)
    rows = []
    for path, head in found.files.items():
        for each in head.tables:
            total = each.won + each.lost + each.drawn
            shares = [100 * count / total for count in (each.won, each.lost, each.drawn)]
            if as_json:
                print_json(
                    {
                        "file": str(path),
                        "rules": each.rules,
                        "men": each.material.text,
                        "placements": total,
                        "won": each.won,
                        "lost": each.lost,
                        "drawn": each.drawn,
                        "longest": each.longest,
                    }
                )
            else:
                row = (f"{total:,}", *(f"{share:.1f} %" for share in shares), f"{each.longest}")
                rows.append([each.material.text, each.rules, *row])
    if as_json:
        return
    if not rows:
        where = endings_folder(os.environ)
        words = _("no tables in {folder}; `jetan endings make zillions` makes some")
        print(say(words, folder=where))
        return
    heads = [_("Men"), _("Rules"), _("Placements"), _("won"), _("lost"), _("drawn"), _("longest")]
    print_table(list(map(say, heads)), rows)


@command(
    "jetan endings show 'q9/10/3c6/10/10/10/10/2C7/10/Q9 b - - 0 1' --rules zillions",
    of=endings,
)
def show(position: str, rules: RulesText, as_json: Json, say: Words) -> None:
    """Say what POSITION and each move in it come to, if nobody errs; the best move first."""
    given = parse_position(position, named_rules(rules))
    worth, answers = asked(find_endings(os.environ), given)
    if as_json:
        print_json(
            {
                "result": worth.result,
                "plies": worth.plies,
                "moves": {
                    format_move(move, given): {"result": each.result, "plies": each.plies}
                    for move, each in answers.items()
                },
            }
        )
        return
    print(in_words(worth, given, say))
    for move, each in answers.items():
        print(f"{format_move(move, given):10} {in_words(each, given, say)}")


def in_words(worth: Worth, position: Position, say: Say) -> str:
    """Return what a position or move comes to for the side to move."""
    return say(WORDS[worth.result], side=SIDES[position.side.word], plies=worth.plies)


@command("jetan endings check zillions CQ-CQ --count 100000", of=endings)
def check(
    rules: str,
    men: tuple[str, ...],
    count: Annotated[int, option("Random positions of each table.", least=1, default=100_000)],
    seed: Annotated[int, option("Of the chance.", default=1)],
    work: Work,
    say: Words,
) -> int:
    """Hold tables that were made here to the rules: each position to all its moves. Exit code 1."""
    solver = _solver(rules, work)
    wrong = 0
    for each in solver.in_order([parse_material(text) for text in men or (FOUR,)]):
        for material in each:
            differ = solver.check(material, count, seed)
            words = _("{men}: {differ} of {count} positions differ from the rules")
            print(say(words, men=material.text, differ=differ, count=f"{count:,}"), flush=True)
            wrong += differ
    return EXIT_PROBLEM if wrong else 0

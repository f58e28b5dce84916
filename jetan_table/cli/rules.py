"""`jetan rules`, `moves`, `explain`, `perft` and `engine`: what may be played, and why."""

import os
import select
import sys
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated

from rules import (
    DEFAULT_PRESET,
    JUGGERNAUT_LETTER,
    OPTIONS,
    PRESETS,
    SIDES,
    Explanation,
    Position,
    Rules,
    Sentence,
    _,
    divide,
    format_move,
    format_rules,
    format_square,
    parse_position,
    parse_square,
    preset_rules,
)
from rules import explain as explain_pair
from rules import perft as count_paths

from ..game.agreements import named_rules
from ..languages import translation
from ..terminal.text import print_table
from .options import Lang, OneJson, RulesText, Say, Words, argument, command, option, print_json

if TYPE_CHECKING:
    from ..engine.protocol import Lines

RULES_ARE, SOURCE_IS, MEANING = _("rules"), _("source"), _("Meaning")


@command(
    "jetan rules",
    "jetan rules cazaux",
    "jetan rules appendix friedlander",
    "jetan rules mine.toml abstract-games,thoat=walks --json",
    "jetan rules export zillions cazaux > jetan.zrf",
)
def rules(
    one: Annotated[str | None, argument(metavar="[NAME")],
    other: Annotated[str | None, argument(metavar="[NAME]]")],
    as_json: Annotated[bool, option("Print JSON; of the list, one line a preset.", "--json")],
    say: Words,
) -> None:
    """List the presets, show the rules NAME with every option, or compare two.

    NAME is a preset, a rules text such as appendix,thoat=jumps, or a TOML file.
    """
    if one is None:
        list_presets(as_json, say)
    elif other is None:
        show(named_rules(one), as_json, say)
    else:
        compare(named_rules(one), named_rules(other), as_json, say)


def list_presets(as_json: bool, say: Say) -> None:
    """Print every preset with its source; as JSON also what it changes in the Appendix."""
    if as_json:
        for name, preset in PRESETS.items():
            print_json(
                {"name": name, "source": str(preset.source), "differs": dict(preset.differs)}
            )
        return
    rows = [(name, say(preset.source)) for name, preset in PRESETS.items()]
    print_table([say(_("Preset")), say(_("Source"))], rows)


def show(chosen: Rules, as_json: bool, say: Say) -> None:
    """Print one set of rules with every option."""
    source = PRESETS[chosen.base].source
    if as_json:
        options = dict(zip(OPTIONS, chosen.values, strict=True))
        print_json({"rules": format_rules(chosen), "source": str(source), "options": options})
        return
    differs = chosen.differences(preset_rules(DEFAULT_PRESET))
    print(f"{say(RULES_ARE):8} {format_rules(chosen)}")
    print(f"{say(SOURCE_IS):8} {say(source)}")
    changes = ", ".join(f"{name}={value}" for name, value in differs.items())
    differing = changes or _("in nothing")
    print(say(_("differs  {changes} (from the Appendix)"), changes=differing))
    answered = zip(OPTIONS.values(), chosen.values, strict=True)
    rows = [(asked.name, value, say(asked.meaning)) for asked, value in answered]
    print_table([say(_("Option")), say(_("Value")), say(MEANING)], rows)


def compare(one: Rules, other: Rules, as_json: bool, say: Say) -> None:
    """Print the options that two sets of rules answer differently."""
    names = [format_rules(one), format_rules(other)]
    answers = {option: [value, other[option]] for option, value in one.differences(other).items()}
    if as_json:
        print_json({"rules": names, "differences": answers})
    elif not answers:
        alike = _("{one} and {other} play alike.")
        print(say(alike, one=names[0], other=names[1]))
    else:
        rows = [(name, *values, say(OPTIONS[name].meaning)) for name, values in answers.items()]
        print_table([say(_("Option")), *names, say(MEANING)], rows)


@command(
    "jetan explain d2 d3",
    "jetan explain e1 e4 --lang de",
    "jetan explain e1 e4 '4qc4/10/10/10/10/10/10/3PPP4/10/4CQ4 b BO - 0 1' --json",
)
def explain(
    start: Annotated[str, argument(metavar="FROM")],
    end: Annotated[str, argument(metavar="TO")],
    position: str | None,
    rules: RulesText,
    lang: Lang,
    as_json: OneJson,
) -> None:
    """Say why the piece on FROM may go to TO in POSITION (the start, unless told), or why not."""
    chosen = named_rules(rules)
    given = Position.start(chosen) if position is None else parse_position(position, chosen)
    answer = explain_pair(given, parse_square(start), parse_square(end))
    text = answer.said(translation(lang))
    if as_json:
        print_json(_as_object(answer, given, text))
    else:
        print(text)


def _as_object(answer: Explanation, position: Position, text: str) -> dict[str, object]:
    """Return an explanation as programs read it.

    `kind` is move, capture or escape, None where the move is not legal. `named` are the pieces the
    reason is about, by square (`*`: the Juggernaut, None: nobody stands there).
    """
    named = {format_square(square): piece and piece.letter for square, piece in answer.named}
    if position.juggernaut is not None and (name := format_square(position.juggernaut)) in named:
        named[name] = JUGGERNAUT_LETTER
    return {
        "from": format_square(answer.start),
        "to": format_square(answer.end),
        "legal": answer.is_legal,
        "kind": None if answer.move is None else answer.move.kind.value,
        "reason": answer.reason.value,
        "and_escape": None if answer.and_escape is None else answer.and_escape.value,
        "path": list(map(format_square, answer.path)),
        "named": named,
        "text": text,
    }


@command("jetan perft 3", "jetan perft 2 --rules abstract-games --divide", "jetan perft 3 --json")
def perft(
    depth: Annotated[int, argument(least=0)],
    position: str | None,
    rules: RulesText,
    is_divided: Annotated[bool, option("Count apart for every first move.", "--divide")],
    as_json: OneJson,
) -> None:
    """Count the paths of DEPTH plies from POSITION, or from the start.

    Plies alone count: a Juggernaut stands still. A game that ends earlier counts 0.
    """
    chosen = named_rules(rules)
    start = parse_position(position, chosen) if position else Position.start(chosen)
    result: dict[str, object] = {"depth": depth}
    if is_divided and depth:
        counts = {format_move(move, start): nodes for move, nodes in divide(start, depth).items()}
        result |= {"nodes": sum(counts.values()), "divide": counts}
    else:
        counts = {}
        result["nodes"] = count_paths(start, depth)
    if as_json:
        print_json(result)
        return
    for move, nodes in counts.items():
        print(f"{move:12} {nodes}")
    print(result["nodes"])


@command(
    "jetan engine",
    "printf 'position start\\ngo movetime 500\\n' | jetan engine",
    "printf 'setoption name Level value dwar\\nposition start moves b2b3\\ngo depth 3\\n' "
    "| jetan engine",
)
def engine() -> None:
    """Play by a line protocol after UCI's manner (docs/api/engine.md), until `quit`.

    The lines: jetan, isready, newgame, setoption name NAME value VALUE, position TEXT|start
    [moves ...], go depth|nodes|movetime N|infinite|ponder, stop, ponderhit, quit.
    """
    serve_engine(lambda lines, say: (lines, say))


def serve_engine(
    dialect: "Callable[[Lines, Callable[[str], None]], tuple[Lines, Callable[[str], None]]]",
) -> None:
    """Serve the engine on standard input and output, its lines put through a dialect both ways."""
    from ..engine.endings import find_endings
    from ..engine.library import QuickSearch
    from ..engine.protocol import LineBuffer
    from ..engine.server import EngineServer

    def print_line(line: str) -> None:
        print(line, flush=True)

    broken = select.poll()
    broken.register(sys.stdout, 0)  # a reader that is gone is an error, which needs no asking for
    lines, say = dialect(LineBuffer(sys.stdin.fileno()), print_line)
    quick, endings = QuickSearch(os.environ), find_endings(os.environ)
    EngineServer(lines, say, time.perf_counter, quick, lambda: not broken.poll(0), endings).serve()


@command(
    "jetan moves",
    "jetan moves --rules cazaux --json",
    "jetan moves '5c4/10/10/10/10/10/10/10/10/5QC3 b BO - 0 1'",
    "jetan moves --json - < positions.txt",
)
def moves(
    position: str | None,
    rules: RulesText,
    as_json: Annotated[bool, option("One line a position, a list of moves.", "--json")],
    say: Words,
) -> None:
    """Print the legal moves of POSITION; `-` reads positions from standard input, one a line."""
    for given in _positions(position, named_rules(rules)):
        if as_json:
            print_json(_as_objects(given))
            sys.stdout.flush()  # who asks by a pipe waits for it
        else:
            print("\n".join(_by_piece(given, say)))


def _positions(text: str | None, rules: Rules) -> Iterator[Position]:
    if text is None:
        yield Position.start(rules)
    elif text != "-":
        yield parse_position(text, rules)
    else:
        for line in sys.stdin:
            if line.strip():
                yield parse_position(line, rules)


def _as_objects(position: Position) -> list[dict[str, str]]:
    """Return the moves as programs read them; `kind` is move, capture or escape."""
    return [
        {"from": format_square(start), "to": format_square(end), "kind": kind.value}
        for start, end, kind in position.moves()
    ]


def _by_piece(position: Position, say: Say) -> list[str]:
    """Return one line for each piece that may move, and what the position says besides."""
    ends_of: dict[str, list[str]] = {}
    for move in position.moves():
        text = format_move(move, position)
        start = format_square(move.from_square)
        ends_of.setdefault(f"{text[0]}{start}", []).append(text[1 + len(start) :])
    outcome = position.outcome
    if outcome is not None:
        how = _("draw: {why}") if outcome.winner is None else _("{side} has won: {why}")
        winner = SIDES[outcome.winner.word] if outcome.winner else None
        return [say(how, side=winner, why=Sentence(outcome.termination.value))]
    count = sum(map(len, ends_of.values()))
    lines = [f"{piece:5} {' '.join(ends)}" for piece, ends in ends_of.items()]
    side = SIDES[position.side.word]
    return [*lines, say(_("{count} moves, {side} to move"), count=count, side=side)]

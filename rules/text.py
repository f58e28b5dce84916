"""Games as text (`.jgn`), both ways: tag pairs and movetext after PGN, with commands of this game.

Comment commands follow the ply they belong to: `[%die 7]`, `[%die 10,3,7]`, `[%die 7 hand]`;
`[%duel 7,4]`, `[%duel 7,4 hand]`, or `[%duel won]` and `[%duel lost]` (by the piece that entered)
where the players told; `[%emt 0:01:07]`, `[%clk 0:12:30]`; `[%fix ...]` for a correction by people.
Other lines stand in parentheses after the ply they replace, as PGN has variations.

A text is only read when every ply of it is legal and it ends as it says; the error names the first
line that goes wrong. Comments and their commands are kept; NAGs and move numbers are read over, and
so are variations, unless all lines are asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import wrap

from .board import Move, Outcome, Side, Termination
from .game import TELEPORT, Duel, Game, PlayedPly, Roll, Throw, fight
from .options import DEFAULT_PRESET, format_rules, parse_rules
from .plain import NamedTuple, whole_number
from .position import Position, format_move, format_position, parse_position
from .sentences import BadGame, BadText, IllegalMove, RulesError, Sentence, _
from .words import parse_move

ROSTER = ("Event", "Site", "Date", "Round", "Black", "Orange", "Result", "Rules", "Termination")
"""The tags every game text has, in this order."""

UNFINISHED = "*"
WON, LOST = "won", "lost"
"""Results of a duel that the players fought themselves, for the piece that entered."""

_UNTERMINATED = "unterminated"
_WIDTH = 80


@dataclass(frozen=True, slots=True)
class Note:
    """The notes on a ply in a game text; times are `h:mm:ss` as written."""

    comment: str = ""
    elapsed: str = ""
    """The time the ply took: `[%emt ...]`."""
    clock: str = ""
    """The time then left on its side's clock: `[%clk ...]`."""
    fixes: tuple[str, ...] = ()
    """Corrections by people: a `[%fix ...]` each."""


@dataclass(frozen=True, slots=True)
class GameText:
    """A game with the tags, notes and other lines of its text."""

    game: Game
    tags: Mapping[str, str] = field(default_factory=dict)
    """Result, Rules, Termination, SetUp and Position are written from the game, whatever is said
    here. Other tags, such as DieCommit and DieSeed, are kept as they are."""
    preface: str = ""
    notes: Mapping[int, Note] = field(default_factory=dict)
    """By the index of their ply, from 0."""
    others: tuple[Game, ...] = ()
    """Other lines from the same start, each as a whole game; none is the beginning of another."""


def format_game(text: GameText) -> str:
    """Write a game; parse_game reads the same one back."""
    tags = [f'[{name} "{_quoted(value)}"]' for name, value in _tags(text).items()]
    words = " ".join(_movetext(text))
    lines = wrap(words, _WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*tags, "", *lines, ""])


def result_word(outcome: Outcome | None) -> str:
    """Return `black`, `orange`, `draw`, or `*` for a game that goes on."""
    if outcome is None:
        return UNFINISHED
    return "draw" if outcome.winner is None else outcome.winner.word


def _tags(text: GameText) -> dict[str, str]:
    game, outcome = text.game, text.game.outcome
    rules = game.start.rules
    tags = {"Date": "????.??.??"} | dict(text.tags)
    tags["Result"] = result_word(outcome)
    tags["Rules"] = format_rules(rules)
    tags["Termination"] = _UNTERMINATED if outcome is None else outcome.termination.value
    for name in ("SetUp", "Position"):
        tags.pop(name, None)
    if game.start != Position.start(rules):
        tags["SetUp"] = "1"
        tags["Position"] = format_position(game.start)
    return {name: tags.pop(name, "?") for name in ROSTER} | tags


def _quoted(value: str) -> str:
    line = " ".join(value.split())
    return line.replace("\\", "\\\\").replace('"', '\\"')


def _movetext(text: GameText) -> Iterator[str]:
    if text.preface:
        yield _braced(text.preface)
    yield from _line(text.game, text.others, text.notes, 0)
    yield result_word(text.game.outcome)


def _line(
    game: Game, others: Sequence[Game], notes: Mapping[int, Note], since: int
) -> Iterator[str]:
    """Yield a game's plies from one on, each with the others that leave it there."""
    is_broken = True
    for index, ply in enumerate(game.plies[since:], since):
        position = game.positions[index]
        if position.side is Side.BLACK:
            yield f"{position.move_number}."
        elif is_broken:
            yield f"{position.move_number}..."
        yield format_move(ply.move, position)
        comment = " ".join(_commands(ply, notes.get(index, Note())))
        if comment:
            yield _braced(comment)
        leaving = dict[PlayedPly, list[Game]]()
        for line in others:
            if line.plies[:index] == game.plies[:index] and ply not in line.plies[index:][:1]:
                leaving.setdefault(line.plies[index], []).append(line)
        for first, *rest in leaving.values():
            yield f"({' '.join(_line(first, rest, {}, index))})"
        is_broken = bool(leaving)


def _commands(ply: PlayedPly, note: Note) -> Iterator[str]:
    if ply.duel is not None:
        fought = [format_throw(throw) for throw in ply.duel.throws]
        for how in fought or [WON if ply.duel.attacker_won else LOST]:
            yield f"[%duel {how}]"
    yield from (f"[%die {format_roll(roll)}]" for roll in ply.rolls)
    if note.elapsed:
        yield f"[%emt {note.elapsed}]"
    if note.clock:
        yield f"[%clk {note.clock}]"
    yield from map(format_fix, note.fixes)
    if note.comment:
        yield note.comment


def format_fix(what: str) -> str:
    """Write the `[%fix ...]` command of a correction made by people."""
    return f"[%fix {what.replace(']', ')')}]"


def _braced(comment: str) -> str:
    inside = " ".join(comment.split()).replace("{", "(").replace("}", ")")
    return f"{{{inside}}}"


def format_roll(roll: Roll) -> str:
    """Write a roll as in a `[%die ...]` command."""
    faces = f"{roll.face},{roll.file},{roll.rank}" if roll.face == TELEPORT else str(roll.face)
    return f"{faces} hand" if roll.by_hand else faces


def parse_roll(text: str) -> Roll:
    """Read `7`, `10,3,7` or `7 hand`; a die may show 10 as 0. BadText or BadValue where not."""
    match _thrown(text):
        case [[int(face)], by_hand]:
            return Roll(face, by_hand=by_hand).checked()
        case [[int(face), int(file), int(rank)], by_hand]:
            return Roll(face, file, rank, by_hand).checked()
    raise BadText(_("die {text!r}: write 7, 10,3,7 or 7 hand"), text=text)


def format_throw(throw: Throw) -> str:
    """Write a throw as in a `[%duel ...]` command."""
    faces = f"{throw.attack},{throw.defence}"
    return f"{faces} hand" if throw.by_hand else faces


def parse_throw(text: str) -> Throw:
    """Read `7,4` or `7,4 hand`; a die may show 10 as 0. BadText or BadValue where not."""
    match _thrown(text):
        case [[int(attack), int(defence)], by_hand]:
            return Throw(attack, defence, by_hand).checked()
    raise BadText(_("duel {text!r}: write 7,4 or 7,4 hand, won or lost"), text=text)


def _thrown(text: str) -> tuple[list[int | None], bool] | None:
    """Return the faces of `7,4` or `7,4 hand`, None for what is no number, and whether by hand."""
    numbers, _space, by_hand = text.strip().partition(" ")
    if by_hand.strip() not in ("", "hand"):
        return None
    faces = [TELEPORT if face == 0 else face for face in map(whole_number, numbers.split(","))]
    return faces, bool(by_hand)


# The possessive `++` and `*+` never give back what they have taken: without them a text of many
# backslashes is tried in every way to split it, which takes for ever.
_TOKEN = re.compile(
    r"""
      \[\s*(?P<tag>\w+)\s+"(?P<value>(?:[^"\\]++|\\.)*+)"\s*\]
    | \{(?P<comment>[^}]*)\}
    | (?P<line_comment>;[^\n]*|^%[^\n]*)
    | (?P<nag>\$\d+)
    | (?P<bracket>[()])
    | (?P<number>\d+\.+)
    | (?P<word>[^\s(){}\[\];$]+)
    | (?P<wrong>\S)
    """,
    re.VERBOSE | re.MULTILINE,
)
_COMMAND = re.compile(r"\[%(die|duel|emt|clk|fix)\s++([^\[\]]*+)\]")
_PLAYED = ("die", "duel")
"""The commands that belong to the play; the others are notes on it."""
_MARKS = "!?+#="

_ENDS = ("Result", "Termination")
"""The tags about the end of the main line, which are none of a variation's."""

MOST_LETTERS = 100_000
"""Longer tags, comments and words are refused."""

MOST_DEPTH = 100
"""Deeper variations within variations are refused."""

MOST_TOKENS = 200_000
"""A game of more tags, comments and plies is refused."""

_RESULTS = {result_word(outcome) for outcome in (None, Outcome(None, Termination.AGREED))} | {
    side.word for side in Side
}


class _Token(NamedTuple):
    sort: str
    text: str
    line: int
    value: str = ""


@dataclass(slots=True)
class _PlyText:
    """One ply as it is written, before anything has been played."""

    text: str
    line: int
    comments: list[str] = field(default_factory=list)


class KnownGame(NamedTuple):
    """A game read before: a longer text of it is played from there on, not from its start."""

    game: Game
    """The game without the end that its text gives it."""
    keys: tuple[tuple[str, ...], ...]
    """Each ply as it was written, with its duel and its rolls."""


def parse_on(text: str, known: KnownGame | None = None) -> tuple[GameText, KnownGame]:
    """Read the one game of a text; plies that are `known` are not played again.

    Returns the game, and what is known for the next text. BadGame as parse_game.
    """
    games = list(_games(text))
    if len(games) != 1:
        raise BadGame(BadText(_("holds {count} games, must hold one"), count=len(games)), line=1)
    return _read(games[0], known)


def parse_game(text: str) -> GameText:
    """Read the one game of a text; BadGame where it goes wrong or there is not exactly one."""
    games = parse_games(text)
    if len(games) != 1:
        raise BadGame(BadText(_("holds {count} games, must hold one"), count=len(games)), line=1)
    return games[0]


def parse_games(text: str) -> tuple[GameText, ...]:
    """Read every game of a text, in order; BadGame says where the first one goes wrong."""
    return tuple(_read(tokens)[0] for tokens in _games(text))


def parse_lines(text: str) -> tuple[Game, ...]:
    """Read the one game of a text, and after it every variation as a game of its own.

    BadGame as parse_game; a variation that breaks a rule is no less wrong.
    """
    games = list(_games(text))
    if len(games) != 1:
        raise BadGame(BadText(_("holds {count} games, must hold one"), count=len(games)), line=1)
    main = _read(games[0])[0].game
    tags = [token for token in games[0] if token.sort == "tag" and token.text not in _ENDS]
    return (main, *(_read([*tags, *line])[0].game for line in _variations(games[0])))


def _variations(tokens: Iterable[_Token]) -> Iterator[list[_Token]]:
    """Yield each variation's words and comments from the game's first on, the outer ones first."""
    line = list[_Token]()
    left: list[tuple[list[_Token], int]] = []
    found: list[list[_Token]] = []
    for token in tokens:
        if token.text == "(" and token.sort == "bracket":
            left.append((line, len(found)))
            words = [index for index, each in enumerate(line) if each.sort == "word"]
            line = line[: words[-1]] if words else []
        elif token.sort == "bracket":
            outer, place = left.pop()
            found.insert(place, line)
            line = outer
        elif token.sort != "tag" and not (token.sort == "word" and token.text in _RESULTS):
            line.append(token)
    yield from found


def _main_line(tokens: Iterable[_Token]) -> Iterator[_Token]:
    """Yield the tokens outside of parentheses."""
    depth = 0
    for token in tokens:
        if token.sort == "bracket":
            depth += 1 if token.text == "(" else -1
        elif depth == 0:
            yield token


def _games(text: str) -> Iterator[list[_Token]]:
    """Cut a text into the tokens of its games: a tag after movetext begins another.

    Comments alone are no game.
    """
    tokens: list[_Token] = []
    has_begun = False
    for token in _tokens(text):
        if token.sort == "tag" and has_begun and tokens[-1].sort != "tag":
            yield tokens
            tokens, has_begun = [], False
        has_begun |= token.sort != "comment"
        tokens.append(token)
        if len(tokens) > MOST_TOKENS:
            raise BadGame(
                BadText(_("a game of more than {most} words"), most=MOST_TOKENS), token.line
            )
    if has_begun:
        yield tokens


def _tokens(text: str) -> Iterator[_Token]:
    """Yield tags, comments, words, and what stands in parentheses, without NAGs and numbers."""
    depth = 0
    line, counted_to = 1, 0
    for match in _TOKEN.finditer(text):
        line += text.count("\n", counted_to, match.start())
        counted_to = match.start()
        sort = match.lastgroup or ""
        if match.end() - match.start() > MOST_LETTERS:
            raise BadGame(BadText(_("{count} letters in one piece"), count=len(match[0])), line)
        if sort == "wrong":
            raise BadGame(BadText(_("{text!r} is out of place"), text=match[0]), line)
        if sort == "bracket":
            depth += 1 if match[0] == "(" else -1
            if depth < 0:
                raise BadGame(BadText(_("')' closes no variation")), line)
            if depth > MOST_DEPTH:
                raise BadGame(BadText(_("variations deeper than {most}"), most=MOST_DEPTH), line)
            yield _Token(sort, match[0], line)
        elif depth == 0 and sort == "value":
            yield _Token("tag", match["tag"], line, re.sub(r"\\(.)", r"\1", match["value"]))
        elif sort in ("comment", "word"):
            yield _Token(sort, match[sort], line)
    if depth:
        raise BadGame(BadText(_("a variation is not closed")), line)


def _read(tokens: list[_Token], known: KnownGame | None = None) -> tuple[GameText, KnownGame]:
    first_line, last_line = tokens[0].line, tokens[-1].line
    tokens = list(_main_line(tokens))
    tags = {token.text: token.value for token in tokens if token.sort == "tag"}
    preface: list[str] = []
    plies: list[_PlyText] = []
    result = None
    for token in tokens:
        if token.sort == "comment":
            comment = " ".join(token.text.split())  # lines are wrapped anywhere
            (plies[-1].comments if plies else preface).append(comment)
        elif token.sort == "word" and result is not None:
            after = {"text": token.text, "result": result}
            raise BadGame(
                BadText(_("{text!r} stands after the result {result}"), **after), token.line
            )
        elif token.sort == "word" and token.text in _RESULTS:
            result = token.text
        elif token.sort == "word":
            plies.append(_PlyText(token.text.rstrip(_MARKS), token.line))
    try:
        start = _start(tags)
    except RulesError as error:
        raise BadGame(error, first_line) from error
    keys = tuple(map(_key, plies))
    game = _shared(known, start, keys)
    for index, ply in enumerate(plies[len(game.plies) :], len(game.plies)):
        game = _play(game, ply, index + 1)
    known = KnownGame(game, keys)
    notes = {index: note for index, ply in enumerate(plies) if (note := _note(ply)) != Note()}
    game = _end(game, tags.get("Result", result), tags.get("Termination"), last_line)
    if result is not None and result != result_word(game.outcome):
        tag = tags["Result"]
        why = BadText(
            _("ends with {result}, but its Result tag says {tag}"), result=result, tag=tag
        )
        raise BadGame(why, last_line)
    return GameText(game, tags, " ".join(preface), notes), known


def _key(ply: _PlyText) -> tuple[str, ...]:
    """Return the parts of a ply's text that belong to the play."""
    commands = (found for text in ply.comments for found in _COMMAND.findall(text))
    return (ply.text, *(f"{name} {value}" for name, value in commands if name in _PLAYED))


def _shared(known: KnownGame | None, start: Position, keys: tuple[tuple[str, ...], ...]) -> Game:
    """Return the longest beginning that a known game has in common with these plies."""
    # The text of a game in play comes again after every ply. To play all of it each time would cost
    # the square of its length.
    if known is None or known.game.start != start:
        return Game.begin(start)
    pairs = enumerate(zip(keys, known.keys, strict=False))
    shared = next((i for i, (new, old) in pairs if new != old), min(len(keys), len(known.keys)))
    if shared == len(known.keys):
        return known.game
    return Game(known.game.positions[: shared + 1], known.game.plies[:shared])


def _start(tags: dict[str, str]) -> Position:
    rules = parse_rules(tags.get("Rules", DEFAULT_PRESET))
    if "Position" in tags:
        return parse_position(tags["Position"], rules)
    return Position.start(rules)


def _play(game: Game, ply: _PlyText, number: int) -> Game:
    """Play one ply as it is written, with its duel and its rolls."""
    if game.awaits_roll:
        missing = IllegalMove(_("the Juggernaut's die was not thrown after the move before"))
        raise BadGame(missing, ply.line, number, ply.text)
    # The order counts: a duel is part of the move, and rolls follow it.
    commands = [command for text in ply.comments for command in _COMMAND.findall(text)]
    try:
        move = parse_move(ply.text, game.position)
        duel = _duel(game.position, move, [value for name, value in commands if name == "duel"])
        game = game.play(move, duel)
        for name, value in commands:
            if name == "die":
                game = game.roll(parse_roll(value))
    except RulesError as error:
        why = error.values.get("why")  # of a move's text, which is told with the ply
        reason = why if isinstance(why, RulesError) else error
        raise BadGame(reason, ply.line, number, ply.text) from error
    return game


def _note(ply: _PlyText) -> Note:
    """Return the notes in a ply's comments."""
    commands = [command for text in ply.comments for command in _COMMAND.findall(text)]
    comment = _joined([_COMMAND.sub("", text) for text in ply.comments])
    last = dict(commands)
    fixes = tuple(value for name, value in commands if name == "fix")
    return Note(comment, last.get("emt", ""), last.get("clk", ""), fixes)


def _duel(position: Position, move: Move, commands: list[str]) -> Duel | None:
    """Return the duel of a ply's `[%duel ...]` commands; None without any."""
    if not commands:
        return None
    if len(commands) == 1 and commands[0] in (WON, LOST):
        return Duel(commands[0] == WON)
    duel = fight(position, move, map(parse_throw, commands))
    if duel is None:
        raise BadText(_("the duel's throws are equal: one more must decide"))
    return duel


def _end(game: Game, result: str | None, why: str | None, line: int) -> Game:
    """Return the game with the end that its result says, if play alone has not ended it.

    A win is then by the other's resignation, or by the clock where `why` says so.
    """
    outcome = game.outcome
    if result is None or result == "?":
        return game
    if outcome is not None:
        if result != result_word(outcome):
            false = BadText(
                _("the result is told as {result}, but the game ended: {ended} ({why})"),
                result=result,
                ended=result_word(outcome),
                why=Sentence(outcome.termination.value),
            )
            raise BadGame(false, line)
        return game
    if result == UNFINISHED:
        return game
    if result == "draw":
        return game.agree()
    for side in Side:
        if side.word == result:
            is_flag = why == Termination.TIME.value
            return game.lose_on_time(side.other) if is_flag else game.resign(side.other)
    raise BadGame(
        BadText(_("Result {text!r}: must be black, orange, draw or *"), text=result), line
    )


def _joined(comments: list[str]) -> str:
    return " ".join(" ".join(comments).split())

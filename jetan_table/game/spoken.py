"""Commands as they are typed: a word, and what follows it."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, get_args, get_type_hints

import msgspec

from rules import parse_square
from rules.sentences import _, near_miss

from .commands import (
    MOST_ADDED,
    AnyCommand,
    AsArbiter,
    Command,
    CommandRefused,
    PlayersCommand,
    SquareName,
)


def word_of(command: type[Command]) -> str:
    """Return the word by which a command is typed."""
    return command.word or str(command.__struct_config__.tag)


COMMANDS: Final[Mapping[str, type[AnyCommand]]] = {
    word_of(command): command for command in (*get_args(PlayersCommand), AsArbiter)
}
"""Every command by the word that is typed, in the order of the help."""


def command_of(words: Sequence[str]) -> AnyCommand:
    """Return the command that is typed; the first of `words` is one of COMMANDS.

    Each word that follows fills a place of it; where it has one place alone, all of them do.
    CommandRefused, or a RulesError about a square, where they are not what it takes.
    """
    kind, after = COMMANDS[words[0]], list(words[1:])
    if kind is AsArbiter:
        return _by_arbiter(after)
    places = msgspec.structs.fields(kind)[: kind.typed_places]
    given = [" ".join(after)] if len(places) == 1 and after else after
    types = get_type_hints(kind, include_extras=True)
    if len(given) > len(places):
        raise _refused(kind, after)
    for place, text in zip(places, given, strict=False):
        if types[place.name] == SquareName:
            parse_square(text)
    values = {place.name: text for place, text in zip(places, given, strict=False)}
    try:
        return msgspec.convert(values, kind, strict=False)
    except msgspec.ValidationError:
        raise _refused(kind, after, _choices(types[places[0].name])) from None


def _by_arbiter(after: Sequence[str]) -> AsArbiter:
    """Return what follows the PIN, as the arbiter says it."""
    if len(after) < 2 or after[1] not in COMMANDS or after[1] == word_of(AsArbiter):
        raise CommandRefused(_("say the arbiter's PIN and what to do, such as arbiter 123456 back"))
    command = command_of(after[1:])
    assert not isinstance(command, AsArbiter)
    return AsArbiter(after[0], command)


def _choices(place: Any) -> list[str]:
    """Return the words of which a place takes one; none where it takes others."""
    inner = [choice for part in get_args(place) for choice in (part, *get_args(part))]
    return [choice for choice in inner if isinstance(choice, str)]


def _refused(
    kind: type[Command], after: Sequence[str], choices: Sequence[str] = ()
) -> CommandRefused:
    """Return why what is typed after a word is not what it takes."""
    if kind.mend is None:
        return CommandRefused(
            _("say it as in: {example}"), example=f"{word_of(kind)} {kind.usage}".strip()
        )
    word = " ".join(after)
    return CommandRefused(
        kind.mend,
        word=word,
        names=", ".join(choices),
        near=near_miss(word, choices),
        most=MOST_ADDED,
    )

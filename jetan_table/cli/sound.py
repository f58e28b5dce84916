"""The table's voice on the command line: `--speak`, and the voice itself while a table is on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import wraps
from typing import Any

import click
from msgspec.structs import replace

from ..settings import Settings
from ..words.announcer import Announcer
from ..words.speech import Voice, can_speak
from ..words.words import Speaker


def sound_options(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command `--speak`, and tell it what makes settings of settings."""

    @click.option(
        "--speak/--no-speak",
        default=None,
        help="Say plies, questions and warnings aloud, by espeak-ng.",
    )
    @wraps(command)
    def with_sound(speak: bool | None, **others: Any) -> int:
        def sound(settings: Settings) -> Settings:
            if speak is None:
                return settings
            return replace(settings, sound=replace(settings.sound, speak=speak))

        return command(sound=sound, **others)

    return with_sound


@contextmanager
def announced(settings: Settings, speaker: Speaker) -> Iterator[Announcer | None]:
    """Give who says aloud what is new at a table; None where nobody is wanted, or can."""
    if not settings.sound.speak or not can_speak():
        yield None
        return
    with closing(Voice(settings.table.language)) as voice:
        yield Announcer(voice, speaker)

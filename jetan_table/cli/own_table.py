"""The options of commands that use the table for something else than `jetan play` does."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rules.sentences import Sentence

from ..languages import Language, say_in
from ..settings import Settings, data_folder
from .options import CONFIG, DATA, LANGUAGE
from .play_options import EMULATED, chosen_settings

if TYPE_CHECKING:
    from ..journal.saved_games import Start
    from .at_table import PlayOptions


@dataclass(frozen=True, slots=True)
class OwnTable:
    """The table that a command was told to use."""

    settings: Settings
    folder: Path
    """Where games are kept."""
    is_plain: bool
    is_emulated: bool
    has_board: bool
    """Whether a board was named on the command line."""

    @property
    def language(self) -> Language:
        return self.settings.table.language

    def options(self, rules: str | None = None, **asked: Any) -> PlayOptions:
        """Return how it is played at, by rules or those of the settings; `asked` as named there."""
        from ..table.loop import WallClock  # a table: only once its help is not all
        from ..words.words import Speaker
        from .at_table import PlayOptions

        return PlayOptions(
            settings=self.settings,
            rules=rules or self.settings.table.rules,
            speaker=Speaker(self.language, self.settings.reed.switch_of()),
            clock=WallClock(),
            seed=1,
            is_plain=self.is_plain,
            is_emulated=self.is_emulated,
            **asked,
        )

    def play(self, options: PlayOptions, folder: Path, start: Start | None, how: Sentence) -> int:
        """Say how it is done, and play at the table with the games of a folder."""
        from .at_table import play_there

        print(say_in(self.language, how), flush=True)
        return play_there(options, folder, start)


def table_options(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command the options of a table, and hand it what they say as `table`."""

    @click.option("--plain", is_flag=True, help="Plain lines, as where there is no terminal.")
    @click.option(
        "--board", metavar="BOARD", help="As `jetan play` has it; without: as settings say."
    )
    @DATA
    @CONFIG
    @LANGUAGE
    @wraps(command)
    def with_table(
        plain: bool,
        board: str | None,
        data: Path | None,
        config: Path | None,
        lang: Language | None,
        **others: Any,
    ) -> int:
        is_plain = plain or not (sys.stdin.isatty() and sys.stdout.isatty())
        settings = chosen_settings(config, lang, None, board, None)
        folder = data_folder(data, os.environ)
        table = OwnTable(settings, folder, is_plain, board == EMULATED, board is not None)
        return command(table=table, **others)

    return with_table

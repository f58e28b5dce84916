"""The table that a command is told to use, for something else than `jetan play` does."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from rules.sentences import Sentence

from ..languages import say_in
from ..settings import Settings
from .options import Config, Data, Lang, Plain, option
from .play_options import PlayOptions, chosen_settings, is_piped

if TYPE_CHECKING:
    from ..journal.game_files import Start


@dataclass(frozen=True)
class OwnTable:
    """Which one it is, and how it is shown."""

    plain: Plain
    board: Annotated[
        str | None, option("As for `jetan play`; by default as the settings say.", metavar="BOARD")
    ]
    data: Data
    config: Config
    lang: Lang

    @cached_property
    def settings(self) -> Settings:
        return chosen_settings(self.config, self.lang, None, self.board, None)

    def play(self, folder: Path, start: Start | None, how: Sentence, **asked: Any) -> int:
        """Say how it is done, and play with the games of a folder, as `PlayOptions` are `asked`."""
        from ..table.loop import WallClock  # a table: only once its help is not all
        from .at_table import play_there

        settings, is_plain = self.settings, self.plain or is_piped()
        print(say_in(self.lang, how), flush=True)
        rules = asked.pop("rules", None) or settings.table.rules
        return play_there(
            PlayOptions(settings, rules, WallClock(), 1, is_plain, **asked), folder, start
        )

"""Tables of lessons, which keep their games in a folder of their own."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated

from msgspec.structs import replace as changed

from rules import Sentence

from ...cli.options import Config, Data, Lang, Plain, option
from ...cli.play_options import chosen_settings, is_piped
from ...game.commands import NewGame
from ...languages import say_in
from ...settings import Settings


@dataclass(frozen=True)
class OwnTable:
    """Options of a table for lessons: its board, its games, and the way it is shown."""

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


def play_own(
    own: OwnTable,
    folder: Path,
    start: NewGame | None,
    how: Sentence,
    asked: object,
    rules: str | None = None,
) -> int:
    """Print `how` it is done, and play with the games of a folder and a feature's options `asked`.

    `rules` are those of a new game; None for the settings'.
    """
    from ...cli.at_table import PlayOptions, play_there  # a table: only where one is played at
    from ...table.loop import WallClock

    settings, is_plain = own.settings, own.plain or is_piped()
    print(say_in(own.lang, how), flush=True)
    if rules is not None:
        settings = changed(settings, table=changed(settings.table, rules=rules))
    options = PlayOptions(settings, WallClock(), 1, is_plain, extra_options={type(asked): asked})
    return play_there(options, folder, start)

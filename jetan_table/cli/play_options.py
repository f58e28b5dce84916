"""How an evening of games is played and shown, and what its first game begins with."""

from __future__ import annotations

import os
from dataclasses import dataclass
from dataclasses import replace as changed
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click
from msgspec.structs import replace

from rules.errors import near_miss

from ..game.events import Header, SeriesAgreed
from ..game.wagers import wager_event
from ..journal.journal import Journal
from ..journal.opening import Opened, begin_game, open_game
from ..journal.saved_games import Start
from ..opponent.seat import Guest
from ..session.session import News
from ..settings import Settings, find_settings, read_settings
from ..table.loop import Clock
from ..terminal.terminal import print_news
from ..terminal.terminal_board import is_disk
from ..wiring import ARBITER_PIN, Drive
from ..words.announcer import Announcer
from ..words.catalogue import Say
from ..words.words import Speaker
from .start import agreed_by, start_position

if TYPE_CHECKING:
    from .page import Page

SIMULATED, EMULATED, AUTO, PINS, CAMERA = "simulated", "emulated", "auto", "pins", "camera"


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """How games are played and shown, whoever plays them; a new one goes by `rules`.

    `seed` is the chance of what is simulated.
    """

    settings: Settings
    rules: str
    speaker: Speaker
    clock: Clock
    seed: int
    is_plain: bool
    drive: Drive | None = None
    page: Page | None = None
    guest: Guest | None = None
    announcer: Announcer | None = None

    def on_page(self, port: int | None, is_open: bool, opens: bool) -> PlayOptions:
        """Return the evening shown on a page."""
        from .page import Page  # which brings a server: only where one is wanted

        port = self.settings.web.port if port is None else port
        page = Page(self.settings, self.speaker, self.clock, port, is_open, opens)
        return changed(self, page=page)

    def open(self, journal: Journal, start: Start | None) -> Opened:
        """Resume the newest game, or begin one; `start` asks for a new one."""
        if start is not None:
            return begin_game(journal, start.header, start.events)
        otherwise = Header.of(start_position(self.rules, None), self.clock.now())
        return open_game(journal, None, otherwise, agreed_by(self.settings))

    def greeting(self, journal: Journal, opened: Opened) -> list[str]:
        """Return what is to be said before the first step."""
        told = []
        if journal.damaged:
            told.append(self.speaker.say(Say.DAMAGED, path=journal.damaged))
        if opened.is_resumed:
            plies = len(opened.record.moves)
            told.append(self.speaker.say(Say.RESUMED, game=opened.game, plies=plies))
        else:
            told.append(self.speaker.say(Say.BEGUN, rules=opened.record.header.rules))
        if self.settings.sound.speak and self.announcer is None:
            told.append(self.speaker.say(Say.NO_VOICE))
        if opened.record.conduct.needs_arbiter:
            told.append(self.speaker.say(Say.ARBITER, path=journal.folder / ARBITER_PIN))
        if opened.record.series is not None:
            told.append(self.speaker.preamble(SeriesAgreed(opened.record.series)))
        if opened.record.wager is not None:
            told.append(self.speaker.preamble(wager_event(opened.record.wager)))
        if self.page is None and is_disk(opened.record.position.rules):
            told.append(self.speaker.say(Say.DISK))
        return told

    def tell(self, news: list[News]) -> None:
        """Print what is on the disk, where it is not shown on a screen."""
        print_news(news, self.speaker)


def chosen_settings(
    config: Path | None,
    language: Literal["en", "de"] | None,
    palette: Literal["standard", "red-green", "mono"] | None,
    board: str | None,
) -> Settings:
    """Return the settings of the file that counts, with what the command line says instead."""
    settings = read_settings(find_settings(config, os.environ))
    table = replace(settings.table, language=language or settings.table.language)
    lamps = replace(settings.lamps, palette=palette or settings.lamps.palette)
    return with_board(replace(settings, table=table, lamps=lamps), board)


def with_board(settings: Settings, board: str | None) -> Settings:
    """Return the settings for the board that was asked for; None asks for that of the settings."""
    if board is None:
        return settings
    kind: Literal["simulated", "serial", "pins", "camera"] = "simulated"
    if board == PINS:
        kind = "pins"
    elif board == CAMERA:
        kind = "camera"
    elif board == AUTO or "/" in board:
        kind = "serial"
        settings = replace(settings, serial=replace(settings.serial, port=board))
    elif board not in (SIMULATED, EMULATED):
        near = near_miss(board, (SIMULATED, EMULATED, AUTO, PINS, CAMERA))
        raise click.UsageError(f"--board {board}: no board, and no port of one{near}")
    return replace(settings, table=replace(settings.table, board=kind))


def check_board(is_simulated: bool, is_emulated: bool, hands: str, speed: float) -> None:
    """Refuse what only a simulated board can do; an emulated chip is its slowest part."""
    if hands == "auto" and not is_simulated:
        raise click.UsageError("--hands auto: simulated people can only touch a simulated board")
    if speed != 1 and (is_emulated or not is_simulated):
        raise click.UsageError(f"--speed {speed:g}: only a simulated board runs faster or slower")

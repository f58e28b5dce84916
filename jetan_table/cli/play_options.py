"""How games are played and shown: what `jetan play` was told, beside what a game begins with."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import replace as changed
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click
from msgspec.structs import replace

from rules import Side
from rules.errors import near_miss
from rules.sentences import _

from ..game.conduct import CONDUCTS, ConductName
from ..game.events import Header, SeriesAgreed
from ..game.time_control import BadTimeControl, parse_time_control
from ..game.wagers import wager_event
from ..journal.journal import Journal
from ..journal.opening import Opened, begin_game, open_game
from ..journal.saved_games import Start
from ..languages import Language
from ..opponent.seat import THINK_S, Invitation
from ..session.guests import Guest
from ..settings import Settings, find_settings, read_settings
from ..table.loop import Clock
from ..terminal.terminal_board import is_disk
from ..wiring import ARBITER_PIN, Drive
from ..words.announcer import Announcer
from ..words.words import Speaker
from .play_hall import NOBODY, FarOptions
from .start import start_position, usual_terms

if TYPE_CHECKING:
    from .page import Page

SCREEN, SIMULATED, EMULATED, AUTO, PINS, CAMERA = (
    "screen",
    "simulated",
    "emulated",
    "auto",
    "pins",
    "camera",
)


NEXT = "next"
"""The first lesson that is not solved."""


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """How games are played and shown, whoever plays them."""

    settings: Settings
    rules: str
    """Those of new games, unless something else is asked for."""
    speaker: Speaker
    clock: Clock
    seed: int
    """The chance of what is simulated."""
    is_plain: bool
    """In plain lines, as where there is no terminal."""
    drive: Drive | None = None
    """Puts an emulated microcontroller under a simulated board; None: it is read without one."""
    page: Page | None = None
    """Where games are shown instead of in the terminal."""
    guest: Invitation | None = None
    """Who plays against the people."""
    lesson: str | None = None
    """The lesson that is taught first, or NEXT; None where people play."""
    announcers: tuple[Announcer, ...] = ()
    """Says aloud what is new."""
    tellers: tuple[Guest, ...] = ()
    """Who tells a hall, and plays for a far table."""
    far: FarOptions = NOBODY

    @property
    def followers(self) -> tuple[Guest, ...]:
        """Who follows the game without playing."""
        return (*self.announcers, *self.tellers)

    def on_page(self, port: int | None, is_open: bool, opens: bool) -> PlayOptions:
        """Return the same, shown on a page."""
        from .page import Page  # which brings a server: only where one is wanted

        port = self.settings.web.port if port is None else port
        page = Page(self.settings, self.speaker, self.clock, port, is_open, opens)
        return changed(self, page=page)

    def open(self, journal: Journal, start: Start | None) -> Opened:
        """Resume the newest game, or begin one; `start` asks for a new one."""
        if start is not None:
            return begin_game(journal, start.header, start.events)
        otherwise = Header.of(start_position(self.rules, None), self.clock.now())
        return open_game(journal, None, otherwise, usual_terms(self.settings))

    def greeting(self, journal: Journal, opened: Opened) -> list[str]:
        """Return what is to be said before the first step."""
        lines = []
        if journal.damaged:
            lines.append(
                self.speaker.say(
                    _("The journal was damaged. It is kept as {path}, and a new one begun."),
                    path=journal.damaged,
                )
            )
        if opened.damage:
            lines.append(
                self.speaker.say(
                    _("A game cannot be read and is set aside ({why}). A new one begins."),
                    why=opened.damage,
                )
            )
        if opened.is_resumed:
            plies = len(opened.record.moves)
            lines.append(
                self.speaker.say(
                    _("Game {game} goes on after {plies} plies."), game=opened.game, plies=plies
                )
            )
        else:
            lines.append(
                self.speaker.say(_("a new game: {rules}"), rules=opened.record.header.rules)
            )
        if self.settings.sound.speak and not self.announcers:
            lines.append(self.speaker.say(_("The table cannot speak: espeak-ng is not installed.")))
        if opened.record.conduct.needs_arbiter:
            lines.append(
                self.speaker.say(
                    _("The arbiter's PIN is kept in {path}"), path=journal.folder / ARBITER_PIN
                )
            )
        if opened.record.series is not None:
            lines.append(self.speaker.preamble(SeriesAgreed(opened.record.series)))
        if opened.record.wager is not None:
            lines.append(self.speaker.preamble(wager_event(opened.record.wager)))
        if self.page is None and is_disk(opened.record.position.rules):
            lines.append(
                self.speaker.say(
                    _(
                        "Rows are rings: rim above and below, centre at o; the edges meet, j1 "
                        "beside "
                        "a10."
                    )
                )
            )
        return lines


def chosen_settings(
    config: Path | None,
    language: Language | None,
    palette: Literal["standard", "red-green", "mono"] | None,
    board: str | None,
    speak: bool | None,
) -> Settings:
    """Return the settings of the file that counts, with what the command line says instead."""
    settings = read_settings(find_settings(config, os.environ))
    table = replace(settings.table, language=language or settings.table.language)
    lamps = replace(settings.lamps, palette=palette or settings.lamps.palette)
    sound = settings.sound if speak is None else replace(settings.sound, speak=speak)
    return with_board(replace(settings, table=table, lamps=lamps, sound=sound), board)


def with_board(settings: Settings, board: str | None) -> Settings:
    """Return the settings for the board that was asked for; None asks for that of the settings."""
    if board is None:
        return settings
    kind: Literal["screen", "simulated", "serial", "pins", "camera"] = "simulated"
    if board == PINS:
        kind = "pins"
    elif board == CAMERA:
        kind = "camera"
    elif board == AUTO or "/" in board:
        kind = "serial"
        settings = replace(settings, serial=replace(settings.serial, port=board))
    elif board == SCREEN:
        kind = "screen"
    elif board not in (SIMULATED, EMULATED):
        near = near_miss(board, (SCREEN, SIMULATED, EMULATED, AUTO, PINS, CAMERA))
        raise click.UsageError(f"--board {board}: no board, and no port of one{near}")
    return replace(settings, table=replace(settings.table, board=kind))


def check_board(is_simulated: bool, is_emulated: bool, hands: str, speed: float) -> None:
    """Refuse what only a simulated board can do; an emulated chip is its slowest part."""
    if hands == "auto" and not is_simulated:
        raise click.UsageError("--hands auto: simulated people can only touch a simulated board")
    if speed != 1 and (is_emulated or not is_simulated):
        raise click.UsageError(f"--speed {speed:g}: only a simulated board runs faster or slower")


@dataclass(frozen=True, slots=True)
class TermsOptions:
    """Clock and conduct that were asked for; None where the settings count."""

    clock: str | None
    conduct: ConductName | None

    def __bool__(self) -> bool:
        """Whether anything was."""
        return self.clock is not None or self.conduct is not None

    def within(self, settings: Settings) -> Settings:
        """Return the settings with what was asked for instead."""
        table = settings.table
        clock, conduct = self.clock or table.clock, self.conduct or table.conduct
        return replace(settings, table=replace(table, clock=clock, conduct=conduct))


def terms_options(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command `--clock` and `--conduct`, and hand them to it as `terms`."""

    @click.option(
        "--clock",
        metavar="CLOCK",
        help="Begin a new game with a clock: 10 (minutes), 10+5 (increment), 10d5 (delay), 10b5 "
        "(Bronstein), hourglass 3; buttons behind it: they are pressed; none.",
    )
    @click.option(
        "--conduct", type=click.Choice(list(CONDUCTS)), help="Begin a new game, to be played so."
    )
    @wraps(command)
    def with_terms(clock: str | None, conduct: ConductName | None, **others: Any) -> int:
        try:
            parse_time_control(clock or "none")
        except BadTimeControl as error:
            raise click.UsageError(f"--{error}") from None
        return command(terms=TermsOptions(clock, conduct), **others)

    return with_terms


def opponent_options(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command `--opponent` and what belongs to it, as `guest`; None where none is asked."""

    @click.option(
        "--opponent",
        metavar="LEVEL",
        help="Play against the table: panthan, than, padwar, dwar, odwar, jedwar, jed or "
        "jeddak; or against 'command:' and another engine's command line.",
    )
    @click.option(
        "--opponent-side", type=click.Choice([side.word for side in Side]), default="orange"
    )
    @click.option(
        "--think", type=click.FloatRange(0.05), default=THINK_S, help="Its seconds a move."
    )
    @click.option("--ponder", is_flag=True, help="It thinks on your time, too.")
    @click.option("--guide", is_flag=True, help="The table shows you a good move each time.")
    @wraps(command)
    def with_guest(
        opponent: str | None,
        opponent_side: str,
        think: float,
        ponder: bool,
        guide: bool,
        hands: str,
        **others: Any,
    ) -> int:
        side = Side[opponent_side.upper()]
        guest = Invitation(opponent, side, think, ponder, guide) if opponent else None
        if guest and hands == "auto":
            raise click.UsageError("--opponent: simulated people play both sides")
        return command(guest=guest, hands=hands, **others)

    return with_guest

"""`jetan play` and `jetan serve`: a game at a real board, on a screen, or in the terminal."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Literal, TypeAlias

import click

from rules import _

from ..game.commands import New
from ..languages import refused_in, say_in
from ..people.manners import PROFILES, Profile
from ..settings import find_settings, read_settings
from . import refusals
from .options import (
    Brought,
    Browser,
    Config,
    Data,
    GroupedCommand,
    Lan,
    Lang,
    Plain,
    Port,
    command,
    misused,
    option,
)
from .play_options import (
    PLAYED,
    CameraOptions,
    PaletteName,
    chosen_settings,
    for_new_games,
    is_piped,
    wanted_game,
)

HEADINGS = {
    "Where": "board source terminal lan browser",
    "What": "rules clock conduct load series players",
    "Against the table": "opponent opponent_side guide",
    "For you": "lang palette speak by_ear data",
    "Watch simulated people": "hands preset speed games",
}


@dataclass(frozen=True, slots=True)
class PeopleOptions:
    """Options about the hands: people's own, or simulated ones and their manners."""

    hands: Annotated[Literal["typed", "auto"], option(default="typed")]
    seed: Annotated[int, option("Of what is simulated.", default=1)]
    preset: Annotated[
        str,
        option(
            "Simulated people, whose hands carry magnets over reeds, and who do as the lamps say: "
            "careful, club-night, blitz, draggers, bumps, clumsy and others; -disk after the name: "
            "on the disk.",
            type=click.Choice(list(PROFILES)),
            metavar="NAME",
            default="club-night",
        ),
    ]
    pace: Annotated[float, option("2: hands half as quick.", within=(0.3, 5), default=1.0)]
    speed: Annotated[float, option("How fast; 0: at full speed.", least=0, default=1.0)]
    games: Annotated[int, option("How many, with --hands auto.", least=1, default=1)]

    @property
    def people(self) -> Profile | None:
        """The simulated people; None if real ones play."""
        if self.hands != "auto":
            return None
        profile = PROFILES[self.preset]
        arms = self.pace * profile.manners.arms
        return replace(profile, manners=replace(profile.manners, arms=arms))

    def check(self, board: str) -> None:
        """Refuse options that only a simulated board has; an emulated chip has its own speed."""
        if self.hands == "auto" and board not in PLAYED:
            raise misused(_("--hands auto: simulated people can only touch a simulated board"))
        if self.speed != 1 and board not in ("screen", "simulated"):
            raise misused(
                _("--speed {speed:g}: only a simulated board runs faster or slower"),
                speed=self.speed,
            )


PlayedBoard: TypeAlias = Annotated[
    str | None,
    option(
        "screen: you move on the page; simulated: like a real one, with hands and switches; "
        "emulated: the firmware in a chip; pins: the Pi's own; auto: the first at a serial "
        "port; or its port: a device or a URL; camera: any under a camera; or another "
        "package's, by its name or MODULE:NAME. By default as the settings say.",
        metavar="BOARD",
    ),
]


@command(
    "jetan play",
    "jetan play --lan",
    "jetan play --rules cazaux+juggernaut --lang de",
    "jetan play --load sunday --ply 12",
    "jetan play --clock 10+5 --conduct strict",
    "jetan play --series sunday --players Tara,Gahan --stake 10 --price 2,C=30",
    "jetan play --terminal --speak",
    "jetan play --opponent dwar --opponent-side black",
    "jetan play --hands auto --seed 7 --speed 4",
    "jetan play --hands auto --preset clumsy --games 3 --speed 0 --plain",
    "jetan play --board auto",
    "jetan play --board pins",
    "jetan play --camera usb:0",
    "jetan play --board pins --camera rpicam:0",
    "jetan play --board emulated",
    "printf 'd2 d3\\ne9 e8\\n' | jetan play --plain --data here",
    cls=GroupedCommand,
    headings=HEADINGS,
)
def play(
    terminal: Annotated[bool, "Play in the terminal, not on the page."],
    plain: Plain,
    lan: Lan,
    port: Port,
    browser: Browser,
    board: PlayedBoard,
    camera: CameraOptions,
    speak: Annotated[
        bool | None,
        option(
            "Say plies, questions and warnings aloud.",
            "--speak/--no-speak",
            default=None,
        ),
    ],
    by_ear: Annotated[bool, "Say all that people need who do not look at the table."],
    simulated: PeopleOptions,
    brought: Brought,
    wanted: Annotated[New, wanted_game],
    load: Annotated[
        str | None, option("Play on from a saved game, or from a .jgn file.", metavar="NAME")
    ],
    ply: Annotated[int | None, option("With --load: after so many plies.", least=0)],
    data: Data,
    config: Config,
    lang: Lang,
    palette: Annotated[PaletteName | None, "Colours."],
    sets_up: Annotated[bool, option("", "--setup", hidden=True)],
) -> int:
    """Play at the board of the settings; without settings, on the page's own board.

    An unfinished game goes on, unless --rules, --position, --clock, --conduct or --load ask for a
    new one. With `--hands auto` simulated people play; exit code 1 says that a game was misread.
    """
    from ..table.loop import EagerClock, WallClock  # a table: only once its help is not all
    from .at_table import PlayOptions, play_there, start_of

    settings = camera.added_to(chosen_settings(config, lang, palette, board, speak, by_ear))
    people = simulated.people
    settings = for_new_games(settings, wanted, None if people is None else people.rules)
    clock = WallClock(simulated.speed) if simulated.speed else EagerClock()
    start = start_of(wanted, load, ply, settings, data, clock.now())
    simulated.check(settings.table.board)
    for each in brought.values():
        each.check(settings, people is not None)
    page = None
    if not (terminal or plain):
        from .page import address_of, show_page  # which brings a server

        address = address_of(port, lan, settings, config)
        page = partial(show_page, address, browser, "setup" if sets_up else "")
    is_plain = plain or is_piped()
    options = PlayOptions(
        settings, clock, simulated.seed, is_plain, page, lan and page is not None, brought, config
    )
    return play_there(options, data, start, people, simulated.games)


@command("jetan serve --lan", "jetan serve --port 8080 --data here", "jetan serve --help")
def serve(
    lan: Annotated[bool, "Let everybody on this network watch."],
    port: Port,
    safe: Annotated[bool, "Only the page, the games and what the doctor says."],
    data: Data,
    config: Config,
    lang: Lang,
) -> int:
    """Run the table and serve its page, without opening a browser.

    Add `?wall` to the address for a screen on the wall: the board alone, large. A service that has
    failed to start three times comes up with --safe: without a board, and its page says why.
    """
    from ..table.supervision import MOST_BAD, Starts  # a table: only once its help is not all

    starts = Starts(os.environ)
    if safe or starts.bad >= MOST_BAD:
        from .page import serve_safely  # a server: only where there is no table

        # The next start is tried again, once its owner has changed something on the page.
        starts.give_one_more()
        unknown = _("it was asked to, by --safe") if safe else _("it hung, or was killed")
        why = starts.why or say_in(lang, unknown)
        if not serve_safely(why, lan, port, data, config, lang):
            return 0
    starts.begin()
    try:
        if port is None:  # phones and updates look for it where it was: it gives way to nobody
            port = read_settings(find_settings(config, os.environ)).web.port
        code: int = click.get_current_context().invoke(
            play, lan=lan, port=port, data=data, config=config, lang=lang, browser=False
        )
    except Exception as error:
        why = refused_in(lang, error)
        is_defect = not isinstance(error, (*refusals(), click.ClickException))
        starts.failed(f"{type(error).__name__}: {why}" if is_defect else why)
        raise
    except SystemExit:
        starts.good()
        raise
    starts.good()
    return code

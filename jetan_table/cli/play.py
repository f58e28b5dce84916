"""`jetan play`: what can be asked of a game at a real board, on a screen, or in the terminal."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from ..languages import Language
from ..opponent.invitation import Invitation
from ..settings import data_folder
from ..simulation.manners import PROFILES, Profile
from . import examples
from .grouped import GroupedCommand
from .opening_options import start_options
from .options import CONFIG, DATA, LANGUAGE
from .play_camera import CameraOptions, camera_options
from .play_hall import FarOptions, far_options
from .play_options import (
    EMULATED,
    SCREEN,
    SIMULATED,
    TermsOptions,
    check_board,
    chosen_settings,
    opponent_options,
    terms_options,
)

if TYPE_CHECKING:
    from ..setup.guide import SetUp
    from .start import StartOptions

HEADINGS = {
    "Where": "board source terminal lan browser",
    "What": "rules clock conduct load series players",
    "Against the table": "opponent opponent_side guide",
    "For you": "lang palette speak data",
    "Watch simulated people": "hands preset speed games",
}


def people_of(name: str, pace: float) -> Profile:
    """Return simulated people whose hands take so many times as long as the named ones'."""
    profile = PROFILES[name]
    return replace(profile, manners=replace(profile.manners, arms=pace * profile.manners.arms))


@click.command(
    cls=GroupedCommand,
    headings=HEADINGS,
    epilog=examples(
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
    ),
)
@click.option("--terminal", is_flag=True, help="Play in the terminal, not on the page.")
@click.option("--plain", is_flag=True, help="Plain lines, as where there is no terminal.")
@click.option("--lan", is_flag=True, help="Let everybody on this network see the page.")
@click.option("--port", type=click.IntRange(0, 65_535), help="The page's; 0: any free one.")
@click.option("--browser/--no-browser", default=True, help="Open the page where it can be seen.")
@click.option(
    "--board",
    metavar="BOARD",
    help="screen: moves are made on the page; simulated: a real one, with hands and switches; "
    "emulated: the firmware in a chip; pins: the Pi's own; auto: the first at a serial port; or "
    "its port: a device or a URL; camera: any that one sees. Without: as the settings say.",
)
@camera_options
@click.option("--hands", type=click.Choice(["typed", "auto"]), default="typed", show_default=True)
@opponent_options
@click.option(
    "--speak/--no-speak",
    default=None,
    help="Say plies, questions and warnings aloud, by espeak-ng.",
)
@terms_options
@click.option("--seed", type=int, default=1, show_default=True, help="Of what is simulated.")
@click.option(
    "--preset",
    type=click.Choice(list(PROFILES)),
    metavar="NAME",
    default="club-night",
    show_default=True,
    help="Simulated people, whose hands carry magnets over reeds, and who do as the lamps say: "
    "careful, club-night, blitz, draggers, bumps, clumsy and others; -disk after the name: on the "
    "disk.",
)
@click.option("--pace", type=click.FloatRange(0.3, 5), default=1.0, help="2: hands half as quick.")
@click.option("--speed", type=click.FloatRange(0), default=1.0, help="Of time; 0: all it can.")
@click.option("--games", type=click.IntRange(1), default=1, help="So many, with --hands auto.")
@far_options
@start_options
@DATA
@CONFIG
@LANGUAGE
@click.option("--palette", type=click.Choice(["standard", "red-green", "mono"]), help="Colours.")
@click.option("--setup", "sets_up", is_flag=True, hidden=True)
def play(
    terminal: bool,
    plain: bool,
    lan: bool,
    port: int | None,
    browser: bool,
    board: str | None,
    camera: CameraOptions,
    hands: Literal["typed", "auto"],
    guest: Invitation | None,
    terms: TermsOptions,
    wanted: StartOptions,
    speak: bool | None,
    seed: int,
    preset: str,
    pace: float,
    speed: float,
    games: int,
    far: FarOptions,
    data: Path | None,
    config: Path | None,
    lang: Language | None,
    palette: Literal["standard", "red-green", "mono"] | None,
    sets_up: bool,
) -> int:
    """Play at the board of the settings; without settings, on the page's own board.

    An unfinished game goes on, unless --rules, --position, --clock, --conduct or --load ask for a
    new one. With `--hands auto` simulated people play; exit code 1 says that a game was misread.
    """
    from ..table.loop import EagerClock, WallClock  # a table: only once its help is not all
    from ..words.words import Speaker
    from .at_table import PlayOptions, play_there
    from .setup_machine import begin_anew, set_up_of

    settings = chosen_settings(config, lang, palette, board, speak)
    settings = camera.added_to(terms.within(settings))
    people = people_of(preset, pace) if hands == "auto" else None
    default = settings.table.rules if people is None else people.rules
    folder = data_folder(data, os.environ)
    clock = WallClock(speed) if speed else EagerClock()
    start = wanted.start(default, settings, bool(terms), folder, clock.now())
    check_board(settings.table.board in (SCREEN, SIMULATED), board == EMULATED, hands, speed)
    speaker = Speaker(settings.table.language, settings.reed.switch_of())
    is_plain = plain or not (sys.stdin.isatty() and sys.stdout.isatty())
    options = PlayOptions(
        *(settings, default, speaker, clock, seed, is_plain),
        is_emulated=board == EMULATED,
        guest=guest,
        far=far,
    )
    set_up: SetUp | None = None
    if not (terminal or plain):
        set_up = set_up_of(settings, folder, config) if hands == "typed" else None
        options = options.on_page(port, lan, browser, set_up, "setup" if sets_up else "")
    code = play_there(options, folder, start, people, games)
    begin_anew(set_up, lan, data, config)
    return code

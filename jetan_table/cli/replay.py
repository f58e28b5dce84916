"""`jetan replay`: reads once more what the switches of a table did, or its camera saw."""

import sys
from pathlib import Path
from typing import Annotated

from rules.sentences import _

from ..game.agreements import named_rules
from ..game.events import GameId
from ..journal.archive import read_kept
from ..languages import Language
from ..replay.lines import JsonLines, WordLines
from ..replay.recordings import read_seen
from ..replay.replay import Replay, advance, replay_of_game, replay_of_recording
from ..table.loop import Clock, EagerClock, WallClock
from .options import FILE, Data, Lang, argument, command, misused, option


@command(
    "jetan replay evening.jsonl",
    "jetan replay evening.jsonl --rules appendix,thoat=jumps --json",
    "jetan replay evening.jsonl --lamps --speed 4",
    "jetan replay --game 3 --evidence",
)
def replay(
    files: Annotated[tuple[Path, ...], argument(type=FILE)],
    game: Annotated[int | None, "A game that was kept, by today's reader."],
    data: Data,
    rules: Annotated[
        str | None, option("Instead of those that the recording names.", metavar="RULES")
    ],
    as_json: Annotated[bool, option("JSON lines, as in docs/recordings.md.", "--json")],
    evidence: Annotated[bool, "Say of each ply why it is believed."],
    lamps: Annotated[bool, "Show the board and its lamps."],
    speed: Annotated[float | None, option("How fast; 0: at full speed.", least=0)],
    lang: Lang,
) -> None:
    """Read the recordings FILES, or a kept game, and print what was played.

    What is printed never depends on anything later in the recording. Lines come as fast as they
    can, a screen with lamps in its own time, unless --speed says otherwise.
    """
    if not files and game is None:
        raise misused(_("name a recording, or a kept game with --game"))
    if game is not None and (files or rules):
        raise misused(_("--game goes without recordings and --rules"))
    if lamps and (as_json or evidence):
        raise misused(_("--lamps goes without --json and --evidence"))
    if game is not None:
        replays = [read_kept(data, replay_of_game, GameId(game))]
    else:
        replays = _recorded(files, rules)
    on_screen = lamps and sys.stdin.isatty() and sys.stdout.isatty()
    for each in replays:
        clock = _clock(float(on_screen) if speed is None else speed)
        if lamps:
            if not watch(each, clock, on_screen, lang):
                return
            continue
        form = JsonLines(evidence) if as_json else WordLines(each.start, evidence, lang)
        if len(replays) > 1:
            print(form.title(each.name))
        tell(each, clock, form)


def tell(replay: Replay, clock: Clock, form: JsonLines | WordLines) -> None:
    """Print what is read, when it is read."""
    begun = clock.now()
    for reading in advance(replay.source, replay.reader(), replay.ends_at):
        clock.sleep(max(begun + reading.at - clock.now(), 0.0))
        for line in form.lines(reading):
            print(line, flush=True)


def watch(replay: Replay, clock: Clock, on_screen: bool, language: Language) -> bool:
    """Show board and lamps; return False if somebody has quit before the end."""
    # The screen's packages are slow to import, and lines do not need them.
    from ..terminal.replay_lamps import watch_in_lines, watch_on_screen

    if on_screen:
        return watch_on_screen(replay, clock, language)
    watch_in_lines(replay, clock, language)
    return True


def _recorded(files: tuple[Path, ...], rules: str | None) -> list[Replay]:
    """Read every recording before the first is played, so that a bad one is refused at once."""
    chosen = None if rules is None else named_rules(rules)
    return [replay_of_recording(read_seen(file), file.name, chosen) for file in files]


def _clock(speed: float) -> Clock:
    return WallClock(speed) if speed else EagerClock()

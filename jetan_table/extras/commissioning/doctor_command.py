"""`jetan doctor`: whether this machine is fit for a table, and what to do where it is not."""

import os
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import click

from hardware.ports import FaultKind
from rules import format_square
from rules.sentences import Translate, Worded, _, english

from ...cli.options import EXIT_AMISS, Config, Data, Json, Lang, command, print_json
from ...errors import TableError
from ...journal.archive import Archive
from ...languages import translation, worded
from ...machine.machine import look_around
from ...notices import Notice
from ...settings import Settings, find_settings, read_settings
from ...table.loop import WallClock
from ...table.switches import poor_switches, read_switches
from ...wiring import damaged_pins
from .. import examine_packages, extras
from .doctor import examine

VERDICTS: Final = {
    "pass": (_("pass"), "green"),
    "warn": (_("warn"), "yellow"),
    "fail": (_("fail"), "red"),
}
"""How each verdict is shown."""

CHECKS: Final = (
    *(_("settings"), _("python"), _("names"), _("groups"), _("serial"), _("gpio"), _("spi")),
    *(_("i2c"), _("camera"), _("opencv"), _("disk"), _("clock"), _("supply"), _("pace")),
    *(_("speech"), _("journal"), _("cameras"), _("board"), _("height"), _("size"), _("focus")),
    *(_("light"), _("markers"), _("pieces"), _("around"), _("switches"), _("update"), _("extras")),
)
"""The names of all checks, as programs read them; people read them in their language."""

SET_ASIDE = ("*.damaged*", "games.lost-*")
"""What a start that met damage has left in the data folder."""
KEEP = _("delete it once nobody needs it")
MENDS = {".sqlite": _("jetan games salvage brings its whole games back; then delete it")}


@command("jetan doctor", "jetan doctor --json")
def doctor(data: Data, config: Config, lang: Lang, as_json: Json) -> int:
    """Check this machine: one line a check, with the mend where it does not pass.

    Ends with exit code 1 where a check fails. What the settings do not use only warns.
    """
    findings = findings_here(data, config)
    return print_findings(findings, translation(lang), as_json)


def findings_here(data: Path, config: Path | None) -> Iterator[Notice]:
    """Yield what is found of the settings that count here, and of all that they name."""
    settings = Settings()
    try:
        path = find_settings(config, os.environ)
        settings = read_settings(path)
        yield Notice("settings", "pass", str(path) if path else _("no file: the defaults"))
    except (TableError, OSError) as error:
        yield Notice("settings", "fail", worded(error), _("mend the file, or jetan settings show"))
    yield from findings_of(settings, data)
    for each in extras().values():
        yield from each.examine(settings, data)


def findings_of(settings: Settings, data: Path) -> Iterator[Notice]:
    """Yield what is found of this machine by these settings, and of the data folder."""
    yield from examine(look_around(data, WallClock()), settings)
    yield from _switches(data)
    yield from _kept(data)
    yield from examine_packages()


def _kept(data: Path) -> Iterator[Notice]:
    """Yield what is found of the journal, and of the small files beside it."""
    try:
        with closing(Archive.open(data)) as archive:
            games = archive.games()
        for game in games:
            if game.damage is not None:
                mend = _("jetan games salvage brings back what is whole")
                yield Notice("game", "warn", game.damage, mend, str(game.game))
        found = Worded(_("{games} games in {data}"), games=len(games), data=data)
        yield Notice("journal", "pass", found)
    except (TableError, OSError) as error:
        mend = _("restore it from a backup, or move it away: jetan play begins a new one")
        yield Notice("journal", "fail", worded(error), mend)
    yield from damaged_pins(data)
    for pattern in SET_ASIDE:
        for path in sorted(data.glob(pattern)):
            found = Worded(_("{path} was damaged or lost, and is kept"), path=path)
            yield Notice("kept", "warn", found, MENDS.get(path.suffix, KEEP), path.name)


def _switches(data: Path) -> Iterator[Notice]:
    """Yield a finding for each switch that has erred more often than others, on all evenings."""
    known = read_switches(data)
    if known.trouble is not None:
        yield Notice("switches", "warn", known.trouble)
    elif known.counts and not any(poor_switches(known.counts)):
        placed = sum(one.placed for one in known.counts.values())
        found = Worded(_("none errs more than others, by {placed} pieces put down"), placed=placed)
        yield Notice("switches", "pass", found)
    for square, counts, kind in poor_switches(known.counts):
        name = format_square(square)
        if kind is FaultKind.DEAD:
            found = Worded(
                _("switch {square} missed {missed} of {placed} pieces"),
                square=name,
                missed=counts.missed,
                placed=counts.placed,
            )
            mend = _("look at its magnets' depth, and at where the reed's gap lies")
        else:
            found = Worded(
                _("switch {square} was closed {ghosts} times with nobody there"),
                square=name,
                ghosts=counts.ghosts,
            )
            mend = _("look for a magnet or iron beside it; a reed that needs more is steadier")
        yield Notice("switches", "warn", found, mend, name)


def print_findings(findings: Iterable[Notice], translate: Translate, as_json: bool) -> int:
    """Print findings and return the exit code that they mean."""
    code = 0
    for finding in findings:
        code = EXIT_AMISS if finding.verdict == "fail" else code
        if as_json:
            print_json(as_object(finding.in_words(english)))
            continue
        line = finding.in_words(translate)
        verdict, colour = VERDICTS[finding.verdict]
        mend = f" -> {line.mend}" if line.mend else ""
        click.secho(f"{translate(verdict):4}", fg=colour, bold=finding.verdict == "fail", nl=False)
        click.echo(f"  {finding.id:13} {line.found}{mend}")
    return code


def as_object(notice: Notice) -> dict[str, str]:
    """Return a notice as programs read it."""
    breaks = "" if notice.verdict == "pass" else str(notice.about.breaks)
    return {
        "id": notice.id,
        "check": notice.check,
        "verdict": notice.verdict,
        "found": notice.found,
        "breaks": breaks,
        "mend": notice.mend,
    }

"""`jetan doctor`: whether this machine is fit for a table, and what to do where it is not."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import click

from hardware.switches import FaultKind
from rules import format_square
from rules.sentences import Worded, _

from .. import __version__
from ..board.kept_switches import poor_switches, read_switches
from ..errors import TableError, UpdateRefused
from ..journal.archive import Archive
from ..languages import Language, translation, worded
from ..machine.doctor import Finding, examine
from ..machine.machine import look_around
from ..machine.updates import is_newer, newest, note_of
from ..settings import Settings, data_folder, find_settings, read_settings
from ..table.loop import WallClock
from . import examples
from .findings import print_findings
from .options import CONFIG, DATA, JSON, LANGUAGE, spoken


@click.command(epilog=examples("jetan doctor", "jetan doctor --json"))
@DATA
@CONFIG
@LANGUAGE
@JSON
def doctor(data: Path | None, config: Path | None, lang: Language | None, as_json: bool) -> int:
    """Check this machine: one line a check, with the mend where it does not pass.

    Ends with exit code 1 where a check fails. What the settings do not use only warns.
    """
    findings = findings_here(data_folder(data, os.environ), config)
    return print_findings(findings, translation(spoken(lang, config)), as_json)


def findings_here(data: Path, config: Path | None) -> Iterator[Finding]:
    """Yield what is found of this machine, the settings that count here, and the journal."""
    settings = Settings()
    try:
        path = find_settings(config, os.environ)
        settings = read_settings(path)
        yield Finding("settings", "pass", str(path) if path else _("no file: the defaults"))
    except (TableError, OSError) as error:
        yield Finding("settings", "fail", worded(error), _("mend the file, or jetan settings show"))
    yield from examine(look_around(data, WallClock()), settings)
    yield from _switches(data)
    yield update_finding(settings.update.source, __version__)
    try:
        with closing(Archive.open(data)) as archive:
            yield Finding(
                "journal",
                "pass",
                Worded(_("{games} games in {data}"), games=len(archive.games()), data=data),
            )
    except (TableError, OSError) as error:
        mend = _("restore it from a backup, or move it away: jetan play begins a new one")
        yield Finding("journal", "fail", worded(error), mend)


def _switches(data: Path) -> Iterator[Finding]:
    """Yield a finding for each switch that has erred more often than others, on all evenings."""
    known = read_switches(data)
    if known.trouble is not None:
        yield Finding("switches", "warn", known.trouble)
    elif known.counts and not any(poor_switches(known.counts)):
        placed = sum(one.placed for one in known.counts.values())
        found = Worded(_("none errs more than others, by {placed} pieces put down"), placed=placed)
        yield Finding("switches", "pass", found)
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
        yield Finding("switches", "warn", found, mend)


def update_finding(source: str, own: str) -> Finding:
    """Return what the doctor says of newer versions than `own`."""
    here = Worded(_("version {version}"), version=own)
    if not source:
        return Finding("update", "pass", here)
    try:
        found = newest(source)
    except UpdateRefused as error:
        return Finding("update", "warn", worded(error), _("mend [update] source in the settings"))
    if found is None or not is_newer(found.version, own):
        return Finding("update", "pass", here)
    return Finding("update", "warn", note_of(found), "sudo jetan update")

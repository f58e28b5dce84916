"""`jetan doctor`: whether this machine is fit for a table, and what to do where it is not."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import click

from rules.sentences import Worded, _

from ..errors import TableError
from ..journal.archive import Archive
from ..languages import Language, translation, worded
from ..machine.doctor import Finding, examine
from ..machine.machine import look_around
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

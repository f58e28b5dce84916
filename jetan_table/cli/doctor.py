"""`jetan doctor`: whether this machine is fit for a table, and what to do where it is not."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

import click
from rich.console import Console

from rules.sentences import Worded, _, english

from ..errors import TableError
from ..journal.archive import Archive
from ..languages import Language, translation, worded
from ..machine.doctor import Finding, examine
from ..machine.machine import look_around
from ..settings import Settings, data_folder, find_settings, read_settings
from . import examples
from .options import CONFIG, DATA, JSON, LANGUAGE, print_json, spoken

EXIT_UNFIT = 1
VERDICTS = {
    "pass": (_("pass"), "green"),
    "warn": (_("warn"), "yellow"),
    "fail": (_("fail"), "bold red"),
}
"""How each verdict is shown."""


@click.command(epilog=examples("jetan doctor", "jetan doctor --json"))
@DATA
@CONFIG
@LANGUAGE
@JSON
def doctor(data: Path | None, config: Path | None, lang: Language | None, as_json: bool) -> int:
    """Check this machine: one line a check, with the mend where it does not pass.

    Ends with exit code 1 where a check fails. What the settings do not use only warns.
    """
    findings = list(_findings(data_folder(data, os.environ), config))
    translate = translation(spoken(lang, config))
    console = Console(soft_wrap=True, highlight=False)
    for finding in findings:
        if as_json:
            print_json(asdict(finding.in_words(english)))
            continue
        line = finding.in_words(translate)
        mend = f" -> {line.mend}" if line.mend else ""
        verdict, style = VERDICTS[finding.verdict]
        console.print(f"{translate(verdict):4}", style=style, end="  ", markup=False)
        console.print(f"{line.check:9} {line.found}{mend}", markup=False)
    return EXIT_UNFIT if any(finding.verdict == "fail" for finding in findings) else 0


def _findings(data: Path, config: Path | None) -> Iterator[Finding]:
    settings = Settings()
    try:
        path = find_settings(config, os.environ)
        settings = read_settings(path)
        yield Finding("settings", "pass", str(path) if path else _("no file: the defaults"))
    except (TableError, OSError) as error:
        yield Finding("settings", "fail", worded(error), _("mend the file, or jetan settings show"))
    yield from examine(look_around(data, time.time()), settings)
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

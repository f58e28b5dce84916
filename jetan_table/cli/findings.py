"""Prints what checks have found, one line a check, as each comes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Final

import click

from rules.sentences import Translate, _, english

from ..machine.doctor import Finding
from .options import print_json

EXIT_UNFIT: Final = 1
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
    *(_("light"), _("around"), _("switches"), _("update")),
)
"""The names of all checks, as programs read them; people read them in their language."""


def print_findings(findings: Iterable[Finding], translate: Translate, as_json: bool) -> int:
    """Print findings and return the exit code that they mean."""
    code = 0
    for finding in findings:
        code = EXIT_UNFIT if finding.verdict == "fail" else code
        if as_json:
            print_json(asdict(finding.in_words(english)))
            continue
        line = finding.in_words(translate)
        verdict, colour = VERDICTS[finding.verdict]
        mend = f" -> {line.mend}" if line.mend else ""
        click.secho(f"{translate(verdict):4}", fg=colour, bold=finding.verdict == "fail", nl=False)
        click.echo(f"  {translate(finding.check):13} {line.found}{mend}")
    return code

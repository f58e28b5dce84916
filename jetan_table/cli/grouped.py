"""Help in groups: what most people ask for by `--help`, the rest by `--help-all`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

ALL = "jetan_table.help_all"


class GroupedCommand(click.Command):
    """A command whose options stand under headings; those under none are the rare ones.

    `headings`: the options' names by heading, in the order in which they are shown.
    """

    def __init__(self, *args: Any, headings: Mapping[str, str], **others: Any) -> None:
        super().__init__(*args, **others)
        self.headings = headings
        self.params.append(
            click.Option(
                ["--help-all"],
                is_flag=True,
                is_eager=True,
                expose_value=False,
                callback=_show_all,
                help="Show the rarer options, too.",
            )
        )

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, each under its heading."""
        parameters = self.get_params(ctx)
        rows = {each.name: row for each in parameters if (row := each.get_help_record(ctx))}
        shown = {
            heading: [rows.pop(name) for name in names.split()]
            for heading, names in self.headings.items()
        }
        helps = [rows.pop(name) for name in ("help_all", "help") if name in rows]
        if ctx.meta.get(ALL):
            shown["Rarer"] = list(rows.values())
        for heading, records in (*shown.items(), ("Help", helps)):
            with formatter.section(heading):
                formatter.write_dl(records)


def _show_all(ctx: click.Context, _parameter: click.Parameter, is_wanted: bool) -> None:
    if is_wanted:
        ctx.meta[ALL] = True
        click.echo(ctx.get_help())
        ctx.exit()

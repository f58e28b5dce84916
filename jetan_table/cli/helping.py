"""Help in the language of a command line, and in groups where a command has many options.

Its texts are sentences, as whatever else is shown. What most people ask for is shown by `--help`,
the rest by `--help-all`.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

import click

from rules.sentences import Translate, _

USAGE = _("Usage:")
DEFAULT, REQUIRED = _("default"), _("required")

BRACKET = re.compile(r"((?:^|  )\[.*)", re.DOTALL)


class WordedFormatter(click.HelpFormatter):
    """Writes help in one language, paragraph by paragraph; what is typed stays as it is."""

    say: Translate

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, args, prefix or f"{self.say(USAGE)} ")

    def write_heading(self, heading: str) -> None:
        super().write_heading(self.say(heading))

    def write_text(self, text: str) -> None:
        if "\b" in text:  # examples, and other lists
            super().write_text("\n".join(map(self._line, text.split("\n"))))
        else:
            paragraphs = (" ".join(paragraph.split()) for paragraph in text.split("\n\n"))
            super().write_text("\n\n".join(map(self.say, paragraphs)))

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        super().write_dl([(name, self._row(text)) for name, text in rows], col_max, col_spacing)

    def _line(self, line: str) -> str:
        """Return a line of a list: a heading, or a name with what it means behind two spaces."""
        if line.endswith(":"):
            return self.say(line)
        name, gap, meaning = line.rpartition("  ")
        return f"{name}{gap}{self.say(meaning)}" if name.strip() else line

    def _row(self, text: str) -> str:
        """Return an option's help; its default is behind it in brackets."""
        parts = BRACKET.split(text, maxsplit=1)
        for word in (DEFAULT, REQUIRED):
            parts[1:] = [part.replace(word, self.say(word), 1) for part in parts[1:]]
        return "".join([self.say(parts[0]) if parts[0] else "", *parts[1:]])


def helped_by(translate: Translate) -> type[WordedFormatter]:
    """Return a formatter of help in a language."""
    return type("HelpInWords", (WordedFormatter,), {"say": staticmethod(translate)})


RARER, HELP = _("Rarer"), _("Help")

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
            shown[RARER] = list(rows.values())
        for heading, records in (*shown.items(), (HELP, helps)):
            with formatter.section(heading):
                formatter.write_dl(records)


def _show_all(ctx: click.Context, _parameter: click.Parameter, is_wanted: bool) -> None:
    if is_wanted:
        ctx.meta[ALL] = True
        click.echo(ctx.get_help())
        ctx.exit()

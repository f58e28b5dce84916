"""The catalogues of what the table says: `python -m tests.tidy.catalogue` brings them up to date.

Sentences are taken from the packages and the pages they serve, a catalogue's `.po` gets those it
lacks (empty, to be filled in) and loses those that nobody says, and its `.mo`, which the table
reads, is made anew.
`python -m tests.tidy.catalogue fr` begins a catalogue for another language.
"""

import gettext
import html
import io
import json
import re
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias

import click
from babel.messages import Catalog
from babel.messages.extract import extract_python
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from jetan_table.cli import jetan
from jetan_table.cli.options import helped_by
from jetan_table.languages import DOMAIN, LOCALE
from tests.tidy.tree import ROOT, package_files

CLICK_MODULES: Final = ("core", "exceptions", "parser", "types")
"""Where click says what it refuses, by this catalogue, too."""
FOR_PROGRAMMERS: Final = re.compile(
    "Deprecation|Name '|Boolean option|Could not determine|No options defined|Arguments take"
    "|Value must be|Invalid start|Aborted|Error:|.* UUID|deprecated"
)
"""What click says to nobody who uses a table."""
KEYWORDS: Final[dict[str, Any]] = {"_": None, "ngettext": None}
COMMAND_LINE = "jetan_table/cli"
CLICK: Final = tuple(Path(click.__file__).parent / f"{name}.py" for name in CLICK_MODULES)


def help_texts() -> Iterator[str]:
    """The texts of all commands' help, as they are looked up when it is written."""
    asked: dict[str, None] = {}

    def look_up(text: str) -> str:
        asked[text] = None
        return text

    def write(command: click.Command, above: click.Context | None) -> None:
        command._help_option = None  # else it stays in the language of whoever asked first
        with click.Context(command, above, info_name=command.name) as context:
            context.formatter_class = helped_by(look_up)
            command.get_help(context)
            if isinstance(command, click.Group):
                for name in command.list_commands(context):
                    inner = command.get_command(context, name)
                    assert inner is not None
                    write(inner, context)

    gettext.textdomain("messages")  # which has no catalogue: click's own help in English
    write(jetan, None)
    return (text for text in asked if re.search("[a-z]{2}", text))


Spoken: TypeAlias = str | tuple[str, ...]
"""A sentence; or its forms for one, and for many."""


def forms(text: str | Sequence[str]) -> tuple[str, ...]:
    """The forms of a sentence, or of its translation."""
    return (text,) if isinstance(text, str) else tuple(text)


def sentences_in(path: Path) -> Iterator[tuple[int, Spoken]]:
    """The sentences of a module, each with its line."""
    with path.open("rb") as file:
        found: Any = extract_python(file, KEYWORDS, [], {})
        for line, _name, text, _comments in found:
            marked = tuple(filter(None, text)) if isinstance(text, tuple) else text
            if marked:  # else what is looked up was marked elsewhere
                yield line, marked


SERVED: Final = {
    path.parent
    for room in ("page", "extras")
    for kind in ("*.js", "*.html")
    for path in (ROOT / "jetan_table" / room).rglob(kind)
}
"""The folders of pages and scripts."""


SAID: Final = re.compile(
    r"""\b(?:say|_)\(("(?:[^"\\\n]|\\.)*")(?=[,)])|data-(?:word|label)="([^"]*)\""""
)
"""A sentence of a script, as JSON writes it; and one of a page's markup."""


def files_of(static: Path) -> list[Path]:
    """Return the pages and scripts of a folder."""
    return sorted(path for path in static.iterdir() if path.suffix in {".html", ".js"})


def said_by(path: Path) -> Iterator[str]:
    """Yield every sentence of a page or a script."""
    for spoken, shown in SAID.findall(path.read_text(encoding="utf-8")):
        yield json.loads(spoken) if spoken else html.unescape(shown)


def page_files() -> list[Path]:
    """Every page and script that is served."""
    return [path for folder in sorted(SERVED) for path in files_of(folder)]


@cache
def extracted() -> Catalog:
    """Every sentence of the packages and their pages, by the file that says it."""
    catalogue = Catalog(project="Jetan Table", fuzzy=False)
    for path in sorted(package_files()):
        for _line, text in sentences_in(path):
            # Files without lines, so that only a changed sentence changes a catalogue.
            catalogue.add(text, locations=[(path.relative_to(ROOT).as_posix(), 0)])
    for path in page_files():
        for text in said_by(path):
            catalogue.add(text, locations=[(path.relative_to(ROOT).as_posix(), 0)])
    for path in CLICK:
        for _line, text in sentences_in(path):
            if not FOR_PROGRAMMERS.match(forms(text)[0]):
                catalogue.add(text, locations=[(COMMAND_LINE, 0)])
    for text in help_texts():
        catalogue.add(text, locations=[(COMMAND_LINE, 0)])
    return catalogue


def po_of(language: str) -> Path:
    """The file a translator opens."""
    return LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def read(language: str) -> Catalog:
    """A language's catalogue, as its `.po` has it."""
    with po_of(language).open("rb") as file:
        return read_po(file, locale=language)


class Undated(Catalog):
    """A catalogue whose header names neither a date nor a program."""

    def _headers(self) -> list[tuple[str, str]]:
        return [
            ("Language", str(self.locale)),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Plural-Forms", self.plural_forms),
        ]

    mime_headers = property(_headers)  # Babel's own is a property as well


def compiled(catalogue: Catalog) -> bytes:
    """The `.mo` of a catalogue: the same bytes at any time, by any version of Babel."""
    undated = Undated(locale=catalogue.locale, fuzzy=False)
    for entry in catalogue:
        if entry.id:
            undated.add(entry.id, entry.string)
    file = io.BytesIO()
    write_mo(file, undated)
    return file.getvalue()


def written(catalogue: Catalog) -> bytes:
    """The `.po` of a catalogue; without dates, so that it changes with its sentences alone."""
    file = io.BytesIO()
    write_po(file, catalogue, width=100, omit_header=True, sort_by_file=True, include_lineno=False)
    header = (
        'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n'
        f'"Language: {catalogue.locale}\\n"\n'
        f'"Plural-Forms: {catalogue.plural_forms}\\n"\n\n'
    )
    return header.encode() + file.getvalue()


def up_to_date(spoken: Catalog, old: Catalog) -> bytes:
    """The `.po` of a language for what is spoken today, with what `old` has translated.

    What stands there already keeps its place among the sentences of its file, wherever that says
    it: code that moves changes no catalogue.
    """
    places = {forms(entry.id): place for place, entry in enumerate(old)}
    catalogue = Catalog(locale=old.locale, fuzzy=False)
    for message in sorted(spoken, key=lambda each: places.get(forms(each.id), len(places))):
        if message.id:
            known = old.get(message.id)
            translation = known.string if known else ""
            catalogue.add(message.id, translation, message.locations)
    return written(catalogue)


def bring_up_to_date(language: str) -> None:
    """Write a language's `.po` and `.mo` for the sentences of today."""
    po = po_of(language)
    old = read(language) if po.exists() else Catalog(locale=language)
    po.parent.mkdir(parents=True, exist_ok=True)
    po.write_bytes(up_to_date(extracted(), old))
    po.with_suffix(".mo").write_bytes(compiled(read(language)))


if __name__ == "__main__":
    chosen = sys.argv[1:] or sorted(path.name for path in LOCALE.iterdir())
    for name in chosen:
        bring_up_to_date(name)

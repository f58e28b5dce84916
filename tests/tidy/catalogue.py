"""The catalogues of what the table says: `python -m tests.tidy.catalogue` brings them up to date.

Sentences are taken from the packages and the pages they serve. A language has two files: what
players see and hear (`players.po`, to be translated first), and what is for whoever builds a table,
sets it up and looks after it (`makers.po`). They get the sentences they lack (empty, to be filled
in) and lose those that nobody says; the one `.mo` that the table reads is made of both.
`python -m tests.tidy.catalogue fr` begins a catalogue for another language.

A comment `Translators: ...` on the line above a sentence, in Python or a script, stands in the file
beside it.
"""

import gettext
import html
import io
import json
import re
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, TypeAlias

import click
from babel.messages import Catalog, Message
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
NOTE: Final = "Translators:"
"""What a comment begins with that is meant for translators."""
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


PLAYERS, MAKERS = "players", "makers"
FOR_PLAYERS: Final = (
    *("rules/", "jetan_table/game/", "jetan_table/light/", "jetan_table/notices.py"),
    *("jetan_table/page/", "jetan_table/session/", "jetan_table/table/", "jetan_table/terminal/"),
    *("jetan_table/extras/lessons/", "jetan_table/extras/opponent/"),
)
"""The rooms whose sentences players see and hear at a table."""
ABOUT: Final = {
    PLAYERS: "What players see and hear at the table and on its page: translate this file first.",
    MAKERS: "For whoever builds a table, sets it up, or types commands: this file comes second.",
}
GUIDE: Final = """\
# {about}
# A sentence that is left empty stays English; python -m tests.tidy.catalogue compiles it.
# Words in braces are filled in and keep their names, and what follows a colon or an exclamation
# mark; move them to wherever the language wants them. {{side}} is Black or Orange, {{piece}} a
# piece or its letter, {{square}}, {{start}} and {{end}} are squares such as e5, {{why}} is a whole
# sentence, {{near}} nothing or the end of one. Keep what is typed, in backquotes.
# What a word means here: docs/glossary.md. How Jetan is played: docs/rules.md.
"""


Spoken: TypeAlias = str | tuple[str, ...]
"""A sentence; or its forms for one, and for many."""


def forms(text: str | Sequence[str]) -> tuple[str, ...]:
    """The forms of a sentence, or of its translation."""
    return (text,) if isinstance(text, str) else tuple(text)


def sentences_in(path: Path) -> Iterator[tuple[Spoken, list[str]]]:
    """The sentences of a module, each with its notes for translators."""
    with path.open("rb") as file:
        found: Any = extract_python(file, KEYWORDS, [NOTE], {})
        for _line, _name, text, notes in found:
            marked = tuple(filter(None, text)) if isinstance(text, tuple) else text
            if marked:  # else what is looked up was marked elsewhere
                yield marked, notes


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


def said_by(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield every sentence of a page or a script, with its notes for translators."""
    for above, line in pairwise(["", *path.read_text(encoding="utf-8").splitlines()]):
        notes = [NOTE + above.partition(NOTE)[2]] if NOTE in above else []
        for spoken, shown in SAID.findall(line):
            yield json.loads(spoken) if spoken else html.unescape(shown), notes


def page_files() -> list[Path]:
    """Every page and script that is served."""
    return [path for folder in sorted(SERVED) for path in files_of(folder)]


@cache
def extracted() -> Catalog:
    """Every sentence of the packages and their pages, by the file that says it."""
    catalogue = Catalog(project="Jetan Table", fuzzy=False)
    for path in sorted(package_files()):
        for text, notes in sentences_in(path):
            # Files without lines, so that only a changed sentence changes a catalogue.
            place = (path.relative_to(ROOT).as_posix(), 0)
            catalogue.add(text, locations=[place], auto_comments=notes)
    for path in page_files():
        for text, notes in said_by(path):
            place = (path.relative_to(ROOT).as_posix(), 0)
            catalogue.add(text, locations=[place], auto_comments=notes)
    for path in CLICK:
        for text, _notes in sentences_in(path):
            if not FOR_PROGRAMMERS.match(forms(text)[0]):
                catalogue.add(text, locations=[(COMMAND_LINE, 0)])
    for text in help_texts():
        catalogue.add(text, locations=[(COMMAND_LINE, 0)])
    return catalogue


def file_of(language: str, part: str) -> Path:
    """The file of a part of a catalogue, which a translator opens."""
    return LOCALE / language / "LC_MESSAGES" / f"{part}.po"


def read(language: str) -> Catalog:
    """A language's catalogue, both parts as their files have them."""
    whole = Catalog(locale=language, fuzzy=False)
    for path in filter(Path.exists, (file_of(language, part) for part in ABOUT)):
        with path.open("rb") as file:
            for entry in read_po(file, locale=language):
                whole[entry.id] = entry
    return whole


def part_of(entry: Message) -> str:
    """The part of the catalogues in which a sentence stands."""
    is_seen = any(file.startswith(FOR_PLAYERS) for file, _line in entry.locations)
    return PLAYERS if is_seen else MAKERS


def untranslated(spoken: Catalog, kept: Catalog, part: str) -> list[str]:
    """The sentences of a part that have no translation yet."""

    def is_translated(entry: Message) -> bool:
        known = kept.get(entry.id)
        return known is not None and all(forms(known.string or ""))

    own = (entry for entry in spoken if entry.id and part_of(entry) == part)
    return [forms(entry.id)[0] for entry in own if not is_translated(entry)]


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


def written(catalogue: Catalog, part: str) -> bytes:
    """The `.po` of a part; without dates, so that it changes with its sentences alone."""
    file = io.BytesIO()
    write_po(file, catalogue, width=100, omit_header=True, sort_by_file=True, include_lineno=False)
    header = (
        GUIDE.format(about=ABOUT[part])
        + 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n'
        f'"Language: {catalogue.locale}\\n"\n'
        f'"Plural-Forms: {catalogue.plural_forms}\\n"\n\n'
    )
    return header.encode() + file.getvalue()


def up_to_date(spoken: Catalog, old: Catalog) -> dict[str, bytes]:
    """The `.po` of each part for what is spoken today, with what `old` has translated.

    What stands there already keeps its place among the sentences of its file, wherever that says
    it: code that moves changes no catalogue.
    """
    places = {forms(entry.id): place for place, entry in enumerate(old)}
    parts = {part: Catalog(locale=old.locale, fuzzy=False) for part in ABOUT}
    for message in sorted(spoken, key=lambda each: places.get(forms(each.id), len(places))):
        if message.id:
            known = old.get(message.id)
            parts[part_of(message)].add(
                message.id,
                known.string if known else "",
                message.locations,
                auto_comments=message.auto_comments,
            )
    return {part: written(catalogue, part) for part, catalogue in parts.items()}


def write(language: str, old: Catalog) -> None:
    """Write a language's files for the sentences of today, with what `old` has translated."""
    folder = LOCALE / language / "LC_MESSAGES"
    folder.mkdir(parents=True, exist_ok=True)
    for part, content in up_to_date(extracted(), old).items():
        file_of(language, part).write_bytes(content)
    (folder / f"{DOMAIN}.mo").write_bytes(compiled(read(language)))


if __name__ == "__main__":
    chosen = sys.argv[1:] or sorted(path.name for path in LOCALE.iterdir())
    for name in chosen:
        write(name, read(name))

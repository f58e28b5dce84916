"""Rules as people name them: a rules text, or a file with rules of their own."""

from pathlib import Path
from typing import Final

from rules import Rules, RulesError, parse_rules, parse_rules_file
from rules.sentences import _

from ..errors import TableError
from ..files import read_text

MOST_BYTES: Final = 100_000
"""A file with rules is a page or two."""


class BadRulesFile(TableError, ValueError):
    """A rules file that cannot be read; the message names it and the mend."""


def named_rules(name: str) -> Rules:
    """Return the rules of a rules text, or of the TOML file that `name` ends in `.toml` for.

    Raises RulesError, BadRulesFile, NotText, or OSError where the file cannot be opened.
    """
    if not name.endswith(".toml"):
        return parse_rules(name)
    try:
        return parse_rules_file(read_text(Path(name), MOST_BYTES))
    except RulesError as error:
        raise BadRulesFile(_("{name}: {why}"), name=name, why=error) from error

"""Refusals of the table, in words for the person in front of it."""

from rules.sentences import SentenceError


class TableError(SentenceError):
    """Base of every refusal of `jetan_table`; its text names the thing and the mend."""


class NotACheckout(TableError, FileNotFoundError):
    """A command works on the project's own files, and they are not beside the installed code."""


class MissingPackage(TableError, ImportError):
    """A command stands on a package that this environment does not hold."""

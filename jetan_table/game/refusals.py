"""What the table refuses people: one sentence each, with its mend."""

from rules.sentences import SentenceError

from ..errors import TableError


class Refusal(SentenceError, TableError):
    """A refusal that can be said in every language of the table."""

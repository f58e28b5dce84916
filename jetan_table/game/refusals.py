"""What the table refuses people: one sentence each, with its mend."""

from ..errors import TableError


class Refusal(TableError):
    """A refusal that can be said in every language of the table."""

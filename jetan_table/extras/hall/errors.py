"""What a hall refuses."""

from ...errors import TableError


class BadBroker(TableError, ValueError):
    """An address of a broker that cannot be used."""


class BadWord(TableError, ValueError):
    """What came from the broker and cannot be taken in: `kind` is what it is counted as."""

    kind = "not understood"


class TooLargeWord(BadWord):
    """More bytes than any table says."""

    kind = "too large"


class OldWord(BadWord):
    """Said before what is known already."""

    kind = "old"


class FalseWord(BadWord):
    """A game that cannot have been played so, or a hash of another text."""

    kind = "false"


class NotOurTopic(BadWord):
    """A topic that no table of a hall writes."""

    kind = "no topic"


class CannotPair(TableError, ValueError):
    """Players who cannot be paired so."""


class NoSeat(TableError, LookupError):
    """A table, a player or a round that this hall does not know."""

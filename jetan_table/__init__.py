"""The Jetan table: what joins rules and hardware into a thing people play on."""

__version__ = "0.1.0"

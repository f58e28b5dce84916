"""A table in a visitor's own browser: the same rules, session and page, in one Python without
threads, processes or a network.
"""

from .. import Extra

__all__ = ("EXTRA", "begun", "engine")


class Site(Extra):
    """It brings nothing to a table: the pages' site starts it."""

    needs = ("opponent",)


EXTRA = Site()

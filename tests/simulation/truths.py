"""What holds of a table after every step: one truth on the disk, in the view, on lamps and page."""

from collections.abc import Sequence

from hardware.ports import RGB
from jetan_table.game.record import Record
from jetan_table.light.lamps import OFF, Lighting, cues, lights
from jetan_table.page.state import state_of
from jetan_table.session.view import View
from jetan_table.table.loop import Table

MARGIN_S = 1.0
"""Clocks may be ahead of what a table has counted by so much."""


class Truths:
    """Compares what is shown; what has not changed since the last step is not looked at again."""

    def __init__(self) -> None:
        self._record: Record | None = None
        self._view: View | None = None

    def check(self, table: Table, shown: Sequence[RGB], now: float, on_s: float) -> None:
        """AssertionError where the record is not on the disk, or anything else tells another.

        Nor may the clocks have lost more than the time that the table has been on.
        """
        record, view = table.record, table.view
        if record is not self._record:
            self._record = record
            archive = table.archive
            kept = Record.read(archive.header(table.game), archive.entries(table.game))
            assert kept == record, "what is shown is not what the disk has"
        if view is not self._view:
            self._view = view
            assert tuple(view.record.moves) == tuple(record.moves), "the view tells of other plies"
            page = state_of(table, None)
            assert page["moves"] == list(record.moves), "the page tells of other plies"
            assert _is_lit(view, table.lighting, shown, now), "the lamps show another view"
        if record.clocks is not None:
            left = record.clocks.until(now).left
            lost_s = 2 * record.clocks.control.main_s - left.black - left.orange
            assert lost_s <= on_s + MARGIN_S, f"clocks paid {lost_s:.1f} of {on_s:.1f} s"


def _is_lit(view: View, light: Lighting, shown: Sequence[RGB], now: float) -> bool:
    """Whether lamps show a view; a figure is drawn over it in white."""
    if view.trouble:
        return set(shown) == {OFF}
    due = lights(cues(view), light, now)
    is_figure = all(red == green == blue for red, green, blue in shown)
    return tuple(shown) == due or (is_figure and set(shown) != {OFF})

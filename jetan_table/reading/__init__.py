"""From what sensors see to plies: two readers, one of switches and one of looks."""

__all__ = (
    "camera_reader",
    "costs",
    "readings",
    "scene",
    "table_reader",
)

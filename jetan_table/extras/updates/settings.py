"""`[update]`: where a newer version is looked for."""

import msgspec


class UpdateSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[update]`: where the table looks whether there is a newer version; by default nowhere."""

    source: str = ""
    """A folder in which packages lie, or the address of a release's `jetan-table.json`."""

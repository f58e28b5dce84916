"""`[update]`: the source of newer versions."""

import msgspec


class UpdateSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[update]`: the source of newer versions; by default the table looks nowhere."""

    source: str = ""
    """A folder of packages, or the address of a release's `jetan-table.json`."""
    keyring: str = ""
    """A file of public keys, as `gpg --export` writes it: only what one of them signed comes in."""

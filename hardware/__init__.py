"""The parts of a table: the ports that every driver implements, and a board on the Pi's own pins.

`ports` are the seams; `sensors` combine other sensors; `reeds`, `matrix`, `pins`, `lamps` and
`pin_board` are a board on a Pi's pins; `build` has the sizes of a table, `die` its electronic die
and `signs` the signs of its pieces.
"""

__all__ = (
    "build",
    "die",
    "lamps",
    "matrix",
    "pin_board",
    "pins",
    "ports",
    "reeds",
    "sensors",
    "signs",
)

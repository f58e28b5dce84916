"""The command `jetan`, also as `python3 -m jetan_table`; interrupted, it ends without a word."""

import gc
import signal
import sys

SELDOM = 1000  # collections of what is young, for one of everything


def main() -> int:
    """Run the command line, and return its exit code."""
    can_interrupt = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if can_interrupt:  # while modules are read, nothing is there yet to be closed
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from .cli import main as run

    if can_interrupt:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # To look for cycles through all there is takes longer than any call of the reader, which makes
    # none: what has been read up to here is never looked through again, and the rest seldom.
    gc.freeze()
    gc.set_threshold(*gc.get_threshold()[:2], SELDOM)
    return run()


if __name__ == "__main__":
    sys.exit(main())

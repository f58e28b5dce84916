"""The command `jetan`, also as `python3 -m jetan_table`; interrupted, it ends without a word."""

import signal
import sys


def main() -> int:
    """Run the command line, and return its exit code."""
    can_interrupt = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if can_interrupt:  # while modules are read, nothing is there yet to be closed
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from .cli import main as run

    if can_interrupt:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    return run()


if __name__ == "__main__":
    sys.exit(main())

"""`python -m dpbandits` is the command line, and so is the script `dpbandits`."""

import os
import signal
import sys


def main() -> int:
    """Run a command. Ctrl-C ends it quietly from the first moment on, while Python is still loading."""
    before = signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    from dpbandits.cli import interrupted
    from dpbandits.cli import main as run

    try:
        signal.signal(signal.SIGINT, before)
        return run()
    except KeyboardInterrupt:
        return interrupted()


if __name__ == "__main__":
    sys.exit(main())

"""`python -m dpbandits` is the command line."""

import sys

from dpbandits.cli import main

sys.exit(main())

"""`python -m rtp` is the command `rtp`."""

import sys

from rtp.cli.main import main

if __name__ == "__main__":
    sys.exit(main())

"""The command line: `rtp --help`, or `python -m rtp --help`."""

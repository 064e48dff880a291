"""The lab's version, written here and nowhere else."""

VERSION = "1.1.0"

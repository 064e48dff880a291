"""The lab's version, written here and nowhere else."""

VERSION = "2.0.0"

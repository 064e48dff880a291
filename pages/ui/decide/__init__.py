"""Decide: which rate can be published, what an error and what privacy cost, what if."""

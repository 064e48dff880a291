"""Exact densities: uniform consumption plus Laplace noise."""

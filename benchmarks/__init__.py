"""How fast and how lean, each as a ratio measured in one run: `python -m benchmarks` (or `make bench`)."""

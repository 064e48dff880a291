"""What every room stands on: array types, time, randomness, statistics, formats, tables, workers."""

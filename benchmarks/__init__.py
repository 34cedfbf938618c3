"""Benchmarks, as ratios measured in one run: seconds depend on the machine, ratios hardly do."""

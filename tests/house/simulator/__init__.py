"""A simulator of the house: the real server code on a simulated clock, network and disk, all driven by one seed.

The server under test is `Running` with its real desk. The event loop, the disk, the network and the people
are simulated. Faults are drawn from the seed, so a run that fails can be repeated exactly.
"""

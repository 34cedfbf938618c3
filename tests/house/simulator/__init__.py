"""A simulator of the house: its own code on a simulated clock, network and disk, all of them from one seed.

What serves is `Running` with its desk and its store, as in a server; what is simulated is the event loop under it, the
disk, the messages and the people. Faults come by the dice, and a seed that fails repeats exactly.
"""

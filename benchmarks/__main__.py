"""`make bench`: everything that is measured, one table after another."""

from benchmarks import colorado, edges, meter, ranking, rounds, settling, simulation, store

for part in (settling, rounds, ranking, edges, colorado, meter, simulation, store):
    print(f"\n== {part.__name__.removeprefix('benchmarks.')}")
    part.main()

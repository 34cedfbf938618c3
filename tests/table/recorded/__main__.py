"""`python -m tests.table.recorded --write`: the record is made anew; `git diff` shows what has changed in it."""

import argparse
import sys

from tests.table.recorded import write_all

parser = argparse.ArgumentParser(description="Evenings on record: what commands once came to.")
parser.add_argument("--write", action="store_true", required=True, help="make the record anew")
parser.parse_args()
for path in write_all():
    sys.stdout.write(f"{path.name}\n")
    sys.stdout.flush()

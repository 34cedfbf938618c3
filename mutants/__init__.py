"""Would a test notice? Small changes to books and code, each held against the suite: `make mutants`."""

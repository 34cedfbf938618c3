"""Mutation tests: small changes to books and code, and whether a test notices them: `make mutants`."""

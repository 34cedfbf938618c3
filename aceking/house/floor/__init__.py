"""Decide one request to the floor: tables, meters, cage and people in one draft. Pure functions: no clock, no disk."""

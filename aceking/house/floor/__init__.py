"""One request to the floor, decided: tables, meters, cage and people in one draft. Pure: nothing is reached for."""

"""`python -m aceking`."""

from aceking.cli import main

if __name__ == "__main__":
    main()

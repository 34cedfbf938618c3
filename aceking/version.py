"""The version of the program, where everybody may read it without reading anything else."""

__version__ = "0.1.0"

"""The version of evalign."""

__version__ = "0.1.0"

"""Run the command `evalign` as `python -m evalign`."""

from evalign.cli import enter

if __name__ == "__main__":
    enter()

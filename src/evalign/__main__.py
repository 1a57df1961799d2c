"""`python -m evalign` is the command `evalign`."""

from evalign.cli import enter

if __name__ == "__main__":
    enter()

"""The scripts that evalign replaces: their numbers, their output, their Python interfaces.

Nothing here needs numpy: a test set is scored in less time than numpy takes to start.
"""

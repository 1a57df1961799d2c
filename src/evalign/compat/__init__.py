"""The evaluation scripts that evalign replaces, with their numbers, output and Python interfaces.

The commands `conll18`, `udeval` and `evalb` use this package. Nothing here needs numpy: importing numpy takes
longer than scoring a test set.
"""

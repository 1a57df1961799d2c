"""Alignment: bring two documents onto one line, so that their spans can be compared.

`align_documents` is the entry; scoring and metrics use the `Alignment` that it returns. A place is a position
on the line that both documents share:

    equal lines                          positions are places
    equal once notation is normalised    positions of the normalised lines are places
    otherwise                            characters are aligned; what both sides have gets a place
"""

"""Reports: results and other finished values rendered as text in one of several formats.

The command line prints what is made here. `evalign.reports.html` makes the page for a browser.
"""

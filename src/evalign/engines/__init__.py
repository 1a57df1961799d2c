"""Engines map a function over items: in this process, in several processes, or on a Dask cluster.

`open_engine` chooses one. All engines give the same results. `scoring` and `bitext` use them for work that
falls into independent items, such as treebanks.
"""

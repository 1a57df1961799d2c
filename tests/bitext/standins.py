"""An engine for tests: it pickles everything, as between processes, and finishes items in random order."""

import pickle
import random


class Shuffled:
    """Works in this process on some items at a time, and returns any of them first."""

    name = "shuffled"

    def __init__(self, seed=0, n_workers=3, change=lambda item: item):
        self.n_workers = n_workers
        self.n_items = 0
        self._random = random.Random(seed)
        self._change = change

    def run(self, function, items):
        function = pickle.loads(pickle.dumps(function))
        waiting = []
        for number, item in enumerate(items):
            self.n_items += 1
            item = self._change(pickle.loads(pickle.dumps(item)))
            waiting.append((number, pickle.loads(pickle.dumps(function(item)))))
            if len(waiting) > self.n_workers:
                yield waiting.pop(self._random.randrange(len(waiting)))
        self._random.shuffle(waiting)
        yield from waiting

    def close(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        pass

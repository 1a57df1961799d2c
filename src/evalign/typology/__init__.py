"""Comparisons of treebanks: what their relations, words and trees are like, and how that affects scores.

The commands `evalign typology ...`, the reports and `evalign.bitext` (for `rank` and `spread`) use this
package. It follows Callin, A typological perspective on evaluation for Universal Dependencies.

>>> from evalign.typology.correlation import correlate
>>> correlate([0.1, 0.2, 0.3], [3.0, 2.0, 1.0])
-1.0
"""

from __future__ import annotations

from evalign._lazy import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.typology.cascades import (
        find_cascades as find_cascades,
        find_run_cascades as find_run_cascades,
    )
    from evalign.typology.comparison import compare as compare
    from evalign.typology.judgements import judge as judge, judge_run as judge_run
    from evalign.typology.options import ProfileOptions as ProfileOptions
    from evalign.typology.profiles import (
        make_weights as make_weights,
        profile as profile,
        save_weights as save_weights,
    )
    from evalign.typology.selection import select as select
    from evalign.typology.whole_study import study as study

__getattr__, __dir__, __all__ = lazy_face(
    __name__,
    {
        ".cascades": "find_cascades find_run_cascades",
        ".comparison": "compare",
        ".judgements": "judge judge_run",
        ".options": "ProfileOptions",
        ".profiles": "make_weights profile save_weights",
        ".selection": "select",
        ".whole_study": "study",
    },
)

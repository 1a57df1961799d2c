"""Comparisons of treebanks: what their relations, words and trees are like, and how that affects scores.

The commands `evalign typology ...`, the reports and `evalign.bitext` (for `rank` and `spread`) use this
package. It follows Callin, A typological perspective on evaluation for Universal Dependencies.

>>> from evalign.typology import correlate
>>> correlate([0.1, 0.2, 0.3], [3.0, 2.0, 1.0])
-1.0
"""

from __future__ import annotations

from evalign._lazy import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.typology.cascades import (
        Cascades as Cascades,
        RootHeads as RootHeads,
        RunCascades as RunCascades,
        TreebankCascades as TreebankCascades,
        count_cascades as count_cascades,
        find_cascades as find_cascades,
        find_run_cascades as find_run_cascades,
    )
    from evalign.typology.comparison import (
        LEFT_OUT as LEFT_OUT,
        NO_STTR as NO_STTR,
        TWO_TREEBANKS as TWO_TREEBANKS,
        TreebankComparison as TreebankComparison,
        compare as compare,
    )
    from evalign.typology.correlation import (
        correlate as correlate,
        correlate_ranks as correlate_ranks,
        rank as rank,
        spread as spread,
    )
    from evalign.typology.judgements import (
        Agreement as Agreement,
        Agreements as Agreements,
        Judgement as Judgement,
        RunAgreements as RunAgreements,
        judge as judge,
        judge_run as judge_run,
        measure_agreement as measure_agreement,
        read_judgements as read_judgements,
    )
    from evalign.typology.profiles import (
        Profile as Profile,
        Profiles as Profiles,
        average_entropies as average_entropies,
        load_profiles as load_profiles,
        make_weights as make_weights,
        profile as profile,
        save_weights as save_weights,
        weights_json as weights_json,
    )
    from evalign.typology.selection import (
        Choice as Choice,
        Criteria as Criteria,
        Selection as Selection,
        language_of as language_of,
        select as select,
    )
    from evalign.typology.treebanks import (
        ProfileOptions as ProfileOptions,
        RelationWords as RelationWords,
        TypeTokenRatio as TypeTokenRatio,
        file_stem as file_stem,
        find_nonprojective as find_nonprojective,
        find_trees as find_trees,
        is_folder as is_folder,
        name_apart as name_apart,
    )
    from evalign.typology.whole_study import Study as Study, study as study

__getattr__, __dir__, __all__ = lazy_face(
    __name__,
    {
        ".cascades": (
            "Cascades RootHeads RunCascades TreebankCascades count_cascades find_cascades find_run_cascades"
        ),
        ".comparison": "LEFT_OUT NO_STTR TWO_TREEBANKS TreebankComparison compare",
        ".correlation": "correlate correlate_ranks rank spread",
        ".judgements": (
            "Agreement Agreements Judgement RunAgreements judge judge_run measure_agreement read_judgements"
        ),
        ".profiles": (
            "Profile Profiles average_entropies load_profiles make_weights profile save_weights weights_json"
        ),
        ".selection": "Choice Criteria Selection language_of select",
        ".treebanks": (
            "ProfileOptions RelationWords TypeTokenRatio file_stem find_nonprojective find_trees "
            "is_folder name_apart"
        ),
        ".whole_study": "Study study",
    },
)

"""Building a data set from documents of two languages and known translations, which are planted in them.

`build_dataset` runs the eight stages of a build and writes the data set to a folder; `verify_dataset` checks
a finished data set.
"""

from __future__ import annotations

from evalign._lazy import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.bitext.build.build import STAGES as STAGES, Built as Built, build_dataset as build_dataset
    from evalign.bitext.build.config import Config as Config, Planting as Planting, read_config as read_config
    from evalign.bitext.build.plant_stage import (
        PLANTING_KINDS as PLANTING_KINDS,
        FreeSlots as FreeSlots,
        IndexJob as IndexJob,
        KnownSentences as KnownSentences,
        SplitIndex as SplitIndex,
        plant_pairs as plant_pairs,
        save_side as save_side,
        sift_pairs as sift_pairs,
    )
    from evalign.bitext.build.publish import (
        fingerprint_inputs as fingerprint_inputs,
        save_seals as save_seals,
    )
    from evalign.bitext.build.rows import (
        BuildSizes as BuildSizes,
        PairRow as PairRow,
        hash_text as hash_text,
        parse_planted as parse_planted,
    )
    from evalign.bitext.build.split_stages import (
        NO_SPLIT as NO_SPLIT,
        SplitDocuments as SplitDocuments,
        drop_linked as drop_linked,
        find_copies as find_copies,
        forbid_linked as forbid_linked,
        group_linked as group_linked,
        split_documents as split_documents,
    )
    from evalign.bitext.build.verify import PromiseCheck as PromiseCheck, verify_dataset as verify_dataset
    from evalign.bitext.build.workspace import (
        read_records as read_records,
        record_file as record_file,
        save_records as save_records,
    )

__getattr__, __dir__, __all__ = lazy_face(
    __name__,
    {
        ".build": "Built STAGES build_dataset",
        ".config": "Config Planting read_config",
        ".plant_stage": (
            "FreeSlots IndexJob KnownSentences PLANTING_KINDS SplitIndex plant_pairs save_side sift_pairs"
        ),
        ".publish": "fingerprint_inputs save_seals",
        ".rows": "BuildSizes PairRow hash_text parse_planted",
        ".split_stages": (
            "NO_SPLIT SplitDocuments drop_linked find_copies forbid_linked group_linked split_documents"
        ),
        ".verify": "PromiseCheck verify_dataset",
        ".workspace": "read_records record_file save_records",
    },
)

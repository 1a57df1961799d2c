"""Metrics: what is counted of two aligned documents, and the options that decide how.

`scoring` and `bitext` count metrics, `results`, `reports` and `cli` look them up. `METRICS` has all of them
in the order in which they are listed; `definitions` says what each one means.
"""

from __future__ import annotations

from evalign._lazy import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.metrics.census import (
        COUNTED_EMPTY as COUNTED_EMPTY,
        KEPT_COLUMNS as KEPT_COLUMNS,
        LABEL_COLUMNS as LABEL_COLUMNS,
        MOST_SCANS as MOST_SCANS,
        Census as Census,
        ColumnCensus as ColumnCensus,
        DocumentSize as DocumentSize,
        LabelUse as LabelUse,
        LiveCensus as LiveCensus,
        TakenCensus as TakenCensus,
        TakenColumnCensus as TakenColumnCensus,
        census_has as census_has,
        check_columns as check_columns,
        find_lacking as find_lacking,
        find_lacking_of_both as find_lacking_of_both,
        find_size as find_size,
        freeze as freeze,
        has_column as has_column,
        has_columns as has_columns,
        join_censuses as join_censuses,
        join_remarks as join_remarks,
        may_have as may_have,
        name_columns as name_columns,
        sort_remarks as sort_remarks,
        take_census as take_census,
    )
    from evalign.metrics.comparison import Comparison as Comparison, CountTable as CountTable, Units as Units
    from evalign.metrics.counts import Counts as Counts, add_misses as add_misses, prf as prf, ratio as ratio
    from evalign.metrics.edits import (
        EditLimits as EditLimits,
        bound_distance as bound_distance,
        count_edits as count_edits,
    )
    from evalign.metrics.keys import LabelMeanings as LabelMeanings
    from evalign.metrics.metric import (
        BRACKET_KINDS as BRACKET_KINDS,
        KINDS as KINDS,
        LABEL_FIELDS as LABEL_FIELDS,
        MATCHED as MATCHED,
        MOST_PASSAGES as MOST_PASSAGES,
        TREE as TREE,
        Metric as Metric,
        find_name as find_name,
        label_metric as label_metric,
    )
    from evalign.metrics.options import (
        CANDIDATES as CANDIDATES,
        DEFAULT_SCHEME as DEFAULT_SCHEME,
        PRESETS as PRESETS,
        ROOT_LABELS as ROOT_LABELS,
        SPANS as SPANS,
        EdgeMatch as EdgeMatch,
        FeatureValues as FeatureValues,
        Match as Match,
        Options as Options,
        Punctuation as Punctuation,
        RelationLabels as RelationLabels,
        Scheme as Scheme,
        load_scheme as load_scheme,
    )
    from evalign.metrics.registry import (
        DEFAULT_COLUMNS as DEFAULT_COLUMNS,
        DEFAULT_METRICS as DEFAULT_METRICS,
        DEFAULT_TREES as DEFAULT_TREES,
        LABEL_METRICS as LABEL_METRICS,
        METRICS as METRICS,
        METRICS_WITH_ERRORS as METRICS_WITH_ERRORS,
        ORACLE as ORACLE,
        PAIRS as PAIRS,
        SPAN_METRICS as SPAN_METRICS,
        TRAINED as TRAINED,
        WORD_METRICS as WORD_METRICS,
        choose_metrics as choose_metrics,
        find_metric as find_metric,
        find_pair_metric as find_pair_metric,
        recall_metric as recall_metric,
        show_metric as show_metric,
        span_metric as span_metric,
    )
    from evalign.metrics.relations import (
        DEFAULT_WEIGHT as DEFAULT_WEIGHT,
        OWN_RELATIONS as OWN_RELATIONS,
        RELATION_CLASSES as RELATION_CLASSES,
        WEIGHTS_SCHEMA as WEIGHTS_SCHEMA,
        RelationClass as RelationClass,
        Version as Version,
        Weights as Weights,
        check_weights as check_weights,
        find_version as find_version,
        load_weights as load_weights,
        relation_class as relation_class,
    )
    from evalign.metrics.spans import (
        count_printed as count_printed,
        count_spans as count_spans,
        is_name as is_name,
        word_sentences as word_sentences,
    )
    from evalign.metrics.word_comparison import column_version as column_version

__getattr__, __dir__, __all__ = lazy_face(
    __name__,
    {
        ".census": (
            "COUNTED_EMPTY Census ColumnCensus DocumentSize KEPT_COLUMNS LABEL_COLUMNS LabelUse "
            "LiveCensus MOST_SCANS TakenCensus TakenColumnCensus census_has check_columns "
            "find_lacking find_lacking_of_both find_size freeze has_column has_columns "
            "join_censuses join_remarks may_have name_columns sort_remarks take_census"
        ),
        ".comparison": "Comparison CountTable Units",
        ".counts": "Counts add_misses prf ratio",
        ".edits": "EditLimits bound_distance count_edits",
        ".keys": "LabelMeanings",
        ".metric": (
            "BRACKET_KINDS KINDS LABEL_FIELDS MATCHED MOST_PASSAGES Metric TREE find_name label_metric"
        ),
        ".options": (
            "CANDIDATES DEFAULT_SCHEME EdgeMatch FeatureValues Match Options PRESETS Punctuation "
            "ROOT_LABELS RelationLabels SPANS Scheme load_scheme"
        ),
        ".registry": (
            "DEFAULT_COLUMNS DEFAULT_METRICS DEFAULT_TREES LABEL_METRICS METRICS METRICS_WITH_ERRORS ORACLE "
            "PAIRS SPAN_METRICS TRAINED WORD_METRICS choose_metrics find_metric find_pair_metric recall_metric "
            "show_metric span_metric"
        ),
        ".relations": (
            "DEFAULT_WEIGHT OWN_RELATIONS RELATION_CLASSES RelationClass Version WEIGHTS_SCHEMA "
            "Weights check_weights find_version load_weights relation_class"
        ),
        ".spans": "count_printed count_spans is_name word_sentences",
        ".word_comparison": "column_version",
    },
)

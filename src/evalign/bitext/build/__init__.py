"""Building a data set, stage by stage: documents of two languages in, a folder with planted translations out."""

from __future__ import annotations

from evalign._lazy import lazy_face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evalign.bitext.build.build import Built as Built, build_dataset as build_dataset
    from evalign.bitext.build.config import Config as Config, read_config as read_config
    from evalign.bitext.build.verify import PromiseCheck as PromiseCheck, verify_dataset as verify_dataset

__getattr__, __dir__, __all__ = lazy_face(
    __name__,
    {
        ".build": "Built build_dataset",
        ".config": "Config read_config",
        ".verify": "PromiseCheck verify_dataset",
    },
)

"""What building and mining know of a language: how long sentences are, what is searched for, what is left out.

>>> from evalign.bitext.languages.terms import make_query
>>> make_query(find_language("fr"), "Les députés de l'Assemblée votent la loi.").terms
('députés', 'assemblée', 'votent')
"""

from __future__ import annotations

from evalign.bitext.languages.known import find_language, known_languages
from evalign.bitext.languages.settings import Language, Unit

__all__ = ["Language", "Unit", "find_language", "known_languages"]

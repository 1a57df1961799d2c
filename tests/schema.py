"""The JSON schema of saved results, and a validator.

The validator is made once, because making it takes longer than using it.
"""

import json
from pathlib import Path

import jsonschema

SCHEMA = json.loads((Path(__file__).parents[1] / "docs" / "result.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def validate(saved):
    """Fail if a saved result does not conform to the schema."""
    VALIDATOR.validate(saved)

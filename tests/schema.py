"""The schema of saved results, with a validator made once: to make one takes longer than to use it."""

import json
from pathlib import Path

import jsonschema

SCHEMA = json.loads((Path(__file__).parents[1] / "docs" / "result.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def validate(saved):
    """Fail where what was saved is not as the schema says."""
    VALIDATOR.validate(saved)

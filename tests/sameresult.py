"""Results that were counted in parts, compared with those of the whole text."""

from evalign.metrics.metric import MOST_PASSAGES


def assert_same(parts, whole, passages=MOST_PASSAGES):
    """What is saved of both is the same, but that the context of an error ends where a part ends."""
    found, expected = (result.to_dict(whole=True, passages=passages) for result in (parts, whole))
    for system, of_whole in zip(found["systems"], expected["systems"], strict=True):
        for metric, kept in system.get("evidence", {}).items():
            for errors in zip(kept["errors"], of_whole["evidence"][metric]["errors"], strict=True):
                for key, is_part in (("before", str.endswith), ("after", str.startswith)):
                    # A text with a window is cut as well, elsewhere.
                    shorter, longer = sorted((error[key] for error in errors), key=len)
                    assert is_part(longer, shorter)
                    errors[0][key] = errors[1][key] = longer
    assert found == expected
    assert list(map(str, found["systems"])) == list(map(str, expected["systems"])), "another order of keys"

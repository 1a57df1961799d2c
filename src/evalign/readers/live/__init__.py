"""Objects in memory: documents of NLP packages, offsets of tokenizers, lists of tokens."""

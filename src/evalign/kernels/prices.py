"""Prices of the steps of an alignment, and what steps earn, in sixteenths of a bit.

`alignment.character_alignment` has the table.
"""

BIT = 16

# Costs of a gap: opening it, a substituted pair, a character of one line, a part of one token (any stretch
# within it, where the other line has a token boundary), and what token for token costs beyond a part.
OPEN, SUBSTITUTED, ONE_SIDED, PART, REPLACED = 72, 40, 24, 96, 24
# Costs of a jump: beginning it, and each of its characters.
JUMP_BEGINS, JUMP_GOES_ON = 512, 2
# What a pair, and a jump, earns by beginning or ending where both lines have a token or a sentence boundary: an
# equal pair SENTENCE_PAIR at a sentence boundary, a substituted one SUBSTITUTED_PAIR.
TOKEN_PAIR, SENTENCE_PAIR, SUBSTITUTED_PAIR = 8, 48, 24
TOKEN_JUMP, SENTENCE_JUMP = 32, 192

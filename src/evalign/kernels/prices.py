"""Prices of the steps of an alignment, and what steps earn, in sixteenths of a bit.

`alignment.character_alignment` has the table.
"""

BIT = 16

# Costs of a gap: opening it, a substituted pair, a character of one line, a whole token of one line or one
# for another.
OPEN, SUBSTITUTED, ONE_SIDED, TOKEN = 72, 40, 24, 128
# Costs of a jump: beginning it, and each of its characters.
JUMP_BEGINS, JUMP_GOES_ON = 512, 2
# What a pair, and a jump, earns by beginning or ending where both lines have a token or a sentence boundary.
TOKEN_PAIR, SENTENCE_PAIR = 8, 24
TOKEN_JUMP, SENTENCE_JUMP = 32, 192

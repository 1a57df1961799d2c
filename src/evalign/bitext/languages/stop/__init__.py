"""Stop words of languages, one on a line: words of closed classes, listed for evalign; of Chinese and Japanese, expressions."""

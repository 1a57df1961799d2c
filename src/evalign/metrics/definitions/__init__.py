"""Definitions of all metrics and terms, with sources and worked examples, for `evalign explain`."""

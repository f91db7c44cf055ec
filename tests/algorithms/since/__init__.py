"""Algorithms since the five papers, played beside slow plain twins that were written from their descriptions."""

"""Fixtures of the tests of morphology."""

from reference_texts import read

__all__ = ["read"]

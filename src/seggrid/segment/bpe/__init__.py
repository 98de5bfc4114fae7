"""Byte pair encoding: learn merges, apply them, read and write them."""

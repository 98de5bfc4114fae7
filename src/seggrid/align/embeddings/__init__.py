"""Links from the vectors of a multilingual encoder."""

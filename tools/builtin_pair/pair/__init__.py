"""A small parallel grammar of English and German that also makes the links."""

"""A small parallel grammar of English and German that knows what it aligns."""

"""The data that stages pass to one another, and their files."""

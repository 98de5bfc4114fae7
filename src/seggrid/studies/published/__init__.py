"""Published figures and claims of the replicated works."""

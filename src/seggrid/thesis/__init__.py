"""Published figures and claims of the thesis, for its replication."""

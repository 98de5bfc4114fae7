"""Word links against gold: metrics, votes over samples, tables, intervals and tests."""

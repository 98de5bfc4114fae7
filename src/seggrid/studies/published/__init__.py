"""Published figures compared with ours."""

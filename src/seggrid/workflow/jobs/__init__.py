"""What the scripts of jobs share: arguments, messages, logs, tables."""

"""Code shared by the scripts of jobs: arguments, messages, logs, tables."""

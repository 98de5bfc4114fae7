"""The inputs, parameters and resources of the rules, and the checks before any job."""

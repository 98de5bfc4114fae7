"""What the rules ask: inputs, parameters, resources, and the checks before any job."""

"""What a grid shows: settings chosen apart from the sentences that they are scored on, and the verdict."""

"""What a grid shows: settings chosen on other sentences than those on which they are scored, and the
verdict."""

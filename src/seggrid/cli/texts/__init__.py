"""The commands for texts, links and models of your own."""

"""What only a replication needs: published figures and claims."""

"""What docs/generate.py fills the pages with."""

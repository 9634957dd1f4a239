"""What tools/docs.py fills README.md and docs/ with: tables and figures of committed records, each with its source.

source says what a page cites; tables, steps and devices make its tables, drawn its figures, of the report's parts.
"""

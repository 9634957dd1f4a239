"""What tools/docs.py fills README.md and docs/ with: tables and figures of committed records, each with its source.

source says what a page cites; measured, compared and steps are the tables and the figures in prose, made of the report's parts.
"""

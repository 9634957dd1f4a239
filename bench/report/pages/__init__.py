"""Contents that tools/docs.py inserts into README.md and docs/: tables and figures of committed records with their source.

source describes a page's records; tables, steps and devices make tables, drawn makes figures, from the report's parts.
"""

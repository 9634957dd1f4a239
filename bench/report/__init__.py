"""The report: tables and figures of a study, from its records and nothing else."""

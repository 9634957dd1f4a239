"""Pages, tables, figures and comparisons, made only from records. Each layer imports only earlier ones:

    text, parts             formatting of numbers; tables, figures and sections, as HTML and as Markdown
    intervals, processes    95 % intervals; merging the processes of a study into one measurement
    checks, named           required fields of records and their forms; display names
    study, records          the records of a report; the only reader: unusable records become a Problem
    pairs, view             which measurements are comparable and compared; which measurement represents a problem
    cells                   table cells with significant digits and source lines
    charts                  drawing of figures, for the page and docs
    sections/               contents of a report, one module per section, in the order of sections/__init__.py
    sources                 the rungs' source in this copy of the project, and their differences
    page, front/            assembly of the page: template, style, scripts and their data; and CSV files
    pages/                  contents that tools/docs.py inserts into README.md and docs/

__main__ is `./study report`, compare is `./study compare`.
"""

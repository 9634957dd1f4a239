"""Pages, tables, figures and comparisons, from records and nothing else. Each layer knows only those above it:

    text, parts             numbers as people read them; tables, figures and sections, as HTML and as Markdown
    intervals, processes    95 % intervals; what several processes measured of the same, as one measurement
    checks, named           what a record has to say, and in which form; what it is called
    study, records          the records of a report; the one reader: what cannot be used becomes a Problem
    pairs, view             what may stand in one ratio, and which two stand beside each other; which measurement stands for what
    cells                   numbers of measurements as cells, with the digits they warrant and the lines they come from
    charts                  how figures are drawn, on the page and in docs
    sections/               what a report is made of, one module per section, in the order of sections/__init__.py
    sources                 the rungs' source in this copy of the project, and how they differ
    picked                  what the page's scripts draw from, as JSON
    page, front/            puts it together: the template, its style and its scripts; CSV beside it
    pages/                  what tools/docs.py fills README.md and docs/ with

__main__ is `./study report`, compare is `./study compare`.
"""

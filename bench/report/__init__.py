"""Pages, tables, figures and comparisons, from records and nothing else. Each layer knows only those above it:

    records                 reads the files; what cannot be used becomes a Problem
    comparable, efficiency  what may stand in one ratio; performance portability
    view, pairs             which measurement stands for what; which two stand beside each other
    parts, text             tables, figures and sections; numbers as people read them
    drawing, lines          how figures are drawn
    sections/               what a report is made of, a module a section, in the order of sections/__init__.py
    page                    puts it together: page.html, page.css, page.js; Markdown, CSV and SVG beside it

__main__ is `./study report`, compare is `./study compare`.
"""

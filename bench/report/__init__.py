"""Pages, tables, figures and comparisons, from records and nothing else. Each layer knows only those above it:

    text, parts             numbers as people read them; tables, figures and sections, as HTML and as Markdown
    schema1, records        what older records say in words, as fields; the one reader: what cannot be used becomes a Problem
    cells                   numbers of measurements as cells, with the digits they warrant and the lines they come from
    pairs, view             what may stand in one ratio, and which two stand beside each other; which measurement stands for what
    drawing                 how figures are drawn
    sections/               what a report is made of, one module per section, in the order of sections/__init__.py
    page                    puts it together: page.html, page.css, page.js; Markdown, CSV and SVG beside it
    pages/                  what tools/docs.py fills README.md and docs/ with

__main__ is `./study report`, compare is `./study compare`.
"""

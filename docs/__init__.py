"""The site, generated from the theorems, objectives and rules themselves.

    python -m docs.build            pages, then a strict build into site/
    python -m docs.build --serve    the same, then a local server

`docs.record` turns theorems into plain data, once a certificate; `docs.pages` turns that data into
Markdown and does nothing else.
"""

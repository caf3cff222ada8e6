"""One module a kind of page: pure functions from data to Markdown."""

"""Every page of the site by its path, and the navigation that leads to them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from docs import lessons
from docs.collect import Cache
from docs.descents import descents
from docs.figures import TITLES
from docs.graph import layout
from docs.markup import sentence
from docs.page import theorem_page
from docs.pages.api import PATHS, api_pages
from docs.pages.chapters import chapter_page, theorems_page
from docs.pages.cite import cite_page
from docs.pages.claims import claims_page
from docs.pages.commands import commands_page
from docs.pages.exercises import exercise_pages
from docs.pages.figures import figure_pages
from docs.pages.home import home_page
from docs.pages.map import map_page
from docs.pages.numbers import numbers_page
from docs.pages.objectives import objective_page, objectives_page
from docs.pages.regions import regions_block
from docs.pages.rules import rules_page
from docs.site import Site, path_of

GUIDES = Path(__file__).parent / "guides"


def pages(site: Site, cache: Cache) -> dict[str, str]:
    """Path and text of everything that is written."""
    from numerics.objectives import references

    drawn = layout(site.records)
    out = {
        "index.md": home_page(site, lessons.example(cache), drawn),
        "map.md": map_page(site, drawn),
        "rules.md": rules_page(site),
        "claims.md": claims_page(lessons.claims(cache), site),
        "numbers.md": numbers_page(lessons.numbers(cache)),
        "command-line.md": commands_page(),
        "cite.md": cite_page(site),
        "theorems/index.md": theorems_page(site),
        "objectives/index.md": objectives_page(references()),
        **api_pages(),
        **figure_pages(site),
        **exercise_pages(),
    }
    for chapter in site.chapters:
        out[f"theorems/{chapter}/index.md"] = chapter_page(chapter, site)
    for r in site.records:
        out[path_of(r.id)] = theorem_page(r, site)
        if r.certificate is not None:
            text = json.dumps(r.certificate, sort_keys=True, separators=(",", ":"))
            out[f"certificates/{r.id}.json"] = text + "\n"
    for name, text in lessons.figures(cache).items():
        out[f"assets/figures/{name}.json"] = text
    follows = descents(cache)
    for name, ref in references().items():
        text = objective_page(ref, site, regions_block(name), follows[name])
        out[f"objectives/{name}.md"] = text
    for guide in sorted(GUIDES.glob("*.md")):
        out[f"guides/{guide.name}"] = guide.read_text(encoding="utf-8")
    return out


def navigation(site: Site) -> list[Any]:
    """The navigation, as mkdocs wants it."""
    from numerics.objectives import references

    chapters: list[Any] = ["theorems/index.md"]
    for chapter, found in site.chapters.items():
        inside = [f"theorems/{chapter}/index.md", *[path_of(r.id) for r in found]]
        chapters.append({sentence(chapter): inside})
    objectives = ["objectives/index.md", *[f"objectives/{name}.md" for name in references()]]
    guides = [f"guides/{guide.name}" for guide in sorted(GUIDES.glob("*.md"))]
    return [
        {"Home": "index.md"},
        {"Map": "map.md"},
        {"Theorems": chapters},
        {"Rules": "rules.md"},
        {"Objectives": objectives},
        {"Guides": guides},
        {"Figures": ["figures/index.md", *[f"figures/{name}.md" for name in TITLES]]},
        {"Lessons": ["claims.md", "numbers.md", {"Exercises": sorted(exercise_pages())}]},
        {"Reference": ["command-line.md", *PATHS, "cite.md"]},
    ]

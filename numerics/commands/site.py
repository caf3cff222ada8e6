"""`proofgrad site`: build the site of the project in whose folder the command is run.

The site's own code stands in `docs`, which imports this package, so it is started as a program.
"""

import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from numerics.commands.options import UNUSABLE

Serve = Annotated[bool, typer.Option("--serve", help="then serve it on 127.0.0.1:8000")]


def command(serve: Serve = False) -> None:
    """Build the site into site/, strictly: the same as make site."""
    if not Path("docs", "build.py").is_file():
        print(
            "unusable input: there is no docs/build.py here; expected: the project's own folder",
            file=sys.stderr,
        )
        raise typer.Exit(UNUSABLE)
    flags = ["--serve"] if serve else []
    done = subprocess.run([sys.executable, "-m", "docs.build", *flags], check=False)
    raise typer.Exit(done.returncode)

"""Where a Chromium is and how it is started; as a program, says when it is missing."""

from __future__ import annotations

import shutil
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome")
# Nothing but the page under test may use the network.
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run")
FLAGS += ("--disable-background-networking", "--disable-component-update", "--disable-sync")
MISSING = "no Chromium here: install one (Debian: apt-get install chromium) for make test-browser"


def chromium() -> str | None:
    """The path of the first that is installed."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


if __name__ == "__main__":
    if chromium() is None:
        sys.exit(MISSING)

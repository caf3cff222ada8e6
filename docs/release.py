"""Version, commit and date of what is built: the same commit gives the same bytes."""

from __future__ import annotations

import os
import subprocess
from datetime import UTC, datetime
from importlib.metadata import version

from docs.site import Release
from docs.sources import ROOT


def release() -> Release:
    """From git where there is any; the date is SOURCE_DATE_EPOCH, by default the commit's."""
    commit = _git("log", "-1", "--format=%h", "--abbrev=10") or "unknown"
    epoch = int(os.environ.get("SOURCE_DATE_EPOCH") or _git("log", "-1", "--format=%ct") or 0)
    date = datetime.fromtimestamp(epoch, UTC).date().isoformat()
    return Release(version("proofgrad"), commit, date, epoch)


def _git(*words: str) -> str:
    try:
        done = subprocess.run(
            ["git", *words], cwd=ROOT, capture_output=True, text=True, check=False
        )
    except OSError:  # no git: an unpacked archive
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""

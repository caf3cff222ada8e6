"""Cases that no property can tell apart yet, each with the reason; they count as missed."""

from collections.abc import Mapping

REASONS: Mapping[str, str] = {}

"""Certificates to edit: each test gets its own copy."""

from __future__ import annotations

import pytest

from derivations.library import find
from tests.derivations.kernel.editing import (
    CITING,
    Certificate,
    certificate,
)


@pytest.fixture
def plain() -> Certificate:
    return certificate(find("zero_sum_has_zero_terms"))


@pytest.fixture
def citing() -> Certificate:
    made = certificate(find(CITING))
    assert len(made["bodies"]) == 2
    return made

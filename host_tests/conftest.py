"""Shared by all tests: no test touches the secrets of whoever runs it."""

import pytest


@pytest.fixture(autouse=True, scope="session")
def _no_real_site_key(tmp_path_factory):
    """No test reads or makes the site key of whoever runs the tests."""
    patch = pytest.MonkeyPatch()
    patch.setenv("FIRSTCARD_SITE_KEY", str(tmp_path_factory.mktemp("keys") / "site.key"))
    yield
    patch.undo()

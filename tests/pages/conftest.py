"""What all tests of screens share."""

from collections.abc import Iterator

import pytest

from tests.help.app import in_one_process, leave_all


@pytest.fixture(scope="package", autouse=True)
def _in_one_process() -> Iterator[None]:
    with in_one_process():
        yield


@pytest.fixture(autouse=True)
def _left() -> Iterator[None]:
    yield
    leave_all()

"""The OpenAPI document held against the server: whatever is sent is answered as it says, and without a fault."""

from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from aceking.client import House
from tests.web.served import Served

pytestmark = [pytest.mark.proof, pytest.mark.filterwarnings("ignore")]

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
#: A session is over after these, so they come last.
LAST = ("/api/login", "/api/logout", "/api/password")
EXAMPLES = 12


@pytest.mark.parametrize("who", ["nobody", "p1", "max"])
def test_every_answer_is_as_the_document_says(served: Served, who: str) -> None:
    document = schemathesis.openapi.from_dict(httpx.get(f"{served.address}/api/schema/openapi").json())
    found: Any = list(document.get_all_operations())
    operations = [one.ok() for one in found]
    operations.sort(key=lambda one: one.path in LAST)
    assert len(operations) >= 19
    statuses: set[int] = set()
    with House(served.address) if who == "nobody" else served.person(who) as somebody:
        for operation in operations:
            _try(served.address, operation, somebody, statuses)
    assert statuses & {200, 204}
    assert {400, 404} <= statuses
    assert max(statuses) < 500


def _try(address: str, operation: Any, somebody: House, statuses: set[int]) -> None:
    cookies = dict(somebody._http.cookies)
    headers = {"x-csrftoken": cookies["csrftoken"]}

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=[*HealthCheck],
    )
    @given(case=operation.as_strategy())
    def sent(case: Any) -> None:
        response = case.call(base_url=address, headers=headers, cookies=cookies)
        statuses.add(response.status_code)
        case.validate_response(response, checks=CHECKS)

    sent()

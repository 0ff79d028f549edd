"""Hooks for schemathesis: signs in, and adds a check."""

import os

import requests
import schemathesis
from schemathesis.core.failures import Failure

gate, internal = os.environ["GATE"], os.environ["INTERNAL"]
tester = 0


@schemathesis.auth()
class Admin:
    """Signs in as a new admin after each 401: the requests revoke sessions, and change and delete users."""

    def get(self, case, context):
        global tester
        tester += 1
        username, password = f"tester{tester}", "correct horse battery staple"
        user = {"username": username, "password": password, "role": "admin"}
        requests.post(f"{internal}/api/users", json=user, timeout=30).raise_for_status()
        response = requests.post(f"{gate}/api/login", json={"user": username, "password": password}, timeout=30)
        response.raise_for_status()
        return response.cookies["gatehouse_token"]

    def set(self, case, token, context):
        case.headers = {**(case.headers or {}), "Authorization": f"Bearer {token}"}


# Rules of single operations that a schema can't express, or only by a variant for each kind.
BEYOND_THE_DOCUMENT = {
    # One of several proofs is required.
    "POST /api/account/confirm": {"missing"},
    "POST /api/login/second-factor": {"missing"},
    # Each kind of link has its own fields.
    "POST /api/links": {"missing", "unknown-field"},
    # A new role needs cameras; a change of one doesn't.
    "PUT /api/roles/{name}": {"missing"},
    # What is allowed depends on the caller.
    "POST /api/tokens": {"not-one-of"},
}


@schemathesis.check
def fits_the_document(ctx, response, case):
    """What the document allows isn't refused with a problem that the document rules out."""
    if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code != 400:
        return
    ruled_out = {"missing", "unknown-field", "repeated", "wrong-type", "not-one-of", "too-few", "too-many"}
    ruled_out -= BEYOND_THE_DOCUMENT.get(case.operation.label, set())
    found = [each for each in response.json().get("problems", []) if each["code"] in ruled_out]
    if found:
        raise Failure(operation=case.operation.label, title="Refused against the document", message=str(found))

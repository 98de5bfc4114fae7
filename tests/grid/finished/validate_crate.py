"""Validate a crate by the profile Workflow Run Crate, without a network.

Needs roc-validator, and rocrate for the JSON-LD context that the validator would load. They are imported in
functions, since the environment of the tests has neither.
"""

import io
import sys
import urllib.request
from email.message import Message
from pathlib import Path
from urllib.response import addinfourl

CONTEXT = "https://w3id.org/ro/crate/1.1/context"
JSON_LD = {"Content-Type": "application/ld+json"}


def context() -> bytes:
    """The context of RO-Crate 1.1: that of 1.3, which the package has, with the names of 1.1."""
    import rocrate

    text = Path(rocrate.__file__).with_name("data").joinpath("ro-crate.jsonld").read_text("utf-8")
    return text.replace("https://bioschemas.org/terms/", "https://bioschemas.org/").encode()


class Handler(urllib.request.BaseHandler):
    """Answers what rdflib asks for."""

    handler_order = 1

    def https_open(self, request):
        assert request.full_url == CONTEXT
        headers = Message()
        headers["Content-Type"] = JSON_LD["Content-Type"]
        found = addinfourl(io.BytesIO(context()), headers, request.full_url, 200)
        found.msg = "OK"
        return found


def send(adapter, request, **more):
    """Answer what the validator asks for."""
    import requests
    import urllib3

    if request.url != CONTEXT:
        raise requests.ConnectionError(request.url)
    body = urllib3.HTTPResponse(io.BytesIO(context()), JSON_LD, 200, preload_content=False)
    return adapter.build_response(request, body)


def main() -> None:
    """Print the issues, or that there are none."""
    import requests
    from rocrate_validator import models, services

    requests.adapters.HTTPAdapter.send = send
    urllib.request.install_opener(urllib.request.build_opener(Handler()))
    settings = services.ValidationSettings(
        rocrate_uri=sys.argv[1],
        profile_identifier="workflow-run-crate-0.5",
        requirement_severity=models.Severity.REQUIRED,
    )
    issues = services.validate(settings).get_issues()
    lines = [f"{issue.check.identifier} {issue.message}" for issue in issues]
    print(*(lines or ["valid"]), sep="\n")


if __name__ == "__main__":
    main()

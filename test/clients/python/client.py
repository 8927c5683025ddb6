"""Plays clients: reads a job a line from standard input, does it with the SDK of the module that is named on the command
line, and writes what the SDK gave it as a line of JSON. Progress is written as it happens."""

import importlib
import json
import sys


class Job:
    """One job and what it comes to."""

    def __init__(self, spec):
        self.spec = spec
        self.told = set()
        self.result = {"turns": [], "executed": [], "responses": [], "events": [], "error": None}

    @property
    def prompt(self):
        return self.spec["prompt"] + "x" * self.spec.get("padding", 0)

    @property
    def options(self):
        """What a scene asks of the client beyond a conversation of two turns."""
        return self.spec.get("options", {})

    @property
    def retries(self):
        """The setting for retries, if it is not to be as the SDK has it."""
        return {"max_retries": self.spec["retries"]} if "retries" in self.spec else {}

    def progress(self, what):
        """Tell of progress, once of each sort."""
        if what not in self.told:
            write({"progress": what})
        self.told.add(what)

    def note(self, response):
        """Note a response below the SDK, so that retries show too."""
        request = response.headers.get("x-weir-request-id")
        self.result["responses"].append({"status": response.status_code, "request": request})

    def turn(self, turn, tokens_in, tokens_out):
        """Note a turn of the model."""
        self.result["turns"].append({"turn": turn, "usage": {"input": tokens_in, "output": tokens_out}})

    def execute(self, name, args):
        """Run a call, which here means to note it."""
        self.result["executed"].append({"name": name, "input": args})
        return "done"


def describe(err):
    """Say what the SDK raised."""
    body = getattr(err, "body", None)
    body = body if isinstance(body, dict) else {}
    error = body.get("error") if isinstance(body.get("error"), dict) else body
    code = getattr(err, "code", 0)
    # The AWS SDK has all it was told in one place.
    told = getattr(err, "response", None)
    if isinstance(told, dict):
        error = {"type": told.get("Error", {}).get("Code")}
        code = told.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
    return {
        "name": type(err).__name__,
        "status": getattr(err, "status_code", code if isinstance(code, int) else 0),
        "type": str(error.get("type") or ""),
        "code": str(error.get("code") or ""),
        "message": str(err),
    }


def write(line):
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def main():
    kinds = importlib.import_module(sys.argv[1]).KINDS
    for line in sys.stdin:
        job = Job(json.loads(line))
        try:
            kinds[job.spec["kind"]](job)
        except Exception as err:  # whatever it is, it is what this client shows
            job.result["error"] = describe(err)
        write({"result": job.result})


main()

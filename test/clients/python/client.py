"""Plays one client of the Messages API: reads a job a line from standard input, does it with the official SDK, and
writes what the SDK gave it as a line of JSON. Progress is written as it happens."""

import json
import sys

import anthropic


class Job:
    """One job and what it comes to."""

    def __init__(self, spec):
        self.spec = spec
        self.told = set()
        self.result = {"turns": [], "executed": [], "responses": [], "events": [], "error": None}

    def progress(self, what):
        """Tell of progress, once of each sort."""
        if what not in self.told:
            write({"progress": what})
        self.told.add(what)

    def note(self, response):
        """Note a response below the SDK, so that retries show too."""
        request = response.headers.get("x-weir-request-id")
        self.result["responses"].append({"status": response.status_code, "request": request})

    def client(self):
        options = {}
        if "retries" in self.spec:
            options["max_retries"] = self.spec["retries"]
        return anthropic.Anthropic(
            base_url=self.spec["base_url"],
            api_key=self.spec["api_key"],
            default_headers=self.spec["headers"],
            http_client=anthropic.DefaultHttpxClient(event_hooks={"response": [self.note]}),
            **options,
        )

    def converse(self, ask):
        """Ask twice, the second time with the history that the first answer left."""
        prompt = self.spec["prompt"] + "x" * self.spec.get("padding", 0)
        messages = [{"role": "user", "content": prompt}]
        with self.client() as client:
            for _ in range(2):
                request = {
                    "model": self.spec["model"],
                    "max_tokens": 1000,
                    "tools": self.spec["tools"],
                    "messages": messages,
                }
                message = ask(self, client, request)
                self.result["turns"].append({k: message[k] for k in ("content", "stop_reason", "usage")})
                messages.append({"role": "assistant", "content": message["content"]})
                messages.append({"role": "user", "content": self.answers(message)})

    def answers(self, message):
        """Run the calls of a message, which here means to note them."""
        results = []
        for block in message["content"]:
            if block["type"] == "tool_use":
                self.result["executed"].append({"name": block["name"], "input": block["input"]})
                results.append({"type": "tool_result", "tool_use_id": block["id"], "content": "done"})
        return results or "Go on."


def raw(job, client, request):
    """Read the stream event by event and put the message together by hand."""
    message = {}
    with client.messages.create(**request, stream=True) as stream:
        for event in stream:
            event = event.model_dump(mode="json", exclude_unset=True)
            job.result["events"].append(event)
            accumulate(job, message, event)
    return message


def helper(job, client, request):
    """Let the SDK put the message together."""
    with client.messages.stream(**request) as stream:
        for event in stream:
            if event.type == "text":
                job.progress("text")
            if event.type == "content_block_stop" and event.content_block.type == "tool_use":
                job.progress("call")
        return stream.get_final_message().model_dump(mode="json", exclude_unset=True)


def whole(job, client, request):
    """Ask for the message in one piece."""
    return client.messages.create(**request).model_dump(mode="json", exclude_unset=True)


def accumulate(job, message, event):
    kind = event["type"]
    if kind == "message_start":
        message.update(event["message"])
    elif kind == "content_block_start":
        message["content"].insert(event["index"], dict(event["content_block"]))
    elif kind == "content_block_delta":
        add_delta(job, message["content"][event["index"]], event["delta"])
    elif kind == "content_block_stop":
        block = message["content"][event["index"]]
        if "json" in block:
            block["input"] = json.loads(block.pop("json") or "{}")
        if block["type"] == "tool_use":
            job.progress("call")
    elif kind == "message_delta":
        message["stop_reason"] = event["delta"]["stop_reason"]
        message["usage"].update(event["usage"])


def add_delta(job, block, delta):
    kind = delta["type"]
    if kind == "text_delta":
        block["text"] += delta["text"]
        job.progress("text")
    elif kind == "thinking_delta":
        block["thinking"] += delta["thinking"]
    elif kind == "signature_delta":
        block["signature"] += delta["signature"]
    elif kind == "input_json_delta":
        block["json"] = block.get("json", "") + delta["partial_json"]
    else:
        raise ValueError("unknown delta " + kind)


def describe(err):
    """Say what the SDK raised."""
    body = getattr(err, "body", None)
    error = body.get("error") if isinstance(body, dict) else None
    return {
        "name": type(err).__name__,
        "status": getattr(err, "status_code", 0),
        "type": error.get("type", "") if isinstance(error, dict) else "",
        "message": str(err),
    }


def write(line):
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def main():
    ask = {"python-raw": raw, "python-helper": helper, "python-whole": whole}[sys.argv[1]]
    for line in sys.stdin:
        job = Job(json.loads(line))
        try:
            job.converse(ask)
        except Exception as err:  # whatever it is, it is what this client shows
            job.result["error"] = describe(err)
        write({"result": job.result})


main()

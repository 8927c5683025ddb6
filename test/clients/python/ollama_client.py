"""The official Ollama SDK, used in the ways it offers."""

import ollama


def connect(job):
    # There is no TLS here, and certificates take long to load.
    headers = {**job.spec["headers"], "Authorization": "Bearer " + job.spec["api_key"]}
    return ollama.Client(
        host=job.spec["base_url"], headers=headers, event_hooks={"response": [job.note]}, verify=False
    )


class Turn:
    """A turn of the model, as it comes."""

    def __init__(self):
        self.said = {"content": "", "thinking": "", "calls": [], "reason": ""}
        self.usage = (0, 0)

    def add(self, response, progress=lambda what: None):
        """Add a response: all of it, or a line. Text of /api/generate stands in another place."""
        message = response.get("message") or {"content": response.get("response"), "thinking": response.get("thinking")}
        self.said["content"] += message.get("content") or ""
        self.said["thinking"] += message.get("thinking") or ""
        if message.get("content"):
            progress("text")
        for call in message.get("tool_calls") or []:
            self.said["calls"].append({"name": call["function"]["name"], "input": call["function"]["arguments"]})
            progress("call")
        if response.get("done"):
            self.said["reason"] = response.get("done_reason") or ""
            self.usage = (response.get("prompt_eval_count") or 0, response.get("eval_count") or 0)
        return self

    def note(self, job):
        """Note that it is over."""
        job.turn(self.said, *self.usage)


def dump(response):
    return response.model_dump(mode="json", exclude_none=True)


def collect(job, lines):
    """Read a stream, and put the message together that goes into the history."""
    turn, message = Turn(), {"role": "assistant", "content": ""}
    for line in lines:
        line = dump(line)
        job.result["events"].append(line)
        turn.add(line, job.progress)
        part = line.get("message") or {}
        message["content"] += part.get("content") or ""
        if part.get("thinking"):
            message["thinking"] = message.get("thinking", "") + part["thinking"]
        if part.get("tool_calls"):
            message["tool_calls"] = message.get("tool_calls", []) + list(part["tool_calls"])
    return turn, message


def answers(job, message):
    """Run the calls of a message and return the messages that follow it."""
    calls = [call["function"] for call in message.get("tool_calls") or []]
    return [
        {"role": "tool", "content": job.execute(call["name"], call["arguments"]), "tool_name": call["name"]}
        for call in calls
    ] or [{"role": "user", "content": "Go on."}]


def generate(job, client, stream):
    response = client.generate(model=job.spec["model"], prompt=job.prompt, stream=stream)
    turn = collect(job, response)[0] if stream else Turn().add(dump(response))
    turn.note(job)


def pull(job, client, stream):
    response = client.pull(job.spec["model"], stream=stream)
    last = list(response)[-1] if stream else response
    turn = Turn()
    turn.said["content"] = last["status"]
    turn.note(job)


def chat(job, client, stream):
    """Ask twice, the second time with the history that the first answer left."""
    messages = [{"role": "user", "content": job.prompt}]
    for _ in range(2):
        response = client.chat(model=job.spec["model"], messages=messages, tools=job.spec["tools"], stream=stream)
        if stream:
            turn, message = collect(job, response)
        else:
            turn, message = Turn().add(dump(response)), response.message
        turn.note(job)
        messages += [message, *answers(job, message)]


def converse(stream):
    def do(job):
        task = {"generate": generate, "pull": pull}.get(job.options.get("do"), chat)
        task(job, connect(job), stream)

    return do


KINDS = {"ollama-python-stream": converse(True), "ollama-python-whole": converse(False)}

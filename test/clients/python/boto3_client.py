"""The AWS SDK for Python, with the Converse API of the Bedrock runtime."""

import functools
import json

import boto3
import botocore
from botocore.config import Config

# It takes no key over plain HTTP, so it shows nothing, or signs.
UNSIGNED = {"config": Config(signature_version=botocore.UNSIGNED)}
SIGNED = {"aws_access_key_id": "AKIDEXAMPLE", "aws_secret_access_key": "secret-of-the-client"}


@functools.cache
def session():
    """The descriptions of the service take long to load."""
    return boto3.Session(region_name="us-east-1")


def connect(job, auth):
    spec = job.spec
    config = auth.get("config", Config())
    if "retries" in spec:
        config = config.merge(Config(retries={"total_max_attempts": spec["retries"] + 1}))
    client = session().client("bedrock-runtime", endpoint_url=spec["base_url"], **{**auth, "config": config})

    def add_headers(request, **_):
        for name, value in spec["headers"].items():
            request.headers[name] = value

    def note(response_dict, **_):
        # It is noted below the SDK, so that retries show too.
        if response_dict:
            request = response_dict["headers"].get("x-weir-request-id")
            job.result["responses"].append({"status": response_dict["status_code"], "request": request})

    client.meta.events.register("before-sign.bedrock-runtime", add_headers)
    client.meta.events.register("response-received.bedrock-runtime", note)
    return client


def converse(job, ask, auth):
    """Ask twice, the second time with the history that the first answer left."""
    spec = job.spec
    client = connect(job, auth)
    messages = [{"role": "user", "content": [{"text": job.prompt}]}]
    tools = [
        {"toolSpec": {"name": t["name"], "description": t["description"], "inputSchema": {"json": t["input_schema"]}}}
        for t in spec["tools"]
        if "type" not in t
    ]
    for _ in range(2):
        message, stop, usage = ask(
            job, client, {"modelId": spec["model"], "messages": messages, "toolConfig": {"tools": tools}}
        )
        turn = {"content": [block_of(b) for b in message["content"]], "stop_reason": stop}
        job.turn(turn, usage.get("inputTokens", 0), usage.get("outputTokens", 0))
        messages += [message, {"role": "user", "content": answers(job, message)}]


def answers(job, message):
    """Run the calls of a message."""
    calls = [b["toolUse"] for b in message["content"] if "toolUse" in b and "type" not in b["toolUse"]]
    return [
        {"toolResult": {"toolUseId": c["toolUseId"], "content": [{"text": job.execute(c["name"], c["input"])}]}}
        for c in calls
    ] or [{"text": "Go on."}]


def block_of(block):
    """Put a block into the words of Claude's own format, so that all clients can be compared."""
    (kind, value), = block.items()
    if kind == "text":
        return {"type": "text", "text": value}
    if kind == "toolUse":
        return {"type": value.get("type", "tool_use"), "id": value["toolUseId"], "name": value["name"], "input": value["input"]}
    if kind == "toolResult":
        return {"type": "tool_result", "tool_use_id": value["toolUseId"]}
    if kind == "reasoningContent":
        thought = value["reasoningText"]
        return {"type": "thinking", "thinking": thought["text"], "signature": thought["signature"]}
    return {"type": kind}


def whole(job, client, request):
    """Ask for the message in one piece."""
    response = client.converse(**request)
    return response["output"]["message"], response["stopReason"], response["usage"]


def stream(job, client, request):
    """Read the stream event by event and put the message together by hand."""
    message, stop, usage = {"content": []}, None, {}
    for event in client.converse_stream(**request)["stream"]:
        job.result["events"].append(event)
        (kind, data), = event.items()
        if kind == "messageStart":
            message["role"] = data["role"]
        elif kind == "messageStop":
            stop = data["stopReason"]
        elif kind == "metadata":
            usage = data["usage"]
        else:
            add(job, message["content"], kind, data)
    return message, stop, usage


def add(job, content, kind, data):
    """Add an event of a block to the blocks."""
    if data["contentBlockIndex"] == len(content):
        content.append(json.loads(json.dumps(data.get("start", {}))))
    block = content[data["contentBlockIndex"]]
    if kind == "contentBlockDelta":
        add_delta(job, block, data["delta"])
    elif kind == "contentBlockStop" and "toolUse" in block:
        block["toolUse"]["input"] = json.loads(block["toolUse"].get("input") or "{}")
        if "type" not in block["toolUse"]:
            job.progress("call")


def add_delta(job, block, delta):
    (kind, more), = delta.items()
    if kind == "text":
        block["text"] = block.get("text", "") + more
        job.progress("text")
    elif kind == "toolUse":
        block["toolUse"]["input"] = block["toolUse"].get("input", "") + more["input"]
    elif kind == "toolResult":
        block["toolResult"].setdefault("content", []).extend(more)
    elif kind == "reasoningContent":
        thought = block.setdefault("reasoningContent", {"reasoningText": {"text": ""}})["reasoningText"]
        thought["text"] += more.get("text", "")
        thought.update({k: v for k, v in more.items() if k == "signature"})
    else:
        raise ValueError("unknown delta " + kind)


KINDS = {
    "boto3-stream": lambda job: converse(job, stream, UNSIGNED),
    "boto3-whole": lambda job: converse(job, whole, SIGNED),
}

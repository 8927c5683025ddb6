"""The official Anthropic SDK, used in the three ways it offers."""

import copy
import json

import anthropic


def converse(job, ask):
    """Ask twice, the second time with the history that the first answer left."""
    spec = job.spec
    messages = [{"role": "user", "content": job.prompt}]
    # There is no TLS here, and certificates take long to load.
    http = anthropic.DefaultHttpxClient(event_hooks={"response": [job.note]}, verify=False)
    with anthropic.Anthropic(
        base_url=spec["base_url"], api_key=spec["api_key"], default_headers=spec["headers"], http_client=http, **job.retries
    ) as client:
        for _ in range(2):
            request = {"model": spec["model"], "max_tokens": 1000, "tools": spec["tools"], "messages": messages}
            message = ask(job, client, request)
            usage = message["usage"]
            turn = {k: message[k] for k in ("content", "stop_reason")}
            job.turn(turn, usage["input_tokens"], usage["output_tokens"])
            messages.append({"role": "assistant", "content": message["content"]})
            messages.append({"role": "user", "content": answers(job, message)})


def answers(job, message):
    """Run the calls of a message."""
    return [
        {"type": "tool_result", "tool_use_id": block["id"], "content": job.execute(block["name"], block["input"])}
        for block in message["content"]
        if block["type"] == "tool_use"
    ] or "Go on."


def raw(job, client, request):
    """Read the stream event by event and put the message together by hand."""
    message = {}
    with client.messages.create(**request, stream=True) as stream:
        for event in stream:
            event = event.model_dump(mode="json", exclude_unset=True)
            job.result["events"].append(copy.deepcopy(event))  # accumulate changes it
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


KINDS = {
    "python-raw": lambda job: converse(job, raw),
    "python-helper": lambda job: converse(job, helper),
    "python-whole": lambda job: converse(job, whole),
}

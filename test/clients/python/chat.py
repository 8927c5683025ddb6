"""What clients of Chat Completions have in common: how a turn is told, and how its calls are run."""

import json


def turn_of(choices):
    """Tell what the choices of a completion say, in words that all clients share."""
    return {"choices": [choice_of(c["message"], c["finish_reason"]) for c in choices]}


def choice_of(message, finish):
    told = {
        "content": message.get("content") or "",
        "tool_calls": [call_of(c) for c in message.get("tool_calls") or []],
        "finish_reason": finish,
    }
    if message.get("function_call"):
        told["function_call"] = call_of({"function": message["function_call"]})
    return told


def call_of(call):
    if "custom" in call:
        name, args = call["custom"]["name"], {"input": call["custom"]["input"]}
    else:
        name, args = call["function"]["name"], json.loads(call["function"]["arguments"])
    told = {"id": call.get("id", ""), "name": name, "input": args}
    if "extra_content" in call:
        told["extra"] = call["extra_content"]
    return told


def answers(job, message):
    """Run the calls of a message and return the messages that follow it."""

    def run(call):
        call = call_of(call)
        return job.execute(call["name"], call["input"])

    if message.get("function_call"):
        call = message["function_call"]
        return [{"role": "function", "name": call["name"], "content": run({"function": call})}]
    return [
        {"role": "tool", "tool_call_id": call["id"], "content": run(call)} for call in message.get("tool_calls") or []
    ] or [{"role": "user", "content": "Go on."}]


def tell(job, message):
    """Tell of progress: the first text, and the first call whose arguments are all there."""
    if message.get("content"):
        job.progress("text")
    for call in message.get("tool_calls") or []:
        if is_whole((call.get("function") or {}).get("arguments")):
            job.progress("call")


def is_whole(text):
    try:
        return json.loads(text or "") is not None
    except ValueError:
        return False

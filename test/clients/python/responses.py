"""What clients of the Responses API have in common: how a response is told, and how its calls are run."""

import json

BUILT_INS = {
    "shell_call": lambda item: item["action"],
    "local_shell_call": lambda item: item["action"],
    "apply_patch_call": lambda item: item["operation"],
    "computer_call": lambda item: {k: item[k] for k in ("action", "actions") if item.get(k) is not None},
    "tool_search_call": lambda item: item["arguments"],
}

# PIXEL is a picture of nothing.
PIXEL = "data:image/png;base64,iVBORw0KGgo="


def turn_of(response):
    """Tell what a response says, in words that all clients share."""
    return {"status": response["status"], "items": [told(item) for item in response["output"]]}


def list_of(items):
    """Tell what a list of items says."""
    return {"status": "", "items": [told(item) for item in items]}


def told(item):
    kind = item["type"]
    if kind == "message":
        notice = {"notice": item["id"]} if (item.get("id") or "").startswith("msg_weir_") else {}
        return {"type": kind, "role": item["role"], "text": text_of(item["content"]), **notice}
    if kind == "reasoning":
        return {"type": kind, "text": "".join(part["text"] for part in item["summary"])}
    if kind == "function_call":
        return {"type": kind, "id": item["call_id"], "name": name_of(item), "input": json.loads(item["arguments"])}
    if kind == "custom_tool_call":
        return {"type": kind, "id": item["call_id"], "name": name_of(item), "input": {"input": item["input"]}}
    if kind in ("mcp_approval_request", "mcp_call"):
        return {"type": kind, "id": item["id"], "name": item["name"], "input": json.loads(item["arguments"])}
    if kind == "web_search_call":
        return {"type": kind, "id": item["id"], "name": "web_search", "input": item["action"]}
    if kind in BUILT_INS:
        name = kind.removesuffix("_call")
        return {"type": kind, "id": item["call_id"], "name": name, "input": BUILT_INS[kind](item)}
    if kind.endswith("_output"):
        return {"type": kind, "id": item.get("call_id") or "", "text": str(item.get("output"))}
    return {"type": kind, "id": item.get("call_id") or "", "name": kind, "input": item}


def text_of(content):
    return content if isinstance(content, str) else "".join(part.get("text") or "" for part in content)


def name_of(item):
    return f"{item['namespace']}.{item['name']}" if item.get("namespace") else item["name"]


def answers(job, output):
    """Run the calls of an output and return the items that follow it."""
    items = [answer(job, item) for item in output]
    return [item for item in items if item] or [{"role": "user", "content": "Go on."}]


def answer(job, item):
    kind = item["type"]

    def run():
        call = told(item)
        return job.execute(call["name"], call.get("input"))

    if kind in ("function_call", "custom_tool_call", "robot_call"):
        return {"type": kind + "_output", "call_id": item["call_id"], "output": run()}
    if kind == "shell_call":
        outcome = {"type": "exit", "exit_code": 0}
        output = [{"stdout": run(), "stderr": "", "outcome": outcome}]
        return {"type": "shell_call_output", "call_id": item["call_id"], "output": output}
    if kind == "local_shell_call":
        return {"type": "local_shell_call_output", "id": item["call_id"], "output": json.dumps({"stdout": run()})}
    if kind == "apply_patch_call":
        return {"type": "apply_patch_call_output", "call_id": item["call_id"], "status": "completed", "output": run()}
    if kind == "computer_call":
        run()
        shot = {"type": "computer_screenshot", "image_url": PIXEL}
        return {"type": "computer_call_output", "call_id": item["call_id"], "output": shot}
    if kind == "tool_search_call":
        run()
        found = {"execution": "client", "status": "completed", "tools": []}
        return {"type": "tool_search_output", "call_id": item["call_id"], **found}
    if kind == "mcp_approval_request":
        run()
        return {"type": "mcp_approval_response", "approval_request_id": item["id"], "approve": True}
    return None


def tell(job, event):
    """Tell of progress: the first text, and the first call that is done."""
    if event.type == "response.output_text.delta":
        job.progress("text")
    if event.type == "response.output_item.done" and event.item.type.endswith("_call"):
        job.progress("call")

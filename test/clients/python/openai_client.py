"""The official OpenAI SDK for Chat Completions, used in the ways it offers, for OpenAI and for Azure."""

import openai

import chat


def settings(job):
    # There is no TLS here, and certificates take long to load.
    http = openai.DefaultHttpxClient(event_hooks={"response": [job.note]}, verify=False)
    return {
        "api_key": job.spec["api_key"],
        "default_headers": job.spec["headers"],
        "http_client": http,
        **job.retries,
    }


def official(job):
    return openai.OpenAI(base_url=job.spec["base_url"] + "/v1", **settings(job))


def azure(job):
    return openai.AzureOpenAI(azure_endpoint=job.spec["base_url"], api_version="2024-10-21", **settings(job))


def asking(connect, ask):
    """Converse by hand: ask twice, the second time with the history that the first answer left."""

    def converse(job):
        messages = [{"role": "user", "content": job.prompt}]
        with connect(job) as client:
            for _ in range(2):
                request = {"model": job.spec["model"], "tools": job.spec["tools"], "messages": messages}
                completion = ask(job, client, request)
                usage = completion.get("usage") or {}
                job.turn(
                    chat.turn_of(completion["choices"]), usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0)
                )
                message = completion["choices"][0]["message"]
                messages += [message, *chat.answers(job, message)]

    return converse


STREAM_OPTIONS = {"include_usage": True}


def raw(job, client, request):
    """Read the stream chunk by chunk and put the completion together by hand."""
    completion = {"choices": []}
    for chunk in client.chat.completions.create(**request, stream=True, stream_options=STREAM_OPTIONS):
        chunk = chunk.model_dump(mode="json", exclude_unset=True)
        job.result["events"].append(chunk)
        accumulate(completion, chunk)
        for choice in completion["choices"]:
            chat.tell(job, choice["message"])
    return completion


def helper(job, client, request):
    """Let the SDK put the completion together. It takes none but strict tools."""
    tools = [
        {**tool, "function": {**tool["function"], "strict": True}} for tool in request["tools"] if tool["type"] == "function"
    ]
    with client.chat.completions.stream(**{**request, "tools": tools}, stream_options=STREAM_OPTIONS) as stream:
        for event in stream:
            if event.type == "chunk":
                for choice in event.snapshot.choices:
                    chat.tell(job, choice.message.model_dump(mode="json", exclude_unset=True))
        completion = stream.get_final_completion().model_dump(mode="json", exclude_unset=True)
    for choice in completion["choices"]:
        # The SDK fills in what the API does not take back: nulls, and what is for the program alone.
        choice["message"] = {k: v for k, v in choice["message"].items() if v is not None and k != "parsed"}
        for call in choice["message"].get("tool_calls") or []:
            call["function"].pop("parsed_arguments", None)
    return completion


def whole(job, client, request):
    """Ask for the completion in one piece."""
    return client.chat.completions.create(**request).model_dump(mode="json", exclude_unset=True)


def accumulate(completion, chunk):
    completion["usage"] = chunk.get("usage") or completion.get("usage")
    for piece in chunk["choices"]:
        while len(completion["choices"]) <= piece["index"]:
            completion["choices"].append({"message": {"role": "assistant", "content": None}, "finish_reason": None})
        choice = completion["choices"][piece["index"]]
        choice["finish_reason"] = piece.get("finish_reason") or choice["finish_reason"]
        add_delta(choice["message"], piece.get("delta") or {})


def add_delta(message, delta):
    if delta.get("content"):
        message["content"] = (message["content"] or "") + delta["content"]
    if delta.get("function_call"):
        add_text(message.setdefault("function_call", {}), delta["function_call"])
    for piece in delta.get("tool_calls") or []:
        calls = message.setdefault("tool_calls", [])
        while len(calls) <= piece["index"]:
            calls.append({})
        call = calls[piece["index"]]
        for key, value in piece.items():
            if key in ("function", "custom"):
                add_text(call.setdefault(key, {}), value)
            elif key != "index":
                call[key] = value


def add_text(call, piece):
    """Add a piece of a function or custom call. Names are not expected in pieces."""
    for key, value in piece.items():
        call[key] = value if key == "name" else call.get(key, "") + value


KINDS = {
    "openai-python-raw": asking(official, raw),
    "openai-python-helper": asking(official, helper),
    "openai-python-whole": asking(official, whole),
    "azure-python-raw": asking(azure, raw),
    "azure-python-whole": asking(azure, whole),
}

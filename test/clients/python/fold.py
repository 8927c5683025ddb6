"""Folds one answer a job with the official SDKs, and tells every call that they hand out, with all of its members. Clients are
kept between jobs, since there are many, and SDKs are loaded when they are first used: each takes long to load."""

import functools
import json
import logging

logging.disable(logging.WARNING)  # the SDKs comment on how they are used

CURRENT = []  # the job that is being done


def note(response):
    CURRENT[-1].note(response)


def hooks():
    # There is no TLS here, and certificates take long to load.
    return {"event_hooks": {"response": [note]}, "verify": False}


def arguments(value):
    """Arguments that came as text, as a program would read them."""
    if not isinstance(value, str):
        return {} if value is None else value
    try:
        return json.loads(value or "{}")
    except ValueError:
        return {"unreadable": value}


def dump(model):
    return model.model_dump(mode="json")


class Fold:
    """What an SDK handed out in a job."""

    def __init__(self, job):
        CURRENT[:] = [job]
        self.job = job
        self.calls = []
        self.events = []
        job.result["turns"].append({"turn": {"calls": self.calls, "events": self.events}, "usage": {}})

    def call(self, name, args, everything, id=None):
        self.calls.append({"id": id or "", "name": name, "args": args, "all": everything})

    @property
    def headers(self):
        return self.job.spec["headers"]


# The Messages API.


@functools.cache
def anthropic_at(base_url):
    import anthropic

    return anthropic.Anthropic(
        base_url=base_url, api_key="none", max_retries=0, http_client=anthropic.DefaultHttpxClient(**hooks())
    )


def messages_request(job):
    return {
        "model": job.spec["model"],
        "max_tokens": 1000,
        "messages": [{"role": "user", "content": job.prompt}],
        "extra_headers": job.spec["headers"],
    }


def add_blocks(fold, blocks):
    for block in blocks:
        if block.type == "tool_use":
            fold.call(block.name, block.input, dump(block), block.id)


def messages_stream(job):
    fold, stopped = Fold(job), set()
    with anthropic_at(job.spec["base_url"]).messages.stream(**messages_request(job)) as stream:
        try:
            for event in stream:
                if event.type == "content_block_stop":
                    stopped.add(event.index)
                fold.events.append(dump(event))
        except Exception:
            blocks = stream.current_message_snapshot.content
            add_blocks(fold, [block for i, block in enumerate(blocks) if i in stopped])
            raise
        add_blocks(fold, stream.get_final_message().content)


def messages_whole(job):
    fold = Fold(job)
    add_blocks(fold, anthropic_at(job.spec["base_url"]).messages.create(**messages_request(job)).content or [])


# Chat Completions.


@functools.cache
def openai_at(base_url):
    import openai

    http = openai.DefaultHttpxClient(**hooks())
    return openai.OpenAI(base_url=base_url + "/v1", api_key="none", max_retries=0, http_client=http)


def chat_request(job):
    return {
        "model": job.spec["model"],
        "messages": [{"role": "user", "content": job.prompt}],
        "extra_headers": job.spec["headers"],
    }


# What is in the names of members that stand beside calls and would be taken for theirs.
NEAR = ("call", "tool", "func", "parse", "args", "argument", "input", "param")


def add_message(fold, message):
    members = dump(message)
    around = {name: value for name, value in members.items() if any(word in name.lower() for word in NEAR)}
    for call in message.tool_calls or []:
        body = getattr(call, "custom", None) or call.function
        args = {"input": body.input} if hasattr(body, "input") else arguments(body.arguments)
        fold.call(body.name, args, around, call.id)
    if message.function_call:
        fold.call(message.function_call.name, arguments(message.function_call.arguments), around)


def chat_stream(job):
    fold = Fold(job)
    with openai_at(job.spec["base_url"]).chat.completions.stream(**chat_request(job)) as stream:
        for event in stream:
            if event.type == "chunk":
                fold.events.append(dump(event.chunk))
        for choice in stream.get_final_completion().choices:
            add_message(fold, choice.message)


def chat_whole(job):
    fold = Fold(job)
    for choice in openai_at(job.spec["base_url"]).chat.completions.create(**chat_request(job)).choices or []:
        add_message(fold, choice.message)


@functools.cache
def langchain_at(base_url):
    import openai
    from langchain_openai import ChatOpenAI

    http = openai.DefaultHttpxClient(**hooks())
    return ChatOpenAI(model="m", base_url=base_url + "/v1", api_key="none", http_client=http, max_retries=0)


def add_langchain(fold, message):
    everything = [message.additional_kwargs, message.tool_calls]
    for call in message.tool_calls:
        fold.call(call["name"], call["args"], everything, call["id"])


def langchain_stream(job):
    fold, message = Fold(job), None
    for chunk in langchain_at(job.spec["base_url"]).stream(job.prompt, extra_headers=job.spec["headers"]):
        message = chunk if message is None else message + chunk
    if message is not None:
        add_langchain(fold, message)


def langchain_whole(job):
    fold = Fold(job)
    add_langchain(fold, langchain_at(job.spec["base_url"]).invoke(job.prompt, extra_headers=job.spec["headers"]))


# The Responses API.


def responses_request(job):
    return {"model": job.spec["model"], "input": job.prompt, "extra_headers": job.spec["headers"]}


def add_items(fold, items):
    for item in items or []:
        if item.type == "function_call":
            fold.call(item.name, arguments(item.arguments), dump(item), item.call_id)
        elif item.type == "custom_tool_call":
            fold.call(item.name, {"input": item.input}, dump(item), item.call_id)
        elif item.type == "local_shell_call":
            fold.call("local_shell", item.action.model_dump(mode="json", exclude_unset=True), dump(item), item.call_id)


def responses_stream(job):
    fold = Fold(job)
    with openai_at(job.spec["base_url"]).responses.stream(**responses_request(job)) as stream:
        for event in stream:
            fold.events.append(dump(event))
            if event.type == "response.output_item.done":
                add_items(fold, [event.item])
        add_items(fold, stream.get_final_response().output)


def responses_whole(job):
    fold = Fold(job)
    add_items(fold, openai_at(job.spec["base_url"]).responses.create(**responses_request(job)).output)


# The Gemini API.


@functools.cache
def genai_at(base_url):
    from google import genai
    from google.genai import types

    options = types.HttpOptions(base_url=base_url, client_args=hooks())
    return genai.Client(api_key="none", http_options=options)


def gemini_request(job):
    config = {"http_options": {"headers": job.spec["headers"]}, "automatic_function_calling": {"disable": True}}
    return {"model": job.spec["model"], "contents": job.prompt, "config": config}


def add_candidates(fold, response):
    for candidate in response.candidates or []:
        for part in (candidate.content and candidate.content.parts) or []:
            if part.function_call:
                call = part.function_call
                fold.call(call.name, call.args or {}, dump(part), call.id)


def gemini_stream(job):
    fold = Fold(job)
    for chunk in genai_at(job.spec["base_url"]).models.generate_content_stream(**gemini_request(job)):
        add_candidates(fold, chunk)


def gemini_whole(job):
    fold = Fold(job)
    add_candidates(fold, genai_at(job.spec["base_url"]).models.generate_content(**gemini_request(job)))


# The Converse API of Bedrock.


@functools.cache
def bedrock_at(base_url):
    import boto3
    import botocore
    from botocore.config import Config

    config = Config(signature_version=botocore.UNSIGNED, retries={"total_max_attempts": 1})
    client = boto3.Session(region_name="us-east-1").client("bedrock-runtime", endpoint_url=base_url, config=config)

    def add_headers(request, **_):
        for name, value in CURRENT[-1].spec["headers"].items():
            request.headers[name] = value

    def noted(response_dict, **_):
        if response_dict:
            request = response_dict["headers"].get("x-weir-request-id")
            CURRENT[-1].result["responses"].append({"status": response_dict["status_code"], "request": request})

    client.meta.events.register("before-sign.bedrock-runtime", add_headers)
    client.meta.events.register("response-received.bedrock-runtime", noted)
    return client


def converse_request(job):
    return {"modelId": job.spec["model"], "messages": [{"role": "user", "content": [{"text": job.prompt}]}]}


def bedrock_stream(job):
    fold, calls = Fold(job), {}
    for event in bedrock_at(job.spec["base_url"]).converse_stream(**converse_request(job))["stream"]:
        fold.events.append(event)
        for kind, data in event.items():
            index = data.get("contentBlockIndex") if isinstance(data, dict) else None
            if kind == "contentBlockStart" and "toolUse" in data["start"]:
                calls[index] = {**data["start"]["toolUse"], "input": ""}
            elif kind == "contentBlockDelta" and "toolUse" in data["delta"]:
                calls[index]["input"] += data["delta"]["toolUse"].get("input", "")
            elif kind == "contentBlockStop" and index in calls:
                call = calls.pop(index)
                fold.call(call["name"], arguments(call["input"]), call, call.get("toolUseId"))


def bedrock_whole(job):
    fold = Fold(job)
    for block in bedrock_at(job.spec["base_url"]).converse(**converse_request(job))["output"]["message"]["content"]:
        if "toolUse" in block:
            call = block["toolUse"]
            fold.call(call["name"], call["input"], call, call.get("toolUseId"))


# Ollama.


@functools.cache
def ollama_at(base_url):
    import ollama

    return ollama.Client(host=base_url, **hooks())


def ollama_chat(stream):
    def do(job):
        fold = Fold(job)
        client = ollama_at(job.spec["base_url"])
        client._client.headers.update(job.spec["headers"])
        answer = client.chat(model=job.spec["model"], messages=[{"role": "user", "content": job.prompt}], stream=stream)
        for line in answer if stream else [answer]:
            for call in line.message.tool_calls or []:
                fold.call(call.function.name, dict(call.function.arguments), dump(call))

    return do


KINDS = {
    "messages stream anthropic-python": messages_stream,
    "messages whole anthropic-python": messages_whole,
    "chat stream openai-python": chat_stream,
    "chat whole openai-python": chat_whole,
    "chat stream langchain-python": langchain_stream,
    "chat whole langchain-python": langchain_whole,
    "responses stream openai-python": responses_stream,
    "responses whole openai-python": responses_whole,
    "gemini stream genai-python": gemini_stream,
    "gemini whole genai-python": gemini_whole,
    "bedrock stream boto3": bedrock_stream,
    "bedrock whole boto3": bedrock_whole,
    "ollama stream ollama-python": ollama_chat(True),
    "ollama whole ollama-python": ollama_chat(False),
}

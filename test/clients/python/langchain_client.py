"""LangChain's client of Chat Completions."""

import openai
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_openai import ChatOpenAI

import chat


def asking(ask):
    """Converse by hand: ask twice, the second time with the history that the first answer left."""

    def converse(job):
        spec = job.spec
        # There is no TLS here, and certificates take long to load.
        with openai.DefaultHttpxClient(event_hooks={"response": [job.note]}, verify=False) as http:
            model = ChatOpenAI(
                model=spec["model"],
                base_url=spec["base_url"] + "/v1",
                api_key=spec["api_key"],
                default_headers=spec["headers"],
                http_client=http,
                stream_usage=True,
                **job.retries,
            ).bind_tools(spec["tools"])
            messages = [HumanMessage(job.prompt)]
            for _ in range(2):
                message = ask(job, model, messages)
                usage = message.usage_metadata or {}
                job.turn(turn_of(message), usage.get("input_tokens", 0), usage.get("output_tokens", 0))
                messages += [message, *answers(job, message)]

    return converse


def stream(job, model, messages):
    """Put the message together from pieces, as LangChain has it."""
    message = None
    for chunk in model.stream(messages):
        message = chunk if message is None else message + chunk
        if message.text:
            job.progress("text")
        if any(chat.is_whole(call["args"]) for call in message.tool_call_chunks):
            job.progress("call")
    return message


def whole(job, model, messages):
    """Ask for the message in one piece."""
    return model.invoke(messages)


def turn_of(message):
    calls = [{"id": call["id"], "name": call["name"], "input": call["args"]} for call in message.tool_calls]
    finish = message.response_metadata["finish_reason"]
    return {"choices": [{"content": str(message.text), "tool_calls": calls, "finish_reason": finish}]}


def answers(job, message):
    """Run the calls of a message."""
    return [
        ToolMessage(tool_call_id=call["id"], content=job.execute(call["name"], call["args"]))
        for call in message.tool_calls
    ] or [HumanMessage("Go on.")]


KINDS = {"langchain-python-stream": asking(stream), "langchain-python-whole": asking(whole)}

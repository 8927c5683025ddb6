"""The official Google GenAI SDK, used in the ways it offers."""

import logging

from google import genai
from google.genai import types

import gemini

logging.disable(logging.WARNING)  # the SDK comments on how it is used


def connect(job):
    # There is no TLS here, and certificates take long to load.
    http = {"event_hooks": {"response": [job.note]}, "verify": False}
    options = types.HttpOptions(base_url=job.spec["base_url"], headers=job.spec["headers"], client_args=http)
    return genai.Client(api_key=job.spec["api_key"], http_options=options)


def declared(job):
    tool = {"function_declarations": [{to_snake(k): v for k, v in d.items()} for d in job.spec["tools"]]}
    return {"tools": [tool], "automatic_function_calling": {"disable": True}}


def to_snake(name):
    return "parameters_json_schema" if name == "parametersJsonSchema" else name


def callable_tools(job):
    """Tools that the SDK runs by itself."""

    def get_weather(city: str) -> str:
        """The weather."""
        return job.execute("get_weather", {"city": city})

    def list_files() -> str:
        """All files."""
        return job.execute("list_files", {})

    def read_file(path: str) -> str:
        """A file."""
        return job.execute("read_file", {"path": path})

    def run_shell(command: str) -> str:
        """A shell."""
        return job.execute("run_shell", {"command": command})

    return {"tools": [get_weather, list_files, read_file, run_shell]}


def answers(job, turn):
    """Run the calls of a turn and return the parts that follow it."""
    calls = [part.function_call for content in turn.contents for part in content.parts if part.function_call]
    return [
        types.Part(
            function_response=types.FunctionResponse(
                id=call.id, name=call.name, response={"output": job.execute(call.name, call.args or {})}
            )
        )
        for call in calls
    ] or [types.Part(text="Go on.")]


def stream(job, client, request):
    """Read chunk by chunk."""
    turn = gemini.Turn()
    for chunk in client.models.generate_content_stream(**request):
        keep = {"candidates", "prompt_feedback", "response_id"}
        job.result["events"].append(chunk.model_dump(mode="json", by_alias=True, exclude_none=True, include=keep))
        turn.add(chunk, job.progress)
    return turn


def whole(job, client, request):
    """Ask for the turn in one piece."""
    return gemini.Turn().add(client.models.generate_content(**request))


def asking(ask):
    """Converse by hand: ask twice, the second time with the history that the first answer left."""

    def converse(job):
        contents = [types.Content(role="user", parts=[types.Part(text=job.prompt)])]
        with connect(job) as client:
            for _ in range(2):
                turn = ask(job, client, {"model": job.spec["model"], "contents": contents, "config": declared(job)})
                turn.note(job)
                contents += [*turn.contents, types.Content(role="user", parts=answers(job, turn))]

    return converse


def chatting(job):
    """Let the SDK keep the history, and run the calls by hand."""
    with connect(job) as client:
        chat = client.chats.create(model=job.spec["model"], config=declared(job))
        message = job.prompt
        for _ in range(2):
            turn = gemini.Turn()
            for chunk in chat.send_message_stream(message):
                turn.add(chunk, job.progress)
            turn.note(job)
            message = answers(job, turn)


def running_stream(job):
    """Let the SDK run the tools and keep the history. Every turn has a response of its own."""
    with connect(job) as client:
        chat = client.chats.create(model=job.spec["model"], config=callable_tools(job))
        message = job.prompt
        while len(job.result["turns"]) < 2:
            turn, response = gemini.Turn(), None
            for chunk in chat.send_message_stream(message):
                if response not in (None, chunk.response_id):
                    turn.note(job)
                    turn = gemini.Turn()
                response = chunk.response_id
                turn.add(chunk, job.progress)
            turn.note(job)
            message = "Go on."


def running_whole(job):
    """Let the SDK run the tools and go on by itself. Turns that it goes on from are in its history alone, without what they
    cost, so that is taken from the wire."""
    bodies = []

    def keep(response):
        response.read()
        if response.status_code == 200:
            bodies.append(response.json())

    contents = [types.Content(role="user", parts=[types.Part(text=job.prompt)])]
    with connect(job) as client:
        client._api_client._httpx_client.event_hooks["response"].append(keep)
        while len(job.result["turns"]) < 2:
            before = len(contents)
            request = {"model": job.spec["model"], "contents": list(contents), "config": callable_tools(job)}
            response = client.models.generate_content(**request)
            ran = response.automatic_function_calling_history or []
            for content in ran[before:]:
                if content.role == "model":
                    usage = bodies[len(job.result["turns"])]["usageMetadata"]
                    parts = gemini.add_parts([], content.parts)
                    job.turn(
                        {"candidates": [{"parts": parts}]}, usage["promptTokenCount"], usage["candidatesTokenCount"]
                    )
            turn = gemini.Turn().add(response)
            turn.note(job)
            contents = (ran or contents) + [*turn.contents, types.Content(role="user", parts=[types.Part(text="Go on.")])]


KINDS = {
    "genai-python-stream": asking(stream),
    "genai-python-whole": asking(whole),
    "genai-python-chat": chatting,
    "genai-python-auto-chat": running_stream,
    "genai-python-auto-whole": running_whole,
}

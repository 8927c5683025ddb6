"""The OpenAI Agents SDK, which runs tools by itself and keeps a history of its own."""

import asyncio
import json

import agents
import openai

import responses


def connect(job):
    async def note(response):
        job.note(response)

    # There is no TLS here, and certificates take long to load.
    http = openai.DefaultAsyncHttpxClient(event_hooks={"response": [note]}, verify=False)
    return openai.AsyncOpenAI(
        base_url=job.spec["base_url"] + "/v1",
        api_key=job.spec["api_key"],
        default_headers=job.spec["headers"],
        http_client=http,
        **job.retries,
    )


def executing(job):
    """Declare tools that the SDK runs, which here means to note them."""

    def function(spec):
        async def invoke(_, args):
            return job.execute(spec["name"], json.loads(args))

        return agents.FunctionTool(
            name=spec["name"],
            description=spec["description"],
            params_json_schema=spec["parameters"],
            on_invoke_tool=invoke,
        )

    def shell(request):
        return job.execute("shell", {"commands": list(request.data.action.commands)})

    functions = [function(spec) for spec in job.spec["tools"] if spec["type"] == "function"]
    return [*functions, agents.ShellTool(executor=shell)]


def running(streamed):
    """Let the SDK run the conversation. It is asked again if it sees nothing to go on with."""

    async def converse(job):
        client = connect(job)
        settings = agents.ModelSettings(**job.options.get("agents_python", {}))
        agent = agents.Agent(
            name="tester",
            model=agents.OpenAIResponsesModel(model=job.spec["model"], openai_client=client),
            model_settings=settings,
            tools=executing(job),
        )
        mode = job.options.get("chain")
        link = {}
        if mode == "conversation":
            link = {"conversation_id": (await client.conversations.create()).id}
        conversation = [{"role": "user", "content": job.prompt}]
        while len(job.result["turns"]) < 2:
            run = await run_once(job, agent, conversation, link, streamed)
            for response in run.raw_responses:
                items = [item.model_dump(mode="json", exclude_unset=True) for item in response.output]
                job.turn(responses.list_of(items), response.usage.input_tokens, response.usage.output_tokens)
            more = [{"role": "user", "content": "Go on."}]
            conversation = more if mode in ("previous", "conversation") else run.to_input_list() + more
            if mode == "previous":
                link = {"previous_response_id": run.last_response_id}
        await client.close()

    return lambda job: asyncio.run(converse(job))


async def run_once(job, agent, conversation, link, streamed):
    config = agents.RunConfig(tracing_disabled=True)
    if not streamed:
        return await agents.Runner.run(agent, conversation, max_turns=2, run_config=config, **link)
    run = agents.Runner.run_streamed(agent, conversation, max_turns=2, run_config=config, **link)
    async for event in run.stream_events():
        if event.type == "raw_response_event":
            responses.tell(job, event.data)
    return run


KINDS = {"agents-python-stream": running(True), "agents-python-whole": running(False)}

"""The official OpenAI SDK for the Responses API, used in the ways it offers."""

import copy

import openai

import responses


def connect(job):
    # There is no TLS here, and certificates take long to load.
    http = openai.DefaultHttpxClient(event_hooks={"response": [job.note]}, verify=False)
    return openai.OpenAI(
        base_url=job.spec["base_url"] + "/v1",
        api_key=job.spec["api_key"],
        default_headers=job.spec["headers"],
        http_client=http,
        **job.retries,
    )


def dump(model):
    return model.model_dump(mode="json", exclude_unset=True)


class Raw:
    """Read the stream event by event, and take items when they are done, as agents do that act on them at once."""

    @staticmethod
    def ask(job, client, request):
        output, response = {}, None
        for event in client.responses.create(**request, stream=True):
            job.result["events"].append(dump(event))
            responses.tell(job, event)
            if event.type == "error":
                raise openai.OpenAIError(event.message)  # the SDK leaves it to the program
            if event.type == "response.output_item.done":
                output[event.output_index] = dump(event.item)
            response = getattr(event, "response", None) or response
        return {**dump(response), "output": [output[index] for index in sorted(output)]}

    @staticmethod
    def replay(client, response_id, after):
        response = None
        for event in client.responses.retrieve(response_id, stream=True, starting_after=after):
            response = getattr(event, "response", None) or response
        return dump(response)


class Helper:
    """Let the SDK put the response together."""

    @staticmethod
    def ask(job, client, request):
        # The helper wants functions to be strict.
        tools = [{**tool, "strict": True} if tool["type"] == "function" else tool for tool in request["tools"]]
        with client.responses.stream(**{**request, "tools": tools}) as stream:
            for event in stream:
                responses.tell(job, event)
            response = dump(stream.get_final_response())
        for item in response["output"]:
            # The SDK fills in what is for the program alone.
            item.pop("parsed_arguments", None)
            for part in item.get("content") or []:
                part.pop("parsed", None)
        return response

    @staticmethod
    def replay(client, response_id, after):
        with client.responses.stream(response_id=response_id, starting_after=after) as stream:
            return dump(stream.get_final_response())


class Whole:
    """Ask for the response in one piece."""

    @staticmethod
    def ask(job, client, request):
        return dump(client.responses.create(**request))

    replay = Raw.replay


class Chain:
    """How a conversation goes on: by the client's own history, from the response before, or by a conversation."""

    def __init__(self, job):
        self.mode = job.options.get("chain", "previous")
        self.as_text = job.options.get("text", False)
        fresh = {"next": [{"role": "user", "content": job.prompt}], "history": [], "id": None, "conversation": None}
        self.state = job.spec.get("state") or fresh

    def request(self, client):
        state = self.state
        if self.mode == "own":
            return {"input": state["history"] + state["next"]}
        is_text = self.as_text and state["next"][0].get("role") == "user"
        asked = {"input": state["next"][0]["content"] if is_text else state["next"]}
        if self.mode == "previous":
            return asked | ({"previous_response_id": state["id"]} if state["id"] else {})
        state["conversation"] = state["conversation"] or client.conversations.create().id
        return asked | {"conversation": state["conversation"]}

    def go_on(self, job, response):
        state = self.state
        state["id"] = response["id"]
        state["history"] = state["history"] + state["next"] + response["output"]
        state["next"] = responses.answers(job, response["output"])


class Steps:
    """The steps of a job. Each returns responses, or lists of items."""

    def __init__(self, job, client, way):
        self.job, self.client, self.way, self.chain = job, client, way, Chain(job)

    def ask(self):
        request = {"model": self.job.spec["model"], "tools": self.job.spec["tools"]}
        request |= self.job.options.get("request", {})
        response = self.way.ask(self.job, self.client, {**request, **self.chain.request(self.client)})
        if response["status"] == "failed":
            raise openai.OpenAIError(response["error"]["message"])
        self.chain.go_on(self.job, response)
        return [response]

    def branch(self):
        """Ask for a response that nothing goes on from."""
        state = copy.deepcopy(self.chain.state)
        seen = self.ask()
        self.chain.state = state
        return seen

    def fail(self):
        """Ask for a response that comes to nothing."""
        try:
            self.ask()
        except (openai.OpenAIError, RuntimeError):
            return []
        raise AssertionError("nothing failed")

    def get(self):
        return [dump(self.client.responses.retrieve(self.chain.state["id"]))]

    def poll(self):
        """Read the response until it is done, and then go on from what it says."""
        seen = self.get()
        while seen[-1]["status"] in ("queued", "in_progress"):
            seen += self.get()
        self.chain.go_on(self.job, seen[-1])
        return seen

    def replay(self):
        return [self.way.replay(self.client, self.chain.state["id"], 3)]

    def cancel(self):
        return [dump(self.client.responses.cancel(self.chain.state["id"]))]

    def delete(self):
        self.client.responses.delete(self.chain.state["id"])
        return []

    def add(self):
        items = [{"type": "message", "role": "user", "content": "By the way."}]
        page = self.client.conversations.items.create(self.chain.state["conversation"], items=items)
        return [{"items": [dump(item) for item in page.data]}]

    def input_items(self):
        page = self.client.responses.input_items.list(self.chain.state["id"], order="asc")
        return [{"items": [dump(item) for item in page.data]}]

    def conversation_items(self):
        page = self.client.conversations.items.list(self.chain.state["conversation"], order="asc")
        return [{"items": [dump(item) for item in page.data]}]

    def conversation_item(self):
        """Read one item of the conversation by itself."""
        talk, item = self.chain.state["conversation"], self.job.options["item"]
        return [{"items": [dump(self.client.conversations.items.retrieve(item, conversation_id=talk))]}]


def doing(way):
    def do(job):
        with connect(job) as client:
            steps = Steps(job, client, way)
            for step in job.options.get("steps", ["ask", "ask"]):
                for seen in getattr(steps, step)():
                    turn = responses.list_of(seen["items"]) if "items" in seen else responses.turn_of(seen)
                    usage = seen.get("usage") or {}
                    job.turn(turn, usage.get("input_tokens", 0), usage.get("output_tokens", 0))
            job.result["state"] = steps.chain.state

    return do


KINDS = {
    "openai-python-raw": doing(Raw),
    "openai-python-helper": doing(Helper),
    "openai-python-whole": doing(Whole),
}

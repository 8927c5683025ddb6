"""What clients of the Gemini API have in common: how a turn is told, and how its calls are run."""

import base64


class Turn:
    """A turn of the model, as it comes."""

    def __init__(self):
        self.candidates, self.contents, self.blocked, self.usage = [], [], "", (0, 0)

    def add(self, response, progress=lambda what: None):
        """Add a response: all of it, or a chunk."""
        usage = response.usage_metadata
        if usage:
            self.usage = (usage.prompt_token_count or 0, usage.candidates_token_count or 0)
        if response.prompt_feedback and response.prompt_feedback.block_reason:
            self.blocked = response.prompt_feedback.block_reason.value
        for candidate in response.candidates or []:
            index, parts = candidate.index or 0, (candidate.content and candidate.content.parts) or []
            while len(self.candidates) <= index:
                self.candidates.append({"parts": [], "finish": "", "message": ""})
            told = self.candidates[index]
            if candidate.finish_reason:
                told["finish"] = candidate.finish_reason.value
            told["message"] = candidate.finish_message or told["message"]
            add_parts(told["parts"], parts, progress)
            if index == 0 and parts:
                self.contents.append(candidate.content)
        return self

    def note(self, job):
        """Note that it is over."""
        job.turn({"candidates": self.candidates, "blocked": self.blocked}, *self.usage)


def add_parts(told, parts, progress=lambda what: None):
    """Tell what parts say, in words that all clients share. Text that came in pieces is one."""
    for part in (told_part for part in parts for told_part in parts_of(part)):
        if part["type"] == "text" and part["text"]:
            progress("text")
        if part["type"] == "call":
            progress("call")
        if part.get("text") == "":
            continue
        if part.get("text") and told and told[-1]["type"] == part["type"]:
            told[-1]["text"] += part["text"]
        else:
            told.append(part)
    return told


def parts_of(part):
    given = part.model_dump(exclude_none=True)
    given.pop("thought_signature", None)
    thought = given.pop("thought", False)
    if "text" in given:
        yield {"type": "thought" if thought else "text", "text": given.pop("text")}
    if "function_call" in given:
        yield call_of(given.pop("function_call"), part.thought_signature)
    for name in given:
        first, *more = name.split("_")
        yield {"type": first + "".join(word.title() for word in more)}


def call_of(call, signature):
    told = {"type": "call", "name": call.pop("name", ""), "input": call.pop("args", {})}
    if "id" in call:
        told["id"] = call.pop("id")
    if call:
        told["type"] = "piece"
    if signature:
        told["signature"] = base64.b64encode(signature).decode()
    return told

// The official Ollama SDK, used in the ways it offers.
import { Ollama } from "ollama";

const connect = (job, tools) =>
  new Ollama({
    host: job.base_url,
    headers: { ...job.headers, Authorization: `Bearer ${job.api_key}` },
    fetch: tools.fetch,
  });

// note notes a turn that is over.
function note(result, { content, thinking, calls, reason, usage }) {
  result.turns.push({ turn: { content, thinking, calls, reason }, usage });
}

const newTurn = () => ({ content: "", thinking: "", calls: [], reason: "", usage: { input: 0, output: 0 } });

// add adds a response to a turn: all of it, or a line. Text of /api/generate stands in another place.
function add(turn, response, progress = () => {}) {
  const { content = response.response ?? "", thinking = response.thinking ?? "", tool_calls = [] } = response.message ?? {};
  turn.content += content;
  turn.thinking += thinking;
  if (content) progress("text");
  for (const { id, function: fn } of tool_calls) {
    turn.calls.push({ ...(id ? { id } : {}), name: fn.name, input: fn.arguments });
    progress("call");
  }
  if (response.done) {
    turn.reason = response.done_reason;
    turn.usage = { input: response.prompt_eval_count, output: response.eval_count };
  }
  return turn;
}

// collect reads a stream, and puts the message together that goes into the history.
async function collect(lines, result, progress) {
  const turn = newTurn();
  const message = { role: "assistant", content: "" };
  for await (const line of lines) {
    result.events.push(line);
    add(turn, line, progress);
    message.content += line.message?.content ?? "";
    if (line.message?.thinking) message.thinking = (message.thinking ?? "") + line.message.thinking;
    if (line.message?.tool_calls) message.tool_calls = [...(message.tool_calls ?? []), ...line.message.tool_calls];
  }
  return { turn, message };
}

// answers runs the calls of a message, which here means to note them, and returns the messages that follow it.
function answers({ tool_calls = [] }, result) {
  if (!tool_calls.length) return [{ role: "user", content: "Go on." }];
  return tool_calls.map(({ function: { name, arguments: input } }) => {
    result.executed.push({ name, input });
    return { role: "tool", content: "done", tool_name: name };
  });
}

// converse asks twice, the second time with the history that the first answer left, unless the job is another one.
const converse = (stream) => async (job, result, tools) => {
  const client = connect(job, tools);
  const { model } = job;
  switch (job.options?.do) {
    case "generate": {
      const response = await client.generate({ model, prompt: job.prompt, stream });
      const turn = stream ? (await collect(response, result, tools.progress)).turn : add(newTurn(), response);
      return note(result, turn);
    }
    case "pull": {
      const response = await client.pull({ model, stream });
      let last = response;
      if (stream) for await (const line of response) last = line;
      return note(result, { ...newTurn(), content: last.status });
    }
  }
  const messages = [{ role: "user", content: job.prompt }];
  while (result.turns.length < 2) {
    const response = await client.chat({ model, messages, tools: job.tools, stream });
    const { turn, message } = stream
      ? await collect(response, result, tools.progress)
      : { turn: add(newTurn(), response), message: response.message };
    note(result, turn);
    messages.push(message, ...answers(message, result));
  }
};

export const kinds = { "ollama-js-stream": converse(true), "ollama-js-whole": converse(false) };

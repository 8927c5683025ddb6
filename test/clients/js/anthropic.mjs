// The official Anthropic SDK, used in the three ways it offers.
import Anthropic from "@anthropic-ai/sdk";

// raw reads the stream event by event and puts the message together itself. connect(job, tools) makes a client.
export const raw = (connect) => (job, result, tools) =>
  converse(connect(job, tools), job, result, async (client, request) => {
    let message;
    for await (const event of await client.messages.create({ ...request, stream: true })) {
      result.events.push(structuredClone(event)); // accumulate changes it
      message = accumulate(message, event, tools.progress);
    }
    return message;
  });

// helper lets the SDK put the message together.
export const helper = (connect) => (job, result, tools) =>
  converse(connect(job, tools), job, result, (client, request) => {
    const stream = client.messages.stream(request);
    stream.on("text", () => tools.progress("text"));
    stream.on("contentBlock", (block) => block.type === "tool_use" && tools.progress("call"));
    return stream.finalMessage();
  });

// whole asks for the message in one piece.
export const whole = (connect) => (job, result, tools) =>
  converse(connect(job, tools), job, result, (client, request) => client.messages.create(request));

// converse asks twice, the second time with the history that the first answer left.
async function converse(client, job, result, ask) {
  const messages = [{ role: "user", content: job.prompt }];
  for (let turn = 0; turn < 2; turn++) {
    const message = await ask(client, { model: job.model, max_tokens: 1000, tools: job.tools, messages });
    const { content, stop_reason, usage } = message;
    result.turns.push({
      turn: { content, stop_reason },
      usage: { input: usage.input_tokens, output: usage.output_tokens },
    });
    messages.push({ role: "assistant", content: message.content });
    messages.push({ role: "user", content: answers(message, result) });
  }
}

// settings are what all clients of this SDK are told.
export const settings = (job, tools) => ({
  baseURL: job.base_url,
  defaultHeaders: job.headers,
  fetch: tools.fetch,
  ...(job.retries === undefined ? {} : { maxRetries: job.retries }),
});

const connect = (job, tools) => new Anthropic({ ...settings(job, tools), apiKey: job.api_key });

// answers runs the calls of a message, which here means to note them.
export function answers(message, result) {
  const calls = message.content.filter((block) => block.type === "tool_use");
  if (calls.length === 0) return "Go on.";
  return calls.map(({ id, name, input }) => {
    result.executed.push({ name, input });
    return { type: "tool_result", tool_use_id: id, content: "done" };
  });
}

// accumulate adds an event of a stream to the message that it is of.
export function accumulate(message, event, progress) {
  const block = message?.content[event.index];
  switch (event.type) {
    case "message_start":
      return event.message;
    case "content_block_start":
      message.content[event.index] = { ...event.content_block };
      break;
    case "content_block_delta":
      addDelta(block, event.delta, progress);
      break;
    case "content_block_stop":
      if (block.json) block.input = JSON.parse(block.json);
      delete block.json;
      if (block.type === "tool_use") progress("call");
      break;
    case "message_delta":
      message.stop_reason = event.delta.stop_reason;
      Object.assign(message.usage, event.usage);
  }
  return message;
}

function addDelta(block, delta, progress) {
  switch (delta.type) {
    case "text_delta":
      block.text += delta.text;
      progress("text");
      break;
    case "thinking_delta":
      block.thinking += delta.thinking;
      break;
    case "signature_delta":
      block.signature += delta.signature;
      break;
    case "input_json_delta":
      block.json = (block.json ?? "") + delta.partial_json;
      break;
    default:
      throw new Error(`unknown delta ${delta.type}`);
  }
}

export const kinds = { "js-raw": raw(connect), "js-helper": helper(connect), "js-whole": whole(connect) };

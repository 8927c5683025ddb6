// LangChain's client of Chat Completions.
import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import { isWhole } from "./json.mjs";

// stream puts the message together from pieces, as LangChain has it.
async function stream(model, messages, tools) {
  let message;
  for await (const chunk of await model.stream(messages)) {
    message = message === undefined ? chunk : message.concat(chunk);
    if (message.text) tools.progress("text");
    if (message.tool_call_chunks?.some(({ args }) => isWhole(args))) tools.progress("call");
  }
  return message;
}

// whole asks for the message in one piece.
const whole = (model, messages) => model.invoke(messages);

// asking converses by hand: it asks twice, the second time with the history that the first answer left.
const asking = (ask) => async (job, result, tools) => {
  const model = new ChatOpenAI({
    model: job.model,
    apiKey: job.api_key,
    ...(job.retries === undefined ? {} : { maxRetries: job.retries }),
    configuration: { baseURL: job.base_url + "/v1", defaultHeaders: job.headers, fetch: tools.fetch },
  }).bindTools(job.tools);
  const messages = [new HumanMessage(job.prompt)];
  for (let turn = 0; turn < 2; turn++) {
    const message = await ask(model, messages, tools);
    const { input_tokens: input, output_tokens: output } = message.usage_metadata ?? {};
    result.turns.push({ turn: turnOf(message), usage: { input, output } });
    messages.push(message, ...answers(message, result));
  }
};

const turnOf = (message) => ({
  choices: [
    {
      content: message.text,
      tool_calls: message.tool_calls.map(({ id, name, args }) => ({ id, name, input: args })),
      finish_reason: message.response_metadata.finish_reason,
    },
  ],
});

// answers runs the calls of a message, which here means to note them.
function answers(message, result) {
  if (message.tool_calls.length === 0) return [new HumanMessage("Go on.")];
  return message.tool_calls.map(({ id, name, args }) => {
    result.executed.push({ name, input: args });
    return new ToolMessage({ tool_call_id: id, name, content: "done" });
  });
}

export const kinds = { "langchain-js-stream": asking(stream), "langchain-js-whole": asking(whole) };

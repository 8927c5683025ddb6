// The official OpenAI SDK for Chat Completions, used in the ways it offers, for OpenAI and for Azure.
import OpenAI, { AzureOpenAI } from "openai";
import { answers, tell, turnOf } from "./chat.mjs";

const settings = (job, tools) => ({
  apiKey: job.api_key,
  defaultHeaders: job.headers,
  fetch: tools.fetch,
  ...(job.retries === undefined ? {} : { maxRetries: job.retries }),
});
const openai = (job, tools) => new OpenAI({ baseURL: job.base_url + "/v1", ...settings(job, tools) });
const azure = (job, tools) =>
  new AzureOpenAI({ endpoint: job.base_url, apiVersion: "2024-10-21", ...settings(job, tools) });

const streamed = { stream: true, stream_options: { include_usage: true } };

// raw reads the stream chunk by chunk and puts the completion together itself.
async function raw(client, request, result, tools) {
  const completion = { choices: [] };
  for await (const chunk of await client.chat.completions.create({ ...request, ...streamed })) {
    result.events.push(chunk);
    accumulate(completion, chunk);
    for (const choice of completion.choices) tell(tools.progress, choice.message);
  }
  return completion;
}

// helper lets the SDK put the completion together.
function helper(client, request, result, tools) {
  const stream = client.chat.completions.stream({ ...request, ...streamed });
  stream.on("chunk", (_, snapshot) => tell(tools.progress, snapshot.choices[0]?.message));
  return stream.finalChatCompletion();
}

// whole asks for the completion in one piece.
const whole = (client, request) => client.chat.completions.create(request);

// asking converses by hand: it asks twice, the second time with the history that the first answer left.
const asking = (connect, ask) => async (job, result, tools) => {
  const client = connect(job, tools);
  const messages = [{ role: "user", content: job.prompt }];
  for (let turn = 0; turn < 2; turn++) {
    const completion = await ask(client, { model: job.model, tools: job.tools, messages }, result, tools);
    note(result, completion);
    const { message } = completion.choices[0];
    messages.push(message, ...answers(message, result));
  }
};

// running lets the SDK run the tools and go on by itself. It is asked again if it sees nothing to go on with.
const running = (options) => async (job, result, tools) => {
  const client = openai(job, tools);
  let messages = [{ role: "user", content: job.prompt }];
  while (result.turns.length < 2) {
    const request = { model: job.model, tools: runnable(job, result), messages, ...options };
    const runner = client.chat.completions.runTools(request, { maxChatCompletions: 2 - result.turns.length });
    runner.on("chunk", (_, snapshot) => tell(tools.progress, snapshot.choices[0]?.message));
    await runner.done();
    for (const completion of runner.allChatCompletions()) note(result, completion);
    messages = [...runner.messages, { role: "user", content: "Go on." }];
  }
};

const runnable = (job, result) =>
  job.tools
    .filter((tool) => tool.type === "function")
    .map((tool) => ({
      ...tool,
      function: {
        ...tool.function,
        parse: JSON.parse,
        function: (input) => {
          result.executed.push({ name: tool.function.name, input });
          return "done";
        },
      },
    }));

function note(result, completion) {
  const { prompt_tokens: input, completion_tokens: output } = completion.usage ?? {};
  result.turns.push({ turn: turnOf(completion.choices), usage: { input, output } });
}

function accumulate(completion, chunk) {
  if (chunk.usage) completion.usage = chunk.usage;
  for (const { index, delta, finish_reason } of chunk.choices) {
    const choice = (completion.choices[index] ??= { message: { role: "assistant", content: null } });
    if (finish_reason) choice.finish_reason = finish_reason;
    if (delta) addDelta(choice.message, delta);
  }
}

function addDelta(message, { content, tool_calls, function_call }) {
  if (content) message.content = (message.content ?? "") + content;
  if (function_call) addText((message.function_call ??= {}), function_call);
  for (const { index, function: fn, custom, ...rest } of tool_calls ?? []) {
    const call = ((message.tool_calls ??= [])[index] ??= {});
    Object.assign(call, rest);
    if (fn) addText((call.function ??= {}), fn);
    if (custom) addText((call.custom ??= {}), custom);
  }
}

// addText adds the pieces of a function or custom call. Names are not expected in pieces.
function addText(call, { name, ...text }) {
  if (name) call.name = name;
  for (const [key, piece] of Object.entries(text)) call[key] = (call[key] ?? "") + piece;
}

export const kinds = {
  "openai-js-raw": asking(openai, raw),
  "openai-js-helper": asking(openai, helper),
  "openai-js-whole": asking(openai, whole),
  "openai-js-run": running(streamed),
  "openai-js-run-whole": running({}),
  "azure-js-raw": asking(azure, raw),
  "azure-js-whole": asking(azure, whole),
};

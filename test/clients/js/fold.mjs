// Folds one answer a job with the official SDKs, and tells every call that they hand out, with all of its members.
import Anthropic from "@anthropic-ai/sdk";
import { createAmazonBedrock } from "@ai-sdk/amazon-bedrock";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { BedrockRuntimeClient, ConverseCommand, ConverseStreamCommand } from "@aws-sdk/client-bedrock-runtime";
import { GoogleGenAI } from "@google/genai";
import { NodeHttpHandler } from "@smithy/node-http-handler";
import { generateText, jsonSchema, streamText, tool } from "ai";
import { Ollama } from "ollama";
import OpenAI from "openai";

globalThis.AI_SDK_LOG_WARNINGS = false; // they would go to standard output

// parse reads arguments that came as text, as a program would.
function parse(value) {
  if (typeof value !== "string") return value ?? {};
  try {
    return JSON.parse(value || "{}");
  } catch {
    return { unreadable: value };
  }
}

// around is what a message has of its calls, or of what by its name would be taken for theirs.
const around = (message) =>
  Object.fromEntries(Object.entries(message).filter(([name]) => /call|tool|func|parse|args|argument|input|param/i.test(name)));

// folding is a kind: fold(job, tools, out) calls out.call for every call, and out.events takes what else it was handed.
const folding = (fold) => async (job, result, tools) => {
  const turn = { calls: [], events: [] };
  result.turns.push({ turn, usage: {} });
  const call = (id, name, args, all) => turn.calls.push({ id: id ?? "", name: name ?? "", args, all });
  await fold(job, tools, { call, events: turn.events, result });
};

// The Messages API.
const anthropic = (job, tools) =>
  new Anthropic({ baseURL: job.base_url, apiKey: "none", defaultHeaders: job.headers, fetch: tools.fetch, maxRetries: 0 });
const messagesRequest = (job) => ({ model: job.model, max_tokens: 1000, messages: [{ role: "user", content: job.prompt }] });
const addBlocks = (out, blocks) => {
  for (const block of blocks ?? []) if (block.type === "tool_use") out.call(block.id, block.name, block.input, block);
};

async function messagesStream(job, tools, out) {
  const stream = anthropic(job, tools).messages.stream(messagesRequest(job));
  const stopped = [];
  stream.on("streamEvent", (event) => out.events.push(event));
  stream.on("contentBlock", (block) => stopped.push(structuredClone(block)));
  try {
    addBlocks(out, (await stream.finalMessage()).content);
  } catch (err) {
    addBlocks(out, stopped);
    throw err;
  }
}

const messagesWhole = async (job, tools, out) =>
  addBlocks(out, (await anthropic(job, tools).messages.create(messagesRequest(job))).content);

// Chat Completions and the Responses API.
const openai = (job, tools) =>
  new OpenAI({ baseURL: job.base_url + "/v1", apiKey: "none", defaultHeaders: job.headers, fetch: tools.fetch, maxRetries: 0 });
const chatRequest = (job) => ({ model: job.model, messages: [{ role: "user", content: job.prompt }] });
const addMessage = (out, message) => {
  const all = around(message);
  for (const call of message.tool_calls ?? []) {
    if (call.custom) out.call(call.id, call.custom.name, { input: call.custom.input }, all);
    else out.call(call.id, call.function?.name, parse(call.function?.arguments), all);
  }
  const old = message.function_call;
  if (old) out.call("", old.name, parse(old.arguments), all);
};

async function chatStream(job, tools, out) {
  const stream = openai(job, tools).chat.completions.stream(chatRequest(job));
  stream.on("chunk", (chunk) => out.events.push(chunk));
  try {
    for (const { message } of (await stream.finalChatCompletion()).choices) addMessage(out, message);
  } catch (err) {
    // Some programs act on a call as soon as it is whole, so what comes later does not matter to them.
    const isWhole = ({ function: fn }) => !parse(fn?.arguments).unreadable;
    for (const { message } of stream.currentChatCompletionSnapshot?.choices ?? [])
      addMessage(out, { ...message, tool_calls: message?.tool_calls?.filter(isWhole) });
    throw err;
  }
}

async function chatWhole(job, tools, out) {
  for (const { message } of (await openai(job, tools).chat.completions.create(chatRequest(job))).choices ?? []) addMessage(out, message);
}

const responsesRequest = (job) => ({ model: job.model, input: job.prompt });
const addItems = (out, items) => {
  for (const item of items ?? []) {
    if (item.type === "function_call") out.call(item.call_id, item.name, parse(item.arguments), item);
    if (item.type === "custom_tool_call") out.call(item.call_id, item.name, { input: item.input }, item);
    if (item.type === "local_shell_call") out.call(item.call_id, "local_shell", item.action, item);
  }
};

async function responsesStream(job, tools, out) {
  const stream = openai(job, tools).responses.stream(responsesRequest(job));
  stream.on("event", (event) => {
    out.events.push(event);
    if (event.type === "response.output_item.done") addItems(out, [structuredClone(event.item)]);
  });
  addItems(out, (await stream.finalResponse()).output);
}

const responsesWhole = async (job, tools, out) =>
  addItems(out, (await openai(job, tools).responses.create(responsesRequest(job))).output);

// The Gemini API.
const google = (job, tools) =>
  new GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl: job.base_url, headers: job.headers, fetch: tools.fetch } });
const addCandidates = (out, { candidates }) => {
  for (const { content } of candidates ?? [])
    for (const part of content?.parts ?? [])
      if (part.functionCall) out.call(part.functionCall.id, part.functionCall.name, part.functionCall.args ?? {}, part);
};
const geminiRequest = (job) => ({ model: job.model, contents: job.prompt });

async function geminiStream(job, tools, out) {
  for await (const chunk of await google(job, tools).models.generateContentStream(geminiRequest(job))) addCandidates(out, chunk);
}

const geminiWhole = async (job, tools, out) =>
  addCandidates(out, await google(job, tools).models.generateContent(geminiRequest(job)));

// The Converse API of Bedrock.
const unsigned = { signer: { sign: async (request) => request }, credentials: { accessKeyId: "none", secretAccessKey: "none" } };

async function converse(job, out, command) {
  const client = new BedrockRuntimeClient({
    region: "us-east-1",
    endpoint: job.base_url,
    maxAttempts: 1,
    requestHandler: new NodeHttpHandler(),
    ...unsigned,
  });
  const add = (next) => (args) => (Object.assign(args.request.headers, job.headers), next(args));
  const note = (next) => async (args) => {
    const output = await next(args);
    out.result.responses.push({ status: output.response.statusCode, request: output.response.headers["x-weir-request-id"] });
    return output;
  };
  client.middlewareStack.add(add, { step: "build" });
  client.middlewareStack.add(note, { step: "deserialize", priority: "low" });
  try {
    return await client.send(new command({ modelId: job.model, messages: [{ role: "user", content: [{ text: job.prompt }] }] }));
  } finally {
    setTimeout(() => client.destroy(), 1000);
  }
}

async function bedrockStream(job, tools, out) {
  const calls = {};
  for await (const event of (await converse(job, out, ConverseStreamCommand)).stream) {
    out.events.push(event);
    const { contentBlockStart: start, contentBlockDelta: delta, contentBlockStop: stop } = event;
    if (start?.start?.toolUse) calls[start.contentBlockIndex] = { ...start.start.toolUse, input: "" };
    if (delta?.delta?.toolUse) calls[delta.contentBlockIndex].input += delta.delta.toolUse.input ?? "";
    const call = stop && calls[stop.contentBlockIndex];
    if (call) {
      out.call(call.toolUseId, call.name, parse(call.input), call);
      delete calls[stop.contentBlockIndex];
    }
  }
}

async function bedrockWhole(job, tools, out) {
  const { output } = await converse(job, out, ConverseCommand);
  for (const { toolUse } of output.message.content) if (toolUse) out.call(toolUse.toolUseId, toolUse.name, toolUse.input, toolUse);
}

// Ollama.
const ollama = (stream) => async (job, tools, out) => {
  const client = new Ollama({ host: job.base_url, headers: job.headers, fetch: tools.fetch });
  const answer = await client.chat({ model: job.model, messages: [{ role: "user", content: job.prompt }], stream });
  const add = (line) => {
    for (const call of line.message?.tool_calls ?? []) out.call(call.id, call.function?.name, call.function?.arguments ?? {}, around(line.message));
  };
  if (!stream) return add(answer);
  for await (const line of answer) add(line);
};

// The AI SDK with its providers. It leaves the calls to the program here.
const declared = (job) =>
  Object.fromEntries(job.options.tools.map((name) => [name, tool({ inputSchema: jsonSchema({ type: "object" }) })]));
const addParts = (out, parts) => {
  for (const part of parts)
    if (part.type === "tool-call" && !part.providerExecuted) out.call(part.toolCallId, part.toolName, parse(part.input), part);
};
const settings = (job, tools) => ({ apiKey: "none", headers: job.headers, fetch: tools.fetch });
const aiStream = (model) => async (job, tools, out) => {
  const answer = streamText({ model: model(job, tools), tools: declared(job), prompt: job.prompt, maxRetries: 0, onError: () => {} });
  for await (const part of answer.fullStream) {
    addParts(out, [part]);
    if (part.type === "error") throw part.error;
  }
};
const aiWhole = (model) => async (job, tools, out) =>
  addParts(out, (await generateText({ model: model(job, tools), tools: declared(job), prompt: job.prompt, maxRetries: 0 })).content);

const models = {
  messages: (job, tools) => createAnthropic({ baseURL: job.base_url + "/v1", ...settings(job, tools) })(job.model),
  chat: (job, tools) => createOpenAICompatible({ name: "google", baseURL: job.base_url + "/v1", ...settings(job, tools) })(job.model),
  responses: (job, tools) => createOpenAI({ baseURL: job.base_url + "/v1", ...settings(job, tools) }).responses(job.model),
  gemini: (job, tools) => createGoogleGenerativeAI({ baseURL: job.base_url + "/v1beta", ...settings(job, tools) })(job.model),
  bedrock: (job, tools) => createAmazonBedrock({ baseURL: job.base_url, region: "us-east-1", ...settings(job, tools) })(job.model),
};

export const kinds = {
  "messages stream anthropic-js": folding(messagesStream),
  "messages whole anthropic-js": folding(messagesWhole),
  "chat stream openai-js": folding(chatStream),
  "chat whole openai-js": folding(chatWhole),
  "responses stream openai-js": folding(responsesStream),
  "responses whole openai-js": folding(responsesWhole),
  "gemini stream genai-js": folding(geminiStream),
  "gemini whole genai-js": folding(geminiWhole),
  "bedrock stream aws-js": folding(bedrockStream),
  "bedrock whole aws-js": folding(bedrockWhole),
  "ollama stream ollama-js": folding(ollama(true)),
  "ollama whole ollama-js": folding(ollama(false)),
};
for (const [format, model] of Object.entries(models)) {
  kinds[`${format} stream ai`] = folding(aiStream(model));
  kinds[`${format} whole ai`] = folding(aiWhole(model));
}

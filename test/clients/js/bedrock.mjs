// The AWS client for the Bedrock runtime: both of its APIs, streamed and whole, and the ways to reach it and to be let in.
import {
  BedrockRuntimeClient,
  ConverseCommand,
  ConverseStreamCommand,
  InvokeModelCommand,
  InvokeModelWithResponseStreamCommand,
} from "@aws-sdk/client-bedrock-runtime";
import { NodeHttpHandler } from "@smithy/node-http-handler";
import { accumulate, answers as nativeAnswers } from "./anthropic.mjs";

// profile is the name of a model as a resource of an account, which has a slash in it.
const profile = (model) => `arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.${model}`;

// connect makes a client, which speaks HTTP/2 unless how.plain is set. how.env has it find address and key in the environment;
// how.credentials are what it has in place of a key.
function connect(job, result, how) {
  const settings = { region: "us-east-1", ...(job.retries === undefined ? {} : { maxAttempts: job.retries + 1 }) };
  if (how.plain) settings.requestHandler = new NodeHttpHandler();
  const env = how.env ? { AWS_BEARER_TOKEN_BEDROCK: job.api_key, AWS_ENDPOINT_URL_BEDROCK_RUNTIME: job.base_url } : {};
  Object.assign(process.env, env);
  if (!how.env) settings.endpoint = job.base_url;
  if (how.credentials) Object.assign(settings, how.credentials);
  else if (!how.env) Object.assign(settings, { token: { token: job.api_key }, authSchemePreference: ["httpBearerAuth"] });
  const client = new BedrockRuntimeClient(settings);
  client.middlewareStack.add(withHeaders(job.headers), { step: "build" });
  client.middlewareStack.add(noting(result), { step: "deserialize", priority: "low" });
  return {
    send: (command) => client.send(command),
    close: () => {
      client.destroy();
      Object.keys(env).forEach((name) => delete process.env[name]);
    },
  };
}

const withHeaders = (headers) => (next) => (args) => {
  Object.assign(args.request.headers, headers);
  return next(args);
};

// Every response is noted below the SDK, so that retries show too.
const noting = (result) => (next) => async (args) => {
  const output = await next(args);
  const { statusCode, headers } = output.response;
  result.responses.push({ status: statusCode, request: headers["x-weir-request-id"] });
  return output;
};

// conversing asks twice, the second time with the history that the first answer left. api says how one of the APIs is asked.
const conversing = (api, ask, how = {}) => async (job, result, tools) => {
  const client = connect(job, result, how);
  try {
    const modelId = how.profile ? profile(job.model) : job.model;
    const messages = [{ role: "user", content: api.said(job.prompt) }];
    for (let turn = 0; turn < 2; turn++) {
      const { message, stop, usage } = await ask(client, api.request(job, modelId, messages), { result, tools });
      result.turns.push({ turn: { content: message.content.map(api.blockOf), stop_reason: stop }, usage });
      messages.push(message, { role: "user", content: api.answers(message, result) });
    }
  } finally {
    client.close();
  }
};

// The Converse API.
const converse = {
  said: (text) => [{ text }],
  request: (job, modelId, messages) => ({
    modelId,
    messages,
    inferenceConfig: { maxTokens: 1000 },
    toolConfig: {
      tools: job.tools
        .filter(({ type }) => !type)
        .map(({ name, description, input_schema }) => ({ toolSpec: { name, description, inputSchema: { json: input_schema } } })),
    },
  }),
  answers(message, result) {
    const calls = message.content.filter(({ toolUse }) => toolUse && !toolUse.type).map(({ toolUse }) => toolUse);
    if (calls.length === 0) return converse.said("Go on.");
    return calls.map(({ toolUseId, name, input }) => {
      result.executed.push({ name, input });
      return { toolResult: { toolUseId, content: [{ text: "done" }] } };
    });
  },
  // blockOf puts a block into the words of Claude's own format, so that all clients can be compared.
  blockOf({ text, toolUse, toolResult, reasoningContent, ...rest }) {
    if (text !== undefined) return { type: "text", text };
    if (toolUse) return { type: toolUse.type ?? "tool_use", id: toolUse.toolUseId, name: toolUse.name, input: toolUse.input };
    if (toolResult) return { type: "tool_result", tool_use_id: toolResult.toolUseId };
    const thought = reasoningContent?.reasoningText;
    return thought ? { type: "thinking", thinking: thought.text, signature: thought.signature } : { type: Object.keys(rest).join() };
  },
};

async function converseWhole(client, request) {
  const { output, stopReason, usage } = await client.send(new ConverseCommand(request));
  return { message: output.message, stop: stopReason, usage: { input: usage.inputTokens, output: usage.outputTokens } };
}

async function converseStream(client, request, { result, tools }) {
  const { stream } = await client.send(new ConverseStreamCommand(request));
  const answer = { message: { content: [] }, usage: { input: 0, output: 0 } };
  for await (const event of stream) {
    result.events.push(event);
    addEvent(answer, event, tools.progress);
  }
  return answer;
}

function addEvent(answer, event, progress) {
  const [name, data] = Object.entries(event)[0];
  const { content } = answer.message;
  switch (name) {
    case "messageStart":
      answer.message.role = data.role;
      break;
    case "contentBlockStart":
      content[data.contentBlockIndex] = structuredClone(data.start);
      break;
    case "contentBlockDelta":
      content[data.contentBlockIndex] ??= {};
      addDelta(content[data.contentBlockIndex], data.delta, progress);
      break;
    case "contentBlockStop": {
      const call = content[data.contentBlockIndex].toolUse;
      if (call) call.input = JSON.parse(call.input || "{}");
      if (call && !call.type) progress("call");
      break;
    }
    case "messageStop":
      answer.stop = data.stopReason;
      break;
    case "metadata":
      answer.usage = { input: data.usage.inputTokens, output: data.usage.outputTokens };
      break;
    default:
      throw new Error(`unknown event ${name}`);
  }
}

function addDelta(block, delta, progress) {
  const [kind, more] = Object.entries(delta)[0];
  switch (kind) {
    case "text":
      block.text = (block.text ?? "") + more;
      progress("text");
      break;
    case "toolUse":
      block.toolUse.input = (block.toolUse.input ?? "") + more.input;
      break;
    case "toolResult":
      block.toolResult.content = [...(block.toolResult.content ?? []), ...more];
      break;
    case "reasoningContent": {
      const thought = ((block.reasoningContent ??= { reasoningText: { text: "" } }).reasoningText ??= { text: "" });
      if (more.text !== undefined) thought.text += more.text;
      if (more.signature !== undefined) thought.signature = more.signature;
      break;
    }
    default:
      throw new Error(`unknown delta ${kind}`);
  }
}

// InvokeModel, with bodies in Claude's own format.
const invoke = {
  said: (text) => text,
  request: (job, modelId, messages) => ({
    modelId,
    contentType: "application/json",
    body: JSON.stringify({ anthropic_version: "bedrock-2023-05-31", max_tokens: 1000, tools: job.tools, messages }),
  }),
  answers: nativeAnswers,
  blockOf: (block) => block,
};

const decode = (bytes) => JSON.parse(new TextDecoder().decode(bytes));

const nativeAnswer = ({ role, content, stop_reason, usage }) => ({
  message: { role, content },
  stop: stop_reason,
  usage: { input: usage.input_tokens, output: usage.output_tokens },
});

async function invokeWhole(client, request) {
  const { body } = await client.send(new InvokeModelCommand(request));
  return nativeAnswer(decode(body));
}

async function invokeStream(client, request, { tools }) {
  const { body } = await client.send(new InvokeModelWithResponseStreamCommand(request));
  let message;
  for await (const { chunk } of body) message = accumulate(message, decode(chunk.bytes), tools.progress);
  return nativeAnswer(message);
}

// Ways to be let in other than by a key.
const unsigned = { signer: { sign: async (request) => request }, credentials: { accessKeyId: "none", secretAccessKey: "none" } };
const signed = { credentials: { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "secret-of-the-client" } };

export const kinds = {
  "aws-converse-stream": conversing(converse, converseStream),
  "aws-converse-whole": conversing(converse, converseWhole, { plain: true }),
  "aws-invoke-stream": conversing(invoke, invokeStream, { plain: true }),
  "aws-invoke-whole": conversing(invoke, invokeWhole),
  "aws-env-stream": conversing(converse, converseStream, { env: true, plain: true, profile: true }),
  "aws-profile-invoke": conversing(invoke, invokeStream, { env: true, profile: true }),
  "aws-unsigned-stream": conversing(converse, converseStream, { credentials: unsigned }),
  "aws-unsigned-invoke": conversing(invoke, invokeWhole, { plain: true, credentials: unsigned }),
  "aws-signed-stream": conversing(converse, converseStream, { plain: true, credentials: signed }),
  "aws-signed-whole": conversing(converse, converseWhole, { credentials: signed }),
};

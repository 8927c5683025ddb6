// The OpenAI Agents SDK, which runs tools by itself and keeps a history of its own.
import { Agent, OpenAIProvider, Runner, applyPatchTool, shellTool, tool } from "@openai/agents";
import OpenAI from "openai";
import { noticeOf, tell, textOf } from "./responses.mjs";

const connect = (job, tools) =>
  new OpenAI({
    baseURL: job.base_url + "/v1",
    apiKey: job.api_key,
    defaultHeaders: job.headers,
    fetch: tools.fetch,
    ...(job.retries === undefined ? {} : { maxRetries: job.retries }),
  });

// executing declares tools that the SDK runs, which here means to note them.
function executing(job, result) {
  const note = (name, input) => {
    result.executed.push({ name, input });
    return "done";
  };
  const functions = job.tools
    .filter(({ type }) => type === "function")
    .map(({ name, description, parameters }) =>
      tool({ name, description, parameters, strict: true, execute: (input) => note(name, input) }),
    );
  const patch = (operation) => ({ status: "completed", output: note("apply_patch", operation) });
  const run = ({ commands }) => ({
    output: [{ stdout: note("shell", { commands }), stderr: "", outcome: { type: "exit", exitCode: 0 } }],
  });
  return [
    ...functions,
    shellTool({ shell: { run } }),
    applyPatchTool({ editor: { createFile: patch, updateFile: patch, deleteFile: patch } }),
  ];
}

// running lets the SDK run the conversation. It is asked again if it sees nothing to go on with: with the history, or with
// what names it to the provider.
const running = (stream) => async (job, result, tools) => {
  const openAIClient = connect(job, tools);
  const modelProvider = new OpenAIProvider({ openAIClient, useResponses: true });
  const runner = new Runner({ modelProvider, tracingDisabled: true });
  const modelSettings = { ...job.options?.agents };
  const agent = new Agent({ name: "tester", model: job.model, modelSettings, tools: executing(job, result) });
  const chain = job.options?.chain ?? "own";
  let link = chain === "conversation" ? { conversationId: (await openAIClient.conversations.create({})).id } : {};
  let input = [{ role: "user", content: job.prompt }];
  while (result.turns.length < 2) {
    const run = await runner.run(agent, input, { stream, maxTurns: 2, ...link });
    if (stream) await follow(run, tools.progress);
    for (const { output, usage } of run.rawResponses) {
      result.turns.push({
        turn: { status: "", items: output.map(told) },
        usage: { input: usage.inputTokens, output: usage.outputTokens },
      });
    }
    const more = { role: "user", content: "Go on." };
    input = chain === "own" ? [...run.history, more] : [more];
    if (chain === "previous") link = { previousResponseId: run.lastResponseId };
  }
};

async function follow(run, progress) {
  for await (const { type, data } of run) {
    if (type === "raw_model_stream_event" && data.type === "model") tell(progress, data.event);
  }
  await run.completed;
}

// told puts an item of the SDK's into the words that all clients of the Responses API share.
function told(item) {
  const { type, callId: id, name } = item;
  switch (type) {
    case "message":
      return { type, role: item.role, text: textOf(item.content), ...noticeOf(item.id) };
    case "reasoning":
      return { type, text: textOf(item.content) };
    case "function_call":
      return { type, id, name: item.namespace ? `${item.namespace}.${name}` : name, input: JSON.parse(item.arguments) };
    case "shell_call":
      return { type, id, name: "shell", input: { commands: item.action.commands } };
    case "apply_patch_call":
      return { type, id, name: "apply_patch", input: item.operation };
    default:
      return { type };
  }
}

export const kinds = { "agents-js-stream": running(true), "agents-js-whole": running(false) };

// The AI SDK with its default model for OpenAI, which is that of the Responses API.
import { createOpenAI } from "@ai-sdk/openai";
import { stream, whole } from "./ai.mjs";
import { noticeOf } from "./responses.mjs";

const connect = (job, tools) =>
  createOpenAI({ baseURL: job.base_url + "/v1", apiKey: job.api_key, headers: job.headers, fetch: tools.fetch });

const note = (result, name, input, output) => {
  result.executed.push({ name, input });
  return output;
};

const provider = {
  model: (job, tools) => connect(job, tools)(job.model),
  // Tools that the SDK has of its own.
  tools: (job, result) => {
    const { customTool, shell, localShell, applyPatch, webSearch, mcp } = createOpenAI({ apiKey: "none" }).tools;
    return {
      run_script: {
        ...customTool({ name: "run_script", description: "A script." }),
        execute: (input) => note(result, "run_script", { input }, "done"),
      },
      shell: shell({
        execute: ({ action }) =>
          note(result, "shell", action, {
            output: [{ stdout: "done", stderr: "", outcome: { type: "exit", exitCode: 0 } }],
          }),
      }),
      local_shell: localShell({
        execute: ({ action }) => note(result, "local_shell", action, { output: "done" }),
      }),
      apply_patch: applyPatch({
        execute: ({ operation }) => note(result, "apply_patch", operation, { status: "completed", output: "done" }),
      }),
      web_search: webSearch({}),
      tracker: mcp({ serverLabel: "tracker", serverUrl: "http://127.0.0.1:1/mcp", requireApproval: "always" }),
    };
  },
  functions: (job) =>
    job.tools
      .filter(({ type }) => type === "function")
      .map(({ name, description, parameters }) => ({ name, description, schema: parameters })),
  // options are the SDK's own: whether the provider stores, and the conversation that it stores in.
  options: async (job, tools) => {
    const openai = { ...job.options?.ai };
    if (job.options?.chain === "conversation") {
      const answer = await tools.fetch(job.base_url + "/v1/conversations", {
        method: "POST",
        headers: { ...job.headers, "content-type": "application/json", authorization: `Bearer ${job.api_key}` },
        body: "{}",
      });
      openai.conversation = (await answer.json()).id;
    }
    return { providerOptions: { openai } };
  },
  // turnOf puts a step into the words that all clients of the Responses API share.
  turnOf: (step) => ({
    status: step.rawFinishReason === "max_output_tokens" ? "incomplete" : "completed",
    items: step.content.map(itemOf).filter((item) => item !== null),
  }),
};

function itemOf(part) {
  const { type, toolCallId: id, toolName: name, input } = part;
  switch (type) {
    case "text":
      return { type: "message", role: "assistant", text: part.text, ...noticeOf(part.providerMetadata?.openai?.itemId) };
    case "reasoning":
      return { type: "reasoning", text: part.text };
    case "tool-call":
      return callOf(id, name, input);
    case "tool-approval-request": {
      const { toolName, input: asked } = part.toolCall;
      return { type: "mcp_approval_request", id: part.approvalId, name: toolName.replace(/^mcp\./, ""), input: asked };
    }
    default:
      return null; // results of tools, and sources, are not the model's
  }
}

function callOf(id, name, input) {
  switch (name) {
    case "run_script":
      return { type: "custom_tool_call", id, name, input: { input } };
    case "shell":
      return { type: "shell_call", id, name, input: input.action };
    case "local_shell":
      return { type: "local_shell_call", id, name, input: input.action };
    case "apply_patch":
      return { type: "apply_patch_call", id, name, input: input.operation };
    case "web_search":
      return { type: "web_search_call", id, name };
  }
  if (name.startsWith("mcp.")) return null; // it waits for approval, and is told as that
  return { type: "function_call", id, name, input };
}

export const kinds = { "ai-stream": stream(provider), "ai-whole": whole(provider) };

// The AI SDK with its providers for Chat Completions.
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { stream, whole } from "./ai.mjs";

const settings = (job, tools) => ({
  baseURL: job.base_url + "/v1",
  apiKey: job.api_key,
  headers: job.headers,
  fetch: tools.fetch,
});
const official = (job, tools) => createOpenAI(settings(job, tools)).chat(job.model);
// Only under this name does the SDK send thought signatures back.
const compatible = (job, tools) =>
  createOpenAICompatible({ name: "google", includeUsage: true, ...settings(job, tools) })(job.model);

const provider = (model) => ({
  model,
  tools: () => ({}),
  functions: (job) =>
    job.tools
      .filter(({ type }) => type === "function")
      .map(({ function: { name, description, parameters } }) => ({ name, description, schema: parameters })),
  // turnOf puts a step into the words that all clients of Chat Completions share.
  turnOf: (step) => ({
    choices: [{ content: step.text, tool_calls: step.toolCalls.map(callOf), finish_reason: step.rawFinishReason }],
  }),
});

function callOf({ toolCallId, toolName, input, providerMetadata }) {
  const thought_signature = providerMetadata?.google?.thoughtSignature;
  const extra = thought_signature ? { extra: { google: { thought_signature } } } : {};
  return { id: toolCallId, name: toolName, input, ...extra };
}

export const kinds = {
  "ai-openai-stream": stream(provider(official)),
  "ai-openai-whole": whole(provider(official)),
  "ai-compatible-stream": stream(provider(compatible)),
  "ai-compatible-whole": whole(provider(compatible)),
};

// The AI SDK with its provider for the Messages API.
import { createAnthropic } from "@ai-sdk/anthropic";
import { stream, whole } from "./ai.mjs";

const provider = {
  model: (job, tools) => connect(job, tools)(job.model),
  // Tools with a type are run by the model's provider.
  tools: () => {
    const { webSearch_20250305, webFetch_20250910 } = createAnthropic({ apiKey: "none" }).tools;
    return { web_search: webSearch_20250305({}), web_fetch: webFetch_20250910({}) };
  },
  functions: (job) =>
    job.tools
      .filter(({ type }) => !type)
      .map(({ name, description, input_schema }) => ({ name, description, schema: input_schema })),
  // turnOf puts a step into the words of the Messages API, so that all clients can be compared.
  turnOf: (step) => ({
    content: step.content.map(blockOf).filter((block) => block !== null),
    stop_reason: step.rawFinishReason,
  }),
};

const connect = (job, tools) =>
  createAnthropic({ baseURL: job.base_url + "/v1", apiKey: job.api_key, headers: job.headers, fetch: tools.fetch });

function blockOf(part) {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text };
    case "reasoning":
      return { type: "thinking", thinking: part.text, signature: part.providerMetadata?.anthropic?.signature };
    case "tool-call": {
      const type = part.providerExecuted ? "server_tool_use" : "tool_use";
      return { type, id: part.toolCallId, name: part.toolName, input: part.input };
    }
    case "tool-result":
      // What the provider's tool returned is part of the answer; what ours returned is not.
      return part.providerExecuted ? { type: "web_search_tool_result", tool_use_id: part.toolCallId } : null;
    case "source":
      return null;
    default:
      return { type: part.type };
  }
}

export const kinds = { "ai-stream": stream(provider), "ai-whole": whole(provider) };

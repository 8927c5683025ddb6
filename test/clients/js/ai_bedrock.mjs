// The AI SDK with its provider for Bedrock, which speaks the Converse API.
import { createAmazonBedrock } from "@ai-sdk/amazon-bedrock";
import { stream, whole } from "./ai.mjs";

const provider = {
  model: (job, tools) => connect(job, tools)(job.model),
  tools: () => ({}),
  functions: (job) =>
    job.tools
      .filter(({ type }) => !type)
      .map(({ name, description, input_schema }) => ({ name, description, schema: input_schema })),
  // turnOf puts a step into the words of Claude's own format, so that all clients can be compared.
  turnOf: (step) => ({
    content: step.content.map(blockOf).filter((block) => block !== null),
    stop_reason: step.rawFinishReason,
  }),
};

const connect = (job, tools) =>
  createAmazonBedrock({ baseURL: job.base_url, region: "us-east-1", apiKey: job.api_key, headers: job.headers, fetch: tools.fetch });

function blockOf(part) {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text };
    case "reasoning":
      return { type: "thinking", thinking: part.text, signature: part.providerMetadata?.bedrock?.signature };
    case "tool-call":
      return { type: "tool_use", id: part.toolCallId, name: part.toolName, input: part.input };
    case "tool-result": // of a call that it ran itself
      return null;
    default:
      return { type: part.type };
  }
}

export const kinds = { "ai-bedrock-stream": stream(provider), "ai-bedrock-whole": whole(provider) };

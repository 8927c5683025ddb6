// The AI SDK with its provider for the Gemini API.
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { stream, whole } from "./ai.mjs";
import { addParts } from "./gemini.mjs";

const madeUp = "made-up-";
let number = 0;

const provider = {
  model: (job, tools) =>
    createGoogleGenerativeAI({
      baseURL: job.base_url + "/v1beta",
      apiKey: job.api_key,
      headers: job.headers,
      fetch: tools.fetch,
      generateId: () => madeUp + number++,
    })(job.model),
  tools: () => ({}),
  functions: (job) =>
    job.tools.map(({ name, description, parametersJsonSchema: schema }) => ({ name, description, schema })),
  // turnOf puts a step into the words that all clients of the API share.
  turnOf: ({ content, rawFinishReason: finish, providerMetadata }) => {
    const blocked = providerMetadata?.google?.promptFeedback?.blockReason ?? "";
    const parts = addParts([], content.map(partOf).filter((part) => part !== null));
    return { candidates: blocked ? [] : [{ parts, finish }], blocked };
  },
};

// partOf is a part as it would be in the API. What a tool returned is none of the model's.
function partOf({ type, text, toolCallId, toolName, input, providerExecuted, providerMetadata }) {
  const thoughtSignature = providerMetadata?.google?.thoughtSignature;
  switch (type) {
    case "text":
      return { text };
    case "reasoning":
      return { text, thought: true };
    case "tool-call":
      if (providerExecuted) return { executableCode: {} };
      return {
        functionCall: { ...(toolCallId.startsWith(madeUp) ? {} : { id: toolCallId }), name: toolName, args: input },
        ...(thoughtSignature ? { thoughtSignature } : {}),
      };
    case "tool-result":
      return providerExecuted ? { codeExecutionResult: {} } : null;
    default:
      return { [type]: {} };
  }
}

export const kinds = { "ai-google-stream": stream(provider), "ai-google-whole": whole(provider) };

// The AI SDK, which runs tools by itself and reads the wire in its own way.
import { createAnthropic } from "@ai-sdk/anthropic";
import { generateText, jsonSchema, stepCountIs, streamText, tool } from "ai";

globalThis.AI_SDK_LOG_WARNINGS = false; // they would go to standard output

// stream lets the SDK run the conversation from a stream.
export const stream = (job, result, tools) =>
  converse(job, result, tools, async (settings) => {
    const answer = streamText({ ...settings, onError: () => {} });
    for await (const part of answer.fullStream) {
      if (part.type === "text-delta") tools.progress("text");
      if (part.type === "tool-call") tools.progress("call");
      if (part.type === "error") throw part.error;
    }
    return { steps: await answer.steps, response: await answer.response };
  });

// whole lets the SDK run the conversation from whole messages.
export const whole = (job, result, tools) => converse(job, result, tools, generateText);

// converse goes on by hand when the SDK sees nothing to go on with: the second turn has the history of the first.
async function converse(job, result, tools, ask) {
  const provider = createAnthropic({
    baseURL: job.base_url + "/v1",
    apiKey: job.api_key,
    headers: job.headers,
    fetch: tools.fetch,
  });
  const settings = {
    model: provider(job.model),
    tools: toolSet(job, result, provider),
    stopWhen: stepCountIs(2),
    ...(job.retries === undefined ? {} : { maxRetries: job.retries }),
    onStepFinish: (step) => result.turns.push(turnOf(step)),
  };
  const messages = [{ role: "user", content: job.prompt }];
  const { response } = await ask({ ...settings, messages });
  if (result.turns.length < 2) {
    await ask({ ...settings, messages: [...messages, ...response.messages, { role: "user", content: "Go on." }] });
  }
}

// toolSet declares the job's tools. Those with a type are run by the provider.
function toolSet(job, result, provider) {
  const set = {
    web_search: provider.tools.webSearch_20250305({}),
    web_fetch: provider.tools.webFetch_20250910({}),
  };
  for (const { type, name, description, input_schema } of job.tools) {
    if (type) continue;
    set[name] = tool({
      description,
      inputSchema: jsonSchema(input_schema),
      execute: (input) => {
        result.executed.push({ name, input });
        return "done";
      },
    });
  }
  return set;
}

// turnOf puts a step into the words of the Messages API, so that all clients can be compared.
function turnOf(step) {
  return {
    content: step.content.map(blockOf).filter((block) => block !== null),
    stop_reason: step.rawFinishReason,
    usage: { input_tokens: step.usage.inputTokens, output_tokens: step.usage.outputTokens },
  };
}

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

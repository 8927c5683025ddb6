// The AI SDK, which runs tools by itself and reads the wire in its own way, whatever the provider.
import { generateText, jsonSchema, stepCountIs, streamText, tool } from "ai";
import { isWhole } from "./json.mjs";

globalThis.AI_SDK_LOG_WARNINGS = false; // they would go to standard output

// stream lets the SDK run the conversation from a stream. A provider says what is special: model(job, tools) makes the
// model, tools(job) are those beside the job's own, turnOf(step) tells what the model said.
export const stream = (provider) => (job, result, tools) =>
  converse(provider, job, result, tools, async (settings) => {
    const answer = streamText({ ...settings, onError: () => {} });
    const inputs = {};
    for await (const part of answer.fullStream) {
      if (part.type === "text-delta") tools.progress("text");
      if (part.type === "tool-input-delta") {
        inputs[part.id] = (inputs[part.id] ?? "") + part.delta;
        if (isWhole(inputs[part.id])) tools.progress("call");
      }
      if (part.type === "error") throw part.error;
    }
    return { response: await answer.response };
  });

// whole lets the SDK run the conversation from whole messages.
export const whole = (provider) => (job, result, tools) => converse(provider, job, result, tools, generateText);

// converse goes on by hand when the SDK sees nothing to go on with: the second turn has the history of the first.
async function converse(provider, job, result, tools, ask) {
  const settings = {
    model: provider.model(job, tools),
    tools: { ...provider.tools(job), ...executing(provider.functions(job), result) },
    stopWhen: stepCountIs(2),
    ...(job.retries === undefined ? {} : { maxRetries: job.retries }),
    onStepFinish: (step) =>
      result.turns.push({
        turn: provider.turnOf(step),
        usage: { input: step.usage.inputTokens, output: step.usage.outputTokens },
      }),
  };
  const messages = [{ role: "user", content: job.prompt }];
  const { response } = await ask({ ...settings, messages });
  if (result.turns.length < 2) {
    await ask({ ...settings, messages: [...messages, ...response.messages, { role: "user", content: "Go on." }] });
  }
}

// executing declares tools that the SDK runs, which here means to note them.
function executing(functions, result) {
  const set = {};
  for (const { name, description, schema } of functions) {
    set[name] = tool({
      description,
      inputSchema: jsonSchema(schema),
      execute: (input) => {
        result.executed.push({ name, input });
        return "done";
      },
    });
  }
  return set;
}

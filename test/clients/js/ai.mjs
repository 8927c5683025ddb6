// The AI SDK, which runs tools by itself and reads the wire in its own way, whatever the provider.
import { generateText, jsonSchema, stepCountIs, streamText, tool } from "ai";
import { isWhole } from "./json.mjs";

globalThis.AI_SDK_LOG_WARNINGS = false; // they would go to standard output

// stream lets the SDK run the conversation from a stream. A provider says what is special: model(job, tools) makes the
// model, tools(job, result) are those beside the job's own, functions(job) the job's, turnOf(step) tells what the model said.
// options(job, tools), if any, are more settings.
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

// converse goes on by hand when the SDK sees nothing to go on with: the next turn has the history of the first. It has as
// many turns as the job has steps, and leaves its history to the next job.
async function converse(provider, job, result, tools, ask) {
  const turns = job.options?.steps?.length ?? 2;
  const settings = {
    model: provider.model(job, tools),
    ...(await provider.options?.(job, tools)),
    tools: { ...provider.tools(job, result), ...executing(provider.functions(job), result) },
    ...(job.retries === undefined ? {} : { maxRetries: job.retries }),
    onStepFinish: (step) =>
      result.turns.push({
        turn: provider.turnOf(step),
        usage: { input: step.usage.inputTokens, output: step.usage.outputTokens },
      }),
  };
  let messages = job.state ?? [{ role: "user", content: job.prompt }];
  while (result.turns.length < turns) {
    const stopWhen = stepCountIs(turns - result.turns.length);
    const { response } = await ask({ ...settings, messages, stopWhen });
    messages = [...messages, ...response.messages, { role: "user", content: "Go on." }];
  }
  result.state = messages;
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

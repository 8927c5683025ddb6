// What clients of Chat Completions have in common: how a turn is told, and how its calls are run.
import { isWhole } from "./json.mjs";

// turnOf tells what the choices of a completion say, in words that all clients share.
export const turnOf = (choices) => ({
  choices: choices.map(({ message, finish_reason }) => ({
    content: message.content ?? "",
    tool_calls: (message.tool_calls ?? []).map(callOf),
    ...(message.function_call ? { function_call: callOf({ function: message.function_call }) } : {}),
    finish_reason,
  })),
});

const callOf = ({ id = "", function: fn, custom, extra_content }) => ({
  id,
  name: (fn ?? custom).name,
  input: fn ? JSON.parse(fn.arguments) : { input: custom.input },
  ...(extra_content ? { extra: extra_content } : {}),
});

// answers runs the calls of a message, which here means to note them, and returns the messages that follow it.
export function answers(message, result) {
  const run = ({ name, input }) => {
    result.executed.push({ name, input });
    return "done";
  };
  if (message.function_call) {
    const { name } = message.function_call;
    return [{ role: "function", name, content: run(callOf({ function: message.function_call })) }];
  }
  if (!message.tool_calls?.length) return [{ role: "user", content: "Go on." }];
  return message.tool_calls.map((call) => ({ role: "tool", tool_call_id: call.id, content: run(callOf(call)) }));
}

// tell tells of progress: the first text, and the first call whose arguments are all there.
export function tell(progress, message) {
  if (message?.content) progress("text");
  for (const call of message?.tool_calls ?? []) {
    if (isWhole(call?.function?.arguments)) progress("call");
  }
}

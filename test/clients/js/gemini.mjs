// What clients of the Gemini API have in common: how a turn is told, and how its calls are run.

// newTurn is a turn of which nothing has come yet. contents are what the first candidate leaves in the history.
export const newTurn = () => ({ candidates: [], contents: [], blocked: "", usage: {} });

// add adds a response to a turn: all of it, or a chunk.
export function add(turn, response, progress = () => {}) {
  turn.usage = { ...turn.usage, ...response.usageMetadata };
  turn.blocked = response.promptFeedback?.blockReason ?? turn.blocked;
  for (const { index = 0, content, finishReason, finishMessage } of response.candidates ?? []) {
    const candidate = (turn.candidates[index] ??= { parts: [], finish: "", message: "" });
    candidate.finish = finishReason ?? candidate.finish;
    candidate.message = finishMessage ?? candidate.message;
    addParts(candidate.parts, content?.parts ?? [], progress);
    if (index === 0 && content?.parts?.length) turn.contents.push(content);
  }
  return turn;
}

// addParts tells what parts say, in words that all clients share. Text that came in pieces is one.
export function addParts(told, parts, progress = () => {}) {
  for (const part of parts.flatMap(partsOf)) {
    if (part.type === "text" && part.text) progress("text");
    if (part.type === "call") progress("call");
    const last = told.at(-1);
    if (part.text === "") continue;
    if (part.text && last?.type === part.type) last.text += part.text;
    else told.push(part);
  }
  return told;
}

function partsOf({ text, thought, functionCall, thoughtSignature, ...rest }) {
  const told = [];
  if (text !== undefined) told.push({ type: thought ? "thought" : "text", text });
  if (functionCall) told.push(callOf(functionCall, thoughtSignature));
  for (const type of Object.keys(rest)) told.push({ type });
  return told;
}

const callOf = ({ id, name, args = {}, ...rest }, signature) => ({
  type: Object.keys(rest).length ? "piece" : "call",
  ...(id ? { id } : {}),
  name,
  input: args,
  ...(signature ? { signature } : {}),
});

// note notes a turn that is over.
export function note(result, { candidates, blocked, usage }) {
  result.turns.push({
    turn: { candidates, blocked },
    usage: { input: usage.promptTokenCount ?? 0, output: usage.candidatesTokenCount ?? 0 },
  });
}

// run runs calls, which here means to note them, and returns the parts that answer them.
export const run = (result) => (calls) =>
  calls.map(({ id, name, args = {} }) => {
    result.executed.push({ name, input: args });
    return { functionResponse: { ...(id ? { id } : {}), name, response: { output: "done" } } };
  });

// answers are the parts that follow a turn.
export function answers(turn, result) {
  const calls = turn.contents.flatMap(({ parts }) => parts).flatMap(({ functionCall }) => functionCall ?? []);
  return calls.length ? run(result)(calls) : [{ text: "Go on." }];
}

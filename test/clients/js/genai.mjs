// The official Google GenAI SDK, used in the ways it offers, for the Gemini API and for Vertex AI.
import { GoogleGenAI } from "@google/genai";
import { add, addParts, answers, newTurn, note, run } from "./gemini.mjs";

const gemini = (job, tools, settings = {}) =>
  new GoogleGenAI({
    apiKey: job.api_key,
    httpOptions: { baseUrl: job.base_url, headers: job.headers, fetch: tools.fetch },
    ...settings,
  });
const vertex = (job, tools) => gemini(job, tools, { vertexai: true });

const declared = (job) => ({ tools: [{ functionDeclarations: job.tools }] });

// callable are tools that the SDK runs by itself.
const callable = (job, result) => ({
  tools: [{ tool: async () => ({ functionDeclarations: job.tools }), callTool: async (calls) => run(result)(calls) }],
});

// stream reads chunk by chunk.
async function stream(client, request, result, tools) {
  const turn = newTurn();
  for await (const chunk of await client.models.generateContentStream(request)) {
    result.events.push(eventOf(chunk));
    add(turn, chunk, tools.progress);
  }
  return turn;
}

const eventOf = ({ candidates, promptFeedback, responseId }) => ({ candidates, promptFeedback, responseId });

// whole asks for the turn in one piece.
const whole = async (client, request) => add(newTurn(), await client.models.generateContent(request));

// asking converses by hand: it asks twice, the second time with the history that the first answer left.
const asking = (connect, ask) => async (job, result, tools) => {
  const client = connect(job, tools);
  const contents = [{ role: "user", parts: [{ text: job.prompt }] }];
  while (result.turns.length < 2) {
    const turn = await ask(client, { model: job.model, config: declared(job), contents }, result, tools);
    note(result, turn);
    contents.push(...turn.contents, { role: "user", parts: answers(turn, result) });
  }
};

// chatting lets the SDK keep the history, and runs the calls by hand.
async function chatting(job, result, tools) {
  const chat = gemini(job, tools).chats.create({ model: job.model, config: declared(job) });
  let message = [{ text: job.prompt }];
  while (result.turns.length < 2) {
    const turn = newTurn();
    for await (const chunk of await chat.sendMessageStream({ message })) add(turn, chunk, tools.progress);
    note(result, turn);
    message = answers(turn, result);
  }
}

// runningStream lets the SDK run the tools and go on by itself. Between two turns of the model it tells what the tools
// returned. It is asked again if it sees nothing to go on with.
async function runningStream(job, result, tools) {
  const client = gemini(job, tools);
  const contents = [{ role: "user", parts: [{ text: job.prompt }] }];
  while (result.turns.length < 2) {
    let turn = newTurn();
    const request = { model: job.model, config: callable(job, result), contents };
    for await (const chunk of await client.models.generateContentStream(request)) {
      if (chunk.candidates?.[0]?.content?.role !== "user") {
        add(turn, chunk, tools.progress);
        continue;
      }
      note(result, turn);
      contents.push(...turn.contents, chunk.candidates[0].content);
      turn = newTurn();
    }
    note(result, turn);
    contents.push(...turn.contents, { role: "user", parts: [{ text: "Go on." }] });
  }
}

// runningChat lets the SDK run the tools and keep the history too. Turns that it goes on from by itself are in the history
// alone, so what they cost is taken from the wire.
async function runningChat(job, result, tools) {
  const bodies = [];
  const fetch = async (...request) => {
    const response = await tools.fetch(...request);
    if (response.ok) bodies.push(await response.clone().json());
    return response;
  };
  const chat = gemini(job, { fetch }).chats.create({ model: job.model, config: callable(job, result) });
  let message = job.prompt;
  while (result.turns.length < 2) {
    const before = chat.getHistory().length;
    const response = await chat.sendMessage({ message });
    for (const { role, parts } of chat.getHistory().slice(before, -1)) {
      if (role !== "model") continue;
      const { usageMetadata: usage } = bodies[result.turns.length];
      note(result, { candidates: [{ parts: addParts([], parts) }], blocked: "", usage });
    }
    note(result, add(newTurn(), response));
    message = "Go on.";
  }
}

export const kinds = {
  "genai-js-stream": asking(gemini, stream),
  "genai-js-whole": asking(gemini, whole),
  "genai-js-chat": chatting,
  "genai-js-auto-stream": runningStream,
  "genai-js-auto-chat": runningChat,
  "vertex-js-stream": asking(vertex, stream),
};

// The official OpenAI SDK for the Responses API, used in the ways it offers.
import OpenAI from "openai";
import { answers, listOf, tell, turnOf } from "./responses.mjs";

const connect = (job, tools) =>
  new OpenAI({
    baseURL: job.base_url + "/v1",
    apiKey: job.api_key,
    defaultHeaders: job.headers,
    fetch: tools.fetch,
    ...(job.retries === undefined ? {} : { maxRetries: job.retries }),
  });

// raw reads the stream event by event. It takes items when they are done, as agents do that act on them at once.
const raw = {
  ask: async (client, request, { result, progress }) =>
    collect(await client.responses.create({ ...request, stream: true }), (event) => {
      result.events.push(event);
      tell(progress, event);
    }),
  replay: async (client, id, after) =>
    ended(await client.responses.retrieve(id, { stream: true, starting_after: after })),
};

// helper lets the SDK put the response together.
const helper = {
  ask: (client, request, { progress }) => {
    const stream = client.responses.stream(request);
    stream.on("event", (event) => tell(progress, event));
    return stream.finalResponse();
  },
  replay: (client, response_id, starting_after) =>
    client.responses.stream({ response_id, starting_after }).finalResponse(),
};

// whole asks for the response in one piece.
const whole = {
  ask: (client, request) => client.responses.create(request),
  replay: raw.replay,
};

// collect puts a response together from its events: the items as they were done, all else as it was in the end.
async function collect(stream, see) {
  const output = [];
  let response;
  for await (const event of stream) {
    see(event);
    if (event.type === "error") throw new OpenAI.OpenAIError(event.message); // the SDK leaves it to the program
    if (event.type === "response.output_item.done") output[event.output_index] = event.item;
    response = event.response ?? response;
  }
  return { ...response, output };
}

// ended is the response that a stream ends with.
async function ended(stream) {
  let response;
  for await (const event of stream) response = event.response ?? response;
  return response;
}

// A chain is how a conversation goes on: by the client's own history, from the response before, or by a conversation.
class Chain {
  constructor(job, state) {
    this.mode = job.options?.chain ?? "previous";
    this.asText = job.options?.text;
    Object.assign(this, state ?? { next: [{ role: "user", content: job.prompt }], history: [] });
  }

  async request(client) {
    const input = this.asText && this.next[0].role === "user" ? this.next[0].content : this.next;
    if (this.mode === "own") return { input: this.history.concat(this.next) };
    if (this.mode === "previous") return { input, previous_response_id: this.id };
    this.conversation ??= (await client.conversations.create({})).id;
    return { input, conversation: this.conversation };
  }

  goOn(response, result) {
    this.id = response.id;
    this.history.push(...this.next, ...response.output);
    this.next = answers(response.output, result);
  }

  get state() {
    const { next, history, id, conversation } = this;
    return { next, history, id, conversation };
  }
}

// The steps of a job: what they do with the chain, and what they return is a turn.
const steps = {
  ask: async ({ client, chain, way, job, tools, result }) => {
    const request = { model: job.model, tools: job.tools, ...job.options?.request, ...(await chain.request(client)) };
    const response = await way.ask(client, request, { result, progress: tools.progress });
    if (response.status === "failed") throw new OpenAI.OpenAIError(response.error.message);
    chain.goOn(response, result);
    return [response];
  },
  // branch asks for a response that nothing goes on from.
  branch: async (context) => {
    const { chain } = context;
    const state = structuredClone(chain.state);
    const seen = await steps.ask(context);
    Object.assign(chain, state);
    return seen;
  },
  // fail asks for a response that comes to nothing.
  fail: async (context) => {
    const failed = await steps.ask(context).then(
      () => false,
      () => true,
    );
    if (!failed) throw new Error("nothing failed");
    return [];
  },
  get: async ({ client, chain }) => [await client.responses.retrieve(chain.id)],
  // poll reads the response until it is done, and then goes on from what it says.
  poll: async ({ client, chain, result }) => {
    const seen = [];
    do seen.push(await client.responses.retrieve(chain.id));
    while (["queued", "in_progress"].includes(seen.at(-1).status));
    chain.goOn(seen.at(-1), result);
    return seen;
  },
  replay: async ({ client, chain, way }) => [await way.replay(client, chain.id, 3)],
  cancel: async ({ client, chain }) => [await client.responses.cancel(chain.id)],
  delete: async ({ client, chain }) => {
    await client.responses.delete(chain.id);
    return [];
  },
  add: async ({ client, chain }) => {
    const items = [{ type: "message", role: "user", content: "By the way." }];
    return [{ items: (await client.conversations.items.create(chain.conversation, { items })).data }];
  },
  input_items: async ({ client, chain }) => [
    { items: (await client.responses.inputItems.list(chain.id, { order: "asc" })).data },
  ],
  conversation_items: async ({ client, chain }) => [
    { items: (await client.conversations.items.list(chain.conversation, { order: "asc" })).data },
  ],
  conversation_item: async ({ client, chain, job }) => {
    const { item } = job.options;
    return [{ items: [await client.conversations.items.retrieve(item, { conversation_id: chain.conversation })] }];
  },
};

const doing = (way) => async (job, result, tools) => {
  const client = connect(job, tools);
  const chain = new Chain(job, job.state);
  for (const step of job.options?.steps ?? ["ask", "ask"]) {
    for (const seen of await steps[step]({ client, chain, way, job, tools, result })) {
      const { input_tokens: input, output_tokens: output } = seen.usage ?? {};
      result.turns.push({ turn: seen.items ? listOf(seen.items) : turnOf(seen), usage: { input, output } });
    }
  }
  result.state = chain.state;
};

export const kinds = {
  "openai-js-raw": doing(raw),
  "openai-js-helper": doing(helper),
  "openai-js-whole": doing(whole),
};

// A client with the official TypeScript SDK. It does the job that its argument is, as JSON, and prints what it saw, a line for
// each step.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ProgressNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";

const job = JSON.parse(process.argv[2]);

// seen is what arrived since the last step, besides the answer.
let seen = { asked: [], noted: [] };
let rootsAsked = false;
// wake ends a wait when something arrived.
let wake = () => {};

function note(kind, what) {
  seen[kind].push(what);
  wake();
}

// until waits for what a step says must arrive. A step that waits in vain is cut off by whoever started this program.
async function until(done) {
  while (!done()) {
    await new Promise((resolve) => {
      wake = resolve;
    });
  }
}

// sorted has the members of objects in one order, so that equal values read alike.
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}

function transport() {
  const requestInit = { headers: job.headers ?? {} };
  switch (job.transport) {
    case "stdio":
      return new StdioClientTransport({ command: job.command[0], args: job.command.slice(1), env: process.env, stderr: "inherit" });
    case "http":
      return new StreamableHTTPClientTransport(new URL(job.url), { requestInit });
    case "sse":
      return new SSEClientTransport(new URL(job.url), { requestInit });
  }
  throw new Error(`no transport ${job.transport}`);
}

const capabilities = Object.fromEntries((job.capabilities ?? []).map((name) => [name, {}]));
const client = new Client({ name: "weir-test", version: "1.0.0" }, { capabilities });
if (capabilities.sampling) {
  client.setRequestHandler(CreateMessageRequestSchema, async ({ method, params }) => {
    note("asked", { method, params });
    return { role: "assistant", model: "scripted", stopReason: "endTurn", content: { type: "text", text: "sampled text" } };
  });
}
if (capabilities.elicitation) {
  client.setRequestHandler(ElicitRequestSchema, async ({ method, params }) => {
    note("asked", { method, params });
    return { action: "accept", content: job.elicited };
  });
}
if (capabilities.roots) {
  client.setRequestHandler(ListRootsRequestSchema, async () => {
    rootsAsked = true;
    wake();
    return { roots: [{ uri: "file:///srv/one", name: "one" }] };
  });
}
client.setNotificationHandler(LoggingMessageNotificationSchema, async ({ method, params }) => note("noted", { method, params }));

// Not by the SDK's onprogress: it forgets whom to tell once the answer is there, also of progress that came ahead of it.
client.setNotificationHandler(ProgressNotificationSchema, async ({ method, params }) => note("noted", { method, params }));

// Each step returns the result that it prints.
const steps = {
  list: async () => {
    const tools = [];
    let cursor;
    do {
      const page = await client.listTools({ cursor });
      tools.push(...page.tools);
      cursor = page.nextCursor;
    } while (cursor);
    return { tools };
  },
  call: ({ name, arguments: args, progress }) => client.callTool({ name, arguments: args, ...(progress && { _meta: { progressToken: 7 } }) }),
  prompts: () => client.listPrompts(),
  prompt: ({ name, arguments: args }) => client.getPrompt({ name, arguments: args }),
  resources: () => client.listResources(),
  templates: () => client.listResourceTemplates(),
  read: ({ uri }) => client.readResource({ uri }),
  complete: ({ ref, argument }) => client.complete({ ref, argument }),
  level: ({ name }) => client.setLoggingLevel(name),
  ping: () => client.ping(),
  roots: async () => {
    await until(() => rootsAsked);
    return {};
  },
};

async function attempt(step) {
  try {
    return { result: await steps[step.do](step) };
  } catch (error) {
    return { error: { code: error.code ?? null, message: String(error.message) } };
  }
}

function print(line) {
  process.stdout.write(JSON.stringify(sorted(line)) + "\n");
}

await client.connect(transport());
print({
  do: "connect",
  result: { server: client.getServerVersion(), capabilities: client.getServerCapabilities(), instructions: client.getInstructions() ?? "" },
});
for (const step of job.steps) {
  const outcome = await attempt(step);
  await until(() => outcome.error || (seen.noted.length >= (step.notes ?? 0) && seen.asked.length >= (step.asks ?? 0)));
  print({ do: step.do, name: step.name ?? step.uri ?? "", ...outcome, ...seen });
  seen = { asked: [], noted: [] };
}
await client.close();

// Plays clients: reads a job a line from standard input, does it with the SDK of the module that is named on the command
// line, and writes what the SDK gave it as a line of JSON. Progress is written as it happens.
import { createInterface } from "node:readline";

const { kinds } = await import(`./${process.argv[2]}.mjs`);

const write = (line) => process.stdout.write(JSON.stringify(line) + "\n");

// A result collects what a job comes to. Progress is told once of each sort.
function newResult() {
  const told = new Set();
  const result = { turns: [], executed: [], responses: [], events: [], error: null };
  const progress = (what) => {
    if (!told.has(what)) write({ progress: what });
    told.add(what);
  };
  // Every response is noted below the SDK, so that retries show too.
  const fetchNoted = async (url, init) => {
    const response = await fetch(url, init);
    result.responses.push({ status: response.status, request: response.headers.get("x-weir-request-id") });
    return response;
  };
  return { result, tools: { progress, fetch: fetchNoted } };
}

for await (const line of createInterface({ input: process.stdin })) {
  const job = JSON.parse(line);
  job.prompt += "x".repeat(job.padding ?? 0);
  const { result, tools } = newResult();
  try {
    await kinds[job.kind](job, result, tools);
  } catch (err) {
    result.error ??= describe(err);
  }
  write({ result });
}

// describe says what an SDK raised: the AI SDK wraps what it tried several times.
function describe(err) {
  const last = err.lastError ?? err;
  const told = last.data?.error ?? last.error ?? {};
  return {
    name: last.constructor.name,
    status: last.status ?? last.statusCode ?? last.status_code ?? last.$metadata?.httpStatusCode ?? 0,
    type: last.type ?? told.type ?? "",
    code: String(last.code ?? told.code ?? ""),
    message: String(last.message ?? last),
  };
}

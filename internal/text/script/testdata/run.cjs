// Runs programs and says which tools they call. Reads a JSON array of {source, module} and writes an array of the calls
// of each: {tool, args}.
"use strict";
const fs = require("node:fs");
const vm = require("node:vm");

const stored = { ctor: "constructor", t: "tools", n: "exec", code: "tools.compiled({})", j: "toJSON", p: "__proto__", zero: "0" };

// The object whose members are the tools, whatever their names, is made inside the context: what it gives is of there.
const setup = `
((called, stored) => {
  const stringify = JSON.stringify;
  const has = (o, name) => name in o;
  const isTool = (name) => typeof name === "string" && name !== "then" && name !== "toJSON" && !has(Object.prototype, name);
  let count = 0;
  // A tool is also a group of others: tools.ns.name.
  const tool = (path) => new Proxy(function (input) {
    called(path, arguments.length === 0 ? undefined : stringify(input));
    if (++count > 100) return new Promise(() => {}); // a program that never ends is left waiting
    return Promise.resolve({ output: "constructor", exit_code: 0, session_id: 3 });
  }, { get: (f, name) => (isTool(name) && !has(f, name) ? tool(path + "." + name) : f[name]) });
  globalThis.tools = new Proxy({}, {
    get: (_, name) => (isTool(name) ? tool(name) : Object.prototype[name]),
    ownKeys: () => ["exec", "other"],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  });
  const kept = JSON.parse(stored);
  globalThis.load = (key) => kept[key] ?? key;
  for (const name of ["text", "store", "notify", "image"]) globalThis[name] = () => undefined;
  globalThis.setTimeout = (f, ms, ...rest) => (typeof f === "string" ? (0, eval)(f) : f(...rest));
  globalThis.ALL_TOOLS = [{ name: "exec", description: "" }];
})`;

async function run({ source, module }) {
  const calls = [];
  const called = (tool, args) => { if (calls.length < 100) calls.push(args === undefined ? { tool } : { tool, args }); };
  // Promises are settled within the time that a program has.
  const context = vm.createContext({ console: { log() {}, error() {} } }, { microtaskMode: "afterEvaluate" });
  vm.runInContext(setup, context)(called, JSON.stringify(stored));
  try {
    if (module) {
      const m = new vm.SourceTextModule(source, { context });
      await m.link(() => { throw new Error("no modules"); });
      await settled(m.evaluate({ timeout: 100 }));
    } else {
      await settled(vm.runInContext(`(async () => {\n${source}\n})()`, context, { timeout: 100 }));
    }
  } catch {
    // What was called before counts.
  }
  return calls;
}

// settled waits for what a program does at once; one that waits for ever is left.
function settled(promise) {
  return Promise.race([promise, new Promise((resolve) => setImmediate(() => setImmediate(resolve)))]);
}

process.on("unhandledRejection", () => {});
(async () => {
  const out = [];
  for (const program of JSON.parse(fs.readFileSync(0, "utf8"))) out.push(await run(program));
  process.stdout.write(JSON.stringify(out), () => process.exit(0));
})();

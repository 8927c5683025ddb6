#!/usr/bin/env node
// Starts the weir of this platform. It is in a package of its own, which npm installs beside this one.
"use strict";
const { spawn } = require("node:child_process");
const os = require("node:os");

const name = `@weir-gate/weir-${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "weir.exe" : "weir";

let program;
try {
  program = require.resolve(`${name}/bin/${file}`);
} catch {
  console.error(
    `weir: the package ${name} is not installed. npm leaves it out with --omit=optional or --no-optional: install again without. ` +
      `If there is no such package, weir has no build for this platform.`,
  );
  process.exit(1);
}

const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
// A terminal sends its signals to the child, too. Others do not, and weir is to end as it would without this script.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {
    if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
  });
}
child.on("error", (err) => {
  console.error(`weir: cannot start ${program}: ${err.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => process.exit(signal ? 128 + os.constants.signals[signal] : code));

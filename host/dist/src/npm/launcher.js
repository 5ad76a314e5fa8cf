#!/usr/bin/env node
// Starts the binary that npm installed for this platform, with its arguments, streams and exit code.
"use strict";

const { spawn } = require("node:child_process");
const { constants } = require("node:os");

const name = `bailiwick-cli-${process.platform}-${process.arch}`;
let binary;
try {
  binary = require.resolve(`${name}/bin/bailiwick`);
} catch {
  console.error(`error: the package \`${name}\` is not installed\n`);
  console.error("hint: bailiwick is made for Linux with glibc; install without `--omit=optional`");
  process.exit(1);
}

const child = spawn(binary, process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => child.kill(signal));
}
child.on("error", (error) => {
  console.error(`error: \`${binary}\` cannot be started: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  process.exit(signal ? 128 + constants.signals[signal] : code);
});

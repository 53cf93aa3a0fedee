/*
 * node scripts/launch.js FILE [args]: runs FILE on Node 24 or newer, whatever Node runs this. Plain old JavaScript on
 * purpose: Node 14 must be able to read it.
 */
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { stopWithShell } from "./stop-with-shell.js";
import { trimIfLeft } from "./trim-packages.js";

const NEEDED_MAJOR = 24;
const root = join(dirname(fileURLToPath(import.meta.url)), "..");

const packageOfNode = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;

/**
 * This Node when it is new enough, or the one among the packages. npm 9 and 10 install its package and leave out
 * node_modules/.bin/node, so it is found by its place.
 */
function findNode() {
  if (Number(process.versions.node.split(".")[0]) >= NEEDED_MAJOR) return process.execPath;
  const binary = process.platform === "win32" ? "node.exe" : "node";
  const path = join(root, "node_modules", packageOfNode, "bin", binary);
  return existsSync(path) ? path : null;
}

/** npm writes this file last: without it, an installation was interrupted, and FILE would end with a stack trace. */
function isInstalled() {
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return !dependencies || existsSync(join(root, "node_modules/.package-lock.json"));
}

/** Stays as a small parent where a process cannot be replaced: before Node 22.15, and on Windows. */
function runAsChild(node, args, env) {
  const child = spawn(node, args, { stdio: "inherit", env });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"]) {
    // A terminal sends Ctrl+C to both processes; FILE takes the second one for the first.
    process.on(signal, () => child.kill(signal));
  }
  stopWithShell(() => child.kill("SIGTERM"));
  child.once("error", (error) => {
    console.error(`Node cannot be started from ${node} (${error.code})`);
    process.exitCode = 1;
  });
  child.once("exit", (code, signal) => {
    if (!signal) {
      process.exitCode = code;
      return;
    }
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

const [file, ...rest] = process.argv.slice(2);
const node = findNode();
if (!node) {
  console.error(
    `Node ${process.versions.node} is too old and no newer one is in node_modules: run "npm ci" without --omit=optional, or install Node ${NEEDED_MAJOR}`,
  );
  process.exit(1);
}
if (!isInstalled()) {
  console.error('The packages are not installed completely: run "npm ci" and wait until it has finished');
  process.exit(1);
}
trimIfLeft(packageOfNode);
const args = [join(root, file), ...rest];
// Tools in node_modules/.bin look for their Node on the PATH.
const env = { ...process.env, PATH: dirname(node) + delimiter + (process.env.PATH || "") };
if (process.execve && process.platform !== "win32") process.execve(node, [node, ...args], env);
else runAsChild(node, args, env);

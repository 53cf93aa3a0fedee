import { spawn } from "node:child_process";
import { join } from "node:path";
import { stopWithShell } from "../scripts/stop-with-shell.js";

/*
 * Starts the shop's process and keeps it running. If it ends unexpectedly or stops responding, another one takes its place; open pages
 * send their requests again meanwhile. JavaScript that imports nothing of the shop's, so that this process stays small.
 */

const entry = join(import.meta.dirname, "main.ts");

// docs/decisions/0016-node-is-given-memory-settings.md
const memoryFlags = ["--max-semi-space-size=8", "--max-old-space-size=2048"];
const environment = {
  NODE_ENV: "production",
  ...process.env,
  // What is compiled is kept for the next start, which is faster for it and needs no compiler of TypeScript in its memory.
  NODE_COMPILE_CACHE: join(import.meta.dirname, "../.cache/compiled"),
  // Threads share two pools of memory instead of keeping one each.
  MALLOC_ARENA_MAX: "2",
};

const restartPausesMs = [200, 1_000, 3_000, 10_000];
const checkEveryMs = 10_000;
/** Counted, not timed: a machine that wakes from sleep must not mistake the pause for silence. */
const maxMissedChecks = 3;
/** A start takes a second, or a minute on a busy machine. The first one has no limit: it may build the pages. */
const restartTimeoutMs = 5 * 60_000;
/** Longer than the shop takes to answer what is under way and to stop its database. */
const stopTimeoutMs = 30_000;

/**
 * This process's ends of pipes to databases, which the shop's process holds open too. A database ends once nobody does
 * (server/database/postgres/launch.ts). Those that have been passed on stay until this process ends.
 */
const lifelines = new Set();

let child;
let isStopping = false;
let hasBeenOpen = false;
let restarts = 0;
let failures = 0;

/** @param reason why the process before this one ended, for the log */
function start(reason = "") {
  const started = spawn(process.execPath, [...memoryFlags, entry, ...process.argv.slice(2)], {
    stdio: ["inherit", "inherit", "inherit", "ipc", "pipe", ...lifelines],
    env: { ...environment, SHOP_RESTARTS: String(restarts), SHOP_RESTART_REASON: reason, SHOP_LIFELINE: "4" },
  });
  child = started;
  // None when the machine has no more descriptors; the start then fails and is repeated.
  const lifeline = started.stdio?.[4];
  if (lifeline) {
    lifelines.add(lifeline);
    lifeline.on("error", () => {});
    lifeline.once("close", () => lifelines.delete(lifeline));
  }
  let missedChecks = 0;
  let checks;
  let silence = "";
  const endSilent = (words) => {
    silence = words;
    started.kill("SIGKILL");
  };
  const check = () => {
    if (missedChecks === maxMissedChecks)
      endSilent(`no answer for ${(maxMissedChecks * checkEveryMs) / 1_000} s`);
    missedChecks += 1;
    if (started.connected) started.send("alive?", () => {});
  };
  const startTimeout = hasBeenOpen && setTimeout(endSilent, restartTimeoutMs, "no start within 5 minutes");
  started.on("message", () => {
    missedChecks = 0;
    if (checks) return;
    // Its first message: the shop is open.
    hasBeenOpen = true;
    failures = 0;
    clearTimeout(startTimeout);
    checks = setInterval(check, checkEveryMs);
  });
  const onEnd = (code, signal) => {
    clearInterval(checks);
    clearTimeout(startTimeout);
    // Why a first start fails, its owner has been told.
    if (isStopping || !hasBeenOpen || code === 0) return leave(code, signal);
    restarts += 1;
    setTimeout(
      () => (isStopping ? leave(0, null) : start(silence || String(signal ?? code))),
      restartPausesMs[Math.min(failures, restartPausesMs.length - 1)],
    );
    failures += 1;
  };
  started.once("exit", onEnd);
  started.once("error", (error) => {
    console.error(`Node cannot be started from ${process.execPath} (${error.code})`);
    onEnd(1, null);
  });
}

/** Ends as the shop has ended. */
function leave(code, signal) {
  if (!signal) process.exit(code ?? 1);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/** The shop stops once it is disconnected, as it does when this process is killed. */
function stop() {
  if (isStopping) return;
  isStopping = true;
  if (child.connected) child.disconnect();
  setTimeout(() => child.kill("SIGKILL"), stopTimeoutMs).unref();
}

process.on("SIGTERM", stop);
process.on("SIGINT", stop);
stopWithShell(stop);
start();

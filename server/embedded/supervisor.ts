import { type ChildProcess, spawn } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Settings } from "../shared/settings.ts";
import { StartError } from "../shared/start-error.ts";
import { backendLinePrefix } from "./backend-log.ts";
import type { Answer, OpenMessage } from "./protocol.ts";

export type Ready = Extract<Answer, { type: "ready" }>;

/** The backend's process gets only the part of our environment that it needs. */
const passedOn = ["PATH", "HOME", "TMPDIR", "TEMP", "TMP", "TZ", "LANG", "SYSTEMROOT"];

/**
 * A small nursery, and a limit far above what is in use, which also makes Node collect garbage before it is four times
 * that: half the memory, hardly slower.
 */
const memoryFlags = ["--max-semi-space-size=4", "--max-old-space-size=1024"];

/** As in server/start.js, which cannot be imported. Threads share two pools of memory instead of keeping one each. */
const memoryEnvironment = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL("../../.cache/compiled", import.meta.url)),
  MALLOC_ARENA_MAX: "2",
};

/** A start takes seconds, or a minute on a busy machine; after this time it is hanging. */
const startPatienceMs = 5 * 60_000;

const entry = fileURLToPath(new URL("./main.ts", import.meta.url));

/** As root, runs as the user who owns the shop: files created by root would lock that user out. */
function shopUser(dataDir: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const secrets = statSync(join(dataDir, "secrets.json"), { throwIfNoEntry: false });
  return secrets ? { uid: secrets.uid, gid: secrets.gid } : {};
}

/**
 * Starts the backend's process and waits until it is ready.
 * @param log receives the process's own lines; anything else it prints is dropped, since it may name people
 * @throws StartError with one line when it cannot start
 */
export async function startProcess(
  settings: Settings,
  log: (line: string) => void,
): Promise<{ child: ChildProcess; ready: Ready }> {
  const environment = passedOn.flatMap((name) =>
    process.env[name] === undefined ? [] : [[name, process.env[name]]],
  );
  const child = spawn(process.execPath, [...memoryFlags, entry], {
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    env: { ...Object.fromEntries(environment), ...memoryEnvironment, NODE_ENV: "production" },
    ...shopUser(settings.dataDir),
  });
  if (child.stderr) {
    createInterface({ input: child.stderr }).on("line", (line) => {
      if (line.startsWith(backendLinePrefix)) log(line);
    });
  }
  let timeout: NodeJS.Timeout | undefined;
  const answer = await new Promise<Answer>((resolve) => {
    child.once("message", (message) => resolve(message as Answer));
    child.once("error", (error) =>
      resolve({ type: "failed", reason: `The backend cannot start: ${error.message}` }),
    );
    child.once("exit", (code, signal) =>
      resolve({ type: "failed", reason: `The backend ended while starting (${signal ?? code})` }),
    );
    child.send({ type: "open", settings } satisfies OpenMessage, () => {});
    timeout = setTimeout(() => {
      resolve({ type: "failed", reason: "The backend does not start: nothing from it for 5 minutes" });
    }, startPatienceMs);
  });
  clearTimeout(timeout);
  if (answer.type === "failed") {
    await stopProcess(child);
    throw new StartError(answer.reason);
  }
  return { child, ready: answer };
}

/** Lets a process finish its work; after 12 s it is ended. */
export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const timeout = setTimeout(() => child.kill("SIGKILL"), 12_000);
  if (child.connected) child.disconnect();
  await ended;
  clearTimeout(timeout);
}

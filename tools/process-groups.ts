import { type ChildProcess, type SpawnOptionsWithoutStdio, spawn } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { stopWithShell } from "../scripts/stop-with-shell.js";

/*
 * Runs programs that end together with everything they start: shops, databases and browsers would outlive a test run.
 */

const isWindows = process.platform === "win32";
/** Longer than a shop takes to stop. */
const STOP_TIMEOUT_MS = 20_000;

const running = new Set<ChildProcess>();
/** The programs that are being stopped; null until a signal arrives. */
let ending: ChildProcess[] | null = null;

/**
 * Starts a program as the first one of a group of processes.
 * @returns its exit code, which never comes once this process is being stopped: whatever would follow must not begin
 */
export function startGroup(program: string, args: string[], options: SpawnOptionsWithoutStdio) {
  const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"], detached: !isWindows });
  running.add(child);
  const ended = new Promise<number>((resolve) => {
    const end = (code: number | null) => {
      running.delete(child);
      if (!ending) resolve(code ?? 1);
    };
    child.once("error", (error) => {
      console.error(error.message);
      end(1);
    });
    child.once("close", end);
  });
  return { child, ended };
}

/** @returns whether a program's group still had any process */
function signal({ pid }: ChildProcess, name: NodeJS.Signals | 0): boolean {
  if (pid === undefined) return false;
  try {
    return process.kill(isWindows ? pid : -pid, name);
  } catch {
    return false;
  }
}

/** Ends this process and all groups on a signal: they get SIGINT first, and SIGKILL after a timeout or a second signal. */
export function stopGroupsOnSignals(): void {
  const stop = async () => {
    let until = performance.now() + STOP_TIMEOUT_MS;
    if (ending) until = 0;
    ending ??= [...running].filter((child) => signal(child, "SIGINT"));
    while (ending.length > 0 && performance.now() < until) {
      await pause(100);
      ending = ending.filter((child) => signal(child, 0));
    }
    for (const child of ending) signal(child, "SIGKILL");
    process.exit(1);
  };
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, stop);
  stopWithShell(stop);
}

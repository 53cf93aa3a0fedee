import { setTimeout as pause } from "node:timers/promises";
import type { LockedFile } from "../../lib/kernel-lock.ts";
import { StartError } from "../../lib/start-error.ts";
import { readBuffers, smallestBuffers } from "./buffers.ts";
import { type Program, startGuarded } from "./launch.ts";
import {
  endLeftovers,
  hasArguments,
  removeStaleFiles,
  type Survivor,
  serverName,
  signal,
} from "./leftovers.ts";
import { lastReason, notEnoughMemory } from "./messages.ts";
import { hasSocket, type Listening, type Parameters, serverArguments } from "./parameters.ts";

const restartPausesMs = [0, 200, 1_000, 3_000, 10_000];
/** After a crash the server replays its log first, which takes minutes on a slow disk, but never more than this. */
const startTimeoutMs = 5 * 60_000;

export type Server = {
  /** Shuts it down: open transactions are rolled back, confirmed ones are on the disk. */
  stop: () => Promise<void>;
};

type ServerPlan = Omit<Program, "command" | "args"> & {
  folder: string;
  address: Listening;
  /** Whether the server responds. */
  responds: () => Promise<boolean>;
  log: (line: string) => void;
  parameters?: Parameters;
};

type Running = {
  ended: Promise<void>;
  printed: () => string;
  requestStop: () => void;
};

const followMs = 100;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A server that an earlier process of the shop has started, by its first process. */
function follow(pid: number): Running {
  const untilEnded = async () => {
    while (isAlive(pid)) await pause(followMs);
  };
  return { ended: untilEnded(), printed: () => "", requestStop: () => signal(pid, "SIGINT") };
}

const argumentsOf = ({ folder, dataDir, address, parameters }: ServerPlan, more: Parameters = {}) =>
  serverArguments(folder, serverName(dataDir), address, { ...more, ...parameters });

async function launch(plan: ServerPlan, lock: LockedFile, buffers: string): Promise<Running> {
  const { folder, address, binaries } = plan;
  await removeStaleFiles(folder, hasSocket(address) ? address.socketFolder : null, address.port);
  const args = argumentsOf(plan, { shared_buffers: buffers });
  const child = startGuarded({ ...plan, command: binaries.postgres, args }, lock);
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => {
      printed = (printed + chunk.toString()).slice(-4_000);
    });
  child.stdin?.on("error", () => {}); // It ended before its pipe was closed.
  const ended = new Promise<void>((resolve) => {
    child.once("error", () => resolve());
    child.once("close", () => resolve());
  });
  return { ended, printed: () => printed, requestStop: () => child.stdin?.end("stop\n") };
}

async function launchAgain(plan: ServerPlan, buffers: string): Promise<Running> {
  const lock = await endLeftovers(plan.dataDir);
  return launch(plan, lock, buffers).finally(lock.close);
}

/** @returns null once the server responds, otherwise why it does not */
async function waitUntilReady({ ended, printed }: Running, plan: ServerPlan): Promise<string | null> {
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  const until = Date.now() + startTimeoutMs;
  while (!hasEnded && Date.now() < until) {
    if (await plan.responds()) return null;
    await pause(15);
  }
  return hasEnded ? lastReason(printed()) : "no answer for 5 minutes";
}

async function shutDown({ requestStop, ended }: Running): Promise<void> {
  requestStop();
  await ended;
}

/** How long a server that was left running has to respond before it is ended and started again. */
const survivorTimeoutMs = 2_000;

/** Goes on with a server that was left running, if it has the settings of this start and responds. */
async function adopt({ pid, command }: Survivor, plan: ServerPlan): Promise<Running | null> {
  if (!hasArguments(command, argumentsOf(plan))) return null;
  const responds = await Promise.race([plan.responds(), pause(survivorTimeoutMs, false)]);
  return responds ? follow(pid) : null;
}

/**
 * Starts the server and restarts it whenever it ends unexpectedly.
 * @param from the database's lock, or a server that was left running
 * @throws StartError when the first start fails
 */
export async function startServer(plan: ServerPlan, from: LockedFile | Survivor): Promise<Server> {
  let stopping = false;
  let buffers = await readBuffers(plan.folder);
  /** Under strict overcommit, Linux refuses memory that it could not back, even if it would never be used. */
  const takesSmallest = (problem: string | null) => {
    if (problem !== notEnoughMemory || buffers === smallestBuffers) return false;
    plan.log(`not enough memory for ${buffers} of database buffers; starting with ${smallestBuffers}`);
    buffers = smallestBuffers;
    return true;
  };

  const begin = () => ("pid" in from ? launchAgain(plan, buffers) : launch(plan, from, buffers));
  let running = ("pid" in from && (await adopt(from, plan))) || (await begin());
  let problem = await waitUntilReady(running, plan);
  if (takesSmallest(problem)) {
    running = await begin();
    problem = await waitUntilReady(running, plan);
  }
  if (problem) {
    await shutDown(running);
    throw new StartError(
      `The database in ${plan.folder} cannot be opened (${problem}). Is the disk full? Otherwise restore a backup into an empty folder`,
    );
  }

  async function keepRunning(): Promise<void> {
    for (let failures = 0; ; failures += 1) {
      await running.ended;
      if (stopping) return;
      const reason = lastReason(running.printed());
      // Once it has run with these buffers, it is not refused them: what it printed then may be old.
      const isRefused = failures > 0 && takesSmallest(reason);
      if (!isRefused && failures <= 1)
        plan.log(`the database ended unexpectedly (${reason}); starting it again`);
      await pause(restartPausesMs[Math.min(failures, restartPausesMs.length - 1)]);
      if (stopping) return;
      const next = await launchAgain(plan, buffers).catch(() => null);
      if (!next) continue;
      running = next;
      if (stopping) return shutDown(running);
      if ((await waitUntilReady(running, plan)) === null) failures = -1;
    }
  }
  const keeping = keepRunning();
  return {
    stop: async () => {
      stopping = true;
      await shutDown(running);
      await keeping;
    },
  };
}

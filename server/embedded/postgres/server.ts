import type { ChildProcess } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { StartError } from "../../shared/start-error.ts";
import type { LockedFile } from "../kernel-lock.ts";
import { type Program, startGuarded } from "./launch.ts";
import { endLeftovers, removeStaleFiles, serverName } from "./leftovers.ts";
import { lastReason } from "./messages.ts";
import { hasSocket, type Listening, type Parameters, serverArguments } from "./parameters.ts";

const restartPausesMs = [0, 200, 1_000, 3_000, 10_000];
/** After an unclean end the server replays its log first; on a slow disk that is minutes, never more than this. */
const startTimeoutMs = 5 * 60_000;

export type Server = {
  /** Shuts it down: what is under way is rolled back, what was confirmed is on the disk. */
  stop: () => Promise<void>;
};

type ServerPlan = Omit<Program, "command" | "args"> & {
  folder: string;
  place: Listening;
  /** Whether the server answers. */
  answers: () => Promise<boolean>;
  log: (line: string) => void;
  parameters?: Parameters;
};

type Running = { child: ChildProcess; ended: Promise<void>; printed: () => string };

async function launch(plan: ServerPlan, lock: LockedFile): Promise<Running> {
  const { folder, place, binaries } = plan;
  await removeStaleFiles(folder, hasSocket(place) ? place.socketFolder : null, place.port);
  const args = serverArguments(folder, serverName(plan.dataDir), place, plan.parameters);
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
  return { child, ended, printed: () => printed };
}

async function launchAgain(plan: ServerPlan): Promise<Running> {
  const lock = await endLeftovers(plan.dataDir);
  return launch(plan, lock).finally(lock.close);
}

/** @returns null once the server answers, else why it does not */
async function waitForAnswer({ ended, printed }: Running, plan: ServerPlan): Promise<string | null> {
  let gone = false;
  void ended.then(() => {
    gone = true;
  });
  const until = Date.now() + startTimeoutMs;
  while (!gone && Date.now() < until) {
    if (await plan.answers()) return null;
    await pause(15);
  }
  return gone ? lastReason(printed()) : "no answer for 5 minutes";
}

async function shutDown({ child, ended }: Running): Promise<void> {
  child.stdin?.destroy();
  await ended;
}

/**
 * Starts the server and restarts it whenever it ends unexpectedly.
 * @param lock the database's
 * @throws StartError when the first start fails
 */
export async function startServer(plan: ServerPlan, lock: LockedFile): Promise<Server> {
  let stopping = false;
  let running = await launch(plan, lock);
  const problem = await waitForAnswer(running, plan);
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
      if (failures <= 1)
        plan.log(`the database ended unexpectedly (${lastReason(running.printed())}); starting it again`);
      await pause(restartPausesMs[Math.min(failures, restartPausesMs.length - 1)]);
      if (stopping) return;
      const next = await launchAgain(plan).catch(() => null);
      if (!next) continue;
      running = next;
      if (stopping) return shutDown(running);
      if ((await waitForAnswer(running, plan)) === null) failures = -1;
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

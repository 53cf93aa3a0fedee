import { Worker } from "node:worker_threads";
import type { HashJob } from "./hash-thread.ts";

const entry = new URL("./hash-thread.ts", import.meta.url);
/** bcrypt needs a few kB; V8 would take much more. */
const resourceLimits = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 };
/** How often a job is tried when threads end during it. */
const maxAttempts = 3;

/**
 * A pool of hashing threads, one job each at a time, started on demand. An idle thread doesn't keep the process alive.
 * @param file the thread's code; tests pass their own
 */
export function createHashThreads(file = entry) {
  const idle: Worker[] = [];

  function open(): Worker {
    const thread = new Worker(file, { resourceLimits });
    const drop = () => {
      const at = idle.indexOf(thread);
      if (at >= 0) idle.splice(at, 1);
    };
    thread.on("error", drop);
    thread.on("exit", drop);
    return thread;
  }

  function runOn(thread: Worker, job: HashJob): Promise<string> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        thread.off("message", done);
        thread.off("error", fail);
        thread.off("exit", fail);
      };
      const done = (hash: string) => {
        leave();
        thread.unref();
        idle.push(thread);
        resolve(hash);
      };
      const fail = () => {
        leave();
        reject(new Error("The hashing thread ended"));
      };
      thread.on("message", done);
      thread.on("error", fail);
      thread.on("exit", fail);
      thread.ref();
      thread.postMessage(job);
    });
  }

  /** @throws Error when threads keep ending */
  return async (job: HashJob): Promise<string> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await runOn(idle.pop() ?? open(), job);
      } catch (error) {
        if (tries >= maxAttempts) throw error;
      }
    }
  };
}

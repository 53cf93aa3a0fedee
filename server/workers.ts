import cluster, { type Worker } from "node:cluster";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { Backend } from "./api/backend.ts";
import { log } from "./lib/log.ts";
import type { Settings } from "./lib/settings.ts";
import { StartError } from "./lib/start-error.ts";
import { countWorkerRestart, nameProcess, ownMetrics, textOf } from "./web/metrics.ts";
import { listen } from "./web/web-server.ts";
import type { FromWorker, ToWorker } from "./worker-messages.ts";

const restartPausesMs = [200, 1_000, 3_000, 10_000];
/** A worker that ran this long did not fail at its start, so pauses start again from the shortest. */
const steadyMs = 60_000;
/** Longer than a worker takes to close its connections. */
const stopTimeoutMs = 8_000;
const metricsTimeoutMs = 2_000;
/** A worker that leaves this many checks in a row unanswered has stopped responding, but connections still reach it. */
const maxMissedChecks = 3;
const defaultLimits = {
  /** A start takes a second, or ten on a busy machine; after this time it is hanging. */
  startTimeoutMs: 60_000,
  checkEveryMs: 10_000,
};

const send = (worker: Worker, message: ToWorker) => {
  if (worker.isConnected()) worker.send(message, () => {});
};

/** The port, after checking that it is free: workers could otherwise share it with another shop's. */
async function findPort(settings: Settings): Promise<number> {
  const probe = createServer();
  await listen(probe, settings);
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/**
 * Runs several processes that share the port and handle requests, so that the shop uses several cores. One that ends unexpectedly is
 * replaced.
 */
export function createWorkers(settings: Settings, limits = defaultLimits) {
  const running = new Map<number, Worker>();
  const pendingMetrics = new Map<number, (metrics: object[] | null) => void>();
  const stopped = new AbortController();
  let backend: Backend;
  let port = settings.port;
  let lastId = 0;
  nameProcess("first");

  const readMetrics = (worker: Worker) =>
    new Promise<object[] | null>((resolve) => {
      lastId += 1;
      const id = lastId;
      const respond = (metrics: object[] | null) => {
        pendingMetrics.delete(id);
        clearTimeout(timeout);
        resolve(metrics);
      };
      const timeout = setTimeout(respond, metricsTimeoutMs, null);
      pendingMetrics.set(id, respond);
      send(worker, { type: "metrics?", id });
    });

  async function readAllMetrics(): Promise<string> {
    const all = await Promise.all([ownMetrics(backend.metrics), ...[...running.values()].map(readMetrics)]);
    return textOf(all.filter((metrics) => metrics !== null));
  }

  async function receive(worker: Worker, message: FromWorker): Promise<void> {
    if (message.type === "metrics") pendingMetrics.get(message.id)?.(message.metrics);
    if (message.type === "all metrics?")
      send(worker, { type: "all metrics", id: message.id, text: await readAllMetrics() });
  }

  /** Ends a worker that stops responding; it is then replaced like any other that ends. */
  function watch(worker: Worker, number: number): () => void {
    let missedChecks = 0;
    worker.on("message", () => {
      missedChecks = 0;
    });
    // Counted, not timed: a machine that wakes from sleep must not mistake the pause for silence.
    const checks = setInterval(() => {
      if (missedChecks === maxMissedChecks) {
        log.warn(
          `Worker ${number} has not answered for ${(maxMissedChecks * limits.checkEveryMs) / 1_000} s; ending it`,
        );
        worker.process.kill("SIGKILL");
      }
      missedChecks += 1;
      send(worker, { type: "alive?" });
    }, limits.checkEveryMs);
    return () => clearInterval(checks);
  }

  /** Starts a worker. @returns the name of its build @throws StartError when it can't listen */
  async function launch(number: number, failures = 0): Promise<string> {
    const worker = cluster.fork();
    const response = await new Promise<FromWorker>((resolve) => {
      worker.on("message", (message: FromWorker) => {
        if (message.type === "listening" || message.type === "failed") resolve(message);
        else
          receive(worker, message).catch((error: Error) =>
            log.warn(`Worker ${number} could not be reached: ${error.message}`),
          );
      });
      worker.once("exit", (code, signal) =>
        resolve({ type: "failed", reason: `A worker ended while it started (${signal ?? code})` }),
      );
      setTimeout(() => {
        resolve({
          type: "failed",
          reason: `A worker has not started within ${limits.startTimeoutMs / 1_000} s`,
        });
      }, limits.startTimeoutMs).unref();
      const { database = null } = backend;
      send(worker, { type: "open", settings: { ...settings, port }, number, database });
    });
    if (response.type !== "listening") {
      worker.process.kill("SIGKILL");
      throw new StartError(response.type === "failed" ? response.reason : "A worker can't start");
    }
    running.set(number, worker);
    const startedAt = performance.now();
    const stopWatching = watch(worker, number);
    const onEnd = (code: number, signal: string | null) => {
      stopWatching();
      running.delete(number);
      if (stopped.signal.aborted) return;
      countWorkerRestart();
      log.warn(`Worker ${number} ended unexpectedly (${signal ?? code}); starting it again`);
      void replace(number, performance.now() - startedAt > steadyMs ? 0 : failures);
    };
    worker.once("exit", onEnd);
    return response.release;
  }

  async function replace(number: number, failures: number): Promise<void> {
    let lastReason = "";
    for (let failed = failures; !stopped.signal.aborted; failed += 1) {
      const ms = restartPausesMs[Math.min(failed, restartPausesMs.length - 1)];
      try {
        await pause(ms, undefined, { signal: stopped.signal });
        await launch(number, failed + 1);
        return;
      } catch (error) {
        const reason = (error as Error).message;
        if (reason !== lastReason && !stopped.signal.aborted)
          log.warn(`Worker ${number} cannot be started again yet. ${reason}`);
        lastReason = reason;
      }
    }
  }

  return {
    /**
     * Starts all workers and waits until they listen.
     * @returns the name of the build
     * @throws StartError when one can't
     */
    async start(opened: Backend): Promise<string> {
      backend = opened;
      port = await findPort(settings);
      const numbers = Array.from({ length: settings.workers }, (_, index) => index + 1);
      const [release = ""] = await Promise.all(numbers.map((number) => launch(number)));
      return release;
    },
    /** Stops all workers once they have finished their running requests. */
    async stop(): Promise<void> {
      stopped.abort();
      const all = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
      await Promise.all(
        all
          .filter((worker) => !worker.isDead())
          .map(async (worker) => {
            const ended = new Promise((resolve) => worker.once("exit", resolve));
            const timeout = setTimeout(() => worker.process.kill("SIGKILL"), stopTimeoutMs);
            send(worker, { type: "stop" });
            await ended;
            clearTimeout(timeout);
          }),
      );
    },
  };
}

import type { Server } from "node:http";
import { joinBackend } from "./backend.ts";
import { createPresence } from "./embedded/presence.ts";
import { nameProcess, ownMetrics } from "./metrics.ts";
import { startPayments } from "./payments/payments.ts";
import { closeWebServer, startWebServer } from "./web-server.ts";
import type { FromWorker, ToWorker } from "./worker-messages.ts";

const send = (message: FromWorker) => process.send?.(message, () => {});

/**
 * Runs a worker, which serves the shop on the port that all workers share. The first process sends it settings and
 * backend, and does everything that is done only once: builds, backups, emails, checks of open payments, the files of
 * earlier builds.
 */
export function runWorker(): void {
  const presence = createPresence();
  const asked = new Map<number, (text: string) => void>();
  let server: Server | null = null;
  let lastId = 0;

  const readAllFigures = () =>
    new Promise<string>((resolve) => {
      lastId += 1;
      asked.set(lastId, resolve);
      send({ type: "all figures?", id: lastId });
    });

  async function open({ settings, number, publishableKey, isBackendUp }: ToWorker & { type: "open" }) {
    nameProcess(String(number));
    presence.set(isBackendUp);
    const backend = joinBackend(settings, publishableKey, presence);
    const payments = startPayments(settings, backend, null);
    const started = await startWebServer({ settings, backend, payments, readAllFigures });
    server = started.server;
    send({ type: "listening", release: started.release ?? "" });
  }

  async function stop(): Promise<void> {
    if (server) await closeWebServer(server);
    process.exit(0);
  }

  process.on("message", async (message: ToWorker) => {
    if (message.type === "open")
      open(message).catch((error: Error) => send({ type: "failed", reason: error.message }));
    if (message.type === "backend") presence.set(message.isUp);
    if (message.type === "alive?") send({ type: "alive" });
    if (message.type === "stop") void stop();
    if (message.type === "figures?") send({ type: "figures", id: message.id, metrics: await ownMetrics() });
    if (message.type === "all figures") {
      asked.get(message.id)?.(message.text);
      asked.delete(message.id);
    }
  });
  // Signals to the whole process group: the first process handles them and then sends `stop`.
  process.on("SIGTERM", () => {});
  process.on("SIGINT", () => {});
}

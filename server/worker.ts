import type { Server } from "node:http";
import type { Backend } from "./api/backend.ts";
import { endOnUnexpectedErrors } from "./lib/unexpected-errors.ts";
import { joinBackend } from "./open-backend.ts";
import { startPayments } from "./payments/payments.ts";
import { nameProcess, ownMetrics } from "./web/metrics.ts";
import { closeWebServer, startWebServer } from "./web/web-server.ts";
import type { FromWorker, ToWorker } from "./worker-messages.ts";

const send = (message: FromWorker) => process.send?.(message, () => {});

/**
 * Runs a worker, which serves the shop on the port that all workers share, with database connections of its own. The first process sends
 * it the settings and does everything that is done only once: builds, migrations, backups, emails, checks of open payments, the
 * files of earlier builds.
 */
export function runWorker(): void {
  const pending = new Map<number, (text: string) => void>();
  let server: Server | null = null;
  let backend: Backend | null = null;
  let lastId = 0;

  const readAllMetrics = () =>
    new Promise<string>((resolve) => {
      lastId += 1;
      pending.set(lastId, resolve);
      send({ type: "all metrics?", id: lastId });
    });

  async function open({ settings, number, database }: ToWorker & { type: "open" }) {
    nameProcess(String(number));
    backend = await joinBackend(settings, database);
    const payments = startPayments(settings, backend, null);
    const started = await startWebServer({ settings, backend, payments, readAllMetrics });
    server = started.server;
    send({ type: "listening", release: started.release ?? "" });
  }

  async function close(): Promise<void> {
    if (server) await closeWebServer(server);
    await backend?.stop();
  }
  endOnUnexpectedErrors(close);

  process.on("message", async (message: ToWorker) => {
    if (message.type === "open")
      open(message).catch((error: Error) => send({ type: "failed", reason: error.message }));
    if (message.type === "alive?") send({ type: "alive" });
    if (message.type === "stop") void close().then(() => process.exit(0));
    if (message.type === "metrics?")
      send({ type: "metrics", id: message.id, metrics: await ownMetrics(backend?.metrics) });
    if (message.type === "all metrics") {
      pending.get(message.id)?.(message.text);
      pending.delete(message.id);
    }
  });
  // Signals to the whole process group: the first process handles them and then sends `stop`.
  process.on("SIGTERM", () => {});
  process.on("SIGINT", () => {});
}

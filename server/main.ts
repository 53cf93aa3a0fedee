import cluster from "node:cluster";
import manifest from "../package.json" with { type: "json" };
import { type Backend, openBackend } from "./backend.ts";
import { buildIfChanged, clientFolder } from "./build.ts";
import { withOptions } from "./command-line.ts";
import { outboxAddress } from "./embedded/outbox-key.ts";
import { log } from "./log.ts";
import { startPayments } from "./payments/payments.ts";
import { keepRelease, makeKeptFolder } from "./releases.ts";
import { readSettings, type Settings } from "./shared/settings.ts";
import { closeWebServer, startWebServer } from "./web-server.ts";
import { runWorker } from "./worker.ts";
import { createWorkers } from "./workers.ts";

const isDevelopment = process.argv.includes("--dev");

/** Starts the shop: settings, build and backend, web server, in that order; any failure is one clear line. */
async function main(): Promise<void> {
  try {
    process.loadEnvFile();
  } catch {
    // Without a file named .env all settings have their defaults.
  }
  const settings = readSettings(withOptions(process.env, process.argv.slice(2)));
  const workers = settings.workers > 1 ? createWorkers(settings) : null;
  const backend = await buildAndOpen(settings, workers?.onPresence);
  const payments = startPayments(settings, backend);
  const close = async () => {
    await payments.stop();
    await backend.stop();
  };
  // Created before several processes need it at once.
  const outbox = await outboxAddress(settings);
  if (!isDevelopment) await makeKeptFolder(settings.dataDir);
  try {
    const { stopServing, release } = workers
      ? { stopServing: workers.stop, release: await workers.start(backend) }
      : await serveHere(settings, backend, payments);
    const kept = release && keepForOpenPages(settings, release);
    stopOnSignals(async () => {
      await stopServing();
      await kept;
      await close();
    });
  } catch (error) {
    await workers?.stop();
    await close();
    throw error;
  }
  for (const notice of [...backend.notices, ...payments.notices]) log.info(notice);
  if (outbox) log.info(`Emails are kept on this machine: ${outbox}`);
  const parts = [`version ${manifest.version}`, `${backend.kind} backend`];
  if (workers) parts.push(`${settings.workers} workers`);
  log.info(`${settings.siteUrl} is open (${parts.join(", ")}). Stop it with Ctrl+C.`);
}

async function serveHere(settings: Settings, backend: Backend, payments: ReturnType<typeof startPayments>) {
  const { server, release } = await startWebServer({ settings, backend, payments, isDevelopment });
  return { release, stopServing: () => closeWebServer(server) };
}

/** Builds the pages while the backend opens. When one fails, the other is ended before its line is printed. */
async function buildAndOpen(settings: Settings, onPresence?: (isUp: boolean) => void): Promise<Backend> {
  const failed = new AbortController();
  const built = isDevelopment ? Promise.resolve() : buildIfChanged(failed.signal);
  const opened = openBackend(settings, onPresence);
  try {
    const [backend] = await Promise.all([opened, built]);
    return backend;
  } catch (error) {
    failed.abort();
    await Promise.allSettled([built, opened.then((backend) => backend.stop())]);
    throw error;
  }
}

/** For pages that are open when the next build is deployed. The shop works without it. */
async function keepForOpenPages({ dataDir }: Settings, release: string): Promise<void> {
  await keepRelease(dataDir, release, clientFolder).catch((error: Error) =>
    log.warn("Pages that are open during an update will have to be reloaded", { error: error.message }),
  );
}

/** Answers requests under way, then stops the backend, so that no confirmed order is left in memory. */
function stopOnSignals(close: () => Promise<void>): void {
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    void close().then(() => process.exit(0));
  };
  // Not once: Ctrl+C reaches this process from the terminal and again from the launcher.
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}

// The shop keeps running when the reader of its log ends.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

if (cluster.isWorker) runWorker();
else
  main().catch((error: unknown) => {
    log.error(error instanceof Error ? error.message : String(error));
    process.exit(1);
  });

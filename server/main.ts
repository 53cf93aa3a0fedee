import cluster from "node:cluster";
import manifest from "../package.json" with { type: "json" };
import type { Backend } from "./api/backend.ts";
import { withOptions } from "./lib/command-line.ts";
import { log, logConsole } from "./lib/log.ts";
import { outboxAddress } from "./lib/outbox-key.ts";
import { readSettings, type Settings, secretSettings } from "./lib/settings.ts";
import { endOnUnexpectedErrors } from "./lib/unexpected-errors.ts";
import { openBackend } from "./open-backend.ts";
import { startPayments } from "./payments/payments.ts";
import { becomeShopUser } from "./shop/shop-user.ts";
import { addBrotli, clientFolder, compileIfChanged } from "./web/build.ts";
import { countRestarts, showShopState } from "./web/metrics.ts";
import { makeReleaseFolder, storeRelease } from "./web/releases.ts";
import { readShopState } from "./web/shop-state.ts";
import { closeWebServer, startWebServer } from "./web/web-server.ts";
import { runWorker } from "./worker.ts";
import { createWorkers } from "./workers.ts";

const isDevelopment = process.argv.includes("--dev");

/** Read from the environment, and from a file named .env. The processes that this one starts get no secrets from there. */
function takeSettings(): Settings {
  try {
    process.loadEnvFile();
  } catch {
    // Without a file named .env all settings have their defaults.
  }
  const settings = readSettings(withOptions(process.env, process.argv.slice(2)));
  for (const name of secretSettings) delete process.env[name];
  return settings;
}

/** Starts the shop: settings, build and backend, web server, in that order; any failure is one clear line. */
async function main(): Promise<void> {
  const settings = takeSettings();
  const closings: Closings = [];
  let closing: Promise<void> | null = null;
  let opened: Backend | null = null;
  const stopping = new AbortController();
  const close = () => {
    if (!closing) opened?.noteStopping?.();
    stopping.abort();
    closing ??= closeAll(closings);
    return closing;
  };
  const fail = endOnUnexpectedErrors(close);
  if (!settings.hosted) becomeShopUser(settings.dataDir);
  logRestart();
  try {
    const { backend, build } = await buildAndOpen(settings, fail);
    opened = backend;
    closings.push(backend.stop);
    showShopState(() => readShopState(backend, settings.dataDir));
    const payments = startPayments(settings, backend);
    closings.push(payments.stop);
    // Created before several processes need it at once.
    const outbox = await outboxAddress(settings);
    if (!isDevelopment) await makeReleaseFolder(settings.dataDir);
    let finished = Promise.resolve();
    closings.push(() => finished);
    const release =
      settings.workers > 1
        ? await startWorkers(settings, backend, closings)
        : await serveHere(settings, backend, payments, closings);
    if (release && build) finished = finishBuild(settings, { build, release }, stopping.signal);
    stopOnSignal(close);
    for (const notice of [...backend.notices, ...payments.notices]) log.info(notice);
    if (outbox) log.info(`Emails are kept on this machine: ${outbox}`);
    const parts = [`version ${manifest.version}`, `${backend.kind} backend`];
    if (settings.workers > 1) parts.push(`${settings.workers} workers`);
    log.info(`${settings.siteUrl} is open (${parts.join(", ")}). Stop it with Ctrl+C.`);
  } catch (error) {
    await close();
    throw error;
  }
}

/** What releases each resource, in the order in which they were acquired. */
type Closings = (() => Promise<void>)[];

async function closeAll(closings: Closings): Promise<void> {
  for (const close of closings.splice(0).reverse()) await close();
}

async function serveHere(
  settings: Settings,
  backend: Backend,
  payments: ReturnType<typeof startPayments>,
  closings: Closings,
): Promise<string | null> {
  const { server, release } = await startWebServer({ settings, backend, payments, isDevelopment });
  closings.push(() => closeWebServer(server));
  return release;
}

async function startWorkers(settings: Settings, backend: Backend, closings: Closings): Promise<string> {
  const workers = createWorkers(settings);
  closings.push(workers.stop);
  return workers.start(backend);
}

/** Builds the pages while the backend opens. When one fails, the other is ended before its line is printed. */
async function buildAndOpen(settings: Settings, fail: (line: string) => void) {
  const failed = new AbortController();
  const built = isDevelopment ? Promise.resolve(null) : compileIfChanged(failed.signal);
  const opened = openBackend(settings, fail);
  try {
    const [backend, build] = await Promise.all([opened, built]);
    return { backend, build };
  } catch (error) {
    failed.abort();
    await Promise.allSettled([built, opened.then((backend) => backend.stop())]);
    throw error;
  }
}

/**
 * Runs once the shop is open: stores the build's files for pages that are still open after the next update, and compresses them
 * further. The shop works without either.
 */
async function finishBuild(
  { dataDir }: Settings,
  { build, release }: { build: string; release: string },
  signal: AbortSignal,
): Promise<void> {
  const storeFiles = () =>
    storeRelease(dataDir, release, clientFolder).catch((error: Error) =>
      log.warn("Pages that are open during an update will have to be reloaded", { error: error.message }),
    );
  await storeFiles();
  const hasAdded = await addBrotli(build, signal).catch((error: Error) => {
    if (!signal.aborted) log.warn("The pages' files are larger than they could be", { error: error.message });
    return false;
  });
  if (hasAdded) await storeFiles();
}

/** The process that watches this one (supervisor.js) says that it was started again, and why. */
function logRestart(): void {
  const restarts = Number(process.env.SHOP_RESTARTS ?? 0);
  if (restarts === 0) return;
  countRestarts(restarts);
  log.warn(`The shop ended unexpectedly (${process.env.SHOP_RESTART_REASON}); it is starting again`);
}

/**
 * Answers requests under way, then stops the backend, so that no confirmed order is left in memory: after a signal, or when the process
 * that watches this one disconnects or has been killed.
 */
function stopOnSignal(close: () => Promise<void>): void {
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    void close().then(() => process.exit(0));
  };
  // Not once: Ctrl+C reaches this process from the terminal and again from the launcher.
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  if (!process.send) return;
  process.off("disconnect", leave);
  process.on("disconnect", stop);
  process.on("message", () => process.send?.("alive", () => {}));
  process.send("open", () => {});
}

/** Stopped before the shop is open. */
const leave = () => process.exit(1);

// The shop keeps running when the reader of its log ends.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

// Vite prints for people, over several lines.
if (!isDevelopment) logConsole();
if (cluster.isWorker) runWorker();
else {
  if (process.send) process.on("disconnect", leave);
  main().catch((error: unknown) => {
    log.error(error instanceof Error ? error.message : String(error));
    process.exit(1);
  });
}

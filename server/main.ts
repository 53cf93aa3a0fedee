import { createServer, type IncomingMessage, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import manifest from "../package.json" with { type: "json" };
import { type Backend, openBackend } from "./backend.ts";
import { buildIfChanged, clientFolder } from "./build.ts";
import { outboxAddress } from "./embedded/outbox-key.ts";
import { log } from "./log.ts";
import { answerOlderPage } from "./newer-release.ts";
import { createObserver } from "./observe.ts";
import type { PageCache } from "./page-cache.ts";
import type { PageForm } from "./page-forms.ts";
import { servedFromBuild, servedFromSources } from "./pages.ts";
import { type Payments, startPayments } from "./payments/payments.ts";
import { keepRelease } from "./releases.ts";
import { readSettings, type Settings } from "./shared/settings.ts";
import { createSite } from "./site.ts";

const isDevelopment = process.argv.includes("--dev");

/** Starts the shop: settings, build and backend, web server, in that order; any failure is one clear line. */
async function main(): Promise<void> {
  try {
    process.loadEnvFile();
  } catch {
    // Without a file named .env all settings have their defaults.
  }
  const settings = readSettings(process.env);
  const backend = await buildAndOpen(settings);
  const payments = startPayments(settings, backend);
  const close = async () => {
    await payments.stop();
    await backend.stop();
  };
  try {
    const { server, release } = await startServer(settings, backend, payments);
    const kept = release && keepForOpenPages(settings, release);
    stopOnSignals(server, async () => {
      await kept;
      await close();
    });
  } catch (error) {
    await close();
    throw error;
  }
  for (const notice of [...backend.notices, ...payments.notices]) log.info(notice);
  const outbox = await outboxAddress(settings);
  if (outbox) log.info(`Emails are kept on this machine: ${outbox}`);
  log.info(
    `${settings.siteUrl} is open (version ${manifest.version}, ${backend.kind} backend). Stop it with Ctrl+C.`,
  );
}

/** Builds the pages while the backend opens. When one fails, the other is ended before its line is printed. */
async function buildAndOpen(settings: Settings): Promise<Backend> {
  const failed = new AbortController();
  const built = isDevelopment ? Promise.resolve() : buildIfChanged(failed.signal);
  const opened = openBackend(settings);
  try {
    const [backend] = await Promise.all([opened, built]);
    return backend;
  } catch (error) {
    failed.abort();
    await Promise.allSettled([built, opened.then((backend) => backend.stop())]);
    throw error;
  }
}

/** A cached page is sent before anything else is looked up; a request with a body has to be read first. */
function findKeptPage(
  { method, url = "", headers }: IncomingMessage,
  kept: PageCache["kept"],
): PageForm | null {
  if (method !== "GET" || headers["content-length"] || headers["transfer-encoding"]) return null;
  return kept(url, String(headers["accept-encoding"] ?? ""), headers["if-none-match"]);
}

/** For pages that are open when the next build is deployed. The shop also runs without. */
async function keepForOpenPages({ dataDir }: Settings, release: string): Promise<void> {
  await keepRelease(dataDir, release, clientFolder).catch((error: Error) =>
    log.warn("Pages that are open during an update will have to be reloaded", { error: error.message }),
  );
}

async function startServer(settings: Settings, backend: Backend, payments: Payments) {
  const server = createServer({ requestTimeout: 60_000, headersTimeout: 15_000, maxHeaderSize: 16_384 });
  // Of silence: who takes nothing in keeps its answer in memory.
  if (!isDevelopment) server.setTimeout(60_000);
  const { pages, release, kept, before } = isDevelopment
    ? await servedFromSources(settings, backend, server)
    : await servedFromBuild(settings, backend);
  const site = getRequestListener(createSite({ settings, backend, pages, payments: payments.routes }).fetch);
  const observe = createObserver(settings, log);
  server.on("request", (request, response) =>
    observe(request, response, () => {
      const page = answerOlderPage(request, release) ?? findKeptPage(request, kept);
      if (page) response.writeHead(page.status, page.head).end(page.body);
      else before(request, response, () => void site(request, response));
    }),
  );
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(
        error.code === "EADDRINUSE"
          ? new Error(`Port ${settings.port} is in use. Set PORT to a free one.`)
          : new Error(`Cannot listen on ${settings.host}:${settings.port}: ${error.code ?? error.message}`),
      ),
    );
    server.listen(settings.port, settings.host, resolve);
  });
  return { server, release };
}

/** Answers what is under way, then stops the backend, so that no confirmed order waits in memory. */
function stopOnSignals(server: Server, close: () => Promise<void>): void {
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    const timeout = setTimeout(() => server.closeAllConnections(), 5_000);
    server.close(async () => {
      clearTimeout(timeout);
      await close();
      process.exit(0);
    });
    server.closeIdleConnections();
  };
  // Not once: Ctrl+C reaches this process from the terminal and again from the launcher.
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}

// The shop outlives whatever reads its log.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

main().catch((error: unknown) => {
  log.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
});

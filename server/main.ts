import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { type Backend, openBackend } from "./backend.ts";
import { buildIfChanged } from "./build.ts";
import { servedFromBuild, servedFromSources } from "./pages.ts";
import { readSettings, type Settings } from "./settings.ts";
import { createSite } from "./site.ts";

const isDevelopment = process.argv.includes("--dev");

/** Starts the shop: settings, build, backend, web server, in that order; any failure is one clear line. */
async function main(): Promise<void> {
  try {
    process.loadEnvFile();
  } catch {
    // Without a file named .env all settings have their defaults.
  }
  const settings = readSettings(process.env);
  if (!isDevelopment) await buildIfChanged();
  const backend = await openBackend(settings);
  try {
    const server = await startServer(settings, backend);
    stopOnSignals(server, backend);
  } catch (error) {
    await backend.stop();
    throw error;
  }
  console.log(`${settings.siteUrl} is open (${backend.kind} backend). Stop it with Ctrl+C.`);
}

async function startServer(settings: Settings, backend: Backend): Promise<Server> {
  const server = createServer({ requestTimeout: 60_000, headersTimeout: 15_000, maxHeaderSize: 16_384 });
  const { pages, before } = isDevelopment
    ? await servedFromSources(settings, backend, server)
    : await servedFromBuild(settings, backend);
  const site = getRequestListener(createSite({ settings, backend, pages }).fetch);
  server.on("request", (request, response) => before(request, response, () => void site(request, response)));
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
  return server;
}

/** Answers what is under way, then stops the backend, so that no confirmed order waits in memory. */
function stopOnSignals(server: Server, backend: Backend): void {
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    const patience = setTimeout(() => server.closeAllConnections(), 5_000);
    server.close(async () => {
      clearTimeout(patience);
      await backend.stop();
      process.exit(0);
    });
    server.closeIdleConnections();
  };
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
});

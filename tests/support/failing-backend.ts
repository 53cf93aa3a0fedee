import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { listMigrations } from "#server/database/migration-files.ts";

export type FailingBackend = { url: string; stop: () => Promise<void> };

/** A hosted project that is up to date, so that the shop starts, and then answers every question with 503. */
export async function startFailingBackend(): Promise<FailingBackend> {
  const applied = (await listMigrations()).map(({ version }) => version);
  const server = createServer((request, response) => {
    response.setHeader("Content-Type", "application/json");
    if (request.url?.endsWith("/rpc/list_applied_migrations")) response.end(JSON.stringify(applied));
    else if (request.url?.startsWith("/auth/v1/health")) response.end("{}");
    else
      response.writeHead(503).end(JSON.stringify({ message: "private words of the server", code: "XX000" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

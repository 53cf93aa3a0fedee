import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { onTestFinished } from "vitest";
import type { Backend } from "#server/api/backend.ts";
import { readSecrets } from "#server/lib/secrets.ts";
import { readSettings } from "#server/lib/settings.ts";
import { openEmbedded } from "#server/shop/backend.ts";
import type { Database } from "#shared/calls/database.types.ts";
import { fail, newDataDir } from "#tests/support/embedded-shop.ts";
import { newMember } from "#tests/support/factories.ts";
import { findMail } from "#tests/support/outbox.ts";
import { copyPreparedFolder } from "#tests/support/prepared-folder.ts";
import { ADMIN, type ShopServer, startShop } from "#tests/support/shop-server.ts";

/** Of the admin and of all customers. */
export const { password } = ADMIN;

export const environment = {
  SITE_URL: "http://shop.example",
  SHOP_DEMO: "0",
  ADMIN_EMAIL: ADMIN.email,
  ADMIN_PASSWORD: password,
};

/**
 * A data folder of the test's own; whatever it opens is stopped and removed when the test ends, failed or not.
 * @param place where it is made, if that matters
 * @param state `used`: a shop has already run in it; `demo`: with the demo catalogue; `empty`: a new folder
 */
export async function newFolder(state: "used" | "demo" | "empty" = "used", parent?: string) {
  const dataDir = parent ?? (await newDataDir());
  if (state !== "empty") await copyPreparedFolder(dataDir, state === "demo" ? "demo" : "empty");
  const opened: Backend[] = [];
  const served: ShopServer[] = [];
  const lines: string[] = [];
  onTestFinished(async () => {
    for (const backend of [...opened, ...served]) await backend.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  });
  return {
    dataDir,
    /** Everything that the backend printed for the owner. */
    lines,
    async open(env: NodeJS.ProcessEnv = {}): Promise<Backend> {
      const settings = readSettings({ ...environment, DATA_DIR: dataDir, ...env });
      const backend = await openEmbedded(settings, (line) => void lines.push(line), fail);
      opened.push(backend);
      return backend;
    },
    /**
     * Opens it in a process of its own, which the test may kill; requests reach it over its socket, as commands do.
     * @returns that process
     */
    async openApart(): Promise<ChildProcess> {
      const host = spawn(process.execPath, [join(import.meta.dirname, "host.ts"), dataDir], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      onTestFinished(() => void host.kill("SIGKILL"));
      await once(host.stdout, "data");
      return host;
    },
    /** Starts the whole shop in it, as `npm start` does. */
    async serve(env: NodeJS.ProcessEnv = {}) {
      const shop = await startShop({ ...environment, DATA_DIR: dataDir, ...env });
      served.push(shop);
      const { publishableKey = "" } = (await readSecrets(dataDir)) ?? {};
      return {
        ...shop,
        publishableKey,
        fetch: (request: Request) => {
          const { pathname, search } = new URL(request.url);
          return fetch(new Request(new URL(pathname + search, shop.url), request));
        },
        ready: () =>
          fetch(`${shop.url}/readyz`).then(
            ({ ok }) => ok,
            () => false,
          ),
      };
    },
    /** The id of the process that holds the folder. */
    async pid(): Promise<number> {
      return JSON.parse(await readFile(join(dataDir, "backend.lock"), "utf8")).pid;
    },
  };
}

export type Folder = Awaited<ReturnType<typeof newFolder>>;

type Reached = Pick<Backend, "publishableKey" | "fetch">;

export function clientOf(backend: Reached, key = backend.publishableKey) {
  return createClient<Database>("http://shop.example", key, {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { fetch: (input, init) => backend.fetch(new Request(input, init), "127.0.0.1") },
  });
}

export type Client = ReturnType<typeof clientOf>;

/** A client that may do everything. */
export async function ownerOf(backend: Reached, { dataDir }: Folder): Promise<Client> {
  return clientOf(backend, (await readSecrets(dataDir))?.secretKey);
}

/** A customer with a confirmed address, signed in. */
export async function newCustomer(backend: Reached, { dataDir }: Folder, email: string) {
  return newMember(
    clientOf(backend),
    { email, password },
    (to) => findMail(dataDir, to),
    (url, init) => backend.fetch(new Request(url, init)),
  );
}

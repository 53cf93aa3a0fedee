import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { onTestFinished } from "vitest";
import type { Database } from "#app/lib/database.types.ts";
import type { Backend } from "#server/backend.ts";
import { openEmbedded } from "#server/embedded/backend.ts";
import { readSecrets } from "#server/embedded/secrets.ts";
import { readSettings } from "#server/shared/settings.ts";
import { newDataDir } from "#tests/support/embedded-shop.ts";
import { newMember } from "#tests/support/factories.ts";
import { findMail } from "#tests/support/outbox.ts";
import { copyPreparedFolder } from "#tests/support/prepared-folder.ts";
import { ADMIN } from "#tests/support/shop-server.ts";

/** Of the admin and of all customers. */
export const { password } = ADMIN;

const environment = {
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
export async function newFolder(state: "used" | "demo" | "empty" = "used", place?: string) {
  const dataDir = place ?? (await newDataDir());
  if (state !== "empty") await copyPreparedFolder(dataDir, state === "demo" ? "demo" : "empty");
  const opened: Backend[] = [];
  const lines: string[] = [];
  onTestFinished(async () => {
    for (const backend of opened) await backend.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  return {
    dataDir,
    /** Everything that the backend printed for the owner. */
    lines,
    async open(env: NodeJS.ProcessEnv = {}, silenceMs?: number): Promise<Backend> {
      const settings = readSettings({ ...environment, DATA_DIR: dataDir, ...env });
      const backend = await openEmbedded(settings, (line) => void lines.push(line), silenceMs);
      opened.push(backend);
      return backend;
    },
    /** The process id of the backend that holds the folder. */
    async pid(): Promise<number> {
      return JSON.parse(await readFile(join(dataDir, "backend.lock"), "utf8")).pid;
    },
  };
}

export type Folder = Awaited<ReturnType<typeof newFolder>>;

export function clientOf(backend: Backend, key = backend.publishableKey) {
  return createClient<Database>("http://shop.example", key, {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { fetch: (input, init) => backend.fetch(new Request(input, init), "127.0.0.1") },
  });
}

export type Client = ReturnType<typeof clientOf>;

/** A client that may do everything. */
export async function ownerOf(backend: Backend, { dataDir }: Folder): Promise<Client> {
  return clientOf(backend, (await readSecrets(dataDir))?.secretKey);
}

/** A customer with a confirmed address, signed in. */
export async function newCustomer(backend: Backend, { dataDir }: Folder, email: string) {
  return newMember(
    clientOf(backend),
    { email, password },
    (to) => findMail(dataDir, to),
    (url, init) => backend.fetch(new Request(url, init)),
  );
}

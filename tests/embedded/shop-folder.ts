import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { onTestFinished } from "vitest";
import type { Database } from "#app/lib/database.types.ts";
import type { Backend } from "#server/backend.ts";
import { openEmbedded } from "#server/embedded/backend.ts";
import { readSecrets } from "#server/embedded/secrets.ts";
import { readSettings } from "#server/settings.ts";
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

const newDataDir = () => mkdtemp(join(tmpdir(), "adwene-embedded-"));

/**
 * A data folder of the test's own; whatever it opens is stopped and removed when the test ends, failed or not.
 * @param state whether a shop has run in it before
 */
export async function newFolder(state: "used" | "empty" = "used") {
  const dataDir = await newDataDir();
  if (state === "used") await copyPreparedFolder(dataDir);
  const opened: Backend[] = [];
  const lines: string[] = [];
  onTestFinished(async () => {
    for (const backend of opened) await backend.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  return {
    dataDir,
    /** Everything that the backend told its owner. */
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

/** Signs a customer up, confirms him by the mail's link and signs him in. */
export async function newCustomer(backend: Backend, { dataDir }: Folder, email: string) {
  const client = clientOf(backend);
  const { error } = await client.auth.signUp({ email, password });
  if (error) throw error;
  await backend.fetch(new Request((await findMail(dataDir, email)).links[0] ?? ""));
  const { data, error: refused } = await client.auth.signInWithPassword({ email, password });
  if (refused) throw refused;
  return { client, id: data.user.id, email };
}

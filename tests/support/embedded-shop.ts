import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { readSecrets } from "#server/lib/secrets.ts";
import { readSettings } from "#server/lib/settings.ts";
import { openBackend } from "#server/open-backend.ts";
import type { Database } from "#shared/calls/database.types.ts";
import { type Client, newMember, signInMember } from "./factories.ts";
import { findMail } from "./outbox.ts";
import { ADMIN } from "./shop-server.ts";

export const owner = ADMIN;
export const customer = { password: "another long password", name: "Ama Mensah", phone: "+233201234567" };

/** The embedded backend in this process, with what a test needs to use it. */
export type EmbeddedShop = {
  dataDir: string;
  env: NodeJS.ProcessEnv;
  fetch: typeof fetch;
  /** May do everything. */
  owner: Client;
  client: () => Client;
  stop: () => Promise<void>;
};

/** A shop would start again. */
export function fail(line: string): never {
  throw new Error(line);
}

const withoutSession = { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false };

/** Opens the embedded backend with these settings; DATA_DIR is the caller's. */
export async function openEmbeddedShop(env: NodeJS.ProcessEnv & { DATA_DIR: string }): Promise<EmbeddedShop> {
  const whole = {
    SITE_URL: "http://shop.example",
    ADMIN_EMAIL: owner.email,
    ADMIN_PASSWORD: owner.password,
    ...env,
  };
  const settings = readSettings(whole);
  const backend = await openBackend(settings, fail);
  const send: typeof fetch = (input, init) => backend.fetch(new Request(input, init), "127.0.0.1");
  const secrets = await readSecrets(settings.dataDir);
  if (!secrets) throw new Error("The backend has made no keys");
  const client = (key: string) =>
    createClient<Database>(settings.siteUrl, key, { auth: withoutSession, global: { fetch: send } });
  return {
    dataDir: settings.dataDir,
    env: whole,
    fetch: send,
    owner: client(secrets.secretKey),
    client: () => client(secrets.publishableKey),
    stop: backend.stop,
  };
}

/** A customer with a confirmed address, signed in. */
export async function signUp(shop: EmbeddedShop, email = `person-${randomUUID()}@example.com`) {
  const account = { email, password: customer.password, full_name: customer.name, phone: customer.phone };
  return newMember(shop.client(), account, (to) => findMail(shop.dataDir, to), shop.fetch);
}

export const signIn = (shop: EmbeddedShop, email: string, password = customer.password) =>
  signInMember(shop.client(), email, password);

/** A data folder of the test's own. */
export const newDataDir = () => mkdtemp(join(tmpdir(), "adwene-embedded-"));

/** Runs `npm run NAME -- …words`, as a person does, with only these settings. */
export async function command(
  name: string,
  words: string[],
  env: NodeJS.ProcessEnv,
): Promise<{ code: number; output: string }> {
  const root = join(import.meta.dirname, "../..");
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(root, `scripts/${name}.ts`), ...words],
      {
        cwd: tmpdir(),
        env: {
          PATH: process.env.PATH,
          HOME: process.env.HOME,
          NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
          ...env,
        },
      },
      (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code ?? 1) : 0, output: (stdout + stderr).trim() }),
    );
  });
}

export const removeFolder = (folder: string) => rm(folder, { recursive: true, force: true });

import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, describe } from "vitest";
import type { Backend } from "#server/api/backend.ts";
import { readSecrets } from "#server/lib/secrets.ts";
import { readSettings } from "#server/lib/settings.ts";
import { openBackend } from "#server/open-backend.ts";
import type { Database } from "#shared/calls/database.types.ts";
import { fail } from "#tests/support/embedded-shop.ts";
import { type Client, dataOf, type Member, newMember, signInMember } from "#tests/support/factories.ts";
import { isLong } from "#tests/support/long.ts";
import { findMail, listMails } from "#tests/support/outbox.ts";
import { newDatabase } from "#tests/support/owners-postgres.ts";
import { copyPreparedFolder } from "#tests/support/prepared-folder.ts";
import { ADMIN } from "#tests/support/shop-server.ts";
import { sayWhatIsSkipped } from "#tests/support/skipped.ts";

/** A backend under test, and the means to make people for it. */
export type Target = {
  kind: "embedded" | "hosted";
  /** The shop's own address, where the links of mails lead. */
  siteUrl: string;
  key: string;
  fetch: typeof fetch;
  /** A client as a browser has it: its session is kept, in a storage of its own unless one is given. */
  client: (storage?: SessionStorage) => Client;
  /** A client that may do everything. */
  owner: Client;
  /** Only for the embedded backend: the newest mail to an address, and how many there are. */
  findMail: (to: string, after?: number) => Promise<{ subject: string; links: string[] }>;
  countMails: (to: string) => Promise<number>;
  stop: () => Promise<void>;
};

export type SessionStorage = ReturnType<typeof memoryStorage>;

/** What a browser's local storage is to supabase-js. */
export function memoryStorage() {
  const cached = new Map<string, string>();
  return {
    getItem: (key: string) => cached.get(key) ?? null,
    setItem: (key: string, value: string) => void cached.set(key, value),
    removeItem: (key: string) => void cached.delete(key),
  };
}

export const password = "a long password";

export const newEmail = () => `person-${randomUUID()}@example.com`;

const isFunctionKey = (key: string) => key.startsWith("sb_");

function makeClient(url: string, key: string, send: typeof fetch, storage = memoryStorage()): Client {
  return createClient<Database>(url, key, {
    auth: {
      storage,
      autoRefreshToken: false,
      detectSessionInUrl: false,
      flowType: "implicit",
      experimental: { recoveryCodes: true },
    },
    global: { fetch: send },
  });
}

async function openEmbedded(databaseUrl: string | null): Promise<Target> {
  const dataDir = await mkdtemp(join(tmpdir(), "adwene-contract-"));
  let backend: Backend | null = null;
  const stop = async () => {
    await backend?.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    if (!databaseUrl) await copyPreparedFolder(dataDir, "demo");
    const settings = readSettings({
      DATA_DIR: dataDir,
      SITE_URL: "http://shop.example",
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
    });
    backend = await openBackend(settings, fail);
    const open = backend;
    const send: typeof fetch = (input, init) => open.fetch(new Request(input, init), "127.0.0.1");
    const secrets = await readSecrets(dataDir);
    if (!secrets) throw new Error("The backend has made no keys");
    return {
      kind: "embedded",
      siteUrl: settings.siteUrl,
      key: backend.publishableKey,
      fetch: send,
      client: (storage) => makeClient(settings.siteUrl, open.publishableKey, send, storage),
      owner: makeClient(settings.siteUrl, secrets.secretKey, send),
      findMail: (to, after) => findMail(dataDir, to, after),
      countMails: async (to) => (await listMails(dataDir)).filter((mail) => mail.to.includes(to)).length,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The embedded backend over a database of its own on the owner's PostgreSQL, dropped afterwards. */
async function openEmbeddedOnPostgres(): Promise<Target> {
  const { url, drop } = await newDatabase();
  try {
    const target = await openEmbedded(url);
    return { ...target, stop: () => target.stop().finally(drop) };
  } catch (error) {
    await drop();
    throw error;
  }
}

/** A hosted project with the shop's migrations, named by CONTRACT_SUPABASE_URL and its two keys. */
async function openHosted(): Promise<Target> {
  const { CONTRACT_SUPABASE_URL: url = "", CONTRACT_PUBLISHABLE_KEY: key = "" } = process.env;
  const secret = process.env.CONTRACT_SECRET_KEY ?? "";
  return {
    kind: "hosted",
    siteUrl: process.env.CONTRACT_SITE_URL ?? "http://localhost:3000",
    key,
    fetch: (input, init) => {
      const { pathname, search } = new URL(new Request(input).url);
      return fetch(new URL(pathname + search, url), { redirect: "manual", ...init });
    },
    client: (storage) => makeClient(url, key, fetch, storage),
    owner: createClient<Database>(url, secret, { auth: { persistSession: false } }),
    findMail: () => Promise.reject(new Error("A hosted project's mails cannot be read here")),
    countMails: () => Promise.reject(new Error("A hosted project's mails cannot be counted here")),
    stop: async () => {},
  };
}

const hostedProblem =
  process.env.CONTRACT_SUPABASE_URL && isFunctionKey(process.env.CONTRACT_SECRET_KEY ?? "")
    ? null
    : "CONTRACT_SUPABASE_URL, CONTRACT_PUBLISHABLE_KEY and CONTRACT_SECRET_KEY are not set";

sayWhatIsSkipped("the contract of a hosted project", hostedProblem);

const targets = [
  { name: "embedded", open: () => openEmbedded(null), problem: null },
  { name: "embedded on the owner's PostgreSQL", open: openEmbeddedOnPostgres, problem: null },
  { name: "hosted project", open: openHosted, problem: hostedProblem },
];

/** One backend of each kind serves all tests of a file. */
const opened = new Map<string, Promise<Target>>();

async function closeAll(): Promise<void> {
  for (const target of opened.values()) await target.then(({ stop }) => stop());
  opened.clear();
}

function openOnce(name: string, open: () => Promise<Target>): Promise<Target> {
  const target = opened.get(name) ?? open();
  opened.set(name, target);
  return target;
}

/** Runs the same tests against every backend that is at hand; the others are skipped by name, with the reason. */
export function describeContract(
  title: string,
  tests: (target: () => Target) => void,
  options: { hosted?: boolean; ownServer?: boolean } = {},
): void {
  afterAll(closeAll);
  for (const { name, open, problem } of targets) {
    if (name === "hosted project" && options.hosted === false) continue;
    if (open === openEmbeddedOnPostgres && !(options.ownServer && isLong)) continue;
    const reason = problem ? ` (skipped: ${problem})` : "";
    describe.skipIf(problem)(`${title}, ${name}${reason}`, () => {
      let target: Target;
      beforeAll(async () => {
        target = await openOnce(name, open);
      });
      tests(() => target);
    });
  }
}

/** A customer with a confirmed address, signed in. */
export async function newCustomer(target: Target): Promise<Member> {
  const email = newEmail();
  const data = { full_name: "Ama Mensah", phone: "+233201234567" };
  if (target.kind === "embedded")
    return newMember(target.client(), { email, password, ...data }, target.findMail, target.fetch);
  const { error } = await target.owner.auth.admin.createUser({
    email,
    password,
    email_confirm: true,
    user_metadata: data,
  });
  if (error) throw error;
  return signInMember(target.client(), email, password);
}

/** The same with the role admin. */
export async function newAdmin(target: Target): Promise<Member> {
  const person = await newCustomer(target);
  await dataOf(target.owner.from("user_roles").insert({ user_id: person.id, role: "admin" }).select());
  return person;
}

import { setTimeout as pause } from "node:timers/promises";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type { OwnersAccount } from "#server/api/accounts/owner.ts";
import { isInUse } from "#server/lib/lock.ts";
import { readSecrets } from "#server/lib/secrets.ts";
import { readSettings, type Settings } from "#server/lib/settings.ts";
import { openBackend } from "#server/open-backend.ts";
import type { Anonymised } from "#server/shop/anonymise.ts";
import type { Manifest } from "#server/shop/backup/backup-file.ts";
import {
  accountPath,
  anonymisePath,
  backupPath,
  fetchOverSocket,
  movedPath,
  readyPath,
} from "#server/shop/control-socket.ts";
import { isUnfinished } from "#server/shop/first-attempt.ts";
import { becomeShopUser } from "#server/shop/shop-user.ts";
import { CommandError } from "./command.ts";

/** A client with all rights, for the owner's commands. */
export type OwnerClient = { client: SupabaseClient; close: () => Promise<void> };

const withoutSession = { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false };

function connectHosted(url: string, secretKey: string | undefined): OwnerClient {
  if (!secretKey) throw new CommandError("SUPABASE_SECRET_KEY is missing: SUPABASE_URL is set");
  return { client: createClient(url, secretKey, { auth: withoutSession }), close: async () => {} };
}

/** A shop that is just starting will listen in a moment. */
async function waitUntilReady(dataDir: string): Promise<void> {
  const until = Date.now() + 30_000;
  while (Date.now() < until) {
    const request = new Request(`http://backend${readyPath}`);
    const response = await fetchOverSocket(dataDir, request).catch(() => null);
    if (response?.status === 204) return;
    await pause(200);
  }
  throw new CommandError(`The shop that uses ${dataDir} does not answer`);
}

type OwnerSocket = {
  fetch: (request: Request) => Promise<Response>;
  secretKey: string;
  close: () => Promise<void>;
};

/** Opening a folder without a shop would create a new shop, on which the command would succeed. */
async function refuseWithoutShop(dataDir: string): Promise<void> {
  if ((await readSecrets(dataDir)) && !(await isUnfinished(dataDir))) return;
  throw new CommandError(`There is no shop in ${dataDir}: set DATA_DIR to the shop's data folder`);
}

/** The running shop over its socket, or one that this process opens if none is running. */
async function connectSocket(settings: Settings): Promise<OwnerSocket> {
  const { dataDir } = settings;
  const running = await isInUse(dataDir);
  if (!running) await refuseWithoutShop(dataDir);
  if (!running) becomeShopUser(dataDir);
  const own = running ? null : await openBackend(settings, endCommand);
  const close = async () => own?.stop();
  try {
    await waitUntilReady(dataDir);
    const secrets = await readSecrets(dataDir);
    if (!secrets) throw new CommandError(`${dataDir} holds no keys`);
    const fetch = (request: Request) => fetchOverSocket(dataDir, request);
    return { fetch, secretKey: secrets.secretKey, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function endCommand(line: string): void {
  console.error(line);
  process.exit(1);
}

async function connectEmbedded(settings: Settings): Promise<OwnerClient> {
  const { fetch: send, secretKey, close } = await connectSocket(settings);
  const client = createClient("http://backend", secretKey, {
    auth: withoutSession,
    global: { fetch: (input, init) => send(new Request(input, init)) },
  });
  return { client, close };
}

/** Calls an owner-only endpoint of the embedded backend. */
async function post<Answer>(settings: Settings, path: string, body: object): Promise<Answer> {
  const { fetch: send, secretKey, close } = await connectSocket(settings);
  try {
    const headers = { apikey: secretKey, "content-type": "application/json" };
    const request = new Request(`http://backend${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    const response = await send(request);
    const found = (await response.json()) as Answer & { message?: string };
    if (!response.ok) throw new CommandError(found.message ?? `The shop answered ${response.status}`);
    return found;
  } finally {
    await close();
  }
}

/** Has the embedded backend make a backup; returns its path and contents. */
export const askForBackup = (settings: Settings) =>
  post<{ path: string; manifest: Manifest }>(settings, backupPath, {});

/** Has the embedded backend anonymise a customer; returns how many orders and emails it found. */
export const askToAnonymise = (settings: Settings, userId: string) =>
  post<Anonymised>(settings, anonymisePath, { user_id: userId });

/** Has the embedded backend anonymise a caller without an account; returns the numbers of their orders. */
export const askToAnonymiseCaller = (settings: Settings, caller: string) =>
  post<number[]>(settings, anonymisePath, { caller });

/** Looks up an account of the embedded backend and, on request, gives it a new password. */
export const askForAccount = (settings: Settings, email: string, newPassword: boolean) =>
  post<OwnersAccount>(settings, accountPath, { email, new_password: newPassword });

/** Has the embedded backend email people that the shop has moved; returns how many got an email. */
export const askToEmailMoved = (settings: Settings, emails: string[]) =>
  post<{ sent: number }>(settings, movedPath, { emails });

/** Connects to the backend in the settings, even while the shop runs. */
export async function connectAsOwner(env: NodeJS.ProcessEnv): Promise<OwnerClient> {
  const settings = readSettings(env);
  return settings.hosted
    ? connectHosted(settings.hosted.url, env.SUPABASE_SECRET_KEY)
    : connectEmbedded(settings);
}

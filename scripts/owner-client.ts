import { setTimeout as pause } from "node:timers/promises";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { openBackend } from "#server/backend.ts";
import type { OwnersAccount } from "#server/embedded/accounts/owner.ts";
import type { Anonymised } from "#server/embedded/anonymise.ts";
import type { Manifest } from "#server/embedded/backup/backup-file.ts";
import { isUnfinished } from "#server/embedded/first-attempt.ts";
import { isInUse } from "#server/embedded/lock.ts";
import { accountPath, anonymisePath, backupPath, movedPath, readyPath } from "#server/embedded/protocol.ts";
import { readSecrets } from "#server/embedded/secrets.ts";
import { socketFetch } from "#server/embedded/socket-fetch.ts";
import { socketPath } from "#server/embedded/socket-path.ts";
import { readSettings, type Settings } from "#server/shared/settings.ts";
import { CommandError } from "./command.ts";

/** A client with all rights, for the owner's commands. */
export type OwnerClient = { client: SupabaseClient; close: () => Promise<void> };

const withoutSession = { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false };

function connectHosted(url: string, secretKey: string | undefined): OwnerClient {
  if (!secretKey) throw new CommandError("SUPABASE_SECRET_KEY is missing: SUPABASE_URL is set");
  return { client: createClient(url, secretKey, { auth: withoutSession }), close: async () => {} };
}

/** The backend of a shop that is just starting will listen in a moment. */
async function waitUntilReady(socket: ReturnType<typeof socketFetch>, dataDir: string): Promise<void> {
  const until = Date.now() + 30_000;
  while (Date.now() < until) {
    const answer = await socket.fetch(new Request(`http://backend${readyPath}`)).catch(() => null);
    if (answer?.status === 204) return;
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

/** The running shop's backend over its socket, or one of our own if no shop is running. */
async function connectSocket(settings: Settings): Promise<OwnerSocket> {
  const running = await isInUse(settings.dataDir);
  if (!running) await refuseWithoutShop(settings.dataDir);
  const own = running ? null : await openBackend(settings);
  const socket = socketFetch(socketPath(settings.dataDir));
  const close = async () => {
    socket.close();
    await own?.stop();
  };
  try {
    await waitUntilReady(socket, settings.dataDir);
    const secrets = await readSecrets(settings.dataDir);
    if (!secrets) throw new CommandError(`${settings.dataDir} holds no keys`);
    return { fetch: (request) => socket.fetch(request), secretKey: secrets.secretKey, close };
  } catch (error) {
    await close();
    throw error;
  }
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
async function ask<Answer>(settings: Settings, path: string, body: object): Promise<Answer> {
  const { fetch: send, secretKey, close } = await connectSocket(settings);
  try {
    const headers = { apikey: secretKey, "content-type": "application/json" };
    const request = new Request(`http://backend${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    const answer = await send(request);
    const found = (await answer.json()) as Answer & { message?: string };
    if (!answer.ok) throw new CommandError(found.message ?? `The shop answered ${answer.status}`);
    return found;
  } finally {
    await close();
  }
}

/** Has the embedded backend make a backup; returns its path and contents. */
export const askForBackup = (settings: Settings) =>
  ask<{ path: string; manifest: Manifest }>(settings, backupPath, {});

/** Has the embedded backend anonymise a customer; returns how many orders and emails it found. */
export const askToAnonymise = (settings: Settings, userId: string) =>
  ask<Anonymised>(settings, anonymisePath, { user_id: userId });

/** Has the embedded backend anonymise a caller without an account; returns the numbers of their orders. */
export const askToAnonymiseCaller = (settings: Settings, caller: string) =>
  ask<number[]>(settings, anonymisePath, { caller });

/** Looks up an account of the embedded backend and, on request, gives it a new password. */
export const askForAccount = (settings: Settings, email: string, newPassword: boolean) =>
  ask<OwnersAccount>(settings, accountPath, { email, new_password: newPassword });

/** Has the embedded backend email people that the shop has moved; returns how many got an email. */
export const askToEmailMoved = (settings: Settings, emails: string[]) =>
  ask<{ sent: number }>(settings, movedPath, { emails });

/** Connects to the backend in the settings, even while the shop runs. */
export async function connectAsOwner(env: NodeJS.ProcessEnv): Promise<OwnerClient> {
  const settings = readSettings(env);
  return settings.hosted
    ? connectHosted(settings.hosted.url, env.SUPABASE_SECRET_KEY)
    : connectEmbedded(settings);
}

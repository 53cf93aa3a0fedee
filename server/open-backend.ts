import type { Backend } from "./api/backend.ts";
import type { DatabaseAddress } from "./database/engine.ts";
import { closeHostedAccount } from "./hosted/accounts.ts";
import { connectHosted, openHosted } from "./hosted/backend.ts";
import { hostedCalls } from "./hosted/calls.ts";
import { startHostedEmails } from "./hosted/emails.ts";
import { log } from "./lib/log.ts";
import type { Settings } from "./lib/settings.ts";
import { joinEmbedded, openEmbedded } from "./shop/backend.ts";

const warn = (line: string) => log.warn(line);

/**
 * Opens the backend configured in the settings.
 * @param fail called with a line for the log when the process has to start again
 * @throws Error whose message is one line for the owner: data folder in use or not writable, database unreachable or
 * too old, migrations missing or failing
 */
export async function openBackend(settings: Settings, fail: (line: string) => void): Promise<Backend> {
  if (!settings.hosted) return openEmbedded(settings, warn, fail);
  const backend = await openHosted(settings.hosted);
  const emails = startHostedEmails(settings, warn);
  return {
    ...backend,
    ...withSecretKey(settings.hosted.url, settings.secretKey),
    notices: [...backend.notices, ...emails.notices],
    stop: async () => {
      await emails.stop();
      await backend.stop();
    },
  };
}

/** For a worker: connects to what the first process has opened. */
export async function joinBackend(settings: Settings, database: DatabaseAddress | null): Promise<Backend> {
  const { hosted, secretKey } = settings;
  if (hosted) return { ...connectHosted(hosted), ...withSecretKey(hosted.url, secretKey) };
  if (!database) throw new Error("The first process has no database");
  return joinEmbedded(settings, database, warn);
}

function withSecretKey(url: string, secretKey: string | null): Pick<Backend, "call" | "closeAccount"> {
  if (!secretKey) return { call: null, closeAccount: null };
  const call = hostedCalls(url, secretKey);
  return { call, closeAccount: (userId) => closeHostedAccount(userId, { url, secretKey }, call) };
}

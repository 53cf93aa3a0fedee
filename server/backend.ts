import { connectEmbedded, openEmbedded } from "./embedded/backend.ts";
import type { Presence } from "./embedded/presence.ts";
import type { Figures, Purpose } from "./embedded/protocol.ts";
import { connectHosted, openHosted } from "./hosted.ts";
import { closeHostedAccount } from "./hosted-accounts.ts";
import { hostedCalls } from "./hosted-calls.ts";
import { startHostedEmails } from "./hosted-emails.ts";
import { log, relay } from "./log.ts";
import type { CallDatabase } from "./shared/call-database.ts";
import type { Settings } from "./shared/settings.ts";

/** Where the data is, the same shape for a hosted project and for the embedded backend. */
export type Backend = {
  kind: "embedded" | "hosted";
  /** Lines for the owner, to be shown once the shop is open. */
  notices: string[];
  /** The origin where browsers reach it; null when that is the page's own, whatever address the page was opened by. */
  browserOrigin: string | null;
  /** The public key for it. */
  publishableKey: string;
  /**
   * Handles a request to /rest/v1, /auth/v1 or /storage/v1. Only the path of its URL matters, so that pages rendered
   * on the server can use it too.
   * @param clientIp the browser's address, for rate limits; null, or left out, for the shop itself
   */
  fetch: (request: Request, clientIp?: string | null, purpose?: Purpose) => Promise<Response>;
  /** Calls functions with the secret key's rights, as far as the web process needs them; null without the key. */
  call: CallDatabase | null;
  /**
   * Closes a customer's account and forgets them; null without the secret key.
   * @throws DatabaseRefusal when something is still to be done for them, or they are an admin
   */
  closeAccount: ((userId: string) => Promise<void>) | null;
  /** Whether the database responds now. */
  ready: () => Promise<boolean>;
  /** How busy the embedded backend is; null when it does not respond. */
  figures?: () => Promise<Figures | null>;
  stop: () => Promise<void>;
};

/**
 * Opens the backend configured in the settings.
 * @param onPresence called when the embedded backend's process has ended, and when it is ready again
 * @throws Error whose message is one line for the owner: data folder in use or not writable, database unreachable or
 * too old, migrations missing or failing
 */
export async function openBackend(
  settings: Settings,
  onPresence?: (isUp: boolean) => void,
): Promise<Backend> {
  if (!settings.hosted) return openEmbedded(settings, relay, undefined, onPresence);
  const backend = await openHosted(settings.hosted);
  const emails = startHostedEmails(settings, (line) => log.warn(line));
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

/** For a worker: connects to the backend that the first process opened and supervises. */
export function joinBackend(settings: Settings, publishableKey: string, presence: Presence): Backend {
  const { hosted, secretKey } = settings;
  if (!hosted) return connectEmbedded(settings, publishableKey, presence);
  return { ...connectHosted(hosted), ...withSecretKey(hosted.url, secretKey) };
}

function withSecretKey(url: string, secretKey: string | null): Pick<Backend, "call" | "closeAccount"> {
  if (!secretKey) return { call: null, closeAccount: null };
  const call = hostedCalls(url, secretKey);
  return { call, closeAccount: (userId) => closeHostedAccount(userId, { url, secretKey }, call) };
}

import { openEmbedded } from "./embedded/backend.ts";
import { openHosted } from "./hosted.ts";
import type { Settings } from "./settings.ts";

/** Where the data is, the same shape for a hosted project and for the embedded backend. */
export type Backend = {
  kind: "embedded" | "hosted";
  /** The address that the browser's supabase-js is given. */
  browserUrl: string;
  /** The public key that goes with it. */
  publishableKey: string;
  /**
   * Answers a request to /rest/v1, /auth/v1 or /storage/v1. Only the path of its address matters, so that pages
   * rendered on the server use it too.
   * @param peerAddress the browser's address, for rate limits
   */
  fetch: (request: Request, peerAddress?: string) => Promise<Response>;
  /** Whether the database answers now. */
  ready: () => Promise<boolean>;
  stop: () => Promise<void>;
};

/**
 * Opens the backend that the settings name.
 * @throws Error whose message is one line for the owner: data folder in use or not writable, database unreachable or
 * too old, migrations missing or failing
 */
export async function openBackend(settings: Settings): Promise<Backend> {
  const tell = (line: string) => console.error(line);
  return settings.hosted ? openHosted(settings.hosted) : openEmbedded(settings, tell);
}

import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type { Database } from "./database.types.ts";
import { SESSION_KEY } from "./env.ts";

export type BackendClient = SupabaseClient<Database>;

/** The browser's client: it keeps the session in local storage and refreshes it by itself. */
export function createBrowserBackend(url: string, publishableKey: string): BackendClient {
  return createClient<Database>(url, publishableKey, {
    auth: {
      storageKey: SESSION_KEY,
      persistSession: true,
      autoRefreshToken: true,
      // The shop reads the address itself, so that tokens leave the browser's history too.
      detectSessionInUrl: false,
      // The link of a mail may be opened on another device, where no PKCE verifier is stored.
      flowType: "implicit",
    },
  });
}

/** The server's client: an anonymous visitor who keeps nothing. */
export function createAnonymousBackend(
  url: string,
  publishableKey: string,
  fetch: typeof globalThis.fetch,
): BackendClient {
  return createClient<Database>(url, publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: { fetch },
  });
}

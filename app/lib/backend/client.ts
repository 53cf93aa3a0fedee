import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { SESSION_KEY } from "#app/lib/browser/env.ts";
import type { Database } from "#shared/calls/database.types.ts";
import { authStorage } from "./auth-storage.ts";

export type BackendClient = SupabaseClient<Database>;

/** The browser's client: it keeps the session in local storage and refreshes it automatically. */
export function createBrowserBackend(
  url: string,
  publishableKey: string,
  fetch: typeof globalThis.fetch,
): BackendClient {
  return createClient<Database>(url, publishableKey, {
    global: { fetch },
    auth: {
      storage: authStorage,
      storageKey: SESSION_KEY,
      persistSession: true,
      autoRefreshToken: true,
      // The shop reads the URL itself, so that it can also remove the tokens from the browser's history.
      detectSessionInUrl: false,
      // Part of the second step at sign-in.
      experimental: { recoveryCodes: true },
      // An emailed link may be opened on another device, where no PKCE verifier is stored.
      flowType: "implicit",
    },
  });
}

/** The server's client: an anonymous visitor without a stored session. */
export function createAnonymousBackend(
  url: string,
  publishableKey: string,
  fetch: typeof globalThis.fetch,
): BackendClient {
  return createClient<Database>(url, publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: { fetch },
    // A page's timeout covers one attempt, and the customer can retry.
    db: { retry: false },
  });
}

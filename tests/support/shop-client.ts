import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type { Database } from "#shared/calls/database.types.ts";
import type { ShopServer } from "./shop-server.ts";

/** Publishable keys by URL: each stays the same while its shop runs. */
const keys = new Map<string, string>();

async function readKey(url: string): Promise<string> {
  const html = await (await fetch(`${url}/shop`)).text();
  const key = /<meta name="backend-key" content="([^"]+)"/.exec(html)?.[1];
  if (!key) throw new Error("The page carries no publishable key");
  return key;
}

/** A client of the shop's backend, coming from an address of its own. */
export async function connect(
  { url }: Pick<ShopServer, "url">,
  address: string,
): Promise<SupabaseClient<Database>> {
  const key = keys.get(url) ?? (await readKey(url));
  keys.set(url, key);
  return createClient<Database>(url, key, {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { headers: { "X-Forwarded-For": address } },
  });
}

import { createClient } from "@supabase/supabase-js";
import { SETTING_NAMES } from "#app/lib/browser/env.ts";
import { readSecrets } from "#server/lib/secrets.ts";
import type { Database } from "#shared/calls/database.types.ts";
import { type Client, type Member, newMember } from "./factories.ts";
import { findMail } from "./outbox.ts";
import { type Paystack, paystackKey, startPaystack } from "./paystack.ts";
import { startPreparedShop } from "./prepared-folder.ts";
import { ADMIN, type ShopServer, startShop } from "./shop-server.ts";
import { startSwitchingProxy } from "./switching-proxy.ts";

/** Several web processes of one shop, behind a proxy that switches between them at every request; the backend is another shop's. */
export type WebProcesses = {
  /** What customers type. */
  url: string;
  processes: ShopServer[];
  paystack: Paystack;
  /** How many requests each web process has answered. */
  answered: () => number[];
  /** The page as a visitor with this address gets it. */
  visit: (path: string, from: string, init?: RequestInit) => Promise<Response>;
  /** A browser at this address, with the backend that the page names. */
  clientOf: (from: string) => Promise<Client>;
  signUp: (email: string, from: string) => Promise<Member>;
  signInAdmin: () => Promise<Client>;
  stop: () => Promise<void>;
};

const meta = (html: string, name: string) =>
  new RegExp(`<meta name="${name}" content="([^"]*)"`).exec(html)?.[1] ?? "";

export async function openWebProcesses(count: number): Promise<WebProcesses> {
  const opened: (() => unknown)[] = [];
  const stop = async () => {
    for (const close of opened.splice(0).reverse()) await close();
  };
  try {
    const proxy = await startSwitchingProxy();
    opened.push(proxy.stop);
    const paystack = await startPaystack();
    opened.push(paystack.stop);
    const { url } = proxy;
    const backend = await startPreparedShop("demo", { SITE_URL: url });
    opened.push(backend.stop);
    proxy.setBackend(backend.url);
    const secrets = await readSecrets(backend.dataDir);
    if (!secrets) throw new Error("The backend has made no keys");
    const env = {
      SITE_URL: url,
      SUPABASE_URL: url,
      SUPABASE_PUBLISHABLE_KEY: secrets.publishableKey,
      SUPABASE_SECRET_KEY: secrets.secretKey,
      PAYSTACK_SECRET_KEY: paystackKey,
      PAYSTACK_URL: paystack.url,
    };
    const processes = await Promise.all(Array.from({ length: count }, () => startShop(env)));
    opened.push(() => Promise.all(processes.map((each) => each.stop())));
    proxy.setWebProcesses(processes.map((each) => each.url));

    const visit: WebProcesses["visit"] = (path, from, init = {}) =>
      fetch(url + path, { ...init, headers: { ...init.headers, "x-forwarded-for": from } });
    const clientOf: WebProcesses["clientOf"] = async (from) => {
      const html = await (await visit("/auth", from)).text();
      const auth = { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false };
      const key = meta(html, SETTING_NAMES.publishableKey);
      const global = { headers: { "x-forwarded-for": from } };
      return createClient<Database>(meta(html, SETTING_NAMES.backendUrl), key, { auth, global });
    };
    return {
      url,
      processes,
      paystack,
      answered: () => processes.map((each) => proxy.answered.get(each.url) ?? 0),
      visit,
      clientOf,
      signUp: async (email, from) =>
        newMember(await clientOf(from), { email, password: "a long password", full_name: "Ama" }, (to) =>
          findMail(backend.dataDir, to),
        ),
      signInAdmin: async () => {
        const client = await clientOf("192.0.2.1");
        const { error } = await client.auth.signInWithPassword(ADMIN);
        if (error) throw error;
        return client;
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

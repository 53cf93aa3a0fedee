import { createHmac } from "node:crypto";
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { readSecrets } from "#server/lib/secrets.ts";
import { findMail, followLink } from "#tests/support/outbox.ts";
import { ADMIN, type ShopServer, startShop } from "#tests/support/shop-server.ts";
import type { Sender } from "./cases.ts";

export type HostileShop = {
  shop: ShopServer;
  port: number;
  key: string;
  tokens: Record<Sender, string[]>;
  secrets: string[];
  stop: () => Promise<void>;
};

/** A running shop with a customer, and the tokens with which the cases come. */
export async function openHostileShop(env: NodeJS.ProcessEnv = {}): Promise<HostileShop> {
  const shop = await startShop(env);
  try {
    return { ...(await makeSenders(shop)), stop: shop.stop };
  } catch (error) {
    await shop.stop();
    throw error;
  }
}

async function makeSenders(shop: ShopServer): Promise<Omit<HostileShop, "stop">> {
  const secrets = await readSecrets(shop.dataDir);
  if (!secrets) throw new Error("The shop has made no keys");
  const key = secrets.publishableKey;
  const signIn = async (email: string, password: string) => {
    const client = createClient(shop.url, key, { auth: { persistSession: false } });
    const { data, error } = await client.auth.signInWithPassword({ email, password });
    if (error) throw error;
    return data.session.access_token;
  };
  const customer = { email: "customer@school.example", password: "a customer's password" };
  const client = createClient(shop.url, key, { auth: { persistSession: false } });
  const { error } = await client.auth.signUp({
    ...customer,
    options: { data: { full_name: "A customer" } },
  });
  if (error) throw error;
  const link = (await findMail(shop.dataDir, customer.email)).links.find((each) => each.includes("/verify"));
  await followLink(link);
  const token = await signIn(customer.email, customer.password);
  return {
    shop,
    port: Number(new URL(shop.url).port),
    key,
    tokens: {
      visitor: [],
      customer: [token],
      admin: [await signIn(ADMIN.email, ADMIN.password)],
      broken: brokenTokens(token, secrets.jwtSecret),
    },
    secrets: [secrets.jwtSecret, secrets.secretKey, shop.dataDir, join(import.meta.dirname, "../../..")],
  };
}

/** Tokens that must open nothing: unsigned, signed by someone else, expired, changed, and no tokens at all. */
export function brokenTokens(good: string, jwtSecret: string): string[] {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const [head = "", claims = "", signature = ""] = good.split(".");
  const mine = JSON.parse(Buffer.from(claims, "base64url").toString()) as Record<string, unknown>;
  const sign = (header: unknown, payload: unknown, secret: string) => {
    const body = `${part(header)}.${part(payload)}`;
    return `${body}.${createHmac("sha256", secret).update(body).digest("base64url")}`;
  };
  const hs256 = { alg: "HS256", typ: "JWT" };
  const owner = { ...mine, role: "service_role" };
  return [
    `${part({ alg: "none" })}.${part(owner)}.`,
    `${part({ alg: "none" })}.${part(owner)}.x`,
    `${part({ alg: "NONE", typ: "JWT" })}.${part(owner)}.${signature}`,
    sign(hs256, owner, "secret"),
    sign(hs256, owner, ""),
    sign({ alg: "HS512" }, owner, jwtSecret),
    sign({ alg: ["HS256"] }, owner, jwtSecret),
    sign(hs256, { ...mine, exp: 1 }, jwtSecret),
    sign(hs256, { ...mine, exp: "tomorrow" }, jwtSecret),
    sign(hs256, { ...mine, iss: "https://other.example/auth/v1" }, jwtSecret),
    sign(hs256, { ...mine, aud: "anon" }, jwtSecret),
    sign(hs256, { ...mine, nbf: Number(mine.exp) }, jwtSecret),
    sign({ ...hs256, crit: ["exp"] }, mine, jwtSecret),
    sign(hs256, { ...mine, session_id: mine.sub }, jwtSecret),
    sign(hs256, { ...mine, session_id: undefined }, jwtSecret),
    `${head}.${part(owner)}.${signature}`,
    `${head}.${claims}.`,
    `${head}.${claims}`,
    `${head}.${claims}.${signature}x`,
    "a.b.c",
    "...",
    ".",
    "null",
    "x".repeat(10_000),
  ];
}

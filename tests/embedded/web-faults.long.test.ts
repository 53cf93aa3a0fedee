import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { listMigrations } from "#server/database/migration-files.ts";
import { findProcesses, serverName } from "#server/database/postgres/leftovers.ts";
import { newDataDir, removeFolder } from "#tests/support/embedded-shop.ts";
import { eventually } from "#tests/support/eventually.ts";
import { addBook } from "#tests/support/factories.ts";
import { findMail, followLink } from "#tests/support/outbox.ts";
import { copyPreparedFolder, startPreparedShop } from "#tests/support/prepared-folder.ts";
import { startShop } from "#tests/support/shop-server.ts";
import { runKills } from "#tests/torture/kills.ts";
import { signalAll } from "#tests/torture/processes.ts";
import { chanceFrom } from "#tests/torture/random.ts";
import { clientOf, publishableKey, signInAdmin } from "#tests/torture/shoppers.ts";

/* What happens to the whole shop when something breaks, and what it prints. Starts it as `npm start` does. */

const SEED = 20261120;

/** Several times as long as the shop lets a page wait for its backend, which would wait for ever. */
const WAIT_MS = 60_000;

const METRICS_KEY = "a-key-of-at-least-16";

test("Whichever process is killed while customers order over HTTP, the books balance afterwards", async () => {
  const { kills, confirmed } = await runKills({
    seed: SEED,
    kills: 4,
    shoppers: 3,
    prepare: copyPreparedFolder,
  });
  expect(kills.watcher + kills.shop + kills.both + kills.stop).toBe(4);
  expect(confirmed).toBeGreaterThan(4);
});

/** Whether a page is sent without being rendered: on a busy machine the catalogue's version may be read too late to store it. */
async function isCached(shop: { url: string }, path: string): Promise<boolean> {
  const misses = async () => {
    const answer = await fetch(`${shop.url}/metrics`, {
      headers: { authorization: `Bearer ${METRICS_KEY}` },
    });
    return /shop_page_cache_total\{result="miss"\} (\d+)/.exec(await answer.text())?.[1];
  };
  const before = await misses();
  expect(before).toMatch(/\d/);
  await (await fetch(shop.url + path)).arrayBuffer();
  return (await misses()) === before;
}

type Mood = "well" | "failing" | "silent" | "cut";

/** A hosted project that has the shop's migrations and no books, in a good mood or a bad one. */
async function startProject() {
  const applied = JSON.stringify((await listMigrations()).map(({ version }) => version));
  const state: { mood: Mood } = { mood: "well" };
  const wellAnswers = (path: string): string => {
    if (path.endsWith("/list_applied_migrations")) return applied;
    if (path.endsWith("/catalogue_version")) return "1";
    if (path.endsWith("/near_books")) return '{"books":[],"meant":null}';
    return path.endsWith("/catalogue_page") ? '{"books":[],"total":0,"facets":null}' : "[]";
  };
  const answer: Record<Mood, (path: string, response: ServerResponse) => void> = {
    well: (path, response) => response.setHeader("content-type", "application/json").end(wellAnswers(path)),
    failing: (_, response) => response.writeHead(500).end("private words of the server"),
    silent: () => {},
    cut: (_, response) => response.destroy(),
  };
  const server = createServer((request, response) => {
    answer[state.mood](new URL(request.url ?? "/", "http://project").pathname, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { state, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test("When a hosted project fails, hangs up or falls silent, pages say so, and recover when it does", async () => {
  const { state, url } = await startProject();
  const shop = await startShop({
    SUPABASE_URL: url,
    SUPABASE_PUBLISHABLE_KEY: "sb_publishable_key",
    METRICS_KEY,
  });
  onTestFinished(shop.stop);
  const page = async (path = "/shop") => {
    const answer = await fetch(shop.url + path, { signal: AbortSignal.timeout(WAIT_MS) });
    return { status: answer.status, html: await answer.text() };
  };
  const health = async () => (await fetch(`${shop.url}/healthz`)).json();
  expect((await page()).html).toContain("Our shelves are still empty.");
  await eventually(async () => expect(await isCached(shop, "/shop")).toBe(true), WAIT_MS);

  for (const mood of ["failing", "cut", "silent"] as const) {
    state.mood = mood;
    const { status, html } = await page(`/shop?q=${mood}`);
    expect([mood, status]).toEqual([mood, 503]);
    expect(html).toContain("Failed to load books: ");
    expect(html).not.toContain("private words");
    // A page that was rendered before is still served.
    expect([mood, (await page()).status]).toEqual([mood, 200]);
    const [found, readiness] = await Promise.all([health(), fetch(`${shop.url}/readyz`)]);
    expect(found).toEqual({ live: true, ready: false });
    expect(readiness.status).toBe(503);
    expect((await fetch(`${shop.url}/about`)).status).toBe(200);
    state.mood = "well";
    await eventually(async () => expect((await page(`/shop?q=${mood}`)).status).toBe(200), {
      timeout: 20_000,
      interval: 200,
    });
    expect(await health()).toEqual({ live: true, ready: true });
  }
  expect(shop.output()).not.toContain("private words");
});

test("A whole journey, with all refusals on the way, leaves nothing personal in the shop's output", async () => {
  const shop = await startPreparedShop("empty");
  onTestFinished(shop.stop);
  const key = await publishableKey(shop);
  const chance = chanceFrom(SEED);
  const admin = await signInAdmin(shop, key, chance);
  const book = await addBook(admin, { price: 10, stock_quantity: 2 });
  const client = clientOf(shop, key, chance);
  const email = "ama.hidden@example.com";
  const password = "a password to hide";
  const phone = "+233240000321";
  const data = { full_name: "Ama Hidden", phone };
  const secrets = [email, encodeURIComponent(email), password, phone, phone.slice(1), "Ama Hidden"];
  const visit = (path: string) => fetch(new URL(path, shop.url), { redirect: "manual" });

  const link = async (after = 0) => new URL((await findMail(shop.dataDir, email, after)).links[0] ?? "");
  await client.auth.signUp({ email, password, options: { data } });
  expect((await client.auth.signInWithPassword({ email, password })).error).not.toBeNull(); // Not confirmed yet.
  const confirmation = await link();
  secrets.push(confirmation.searchParams.get("token") ?? "no token");
  const follow = ({ pathname, search }: URL) => followLink(new URL(pathname + search, shop.url).href);
  await follow(confirmation);
  await follow(confirmation); // Used already.
  expect((await client.auth.signInWithPassword({ email, password: `${password}!` })).error).not.toBeNull();
  const { data: signedIn } = await client.auth.signInWithPassword({ email, password });
  secrets.push(signedIn.session?.access_token ?? "no token", signedIn.session?.refresh_token ?? "no token");

  const user_id = signedIn.user?.id ?? "";
  const line = { user_id, book_id: book.id, quantity: 2 };
  const address = "7 Hidden Street, Kumasi";
  secrets.push("Hidden Street", "Kofi Secret", "+233200000007", "233200000007");
  const order = {
    user_id,
    total_amount: 20,
    status: "pending",
    shipping_address: address,
    recipient_name: "Kofi Secret",
    recipient_phone: "+233200000007",
  };
  const refusals = [
    await client.from("orders").insert(order), // An empty cart.
    await client.from("orders").insert({ ...order, total_amount: address as never }), // No number.
    await client.from("orders").insert({ ...order, shipping_address: address.repeat(100) }), // Too long.
    await client.from("orders").insert({ ...order, status: "delivered" }),
    await client
      .from("profiles")
      .update({ phone: phone.repeat(9) })
      .eq("id", user_id),
    await client.from("profiles").update({ email }).eq("id", user_id),
    await client.from("orders").select("nothing").eq("recipient_name", "Kofi Secret"),
    await client.rpc("anonymise_customer", { _user_id: user_id }),
  ];
  for (const { error } of refusals) expect(error).not.toBeNull();
  expect((await client.from("cart_items").insert(line)).error).toBeNull();
  expect((await client.from("orders").insert(order).select().single()).error).toBeNull();

  await client.auth.resetPasswordForEmail(email);
  // After the confirmation and the email about the order.
  const recovery = await link(2);
  secrets.push(recovery.searchParams.get("token") ?? "no token");
  await follow(recovery);
  await client.auth.updateUser({ password: `${password} anew` });
  await visit(`/shop?q=${encodeURIComponent(email)}`);
  await visit(`/auth/v1/verify?token=${encodeURIComponent(email)}&type=signup`);
  await visit(`/rest/v1/orders?recipient_phone=eq.${encodeURIComponent(phone)}&apikey=${key}&broken`);
  await fetch(new URL("/rest/v1/orders", shop.url), {
    method: "POST",
    headers: { apikey: key, authorization: `Bearer ${signedIn.session?.access_token}x` },
    body: `{"shipping_address": "${address}`,
  });
  await client.auth.signOut();

  const printed = shop.output();
  expect(printed).toContain("is open");
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(8);
    expect(printed).not.toContain(secret);
  }
});

test("While the database is frozen, a page says so, and one made before is still served", async () => {
  const shop = await startPreparedShop("demo", { METRICS_KEY });
  onTestFinished(shop.stop);
  const visit = async (path: string) => {
    const answer = await fetch(shop.url + path, { signal: AbortSignal.timeout(WAIT_MS) });
    return { status: answer.status, html: await answer.text() };
  };
  const before = await visit("/shop");
  await eventually(async () => expect(await isCached(shop, "/shop")).toBe(true), WAIT_MS);
  const database = (await findProcesses(serverName(shop.dataDir))).map(({ pid }) => pid);
  signalAll(database, "SIGSTOP");
  onTestFinished(() => signalAll(database, "SIGCONT"));
  const fresh = await visit("/products/cambridge");
  expect(fresh.status).toBe(503);
  expect(fresh.html).toContain("Failed to load books: ");
  expect(fresh.html).toContain("Try Again");
  const kept = await visit("/shop");
  expect([kept.status, kept.html]).toEqual([before.status, before.html]);
  signalAll(database, "SIGCONT");
  await eventually(async () => expect((await visit("/products/cambridge")).status).toBe(200), 20_000);
});

test("The first admin's password is shown again after a start that found its port in use, until they sign in", async () => {
  const dataDir = await newDataDir();
  onTestFinished(() => removeFolder(dataDir));
  const blocker = createServer();
  await new Promise<void>((resolve) => blocker.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void blocker.close());
  const { port } = blocker.address() as AddressInfo;
  const env = { DATA_DIR: dataDir, SHOP_DEMO: "0", ADMIN_EMAIL: undefined, ADMIN_PASSWORD: undefined };
  await expect(startShop({ ...env, PORT: String(port) })).rejects.toThrow(
    `Port ${port} is in use. Set PORT to a free one.`,
  );

  const shown = /First admin: (\S+), password (\S+) \(shown until they have signed in\)/;
  const shop = await startShop(env);
  onTestFinished(shop.stop);
  // The lines of a first start too.
  for (const line of shop.output().trim().split("\n")) expect(JSON.parse(line).message).toMatch(/\w/);
  const [, email = "", password = ""] = shown.exec(shop.output()) ?? [];
  const client = clientOf(shop, await publishableKey(shop), chanceFrom(SEED));
  const { data, error } = await client.auth.signInWithPassword({ email, password });
  expect(error).toBeNull();
  expect((await client.rpc("get_user_role", { _user_id: data.user?.id ?? "" })).data).toBe("admin");
  await shop.stop();

  const later = await startShop(env);
  onTestFinished(later.stop);
  expect(later.output()).not.toContain("First admin");
});

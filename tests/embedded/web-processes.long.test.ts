import { randomUUID } from "node:crypto";
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { maxMisses } from "#server/shop/code-guesses.ts";
import { eventually } from "#tests/support/eventually.ts";
import {
  addBook,
  type Client,
  dataOf,
  delivery,
  fillCart,
  type Member,
  stockOf,
} from "#tests/support/factories.ts";
import { START_MS } from "#tests/support/shop-server.ts";
import { openWebProcesses, type WebProcesses } from "#tests/support/web-processes.ts";

/* Three web processes in front of one backend; no two requests in a row go to the same one (docs/scaling.md). */

let shop: WebProcesses;
let admin: Client;
beforeAll(async () => {
  shop = await openWebProcesses(3);
  admin = await shop.signInAdmin();
}, 2 * START_MS);
afterAll(() => shop?.stop());

/** How long a change may take to show everywhere. */
const STALE_MS = 30_000;

type Order = { id: string; total: number };

/** Sends an order with the same id until the shop responds, as the checkout does. */
async function order({ id: user_id, client }: Member, total_amount: number): Promise<Order> {
  const id = randomUUID();
  const row = { id, user_id, total_amount, status: "pending", ...delivery };
  for (let tries = 0; tries < 20; tries += 1) {
    const { status, error } = await client.from("orders").insert(row);
    if (status === 0 || status >= 500) continue;
    if (error && error.code !== "23505") throw new Error(error.message);
    return { id, total: total_amount };
  }
  throw new Error("The shop does not take the order");
}

/** Browses, signs up, signs in, fills the cart, orders, and finds the order among their own. */
async function journey(number: number, book: { id: string; title: string; price: number }): Promise<Order> {
  const from = `203.0.113.${number}`;
  for (const path of ["/", "/shop", `/shop?q=${encodeURIComponent(book.title)}`, `/books/${book.id}`]) {
    const page = await shop.visit(path, from);
    expect([path, page.status]).toEqual([path, 200]);
    await page.text();
  }
  const member = await shop.signUp(`customer-${number}@example.com`, from);
  await fillCart(member.client, book.id, 2);
  expect((await shop.visit("/checkout", from)).status).toBe(200);
  const placed = await order(member, book.price * 2);
  const own = await dataOf(member.client.from("orders").select("id,total_amount"));
  expect(own).toEqual([{ id: placed.id, total_amount: placed.total }]);
  return placed;
}

test("All processes send the same page, byte for byte, so a browser's copy is valid at each of them", async () => {
  const tags = await Promise.all(
    shop.processes.map(async ({ url }) => (await fetch(`${url}/shop`)).headers.get("etag")),
  );
  expect(tags[0]).toMatch(/^W\/"/);
  expect(new Set(tags).size).toBe(1);
  const copy = { headers: { "if-none-match": tags[0] ?? "" } };
  for (let n = 0; n < 3; n += 1) expect((await shop.visit("/shop", "203.0.113.9", copy)).status).toBe(304);
});

test("a search by three visitors is in the report and one by two isn't, whichever web processes served them", async () => {
  for (let n = 0; n < 12; n += 1) {
    await shop.visit("/shop?q=Ananse+three", `198.51.100.${n % 3}`);
    await shop.visit("/shop?q=Ananse+two", `198.51.100.${n % 2}`);
  }
  const day = new Date().toISOString().slice(0, 10);
  const texts = async () =>
    (await dataOf(admin.rpc("report_demand", { _from: day, _to: day, _kind: "search" }))).map(
      ({ text, visitors }) => `${text}: ${visitors}`,
    );
  await expect.poll(texts, { timeout: 40_000 }).toContain("ananse three: 3");
  expect((await texts()).filter((text) => text.startsWith("ananse two"))).toEqual([]);
});

test("A process finds the files of a build that another process has put into the folder since", async () => {
  const [{ url, dataDir } = { url: "", dataDir: "" }] = shop.processes;
  await eventually(() => stat(join(dataDir, "releases/files/assets")), 10_000);
  const name = "assets/of-another-build.js";
  await writeFile(join(dataDir, "releases/another-build.json"), JSON.stringify([name]));
  await writeFile(join(dataDir, "releases/files", name), "export {};");
  const found = await fetch(`${url}/${name}`);
  expect([found.status, found.headers.get("cache-control")]).toEqual([
    200,
    "public, max-age=31536000, immutable",
  ]);
});

test("A payment that is started and reported at all processes at once is counted once", async () => {
  const book = await addBook(admin, { price: 40 });
  const payer = await shop.signUp("payer@example.com", "203.0.113.60");
  await fillCart(payer.client, book.id);
  const { id } = await order(payer, 40);
  const { data } = await payer.client.auth.getSession();
  const authorization = `Bearer ${data.session?.access_token}`;
  const pressed = await Promise.all(
    shop.processes.map(async ({ url }) => {
      const response = await fetch(`${url}/payments/orders/${id}`, {
        method: "POST",
        headers: { authorization },
      });
      return (await response.json()) as { address: string };
    }),
  );
  const references = new Set(pressed.map(({ address }) => address.split("/").at(-1) ?? ""));
  expect(references.size).toBe(1);
  const [reference = ""] = references;
  shop.paystack.approve(reference);
  const heard = await Promise.all(
    [...shop.processes, ...shop.processes].map(({ url }) =>
      shop.paystack.send(url, "charge.success", reference),
    ),
  );
  expect(heard).toEqual([200, 200, 200, 200, 200, 200]);
  const rows = await dataOf(admin.from("payments").select("kind,amount,state").eq("order_id", id));
  expect(rows).toEqual([{ kind: "payment", amount: 40, state: "settled" }]);
});

test("Wrong passwords and guessed codes are counted across processes, separately for each visitor", async () => {
  const from = "203.0.113.70";
  const { client } = await shop.signUp("guessed@example.com", from);
  const { data } = await client.auth.getSession();
  const close = async (password: string) =>
    (
      await shop.visit("/account/close", from, {
        method: "POST",
        headers: {
          authorization: `Bearer ${data.session?.access_token}`,
          "content-type": "application/json",
        },
        body: JSON.stringify({ password }),
      })
    ).status;
  const statuses: number[] = [];
  for (let n = 0; n < 12; n += 1) statuses.push(await close("a wrong password"));
  expect(statuses).toEqual([...Array(10).fill(400), 429, 429]);

  const look = async (n: number, visitor: string) =>
    (await shop.visit(`/lists/${String(n).padStart(10, "2")}`, visitor)).status;
  for (let n = 0; n < maxMisses; n += 4) {
    const some = await Promise.all([0, 1, 2, 3].map((more) => look(n + more, "203.0.113.71")));
    expect(some).toEqual([404, 404, 404, 404]);
  }
  expect(await look(maxMisses, "203.0.113.71")).not.toBe(404);
  expect(await look(maxMisses + 1, "203.0.113.72")).toBe(404);
});

test("With one process killed midway, customers still get from browsing to ordering, and a new price shows everywhere within 30 s", async () => {
  const book = await addBook(admin, { price: 25, stock_quantity: 100 });
  const steady = await addBook(admin, { price: 15, stock_quantity: 100 });
  const path = `/books/${book.id}`;
  for (const { url } of shop.processes) expect(await (await fetch(url + path)).text()).toContain("25.00");
  const [first, killed, last] = shop.processes;
  const before = shop.answered();
  const journeys = Promise.all([1, 2, 3, 4].map((number) => journey(number, steady)));
  journeys.catch(() => {}); // Awaited below.
  await eventually(() => expect((shop.answered()[1] ?? 0) - (before[1] ?? 0)).toBeGreaterThan(5), 30_000);
  killed?.process.kill("SIGKILL");
  await dataOf(admin.from("books").update({ price: 26 }).eq("id", book.id).select().single());
  const changedAt = Date.now();
  for (const each of [first, last])
    await eventually(async () => expect(await (await fetch(each?.url + path)).text()).toContain("26.00"), {
      timeout: STALE_MS,
      interval: 200,
    });
  expect(Date.now() - changedAt).toBeLessThan(STALE_MS);

  const later = Promise.all([11, 12].map((number) => journey(number, steady)));
  const orders = [...(await journeys), ...(await later)];
  expect(new Set(orders.map(({ id }) => id)).size).toBe(6);
  // Each took two copies, once.
  expect(await stockOf(admin, steady.id)).toBe(100 - 2 * orders.length);
  const seen = await shop.visit(path, "203.0.113.80");
  expect(await seen.text()).toContain("26.00");
  const [busy, , busyToo] = shop.answered();
  expect(Math.min(busy ?? 0, busyToo ?? 0)).toBeGreaterThan(20);
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { ownShop } from "#app/owner/own-shop.ts";
import { demoWords, demoWordsIn } from "#tests/support/demo-words.ts";
import { eventually } from "#tests/support/eventually.ts";
import { type Client, signInMember } from "#tests/support/factories.ts";
import { findMail } from "#tests/support/outbox.ts";
import { startPreparedShop } from "#tests/support/prepared-folder.ts";
import { connect } from "#tests/support/shop-client.ts";
import { shopPages } from "#tests/support/shop-pages.ts";
import { ADMIN, type ShopServer, START_MS } from "#tests/support/shop-server.ts";

/* A shop that was opened without the demo: it says nothing of the demo's, and what its owner writes is shown and sent. */

let shop: ShopServer;
let admin: Client;

beforeAll(async () => {
  shop = await startPreparedShop("empty");
  admin = (await signInMember(await connect(shop, "2001:db8::7"), ADMIN.email, ADMIN.password)).client;
}, START_MS);
afterAll(() => shop?.stop());

const read = async (path: string) => (await fetch(shop.url + path)).text();

test.each([
  ...shopPages,
  ...["/auth", "/checkout", "/wishlist", "/account", "/orders", "/quotes", "/offline", "/lost"],
  ...["/site.webmanifest", "/robots.txt", "/sitemap.xml"],
])("%s has no word of the demo", async (path) => {
  const text = await read(path);
  expect(text).not.toBe("");
  // Names of local storage, which nobody reads, are in lower case.
  expect(demoWordsIn(text)).toEqual([]);
});

test("the demo's words are known: the shop with the demo says them", () => {
  expect(demoWords.length).toBeGreaterThan(20);
});

test("a changed name is shown by the next page and sent with the next email", async () => {
  expect(await read("/about")).toContain(`${ownShop.name}, home`);
  const { error } = await admin.rpc("update_settings", {
    _values: { name: "Kente Books & Co", email: "hello@kente.example" },
    _seen: await admin
      .from("shop_settings")
      .select("id, updated_at")
      .then(({ data }) => Object.fromEntries((data ?? []).map(({ id, updated_at }) => [id, updated_at]))),
  });
  expect(error).toBeNull();
  await eventually(async () => expect(await read("/about")).toContain("Kente Books &amp; Co, home"), {
    timeout: 20_000,
    interval: 100,
  });
  expect(await (await fetch(`${shop.url}/site.webmanifest`)).json()).toMatchObject({
    name: "Kente Books & Co",
  });
  const address = "teacher@school.example";
  await (await connect(shop, "2001:db8::8")).auth.signUp({ email: address, password: "a long password" });
  const { subject, text } = await findMail(shop.dataDir, address);
  expect(subject).toBe("Kente Books & Co: confirm your email address");
  expect(text).toMatch(/^Kente Books & Co$/m);
});

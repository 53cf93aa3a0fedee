import { afterAll, beforeAll, expect, test } from "vitest";
import { lawPages } from "#app/features/law/law-pages.ts";
import { missingLegalFacts } from "#app/features/law/legal-facts.ts";
import type { Json } from "#shared/calls/database.types.ts";
import { ownShop } from "#shared/owner/own-shop.ts";
import { firstShop, type Shop } from "#shared/owner/settings.ts";
import { demoWords, demoWordsIn } from "#tests/support/demo-words.ts";
import { eventually } from "#tests/support/eventually.ts";
import { type Client, signInMember } from "#tests/support/factories.ts";
import { findMail } from "#tests/support/outbox.ts";
import { startPreparedShop } from "#tests/support/prepared-folder.ts";
import { readPage, textOf } from "#tests/support/read-page.ts";
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

/** Saves settings as the form does, after reading them. */
async function saveSettings(values: Partial<Shop>): Promise<void> {
  const { data } = await admin.from("shop_settings").select("id, updated_at").throwOnError();
  const seen = Object.fromEntries(data.map(({ id, updated_at }) => [id, updated_at]));
  await admin.rpc("update_settings", { _values: values as Json, _seen: seen }).throwOnError();
}

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

test.each(shopPages)(
  "%s of a shop without the demo claims nothing that its owner has not said",
  async (path) => {
    const { main, document } = await readPage(path, shop);
    const description = document.querySelector('meta[name="description"]')?.getAttribute("content") ?? "";
    const claims =
      /\b(advisers?|experts?|inside out|visit your school|A level|IB|Cambridge|free of charge|first conversation is free|24 hours|teachers (already use|in Ghana ask for)|schools order first)\b/i;
    expect(`${textOf(main)} ${description}`).not.toMatch(claims);
    // A heading stands above something.
    for (const heading of main.querySelectorAll("h2, h3"))
      expect(textOf(heading.parentNode).length, textOf(heading)).toBeGreaterThan(textOf(heading).length);
    // A paragraph without words takes room all the same, except where it will have some.
    const silent = main.querySelectorAll("p:not([role])").filter((paragraph) => textOf(paragraph) === "");
    expect(silent.map(String)).toEqual([]);
  },
);

test("the demo's words are known: the shop with the demo says them", () => {
  expect(demoWords.length).toBeGreaterThan(20);
});

test("a changed name is shown by the next page and sent with the next email", async () => {
  expect(await read("/about")).toContain(`${ownShop.name}, home`);
  await saveSettings({ name: "Kente Books & Co", email: "hello@kente.example" });
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

/** What a page shows in [square brackets]. */
async function blanksShown(path: string): Promise<string[]> {
  const { document } = await readPage(path, shop);
  for (const code of document.querySelectorAll("script, style")) code.remove();
  return textOf(document).match(/\[[^\][]+\]/g) ?? [];
}

const lawTexts = ["deliveryAndReturns", "terms", "privacy"] as const;

test("shows no blank on any page once the checklist of the law misses nothing, with or without a legal name", async () => {
  // An empty shop: blanks stand on the law's pages alone, where the checklist counts them.
  expect(missingLegalFacts({ ...firstShop, ...ownShop })).not.toEqual([]);
  for (const path of shopPages)
    expect((await blanksShown(path)).length > 0, path).toBe(lawPages.some(({ to }) => to === path));

  const filled: Partial<Shop> = {
    name: "Kente Books",
    registrationNumber: "CS000000000",
    legalStatus: "Private limited company",
    placeOfRegistration: "Kumasi, Ghana",
    officeBearers: ["Ama Mensah"],
    memberships: ["None"],
    codeOfConduct: "None",
    disputes: "We follow no such code.",
    dataProtectionNumber: "0000",
    address: ["1 High Street", "Kumasi"],
    phones: ["+233 32 204 0000"],
    email: "hello@kente.example",
    deliveryTerms: "Two days in Kumasi.",
    ...Object.fromEntries(lawTexts.map((name) => [name, firstShop[name].replace(/\[[^\][]+\]/g, "14")])),
  };
  expect(missingLegalFacts({ ...firstShop, ...ownShop, ...filled })).toEqual([]);
  for (const [legalName, shown] of [
    ["", "Legal nameKente Books"],
    ["Kente Limited", "Legal nameKente Limited"],
  ] as const) {
    await saveSettings({ ...filled, legalName });
    await eventually(
      async () => {
        expect(textOf((await readPage("/terms", shop)).main)).toContain(shown);
        for (const path of shopPages) expect(await blanksShown(path), path).toEqual([]);
      },
      { timeout: 20_000, interval: 100 },
    );
  }
});
